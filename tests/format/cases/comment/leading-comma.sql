-- reason: A comma after a comment stays after the comment.
select a -- the first
  , b -- the second
from t;
================
select
    a -- the first
    , b -- the second
from t;
