-- reason: Comments before a closing parenthesis are indented like the contents of the parentheses.
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
