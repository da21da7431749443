-- reason: A long ORDER BY is indented.
select * from t order by some_rather_long_column_name desc nulls last, another_rather_long_column_name asc, third;
================
select *
from t
order by
    some_rather_long_column_name desc nulls last,
    another_rather_long_column_name asc,
    third;
