-- reason: Lines of statements that are not SQL are indented with their first.
-- options: bodies
do $$
begin
  return query execute format('select %I',
       x)
     using y;
end $$;
================
do $$
begin
    return query execute format('select %I',
         x)
       using y;
end
$$;
