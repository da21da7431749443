-- reason: Comments of conditions.
select a from t
where a = 1 -- one
  and b = 2 -- two
  -- three
  and c = 3;
================
select a
from t
where
    a = 1     -- one
    and b = 2 -- two
    -- three
    and c = 3;
