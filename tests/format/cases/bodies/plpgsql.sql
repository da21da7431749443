-- reason: A body in PL/pgSQL: a statement a line, blocks indented.
-- options: bodies
create function f() returns trigger language plpgsql as $$
declare x int; begin
if new.a > 1 then x := 1; elsif new.b then raise notice 'x %', y; else
for r in select * from t loop perform g(r.a); end loop; end if;
return new; end $$;
================
create function f()
returns trigger
language plpgsql
as $$
declare
    x int;
begin
    if new.a > 1 then
        x := 1;
    elsif new.b then
        raise notice 'x %', y;
    else
        for r in select * from t loop
            perform g(r.a);
        end loop;
    end if;
    return new;
end
$$;
