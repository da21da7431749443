-- reason: FOR UPDATE is a clause.
select some_column, other_column from some_table_name where id = 12345 for update of some_table_name skip locked;
================
select some_column, other_column
from some_table_name
where id = 12345
for update of some_table_name skip locked;
