//! Tests the rules that decide from the tokens of two texts whether both have the same tree. For each rule, the tests
//! contain pairs of texts that the rule must accept as equal, and similar pairs that it must reject.

use pgq::internals::{Tokens, read};

/// Returns whether the tokens of `first` prove that `second` has the same tree.
fn is_same(first: &str, second: &str) -> bool {
    let (mut tokens, mut strings) = (Vec::new(), Vec::new());
    read(first, 3, false, &mut tokens, &mut strings)
        && Tokens { tokens: &tokens, strings: &strings }.give_tree_of(second)
}

/// Asserts that both texts of each pair have the same tree. Without its last token, the second text must not have this
/// tree.
fn assert_same(texts: &[(&str, &str)]) {
    for (first, second) in texts {
        assert!(is_same(first, second), "{first} and {second}");
        let cut = second.trim_end_matches([';', ' ']).rfind(' ').map_or("", |at| &second[..at]);
        assert!(!is_same(first, cut), "{first} and {cut}");
    }
}

fn assert_other(texts: &[(&str, &str)]) {
    for (first, second) in texts {
        assert!(!is_same(first, second), "{first} and {second}");
    }
}

#[test]
fn the_same_tokens_in_another_layout() {
    assert_same(&[
        ("SELECT a, 'b' FROM \"t\"", "select A,'b' -- c\nfrom t ; ;"),
        ("SELECT E'a\\x62', 0x10, $1", "SELECT 'ab', 16, $1"),
        ("SELECT $$a'b$$ || 1.50", "SELECT 'a''b' ||1.50"),
        ("SELECT 'a''b' || x'1f'", "SELECT $x$a'b$x$ || X'1f'"),
        ("SELECT \"a\"\"b\", ab", "SELECT \"a\"\"b\", aB"),
        ("SELECT 'a name of eight bytes', abcdefgh", "SELECT $$a name of eight bytes$$, abcdefgh"),
        ("SELECT a NOT IN (1) ORDER BY 1 NULLS FIRST", "SELECT a NOT\nIN (1) ORDER BY 1 NULLS FIRST ;"),
        ("SELECT x", "SELECT /* c */ x"),
    ]);
    assert!(is_same("", " ; "));
    assert_other(&[
        ("SELECT a", "SELECT b"),
        ("SELECT a", "SELECT \"A\""),
        ("SELECT abcdefgh", "SELECT abcdefghi"),
        ("SELECT abcdefgh1", "SELECT abcdefgh2"),
        ("SELECT 'abcdefg', 1", "SELECT 'abcdefgh', 1"),
        ("SELECT abcdefg\u{80}", "SELECT abcdefg\u{100}"),
        ("SELECT a", "SELECT 'a'"),
        ("SELECT 1", "SELECT 2"),
        ("SELECT 1", "SELECT $1"),
        ("SELECT 1", "SELECT 1.0"),
        ("SELECT 1.0", "SELECT 1.00"),
        ("SELECT a b", "SELECT a AS b"),
        ("SELECT B'1'", "SELECT X'1'"),
        ("SELECT a + b", "SELECT a - b"),
        ("SELECT a ~ b", "SELECT a ~* b"),
        ("SELECT 1", "SELECT 1; SELECT 1"),
        ("SELECT 1; SELECT 2", "SELECT 1 SELECT 2"),
        ("SELECT 1", "SELECT 1 '"),
        ("SELECT a NOT IN (1)", "SELECT a NOT"),
        ("SELECT a NOT IN (1)", "SELECT a NOT LIKE (1)"),
        ("TABLE a", "SELECT * FROM a"),
        // pgq's own lexer cannot read these texts.
        ("SELECT U&'a'", "SELECT U&'a'"),
    ]);
}

