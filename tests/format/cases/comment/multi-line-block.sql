-- reason: Lines of a comment are as they were.
select a, /* several
   lines */ b
from t;
================
select a, /* several
   lines */ b from t;
