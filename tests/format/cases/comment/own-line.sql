-- reason: A comment on its own line is indented with what follows.
select
-- first
a,
      -- second
      b
from t;
================
select
    -- first
    a,
    -- second
    b
from t;
