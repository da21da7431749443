-- reason: COPY data is unchanged.
copy t (a,b) from stdin;
1	  2
\.

select  1;
================
copy t (a, b) from stdin;
1	  2
\.

select 1;
