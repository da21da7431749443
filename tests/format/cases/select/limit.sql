-- reason: LIMIT and OFFSET are clauses.
select some_column, other_column from some_table_name order by some_column limit 10 offset 20;
================
select some_column, other_column
from some_table_name
order by some_column
limit 10
offset 20;
