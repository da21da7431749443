-- reason: A comment after an item is placed after the item's comma.
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
