-- reason: A comma behind a comment stays behind it.
select a -- the first
  , b -- the second
from t;
================
select
    a -- the first
    , b -- the second
from t;
