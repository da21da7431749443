-- reason: Arrows and assignments have spaces.
select f(a=>1,b:=2, variadic array[1]);
================
select f(a => 1, b := 2, variadic array[1]);
