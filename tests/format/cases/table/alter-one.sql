-- reason: A single change is on one line, if it fits.
alter table t add column if not exists a int not null default 0;
================
alter table t add column if not exists a int not null default 0;
