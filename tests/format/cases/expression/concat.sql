-- reason: Long concatenations break before operators.
select first_name || ' ' || middle_name || ' ' || last_name || ', ' || street || ' ' || house_number || ', ' || city as address, x from t;
================
select
    first_name || ' ' || middle_name || ' ' || last_name || ', ' || street || ' '
        || house_number || ', ' || city as address,
    x
from t;
