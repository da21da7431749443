-- reason: COPY data is as it was.
copy t (a,b) from stdin;
1	  2
\.

select  1;
================
copy t (a, b) from stdin;
1	  2
\.

select 1;
