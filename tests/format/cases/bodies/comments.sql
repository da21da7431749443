-- reason: Comments in bodies stay.
-- options: bodies
do $$
begin
-- first
x := 1; -- one


/* second */
perform f(x);
end $$;
================
do $$
begin
    -- first
    x := 1; -- one

    /* second */
    perform f(x);
end
$$;
