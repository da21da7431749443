-- reason: Temporary tables.
create temp table t (a int) on commit drop;
================
create temp table t (
    a int
) on commit drop;
