-- reason: One empty line is kept, and none is added.
select 1;
select 2;



select 3;
================
select 1;
select 2;

select 3;
