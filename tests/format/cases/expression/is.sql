-- reason: IS NULL, IS DISTINCT FROM and similar tests.
select a is not null, b isnull, c is distinct from d, e is true, f is not unknown, g is json object;
================
select
    a is not null,
    b isnull,
    c is distinct from d,
    e is true,
    f is not unknown,
    g is json object;
