-- reason: FROM and RETURNING are clauses.
update t set a = s.a, (b, c) = (s.b, s.c) from some_source_table as s where s.id = t.id and s.changed returning t.id, t.a;
================
update t
set a = s.a, (b, c) = (s.b, s.c)
from some_source_table as s
where s.id = t.id and s.changed
returning t.id, t.a;
