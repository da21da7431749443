-- reason: The clauses of a trigger are lines: event, condition and function.
create trigger set_updated_at before insert or update of name, email on public.users for each row when (old.* is distinct from new.*) execute function touch();
================
create trigger set_updated_at
    before insert or update of name, email on public.users
    for each row
    when (old.* is distinct from new.*)
    execute function touch();
