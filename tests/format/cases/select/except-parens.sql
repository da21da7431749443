-- reason: Queries in parentheses are indented.
(select some_column from some_table where x > 100 order by some_column limit 10) except (select 1);
================
(select some_column from some_table where x > 100 order by some_column limit 10)
except
(select 1);
