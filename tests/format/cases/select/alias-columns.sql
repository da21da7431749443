-- reason: Names of columns touch their alias.
select * from generate_series(1,3) as g (n), unnest(a) with ordinality as u(x, i);
================
select * from generate_series(1, 3) as g(n), unnest(a) with ordinality as u(x, i);
