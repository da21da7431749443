-- reason: Commas first in a table.
-- options: comma=first
create table t (a int, -- one
 b text);
================
create table t (
    a int, -- one
    b text
);
