-- reason: A mark inside of a statement keeps all of it.
select  a,
  -- pgq: off
  b,     c
  -- pgq: on
from t;
select  1;
================
select  a,
  -- pgq: off
  b,     c
  -- pgq: on
from t;
select 1;
