-- reason: Long sums break before operators.
select first_long_column_name + second_long_column_name - third_long_column_name * fourth_long_column_name as result from t;
================
select first_long_column_name + second_long_column_name
    - third_long_column_name * fourth_long_column_name as result
from t;
