SELECT a FROM t WINDOW "select" AS (ORDER BY b)
SELECT f() OVER "Zz y", json_objectagg(a: b) OVER "a b", json_arrayagg(a) OVER "c d" FROM t
