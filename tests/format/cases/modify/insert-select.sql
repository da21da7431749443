-- reason: INSERT from a query.
insert into archive (id, payload, archived_at) select id, payload, now() from events where created_at < now() - interval '1 year';
================
insert into archive (id, payload, archived_at)
select id, payload, now() from events where created_at < now() - interval '1 year';
