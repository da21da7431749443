-- reason: A signature that does not fit has one argument per line.
create function add_order(customer_id bigint, amount numeric, currency text default 'EUR', out order_id bigint) returns bigint language sql as 'select 1';
================
create function add_order(
    customer_id bigint,
    amount numeric,
    currency text default 'EUR',
    out order_id bigint
)
returns bigint
language sql
as 'select 1';
