-- reason: ON CONFLICT DO NOTHING.
insert into a_table_with_a_long_name (id, name) values (1, 'some name') on conflict on constraint pkey do nothing;
================
insert into a_table_with_a_long_name (id, name)
values (1, 'some name')
on conflict on constraint pkey do nothing;
