-- reason: There is no space between an alias and its list of columns.
select * from generate_series(1,3) as g (n), unnest(a) with ordinality as u(x, i);
================
select * from generate_series(1, 3) as g(n), unnest(a) with ordinality as u(x, i);
