-- reason: A materialized view.
create materialized view if not exists daily as select date_trunc('day', created_at) as day, count(*) from orders group by 1 with no data;
================
create materialized view if not exists daily as
select date_trunc('day', created_at) as day, count(*) from orders group by 1
with no data;
