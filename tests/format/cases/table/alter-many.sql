-- reason: Several changes are a line each, if they do not fit.
alter table only public.orders add constraint orders_pkey primary key (id), alter column total type numeric(12,2) using total::numeric, drop column note;
================
alter table only public.orders
    add constraint orders_pkey primary key (id),
    alter column total type numeric(12, 2) using total::numeric,
    drop column note;
