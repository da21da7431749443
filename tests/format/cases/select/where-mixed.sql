-- reason: AND in an OR without parentheses is a separate group.
select a from t where first_column = 'some value' and second_column = 'other value' or third_column is null and fourth_column > 10;
================
select a
from t
where
    first_column = 'some value' and second_column = 'other value'
    or third_column is null and fourth_column > 10;
