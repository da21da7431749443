-- reason: Comments of joins.
select * from a -- first
join b -- second
 on a.id = b.id -- third
where x;
================
select *
from
    a -- first
    join b -- second
        on a.id = b.id -- third
where x;
