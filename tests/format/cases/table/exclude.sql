-- reason: Exclusion constraints.
create table t (room int, during tsrange, exclude using gist (room with =, during with &&) where (room > 0));
================
create table t (
    room int,
    during tsrange,
    exclude using gist (room with =, during with &&) where (room > 0)
);
