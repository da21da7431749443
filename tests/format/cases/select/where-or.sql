-- reason: AND in an OR is indented only by its parentheses.
select a from t where (first_column = 'some value' and second_column = 'other value') or (third_column is null and fourth_column > 10 and fifth_column < 20 and sixth_column = 'x');
================
select a
from t
where
    (first_column = 'some value' and second_column = 'other value')
    or (
        third_column is null
        and fourth_column > 10
        and fifth_column < 20
        and sixth_column = 'x'
    );
