-- reason: EXPLAIN and its query.
explain (analyze, buffers, format json) select some_column, other_column from some_table where some_column > 1000;
================
explain (analyze, buffers, format json)
select some_column, other_column from some_table where some_column > 1000;
