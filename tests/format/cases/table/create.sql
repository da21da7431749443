-- reason: A column is a line, also of a short table.
create table t (a int, b text);
================
create table t (
    a int,
    b text
);
