-- reason: A long ON is indented, its conditions line up.
select * from orders join customers on customers.id = orders.customer_id and customers.deleted_at is null and orders.created_at > customers.created_at;
================
select *
from
    orders
    join customers
        on customers.id = orders.customer_id
        and customers.deleted_at is null
        and orders.created_at > customers.created_at;
