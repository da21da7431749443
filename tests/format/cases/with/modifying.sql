-- reason: Data-modifying statements in WITH.
with moved as (delete from products where date >= '2010-10-01' and date < '2010-11-01' returning *) insert into products_log select * from moved;
================
with moved as (
    delete from products where date >= '2010-10-01' and date < '2010-11-01' returning *
)
insert into products_log select * from moved;
