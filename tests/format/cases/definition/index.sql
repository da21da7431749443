-- reason: Clauses of an index begin lines, if they do not fit.
create unique index concurrently if not exists orders_customer_idx on public.orders using btree (customer_id, created_at desc) include (total) where deleted_at is null;
================
create unique index concurrently if not exists orders_customer_idx
    on public.orders
    using btree (customer_id, created_at desc)
    include (total)
    where deleted_at is null;
