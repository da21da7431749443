-- reason: Comments of branches.
select case -- what
 when a then 1 -- yes
 -- no
 else 2 end from t;
================
select case -- what
    when a then 1 -- yes
    -- no
    else 2
end
from t;
