-- reason: Other statements on tables.
truncate   table only a , b restart identity cascade; lock table a in share mode nowait;
================
truncate table only a, b restart identity cascade;
lock table a in share mode nowait;
