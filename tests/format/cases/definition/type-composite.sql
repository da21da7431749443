-- reason: A composite type.
create type address as (street text, house_number text, postal_code text, city text, country_code char(2));
================
create type address as (
    street text, house_number text, postal_code text, city text, country_code char(2)
);
