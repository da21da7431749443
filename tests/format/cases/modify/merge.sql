-- reason: Each WHEN of MERGE begins a line.
merge into target t using source s on t.id = s.id when matched and s.deleted then delete when matched then update set a = s.a when not matched then insert (id, a) values (s.id, s.a);
================
merge into target t
using source s
on t.id = s.id
when matched and s.deleted then delete
when matched then update set a = s.a
when not matched then insert (id, a) values (s.id, s.a);
