-- reason: A procedure.
create procedure p(inout x int) language plpgsql as $$begin x := 1; end$$; call p(1);
================
create procedure p(inout x int) language plpgsql as $$begin x := 1; end$$;
call p(1);
