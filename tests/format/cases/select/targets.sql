-- reason: Several items of a SELECT that do not fit are a line each.
select customer_id, customer_name, customer_address, customer_phone, customer_email, note from customers;
================
select
    customer_id,
    customer_name,
    customer_address,
    customer_phone,
    customer_email,
    note
from customers;
