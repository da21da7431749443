-- reason: A window that does not fit has one clause per line.
select sum(amount) over (partition by customer_id, region_id order by ordered_at desc nulls last rows between unbounded preceding and current row) from t;
================
select sum(amount) over (
    partition by customer_id, region_id
    order by ordered_at desc nulls last
    rows between unbounded preceding and current row
)
from t;
