-- reason: A join in parentheses that fits is on one line.
select * from first_table left join (second_table join third_table on second_table.id = third_table.id) on first_table.id = second_table.id;
================
select *
from
    first_table
    left join (second_table join third_table on second_table.id = third_table.id)
        on first_table.id = second_table.id;
