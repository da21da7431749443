-- reason: RETURNS TABLE breaks as a list.
create function search(q text) returns table (id bigint, title text, rank real, snippet text, created_at timestamptz, x int) language sql as 'select 1';
================
create function search(q text)
returns table (
    id bigint,
    title text,
    rank real,
    snippet text,
    created_at timestamptz,
    x int
)
language sql
as 'select 1';
