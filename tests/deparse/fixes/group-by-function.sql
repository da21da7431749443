SELECT a FROM t GROUP BY "cube"(a), "rollup"(b) + 1
