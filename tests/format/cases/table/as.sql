-- reason: CREATE TABLE AS.
create table t as select a_long_column_name, another_long_column_name from some_table where x = 1 with no data;
================
create table t as
select a_long_column_name, another_long_column_name from some_table where x = 1
with no data;
