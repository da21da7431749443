-- reason: Comments that were not aligned are one space away.
select a,   -- the first
  bbbb, -- the second
  cc            -- the third
from t;
================
select
    a, -- the first
    bbbb, -- the second
    cc -- the third
from t;
