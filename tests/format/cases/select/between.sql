-- reason: The AND of BETWEEN begins no line.
select a from t where some_long_column_name between '2020-01-01' and '2020-12-31' and other_column not between 1 and 2;
================
select a
from t
where
    some_long_column_name between '2020-01-01' and '2020-12-31'
    and other_column not between 1 and 2;
