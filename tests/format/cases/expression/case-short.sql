-- reason: A short CASE is on its line.
select case a when 1 then 'x' else 'y' end from t;
================
select case a when 1 then 'x' else 'y' end from t;
