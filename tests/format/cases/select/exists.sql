-- reason: EXISTS has a space before its parenthesis.
select 1 where exists(select 1 from t);
================
select 1 where exists (select 1 from t);
