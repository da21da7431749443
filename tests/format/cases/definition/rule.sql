-- reason: A rule.
create rule r as on insert to v where new.a > 1 do instead (insert into t values (new.a); notify x);
================
create rule r as
    on insert to v
    where new.a > 1
    do instead (insert into t values (new.a); notify x);
