-- reason: Subscripts touch.
select a [1], b[ 1 : 2 ], c[:2], (d).e, (f(x)).*, a.b.c[1].d from t;
================
select a[1], b[1:2], c[:2], (d).e, (f(x)).*, a.b.c[1].d from t;
