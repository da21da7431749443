-- reason: An aggregate.
create aggregate my_avg(float8) (sfunc = float8_accum, stype = float8[], finalfunc = float8_avg, initcond = '{0,0,0}');
================
create aggregate my_avg(float8) (
    sfunc = float8_accum, stype = float8[], finalfunc = float8_avg, initcond = '{0,0,0}'
);
