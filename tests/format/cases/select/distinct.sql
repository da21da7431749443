-- reason: DISTINCT ON stays on the line of SELECT.
select distinct on (customer_id) customer_id, order_id, ordered_at, total_amount, shipping_address from orders;
================
select distinct on (customer_id)
    customer_id,
    order_id,
    ordered_at,
    total_amount,
    shipping_address
from orders;
