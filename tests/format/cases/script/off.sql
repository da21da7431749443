-- reason: Text between the marks `off` and `on` is unchanged.
select  1;
-- pgq: off
select    2;
-- pgq: on
select  3;
================
select 1;
-- pgq: off
select    2;
-- pgq: on
select 3;
