-- reason: DEFAULT VALUES and OVERRIDING.
insert into t default values; insert into t(a) overriding system value values (1);
================
insert into t default values;
insert into t (a) overriding system value values (1);
