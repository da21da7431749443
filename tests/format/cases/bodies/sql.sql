-- reason: A body in SQL.
-- options: bodies
create function f(a int) returns int language sql as $$ select b,c from t where d=a; $$;
================
create function f(a int)
returns int
language sql
as $$
select b, c from t where d = a;
$$;
