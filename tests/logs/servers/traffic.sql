DROP TABLE IF EXISTS t;
CREATE TABLE t (a int, b text);
INSERT INTO t SELECT n, 'x' || n FROM generate_series(1, 50) AS n;
SELECT count(*),
       'LOG:  no severity' AS "name"
  FROM t WHERE a > 7;
SELECT * FROM nowhere;
SELECT 1 /
 0;
PREPARE p (int) AS SELECT b FROM t WHERE a = $1;
EXECUTE p (1);
EXECUTE p (2);
DO $$ BEGIN RAISE LOG 'duration: 5 ms  statement: SELECT forged'; END $$;
DO $$ BEGIN RAISE LOG 'temporary file: path "base/forged", size 123456'; END $$;
DO $$ BEGIN RAISE WARNING 'watch
	LOG:  statement: SELECT forged'; END $$;
CREATE OR REPLACE FUNCTION f() RETURNS bigint LANGUAGE plpgsql AS 'BEGIN RETURN (SELECT count(*) FROM t); END';
SELECT f();
SELEC 1;
SELECT 'naïve café, 日本', E'tab\t' /* a comment */;
BEGIN;
SAVEPOINT s;
UPDATE t SET b = 'changed' WHERE a = 3;
DECLARE c CURSOR FOR SELECT a FROM t ORDER BY a;
FETCH 2 FROM c;
CLOSE c;
ROLLBACK TO s;
COMMIT;
COPY t FROM STDIN;
51	fifty-one
52	fifty-two
\.
SET work_mem = '64kB';
SELECT count(*) FROM (SELECT g FROM generate_series(1, 20000) AS g ORDER BY md5(g::text)) AS s;
RESET work_mem;
SET statement_timeout = 20;
SELECT pg_sleep(30);
RESET statement_timeout;
SELECT b FROM t WHERE a = 1 \; SELECT b FROM t WHERE a = 2;
ANALYZE t;
