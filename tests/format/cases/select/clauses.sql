-- reason: A statement that does not fit has one clause per line.
select a, b from some_table where first_condition = 1 group by a, b having count(*) > 1 order by a;
================
select a, b
from some_table
where first_condition = 1
group by a, b
having count(*) > 1
order by a;
