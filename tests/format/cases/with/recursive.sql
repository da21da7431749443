-- reason: RECURSIVE, MATERIALIZED and names of columns.
with recursive t(n) as materialized (values (1) union all select n+1 from t where n < 100) select sum(n), max(n), min(n), avg(n), count(n) from t;
================
with recursive t (n) as materialized (
    values (1) union all select n + 1 from t where n < 100
)
select sum(n), max(n), min(n), avg(n), count(n)
from t;
