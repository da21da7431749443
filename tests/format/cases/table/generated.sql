-- reason: Generated columns.
create table t (a int, b int generated always as (a * 2) stored, c text storage external compression lz4 collate "C");
================
create table t (
    a int,
    b int generated always as (a * 2) stored,
    c text storage external compression lz4 collate "C"
);
