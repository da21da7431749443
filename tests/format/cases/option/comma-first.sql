-- reason: Commas first.
-- options: comma=first
select customer_id, customer_name, customer_address, customer_phone, customer_email, note from customers;
================
select
    customer_id
    , customer_name
    , customer_address
    , customer_phone
    , customer_email
    , note
from customers;
