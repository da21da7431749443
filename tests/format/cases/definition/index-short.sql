-- reason: A short index is on one line.
create index on t using gin(a jsonb_path_ops);
================
create index on t using gin (a jsonb_path_ops);
