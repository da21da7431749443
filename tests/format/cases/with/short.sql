-- reason: A short WITH is on one line.
with a as (select 1) select * from a;
================
with a as (select 1) select * from a;
