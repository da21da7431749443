-- reason: Each attribute of a function is a line.
create or replace function add(a integer, b integer default 5) returns integer language sql immutable strict parallel safe as $$
  select a + b
$$;
================
create or replace function add(a integer, b integer default 5)
returns integer
language sql
immutable
strict
parallel safe
as $$
  select a + b
$$;
