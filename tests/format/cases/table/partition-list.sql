-- reason: Bounds of a partition.
create table p partition of t for values in ('a', 'b'); create table d partition of t default; create table h partition of t for values with (modulus 4, remainder 0);
================
create table p partition of t for values in ('a', 'b');
create table d partition of t default;
create table h partition of t for values with (modulus 4, remainder 0);
