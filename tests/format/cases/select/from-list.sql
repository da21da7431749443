-- reason: Tables of FROM are a line each if they do not fit.
select * from first_table_with_a_long_name, second_table_with_a_long_name, third_table_with_a_long_name;
================
select *
from
    first_table_with_a_long_name,
    second_table_with_a_long_name,
    third_table_with_a_long_name;