#[test]
fn aliases() {
    assert_same(&[
        ("SELECT FROM a.b AS c, d AS e, f(1) AS g (h)", "SELECT FROM a.b c, d e, f(1) g (h )"),
        ("SELECT FROM a JOIN b AS c ON true", "SELECT FROM a JOIN b c ON true"),
        ("SELECT FROM (SELECT 1) AS a", "SELECT FROM (SELECT 1) a"),
        ("SELECT FROM a JOIN (SELECT 1) AS b ON true", "SELECT FROM a JOIN (SELECT 1) b ON true"),
        ("UPDATE a AS b SET c = 1", "UPDATE a b SET c = 1"),
        (
            "MERGE INTO a AS b USING c ON true WHEN MATCHED THEN DELETE",
            "MERGE INTO a b USING c ON true WHEN MATCHED THEN DELETE",
        ),
    ]);
    assert_other(&[
        ("SELECT cast(a AS b)", "SELECT cast(a b)"),
        ("SELECT cast(a IS DISTINCT FROM b AS c)", "SELECT cast(a IS DISTINCT FROM b c)"),
        ("SELECT cast(join(a) AS b)", "SELECT cast(join(a) b)"),
        ("SELECT cast(update(a) AS b)", "SELECT cast(update(a) b)"),
        ("SELECT FROM a JOIN b USING (c) AS d", "SELECT FROM a JOIN b USING (c) d"),
        ("INSERT INTO a AS b VALUES (1)", "INSERT INTO a b VALUES (1)"),
        ("SELECT xmlelement(NAME a, xmlattributes(b, c AS d))", "SELECT xmlelement(NAME a, xmlattributes(b, c d))"),
        ("CREATE POLICY p ON t AS permissive", "CREATE POLICY p ON t permissive"),
        ("CREATE SEQUENCE a AS b", "CREATE SEQUENCE a b"),
    ]);
}

#[test]
fn joins() {
    assert_same(&[
        ("SELECT FROM a INNER JOIN b ON c", "SELECT FROM a JOIN b ON c"),
        ("SELECT FROM a NATURAL INNER JOIN b", "SELECT FROM a NATURAL JOIN b"),
        ("SELECT FROM a LEFT OUTER JOIN b ON c", "SELECT FROM a LEFT JOIN b ON c"),
        ("SELECT FROM a JOIN b ON (c = 1) WHERE d", "SELECT FROM a JOIN b ON c = 1 WHERE d"),
        ("SELECT FROM a JOIN b ON (c = 1)", "SELECT FROM a JOIN b ON c = 1 ;"),
        ("SELECT FROM (a JOIN b ON (c)) JOIN d ON (e)", "SELECT FROM (a JOIN b ON c) JOIN d ON e"),
        ("SELECT FROM a JOIN b ON (c) INNER JOIN d ON e", "SELECT FROM a JOIN b ON c JOIN d ON e"),
        ("EXPLAIN (COSTS OFF) SELECT FROM a JOIN b ON (c)", "EXPLAIN (COSTS OFF) SELECT FROM a JOIN b ON c"),
    ]);
    assert_other(&[
        ("SELECT FROM a JOIN b ON x::inner JOIN c ON d", "SELECT FROM a JOIN b ON x:: JOIN c ON d"),
        ("SELECT FROM a.inner JOIN c ON d", "SELECT FROM a. JOIN c ON d"),
        ("CREATE FUNCTION f(inner join) RETURNS int AS ''", "CREATE FUNCTION f(join) RETURNS int AS ''"),
        ("SELECT DISTINCT ON (a) b", "SELECT DISTINCT ON a b"),
        ("SELECT FROM a JOIN b ON (c, d) IS NULL", "SELECT FROM a JOIN b ON c, d IS NULL"),
        ("SELECT FROM a JOIN b ON (c = 1) = d", "SELECT FROM a JOIN b ON c = 1 = d"),
        ("SELECT FROM a JOIN b ON (c OR d) AND e", "SELECT FROM a JOIN b ON c OR d AND e"),
        ("SELECT FROM a JOIN b ON (SELECT c)", "SELECT FROM a JOIN b ON SELECT c"),
        ("SELECT FROM a JOIN b ON (c) + (d)", "SELECT FROM a JOIN b ON c + (d"),
        ("SELECT FROM a JOIN b ON (c) WHERE (d)", "SELECT FROM a JOIN b ON c ) WHERE d"),
    ]);
}

