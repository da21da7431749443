-- reason: Comments that were aligned are aligned again.
select a,       -- the first
       bbbb,    -- the second
       cc       -- the third
from t;
================
select
    a,    -- the first
    bbbb, -- the second
    cc    -- the third
from t;
