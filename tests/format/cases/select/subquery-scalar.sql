-- reason: A subquery is an item like any other.
select a, (select max(b) from other_table where other_table.id = t.id and other_table.flag) as highest_b from t;
================
select
    a,
    (
        select max(b) from other_table where other_table.id = t.id and other_table.flag
    ) as highest_b
from t;
