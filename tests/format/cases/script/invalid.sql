-- reason: A statement that does not parse is as it was.
select  1;
selec  2  ;
select  3;
================
select 1;
selec  2  ;
select 3;
