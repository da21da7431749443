-- reason: A string of several lines is unchanged.
select 'first
   second', b from t;
================
select 'first
   second', b from t;
