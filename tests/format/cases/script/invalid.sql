-- reason: A statement that does not parse is unchanged.
select  1;
selec  2  ;
select  3;
================
select 1;
selec  2  ;
select 3;
