-- reason: A value may be negative, and `--` begins a comment.
select  a, - {{ n }}, - ${n}, -{{ n }} from t;
================
select a, - {{ n }}, - ${n}, -{{ n }} from t;
