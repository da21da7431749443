-- reason: by option, types start at one column; comments, constraints and LIKE do not count
-- options: align-types
create table shop.orders (id bigint generated always as identity primary key, -- the key
 customer_id bigint not null references customers (id), "Größe" text, /* cents */ total numeric(12,2) default 0 check (total >= 0),
 like other including all, constraint positive check (total > 0));
create table t (a int);
alter table t add column long_name int;
================
create table shop.orders (
    id          bigint generated always as identity primary key, -- the key
    customer_id bigint not null references customers (id),
    "Größe"     text, /* cents */
    total       numeric(12, 2) default 0 check (total >= 0),
    like other including all,
    constraint positive check (total > 0)
);
create table t (
    a int
);
alter table t add column long_name int;
