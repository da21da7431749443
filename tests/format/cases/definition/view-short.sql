-- reason: A short view.
create view v(a,b) as select 1,2;
================
create view v (a, b) as select 1, 2;
