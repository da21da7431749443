-- reason: A view with a query that does not fit.
create or replace view active_customers as select id, name, email from customers where deleted_at is null and active with check option;
================
create or replace view active_customers as
select id, name, email from customers where deleted_at is null and active
with check option;
