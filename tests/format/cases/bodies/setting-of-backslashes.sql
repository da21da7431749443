-- reason: The function sets how its body is read.
-- options: bodies
create function f() returns text language sql set standard_conforming_strings = off as $$
  select 'it\'s   --   '
  ; $$;
================
create function f()
returns text
language sql
set standard_conforming_strings = off
as $$
  select 'it\'s   --   '
  ; $$;
