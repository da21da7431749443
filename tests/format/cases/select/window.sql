-- reason: Windows have a clause a line if they do not fit.
select sum(amount) over (partition by customer_id, region_id order by ordered_at desc nulls last rows between unbounded preceding and current row) from t;
================
select sum(amount) over (
    partition by customer_id, region_id
    order by ordered_at desc nulls last
    rows between unbounded preceding and current row
)
from t;
