-- reason: Comments before a closing parenthesis belong to what is inside.
select f(a,
 b
 -- the last
) from t;
================
select f(
    a, b
    -- the last
)
from t;
