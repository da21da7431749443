-- reason: Clauses that fit stay on their lines.
select a, b, c from a_table_with_a_long_name where some_column = 'some value' and other_column > 5 order by a;
================
select a, b, c
from a_table_with_a_long_name
where some_column = 'some value' and other_column > 5
order by a;
