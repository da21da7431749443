-- reason: A string of several lines is as it was.
select 'first
   second', b from t;
================
select 'first
   second', b from t;
