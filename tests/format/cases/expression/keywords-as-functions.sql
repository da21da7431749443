-- reason: Functions with words between their arguments.
select extract( year from x ), substring(a from 1 for 2), trim(both 'x' from y), overlay(a placing b from 1), position('a' in b), coalesce(a,b), nullif(a,b), greatest(1,2);
================
select
    extract(year from x),
    substring(a from 1 for 2),
    trim(both 'x' from y),
    overlay(a placing b from 1),
    position('a' in b),
    coalesce(a, b),
    nullif(a, b),
    greatest(1, 2);
