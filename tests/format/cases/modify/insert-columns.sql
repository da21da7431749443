-- reason: A long list of columns fills its lines.
insert into users (id, name, email, created_at, updated_at, deleted_at, organization_id, role, locale, time_zone) values (1);
================
insert into users (
    id, name, email, created_at, updated_at, deleted_at, organization_id, role, locale,
    time_zone
)
values (1);
