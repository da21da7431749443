-- reason: If the query does not fit on one line, each join is a line.
select a, b from first_table join second_table on first_table.id = second_table.first_id where first_table.x > 1;
================
select a, b
from
    first_table
    join second_table on first_table.id = second_table.first_id
where first_table.x > 1;
