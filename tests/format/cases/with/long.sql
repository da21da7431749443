-- reason: Queries of WITH begin lines.
with regional_sales as (select region, sum(amount) as total_sales from orders group by region), top_regions as (select region from regional_sales where total_sales > 1000) select * from top_regions;
================
with regional_sales as (
    select region, sum(amount) as total_sales from orders group by region
),
top_regions as (select region from regional_sales where total_sales > 1000)
select *
from top_regions;
