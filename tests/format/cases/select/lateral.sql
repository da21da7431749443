-- reason: LATERAL is part of its join.
select * from customers c left join lateral (select * from orders o where o.customer_id = c.id order by o.id desc limit 1) last_order on true;
================
select *
from
    customers c
    left join lateral (
        select * from orders o where o.customer_id = c.id order by o.id desc limit 1
    ) last_order
        on true;
