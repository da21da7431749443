-- reason: USING and WHERE are clauses.
delete from some_table_name using other_table_name where some_table_name.id = other_table_name.id returning *;
================
delete from some_table_name
using other_table_name
where some_table_name.id = other_table_name.id
returning *;
