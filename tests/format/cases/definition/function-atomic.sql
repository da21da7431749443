-- reason: Statements of BEGIN ATOMIC are lines.
create function f(a int) returns int begin atomic select 1; select a + 1; end;
================
create function f(a int)
returns int
begin atomic
    select 1;
    select a + 1;
end;
