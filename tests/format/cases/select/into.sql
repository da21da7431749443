-- reason: INTO is a clause.
select a_long_column_name, another_long_column_name into temporary table new_table_name from some_old_table;
================
select a_long_column_name, another_long_column_name
into temporary table new_table_name
from some_old_table;
