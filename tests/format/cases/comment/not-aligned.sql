-- reason: Comments that were not aligned follow after one space.
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
