-- reason: A statement that fits is on one line.
select a,
  b
from t
where c=1;
================
select a, b from t where c = 1;
