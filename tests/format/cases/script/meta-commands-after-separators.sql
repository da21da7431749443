-- reason: `--` and `/*` begin no comments in arguments of meta-commands and in COPY data
select 1\;\i ext--1.0.sql
;
select 1\;
\copy t from stdin
a--b	c
2026--01	/**/d
x 	--y
\.
;

select   1;
================
select 1\;\i ext--1.0.sql
;
select 1\;
\copy t from stdin
a--b	c
2026--01	/**/d
x 	--y
\.
;

select 1;
