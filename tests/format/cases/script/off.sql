-- reason: What is between marks is as it was.
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
