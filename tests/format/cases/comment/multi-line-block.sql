-- reason: The lines of a block comment are unchanged.
select a, /* several
   lines */ b
from t;
================
select a, /* several
   lines */ b from t;
