-- reason: One empty line between queries is kept.
with a as (
 select 1
),


b as (
 select 2 from a where some_condition_that_is_long = 'and has a value' and x
)
select * from b;
================
with a as (select 1),

b as (select 2 from a where some_condition_that_is_long = 'and has a value' and x)
select *
from b;
