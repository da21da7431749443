-- reason: Options of a sequence that do not fit are one per line.
create sequence if not exists order_numbers as bigint start with 1000 increment by 1 no minvalue no maxvalue cache 10 owned by orders.number;
================
create sequence if not exists order_numbers
    as bigint
    start with 1000
    increment by 1
    no minvalue
    no maxvalue
    cache 10
    owned by orders.number;
