-- reason: A subquery in FROM is indented.
select sub.a, sub.b from (select some_column as a, other_column as b from some_table where some_column > 10) as sub where sub.a < 5;
================
select sub.a, sub.b
from
    (
        select some_column as a, other_column as b
        from some_table
        where some_column > 10
    ) as sub
where sub.a < 5;
