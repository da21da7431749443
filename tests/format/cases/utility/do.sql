-- reason: A DO block stays as it is without the option for bodies.
do language plpgsql $$ begin   perform 1; end $$;
================
do language plpgsql $$ begin   perform 1; end $$;
