-- reason: Operators in schemas.
select a operator(pg_catalog.+) b, a operator ( public.= ) c;
================
select a operator(pg_catalog.+) b, a operator(public.=) c;
