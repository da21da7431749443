-- reason: Long lists of GRANT are indented.
grant select, insert, update, delete on table public.customers, public.orders, public.products to app_user, reporting_user with grant option;
================
grant select, insert, update, delete
    on table public.customers, public.orders, public.products
    to app_user, reporting_user
    with grant option;
