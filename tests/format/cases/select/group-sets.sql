-- reason: Grouping sets are formatted like function calls.
select a, b, sum(c) from t group by grouping sets ((a, b), (a), ()), rollup(a, b), cube (a, b);
================
select a, b, sum(c)
from t
group by grouping sets((a, b), (a), ()), rollup(a, b), cube(a, b);
