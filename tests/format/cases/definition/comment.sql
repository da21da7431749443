-- reason: A comment on an object that does not fit.
comment on column public.orders.total is 'The total of the order, in the currency of the customer, with taxes';
================
comment on column public.orders.total
    is 'The total of the order, in the currency of the customer, with taxes';
