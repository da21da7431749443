-- reason: Constraints are lines like columns.
create table orders (id bigint generated always as identity primary key, customer_id bigint not null references customers (id) on delete cascade, total numeric(10,2) check (total >= 0), unique (customer_id, id), constraint positive check (total > 0));
================
create table orders (
    id bigint generated always as identity primary key,
    customer_id bigint not null references customers (id) on delete cascade,
    total numeric(10, 2) check (total >= 0),
    unique (customer_id, id),
    constraint positive check (total > 0)
);
