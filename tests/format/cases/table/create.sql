-- reason: Each column is a line, even in a short table.
create table t (a int, b text);
================
create table t (
    a int,
    b text
);
