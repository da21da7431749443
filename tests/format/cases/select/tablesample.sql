-- reason: TABLESAMPLE stays with its table.
select * from t tablesample bernoulli(10) repeatable(5);
================
select * from t tablesample bernoulli(10) repeatable (5);
