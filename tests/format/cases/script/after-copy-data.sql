-- reason: what follows the data of a COPY is formatted, and what follows COPY on its line stays where it is
copy t from stdin; select   1;
1	a
\.
select a,b from t;
================
copy t from stdin; select   1;
1	a
\.
select a, b from t;
