-- reason: WINDOW is a clause.
select rank() over w, row_number() over (w rows 1 preceding) from some_table window w as (partition by a order by b);
================
select rank() over w, row_number() over (w rows 1 preceding)
from some_table
window w as (partition by a order by b);
