//! Edge cases of fingerprints and normalization: constants that occur in the tree twice, constants in place of
//! keywords, constants that GROUP BY repeats, nested lists, the depth limit.

/// Returns texts of one or several statements.
pub fn texts() -> Vec<String> {
    let mut texts: Vec<String> = EDGE_CASES.iter().map(ToString::to_string).collect();
    for levels in [30, 48, 49, 50, 97, 98, 99, 100, 101, 1000] {
        texts.push(format!("SELECT a{}", " + 1".repeat(levels)));
        texts.push(format!("SELECT f({}b{})", "g(x, ".repeat(levels), ")".repeat(levels)));
        texts.push(format!("SELECT 1{}", " UNION SELECT b + 2, 3 GROUP BY b + 2".repeat(levels)));
        texts.push(format!("SELECT 1 FROM {}t{}", "(SELECT z, y FROM ".repeat(levels), ") AS a".repeat(levels)));
    }
    texts
}

const EDGE_CASES: &[&str] = &[
    "",
    ";;",
    "SELECT 1;; SELECT 'a'; -- end",
    // Signs.
    "SELECT - - 5, - 'a', -(5), - - 'a', -/* c */ 5, - -- x\n 7, -TRUE, 1 - -1, -.5, +5, a--1\n+2",
    "SET x = -5",
    "SET x = +5",
    "SET x TO - /* c */ 1.5, on, 'a', \"B\", true",
    "DECLARE c CURSOR FOR SELECT -1; FETCH BACKWARD -5 FROM c",
    // Kinds of literals.
    "SELECT 1_000, 0x_1F, 0b11, 0o17, .5, 5., 1e5, 1.5E-3, 1.e1, 5. a",
    "SELECT 'a'\n  'b''c' -- d\n 'e' -- f\n , 'g' /* h */, E'\\'x'''\n'y\\\\', b'01'\n'10', x'1F', N'n', $$a'$b$$, $t$ $$ $t$",
    "SELECT U&'d!0061t\\0061'   UESCAPE '!', U&'\\0061'   , u&'x'\n'y', U&\"a\\0062\" FROM U&\"t\" UESCAPE '!'",
    "SELECT 'é', 'x' AS \"é\", 'y' FROM é WHERE é = 'é'",
    // Constants at positions where keywords or names are allowed.
    "SELECT extract(year FROM a), extract('month' FROM b), extract(\"day\" FROM c), normalize(a, NFKC), a IS NFC NORMALIZED",
    "SELECT a FROM t LIMIT ALL OFFSET 5 ROWS",
    "SELECT a FROM t FETCH FIRST ROW ONLY; SELECT a FROM t FETCH FIRST 5 ROWS ONLY",
    "SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY; SET XML OPTION DOCUMENT; SET TIME ZONE LOCAL",
    "SET TIME ZONE INTERVAL '1' HOUR; SET TIME ZONE 'x'; SET TIME ZONE y; SET NAMES 'utf8'; SET SCHEMA 's'",
    // The grammar accepts parameters for only some of these values. Each value is in a separate text, because a value
    // that no parameter can replace affects the normalization of its whole text.
    "SET TIME ZONE 'x'",
    "SET TIME ZONE - 7.5",
    "SET TIME ZONE INTERVAL(3) '1'",
    "SET TIME ZONE INTERVAL '1:00' HOUR TO MINUTE",
    "SET SCHEMA 's'; SET search_path = a, 'b', \"C d\"; SET ROLE NONE; SET LOCAL SESSION AUTHORIZATION 'x'",
    "SET x.y = a, on, -5, 'b' -- c\n 'd', U&'e', E'f'",
    "SET x = U&'a' UESCAPE '!'",
    "SET client_encoding = 'x'",
    "SET xmloption = content",
    "SET TRANSACTION SNAPSHOT '0-1'",
    "EXPLAIN (FORMAT 'json', COSTS 0) SELECT extract(year FROM a), date '2020-01-01', char 'x', 1",
    "EXPLAIN SELECT * FROM json_table(a, '$' PASSING 1 AS b COLUMNS (c int PATH '$'))",
    "EXPLAIN EXECUTE p(1, 'a')",
    "COPY (SELECT 'a', 1) TO 'f' WITH (DELIMITER ',')",
    "DECLARE c CURSOR FOR SELECT 1; EXPLAIN SELECT 2; SET x = 3; COPY (SELECT 4) TO STDOUT",
    "CREATE FUNCTION f(a int DEFAULT 3) RETURNS int LANGUAGE 'sql' COST 5 SET x = 1 AS 'SELECT 1'",
    "CREATE FUNCTION f() RETURNS int LANGUAGE 'sql' SET x = 1 RETURN 1",
    "DO LANGUAGE 'plpgsql' 'x'",
    "SELECT interval '1' year, interval(3) '1', date '2020-01-01', 'a'::varchar(5), float8 '1', f('a') 'b'",
    "SELECT xmlroot(x, version '1.0', standalone yes), xmlelement(name a, xmlattributes(1 AS b), 'c')",
    "SELECT json_value(a, '$.x' PASSING 1 AS y DEFAULT 2 ON EMPTY ERROR ON ERROR), json_object('a': 1), json('1')",
    "SELECT * FROM json_table(a, '$' COLUMNS (b int PATH '$.b' DEFAULT 5 ON EMPTY, NESTED '$.c' COLUMNS (d text)))",
    "SELECT 1 ORDER BY 1, 'a', 2 + 3; SELECT (ARRAY[1, 2])[1], (a).b[1:2], ROW(1, 2), CASE 1 WHEN 2 THEN 3 ELSE 4 END",
    // Constants that occur in several nodes.
    "UPDATE t SET (a, b) = (1, 2)",
    "UPDATE t SET (a, b, c) = (1, 2, $9), (d, e, f) = (3, 4, 5), g = 6 WHERE h = 7",
    "UPDATE t SET (a, b, c, d) = ROW(1, 'x', 2, 'y'), (e, f) = (SELECT 3, 4) FROM u WHERE 5 = 6",
    // GROUP BY with expressions of the target list.
    "SELECT a + 1, b + 2, a + 1 FROM t GROUP BY a + 1, b + 2, 3, c + 3 HAVING count(*) > 4 ORDER BY 1, a + 1",
    "SELECT a + 1, b + 2 FROM t GROUP BY b + 2, a + 1, a + 1, 1 HAVING count(*) > 4",
    "SELECT a + $1, b + 2, $5 FROM t GROUP BY a + $1, b + 7, $5",
    "SELECT a + 1, (SELECT 5), f(b, 2) FROM t WHERE c = 3 GROUP BY (SELECT 5), f(b, 2), a + 1",
    "SELECT f((SELECT c + 1 FROM u GROUP BY c + 1), 6), 7 FROM t GROUP BY f((SELECT c + 1 FROM u GROUP BY c + 1), 6)",
    "SELECT 'a', 'b', 1.5 FROM t GROUP BY 'c', 'a', 1.5, GROUPING SETS ((a + 1), ()), ROLLUP (2, b)",
    "SELECT DISTINCT ON (a + 1) a + 1 INTO x FROM t GROUP BY a + 1 WINDOW w AS (ORDER BY 5) LIMIT 1 FOR UPDATE",
    // Nested lists that fingerprints sort.
    "SELECT a FROM t WHERE a IN (1, 2, b, c, b, f(d, d, e)) OR (a, b) IN ((1, 2), (c, d), (d, c), (c, d))",
    "INSERT INTO t (c, b, a, b) VALUES (1, x, y, x), (y, x, 2, 1), (DEFAULT, z, z, 3) ON CONFLICT (a) DO UPDATE SET b = 4",
    "SELECT b, a, a, f(b, a, f(a, b)) FROM u, t, t JOIN v ON v.a = ANY (ARRAY[1, 2]), t AS x, s.t y",
    // Relations.
    "SELECT * FROM orders_2024_01, t1, t22t, \"123\", c.s.t_45, s.t_46 AS a; DROP TABLE s.orders_2024_01",
    "DELETE FROM s.t1 AS x USING s.t2 WHERE x.a = 1; MERGE INTO s.t a USING s.u b ON a.c = b.d WHEN MATCHED THEN DELETE",
    "CREATE TEMP TABLE s.t_12 (a int); SELECT a INTO TEMP t_12 FROM ONLY s.u TABLESAMPLE system (5); LOCK TABLE s.t_12",
    // Utility statements, with passwords.
    "CREATE ROLE r PASSWORD 'x' VALID UNTIL 'y' CONNECTION LIMIT 5; ALTER ROLE r ENCRYPTED PASSWORD 'z' NOSUPERUSER",
    "CREATE USER MAPPING FOR u SERVER s OPTIONS (user 'a', password 'b'); ALTER USER MAPPING FOR u SERVER s OPTIONS (SET c 'd')",
    "CREATE SUBSCRIPTION s CONNECTION 'host=x password=y' PUBLICATION p WITH (slot_name = 'z'); NOTIFY c, 'payload'",
    "ALTER SUBSCRIPTION s CONNECTION 'password=y'; ALTER SUBSCRIPTION s DISABLE; NOTIFY c; COPY (SELECT 1) TO 'f' (FORMAT 'csv')",
    "CREATE FUNCTION f(a int DEFAULT 1) RETURNS int LANGUAGE 'sql' COST 5 AS 'select 1', 'y'; DO LANGUAGE plpgsql $$x$$",
    "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT 'a'; END; CALL p(1, b => 'c'); PREPARE x AS SELECT 1",
    "EXPLAIN (ANALYZE, COSTS off) SELECT 1 WHERE a = 'b'; EXPLAIN CREATE TABLE t AS SELECT 2; CREATE VIEW v AS SELECT 3",
    "CREATE FOREIGN TABLE t (a int DEFAULT 1) SERVER s OPTIONS (b 'c'); ALTER FUNCTION f() DEPENDS ON EXTENSION e",
];
