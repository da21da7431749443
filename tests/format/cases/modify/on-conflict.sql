-- reason: ON CONFLICT is a clause.
insert into t (id, name, updated_at) values (1, 'x', now()) on conflict (id) where name is not null do update set name = excluded.name, updated_at = now() where t.name <> excluded.name returning *;
================
insert into t (id, name, updated_at)
values (1, 'x', now())
on conflict (id) where name is not null do update set
    name = excluded.name,
    updated_at = now()
where t.name <> excluded.name
returning *;
