-- reason: A comment behind an item stays behind its comma.
select a, -- the first
  b, -- the second
  c -- the third
from t;
================
select
    a, -- the first
    b, -- the second
    c -- the third
from t;
