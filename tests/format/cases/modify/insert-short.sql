-- reason: A short INSERT is on one line.
insert into t(a,b) values (1,2);
================
insert into t (a, b) values (1, 2);
