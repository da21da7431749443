-- reason: Aggregates with DISTINCT, ORDER BY, FILTER and WITHIN GROUP.
select count(distinct a), string_agg(a, ',' order by b), sum(x) filter(where y), percentile_cont(0.5) within group(order by z) from t;
================
select
    count(distinct a),
    string_agg(a, ',' order by b),
    sum(x) filter (where y),
    percentile_cont(0.5) within group (order by z)
from t;
