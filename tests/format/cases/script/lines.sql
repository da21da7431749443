-- reason: Only statements with the lines of the range change.
-- options: lines=2:2
select  1;
select  2;
select  3;
================
select  1;
select 2;
select  3;
