CREATE TABLE t ("nulls" first, "without" time)
EXPLAIN ("nulls" last) SELECT 1
CREATE TABLE t (a int, EXCLUDE (a WITH OPERATOR(ordinality.=)))
