-- reason: psql reads COPY data without an end up to the end of the script, so it stays as written
select   1;
copy t from stdin;
select   2;
1	a
================
select 1;
copy t from stdin;
select   2;
1	a
