-- reason: A variable may be a part of a name.
select * from part_:year where a=1;
================
select * from part_:year where a = 1;
