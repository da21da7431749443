-- reason: ANY and ALL have a space.
select a = any(array[1]), b <> all (select 1), c like any(d);
================
select a = any (array[1]), b <> all (select 1), c like any (d);
