-- reason: A narrow page.
-- options: width=30
select a, b, c from some_table where x = 1 and y = 2;
================
select a, b, c
from some_table
where x = 1 and y = 2;
