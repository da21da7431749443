-- reason: A body in another language is as it was.
-- options: bodies
create function f() returns int language plpython3u as $$
if x:
    return   1
$$;
================
create function f()
returns int
language plpython3u
as $$
if x:
    return   1
$$;
