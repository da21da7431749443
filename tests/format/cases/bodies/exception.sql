-- reason: Handlers are indented.
-- options: bodies
do $$ begin insert into t(a) values (1); exception when unique_violation then null; when others then raise; end $$;
================
do $$
begin
    insert into t (a) values (1);
exception
    when unique_violation then
        null;
    when others then
        raise;
end
$$;
