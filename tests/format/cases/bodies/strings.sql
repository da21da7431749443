-- reason: Strings of several lines in bodies are as they were.
-- options: bodies
do $$
begin
execute 'select 1
   from t';
end $$;
================
do $$
begin
    execute 'select 1
   from t';
end
$$;
