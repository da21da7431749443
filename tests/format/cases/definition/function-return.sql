-- reason: RETURN is a line.
create function f(a int) returns int immutable return a + 1;
================
create function f(a int) returns int immutable return a + 1;
