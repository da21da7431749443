-- reason: Each branch of CASE is a line.
select case when status = 'active' then 'This one is active' when status = 'deleted' then 'This one is gone' else 'unknown' end as description from t;
================
select case
    when status = 'active' then 'This one is active'
    when status = 'deleted' then 'This one is gone'
    else 'unknown'
end as description
from t;