#[test]
fn literals_and_types() {
    assert_same(&[
        ("SELECT a FROM b WHERE c > DATE '1'", "SELECT a FROM b WHERE c > '1'::date"),
        ("SELECT text 'a', f(interval '1', b)", "SELECT 'a'::text, f('1'::interval, b)"),
        ("SELECT json '1' AS a", "SELECT '1'::pg_catalog.json AS a"),
        ("SELECT '1'::json AS a", "SELECT '1'::pg_catalog.json AS a"),
        ("SELECT a::integer AS b", "SELECT a::int AS b"),
        ("SELECT extract(epoch FROM a) b", "SELECT extract('epoch' FROM a) b"),
        ("SELECT extract(YEAR FROM date '1') b", "SELECT extract('year' FROM '1'::date) b"),
        ("CREATE TABLE a (b integer, c integer CHECK (d))", "CREATE TABLE a (b int, c int CHECK (d ))"),
    ]);
    assert_other(&[
        ("SELECT a FROM b WHERE c > date '1'", "SELECT a FROM b WHERE c > '1'::time"),
        ("SELECT a FROM b WHERE c > date '1'", "SELECT a FROM b WHERE c > '2'::date"),
        ("SELECT a.b date '1'", "SELECT a.b '1'::date"),
        ("SELECT json_object(text 'a' VALUE 1)", "SELECT json_object('a'::text VALUE 1)"),
        (
            "CREATE SERVER a FOREIGN DATA WRAPPER b OPTIONS (c 'd')",
            "CREATE SERVER a FOREIGN DATA WRAPPER b OPTIONS ('d'::c)",
        ),
        ("COPY a TO STDOUT (x 'y')", "COPY a TO STDOUT ('y'::x)"),
        ("DO LANGUAGE a 'b'", "DO LANGUAGE 'b'::a"),
        ("CREATE DATABASE a OWNER = b c 'd'", "CREATE DATABASE a OWNER = b 'd'::c"),
        ("SELECT xmlexists(interval '1' day PASSING a)", "SELECT xmlexists('1'::interval day PASSING a)"),
        ("SELECT xmlexists(text '1' PASSING a)", "SELECT xmlexists('1'::text PASSING a)"),
        ("SELECT time '1' with", "SELECT '1'::time with"),
        ("SELECT integer", "SELECT int"),
        ("SELECT a, b integer", "SELECT a, b int"),
        ("SELECT extract(epoch FROM a)", "SELECT extract('day' FROM a)"),
        ("SELECT trim(a FROM b)", "SELECT trim('a' FROM b)"),
        ("CREATE TABLE a (b int, EXCLUDE (b integer WITH =))", "CREATE TABLE a (b int, EXCLUDE (b int WITH =))"),
        ("CREATE TABLE a (b int) PARTITION BY list (b integer)", "CREATE TABLE a (b int) PARTITION BY list (b int)"),
        ("CREATE TABLE a OF b PARTITION BY list (b integer)", "CREATE TABLE a OF b PARTITION BY list (b int)"),
        ("CREATE TABLE a AS SELECT f(b, c), d integer", "CREATE TABLE a AS SELECT f(b, c), d int"),
    ]);
}

#[test]
fn statements() {
    assert_same(&[
        ("SET a = 'b', c", "SET a TO b, c"),
        ("SET LOCAL a = on", "SET LOCAL a TO on"),
        ("SET a TO 'B c'", "SET a TO \"B c\""),
        ("SET SESSION AUTHORIZATION a", "SET session_authorization TO a"),
        ("RESET SESSION AUTHORIZATION", "RESET session_authorization"),
        ("CREATE TEMP TABLE a (b int)", "CREATE TEMPORARY TABLE a (b int)"),
        ("CREATE UNIQUE INDEX a ON b.c (d)", "CREATE UNIQUE INDEX a ON b.c USING btree (d)"),
        (
            "CREATE TRIGGER a AFTER INSERT ON b FOR EACH ROW EXECUTE PROCEDURE c ()",
            "CREATE TRIGGER a AFTER INSERT ON b FOR EACH ROW EXECUTE FUNCTION c ()",
        ),
    ]);
    assert_other(&[
        ("UPDATE a SET b = 1", "UPDATE a SET b TO 1"),
        ("SET a = 'b'; SELECT 'c', 'd'", "SET a TO b; SELECT 'c', d"),
        ("SET a = 'b'", "SET a TO B"),
        ("SET a = 'B'", "SET a TO b"),
        ("SET SESSION AUTHORIZATION DEFAULT", "SET session_authorization TO 'default'"),
        ("CREATE TABLE temp (a int)", "CREATE TABLE temporary (a int)"),
        ("CREATE INDEX a ON b USING gin (c)", "CREATE INDEX a ON b USING gin USING btree (c)"),
        ("CREATE INDEX a ON b (c)", "CREATE INDEX a ON b USING gin (c)"),
        ("CREATE INDEX a ON b (c(d))", "CREATE INDEX a ON b (c USING btree (d))"),
        ("EXECUTE procedure", "EXECUTE function"),
        ("CREATE TABLE trigger AS EXECUTE procedure", "CREATE TABLE trigger AS EXECUTE function"),
    ]);
}
