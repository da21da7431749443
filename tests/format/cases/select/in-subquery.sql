-- reason: A subquery in IN breaks as a query.
select a from t where id in (select customer_id from orders where ordered_at > now() - interval '1 year' and total > 1000);
================
select a
from t
where
    id in (
        select customer_id
        from orders
        where ordered_at > now() - interval '1 year' and total > 1000
    );
