-- reason: Calls in a long comparison break in their parentheses.
select a from t where coalesce(first_long_column_name, second_long_column_name) = coalesce(third_long_column_name, fourth);
================
select a
from t
where
    coalesce(first_long_column_name, second_long_column_name) = coalesce(
        third_long_column_name, fourth
    );
