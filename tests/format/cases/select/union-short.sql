-- reason: A short UNION is on one line.
select 1 union select 2;
================
select 1 union select 2;
