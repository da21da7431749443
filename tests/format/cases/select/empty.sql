-- reason: A SELECT without items.
select from t;
================
select from t;
