-- reason: psql's meta-commands are unchanged.
\set ON_ERROR_STOP on
\echo  'a   b'
select   1 as x \gset
\if :x
  \d   t
\endif
================
\set ON_ERROR_STOP on
\echo  'a   b'
select 1 as x \gset
\if :x
  \d   t
\endif
