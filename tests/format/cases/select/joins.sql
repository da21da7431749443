-- reason: Joins follow each other.
select * from a join b on a.id = b.id left join c using (id, other_id) cross join d natural join e full outer join f on f.x = e.x;
================
select *
from
    a
    join b on a.id = b.id
    left join c using (id, other_id)
    cross join d
    natural join e
    full outer join f on f.x = e.x;
