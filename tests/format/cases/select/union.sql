-- reason: Each query of a UNION is a group.
select a, b from first_table where a > 10 union all select a, b from second_table where b < 20 union select 1, 2 order by 1 limit 5;
================
select a, b from first_table where a > 10
union all
select a, b from second_table where b < 20
union
select 1, 2
order by 1
limit 5;
