-- reason: Subscripts touch. Spaces around a colon stay, because psql reads a variable in `[1:b]` but not in `[1 : b]`.
select a [1], b[ 1 : 2 ], c[:2], (d).e, (f(x)).*, a.b.c[1].d, e[1:b], e[1 : b], e[ : "b"], e[ b : ], e[ :b ] from t;
================
select
    a[1],
    b[1 : 2],
    c[:2],
    (d).e,
    (f(x)).*,
    a.b.c[1].d,
    e[1:b],
    e[1 : b],
    e[: "b"],
    e[b :],
    e[:b]
from t;
