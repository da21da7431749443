SELECT TRIM(BOTH a, b, c), TRIM(a FROM b, c)
