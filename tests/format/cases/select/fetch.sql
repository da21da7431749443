-- reason: FETCH FIRST is a clause.
select some_column, other_column from some_table_name order by some_column fetch first 10 rows with ties;
================
select some_column, other_column
from some_table_name
order by some_column
fetch first 10 rows with ties;
