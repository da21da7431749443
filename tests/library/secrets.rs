//! Tests which values are masked in statements, messages and parameters.

use std::collections::HashSet;

use pgq::secrets::{anonymize_sql, mask_message, mask_name, mask_parameters, mask_sql, mask_text, pseudonym};

#[test]
fn quotes_after_letters_are_masked_in_messages() {
    for (message, expected) in [
        ("cannot log in with E'x\\y'", "cannot log in with E'***'"),
        ("bad value a'x'", "bad value a'***'"),
        ("can't log in with 'x'", "can't log in with '***'"),
        ("can't log in with E'x'", "can'***'"),
        ("can't log in", "can't log in"),
    ] {
        assert_eq!(mask_message("PASSWORD", message), expected);
    }
}

#[test]
fn an_apostrophe_in_a_value_does_not_end_its_mask() {
    assert_eq!(mask_text("password 'it's x' is too weak"), "password '***");
    assert_eq!(mask_text("password 'x' is too weak"), "password '***' is too weak");
}

#[test]
fn secrets_of_statements_are_masked() {
    for (sql, expected) in [
        (
            "CREATE USER ann WITH ENCRYPTED PASSWORD 'x' CREATEDB",
            "CREATE USER ann WITH ENCRYPTED PASSWORD '***' CREATEDB",
        ),
        // With `standard_conforming_strings = off`, the backslash escapes the following quote, and the literal ends
        // later. The setting is unknown, so the rest of the statement is masked.
        ("ALTER ROLE ann PASSWORD 'it\\'s x'", "ALTER ROLE ann PASSWORD '***'"),
        ("ALTER ROLE ann PASSWORD 'it\\'s x", "ALTER ROLE ann PASSWORD '***'"),
        ("SELECT 'a', password, 'C:\\', x, 'y' FROM t", "SELECT '***', password, '***'"),
        ("ALTER ROLE ann PASSWORD U&'it\\'s x'", "ALTER ROLE ann PASSWORD U&'***'"),
        // A missing or undoubled quote.
        ("UPDATE u SET password = 'it's x' WHERE id = 7", "UPDATE u SET password = '***'"),
        ("UPDATE u SET a = 'b', password = 'the boys' house' WHERE id = 7", "UPDATE u SET a = '***'"),
        (
            "SELECT 'a' 'b', password, 'c'::text || 'd' FROM t",
            "SELECT '***' '***', password, '***'::text || '***' FROM t",
        ),
        ("UPDATE u SET password = 'the boys' x' WHERE name = 'y'", "UPDATE u SET password = '***'"),
        ("SELECT set_password(\"bob, 'x')", "SELECT set_password(\"***\""),
        ("SELECT 'a', password, \"b FROM t WHERE x = 'y'", "SELECT '***'"),
        // Several statements.
        ("BEGIN; SET LOCAL my.token TO x; SELECT 1", "BEGIN; SET LOCAL my.token TO '***'; SELECT '***'"),
        (";; alter role ann password x; commit", ";; alter role ann password '***'; commit"),
        ("CREATE DATABASE d WITH PASSWORD = x", "CREATE DATABASE d WITH PASSWORD = '***'"),
        ("SELECT gen_random_bytes(5), 'x'", "SELECT gen_random_bytes('***'), '***'"),
        // Values without quotes
        (
            "CREATE FUNCTION f() RETURNS int LANGUAGE sql SET my.password = x, \"y\" SET a TO b SET a.set = c AS 'z'",
            "CREATE FUNCTION f() RETURNS int LANGUAGE sql SET my.password = '***', '***' SET a TO '***' SET a.set = '***' AS '***'",
        ),
        (
            "CREATE OR REPLACE PROCEDURE p() BEGIN ATOMIC UPDATE u SET password = p; END",
            "CREATE OR REPLACE PROCEDURE p() BEGIN ATOMIC UPDATE u SET password = p; END",
        ),
        // The value extends to the next white space or semicolon, without a comma at its end.
        ("ALTER ROLE x PASSWORD hunter2-tiger3", "ALTER ROLE x PASSWORD '***'"),
        ("ALTER ROLE x PASSWORD hunter2!tiger3 LOGIN; SELECT 1", "ALTER ROLE x PASSWORD '***' LOGIN; SELECT '***'"),
        ("ALTER ROLE x PASSWORD = (tiger3), b;", "ALTER ROLE x PASSWORD = '***', b;"),
        ("ALTER ROLE x PASSWORD $tiger$3 LOGIN", "ALTER ROLE x PASSWORD '***'"),
        ("ALTER ROLE x PASSWORD $1tiger-3 LOGIN", "ALTER ROLE x PASSWORD '***' LOGIN"),
        ("ALTER ROLE x PASSWORD $1 LOGIN", "ALTER ROLE x PASSWORD $1 LOGIN"),
        ("ALTER ROLE x PASSWORD 7tiger-3 LOGIN", "ALTER ROLE x PASSWORD '***' LOGIN"),
        ("ALTER ROLE x PASSWORD @\"ti ger\"3 LOGIN", "ALTER ROLE x PASSWORD '***' LOGIN"),
        ("ALTER ROLE x PASSWORD tiger--3 c\nLOGIN", "ALTER ROLE x PASSWORD '***'\nLOGIN"),
        ("ALTER ROLE x PASSWORD tiger/*3 c*/;", "ALTER ROLE x PASSWORD '***';"),
        ("ALTER ROLE x PASSWORD tiger\"3 c", "ALTER ROLE x PASSWORD '***'"),
        ("ALTER ROLE x PASSWORD tiger'3", "ALTER ROLE x PASSWORD '***'"),
        ("ALTER ROLE x PASSWORD 'tiger', b-c", "ALTER ROLE x PASSWORD '***', b-c"),
        ("ALTER ROLE x PASSWORD $ti&'ger", "ALTER ROLE x PASSWORD '***'"),
        ("SET ROLE x PASSWORD tiger3", "SET ROLE x PASSWORD '***'"),
        ("ATLER USER x PASSWORD tiger3", "ATLER USER x PASSWORD '***'"),
        ("CREATE USER function PASSWORD tiger3", "CREATE USER function PASSWORD '***'"),
        ("CREATE USER x IDENTIFIED BY hunter2@tiger3", "CREATE USER x IDENTIFIED BY '***'"),
        ("SET my.token = 6fa459ea-ee8a-3ca4-894e-db77e160355e", "SET my.token = '***'"),
        ("SET my.token == tiger3,-b, 'c', 4, null", "SET my.token == '***', '***', '***', null"),
        ("ALTER ROLE x SET my.api_key = hunter2, tiger3", "ALTER ROLE x SET my.api_key = '***', '***'"),
        ("ALTER DATABASE d SET my.api_key TO 'x', tiger3", "ALTER DATABASE d SET my.api_key TO '***', '***'"),
        ("ALTER SYSTEM SET my.api_key = x , ti-ger3", "ALTER SYSTEM SET my.api_key = '***' , '***'"),
        (
            "ALTER FUNCTION f(a, b) COST 5 SET my.api_key = x, tiger3",
            "ALTER FUNCTION f(a, b) COST '***' SET my.api_key = '***', '***'",
        ),
        ("ALTER TABLE t SET (a = -5), ADD token int", "ALTER TABLE t SET (a = '***'), ADD token int"),
        (
            "CREATE FUNCTION f() RETURNS int LANGUAGE sql SET my.password = x-y, z-1 AS 'z'",
            "CREATE FUNCTION f() RETURNS int LANGUAGE sql SET my.password = '***', '***' AS '***'",
        ),
        ("CREATE PUBLICATION p WITH (password = x-y!z, a = b)", "CREATE PUBLICATION p WITH (password = '***', a = b)"),
        ("CREATE PUBLICATION p WITH (password = x,tiger3)", "CREATE PUBLICATION p WITH (password = '***')"),
        (
            "ALTER SERVER s OPTIONS (DROP password, SET api_key x-y, ADD \"token\" 'z', a b)",
            "ALTER SERVER s OPTIONS (DROP password, SET api_key '***', ADD \"token\" '***', a b)",
        ),
        (
            "ALTER USER MAPPING FOR u SERVER s OPTIONS (SET password 'x', SET user y)",
            "ALTER USER MAPPING FOR u SERVER s OPTIONS (SET password '***', SET user y)",
        ),
        (
            "CREATE FOREIGN TABLE t (a int OPTIONS (password x-y), token text) OPTIONS (DROP password)",
            "CREATE FOREIGN TABLE t (a int OPTIONS (password '***'), token text) OPTIONS (DROP password)",
        ),
        ("COPY u FROM STDIN (password (x)y-z)", "COPY u FROM STDIN (password '***')"),
        ("CREATE PUBLICATION p WITH (a = b, password = x)", "CREATE PUBLICATION p WITH (a = b, password = '***')"),
        (
            "CREATE SUBSCRIPTION s CONNECTION 'c' PUBLICATION p WITH (password = x)",
            "CREATE SUBSCRIPTION s CONNECTION '***' PUBLICATION p WITH (password = '***')",
        ),
        (
            "CREATE TABLE t (password text CHECK (token = a)) WITH (toast.password = x.y)",
            "CREATE TABLE t (password text CHECK (token = a)) WITH (toast.password = '***')",
        ),
        (
            "CREATE TEXT SEARCH DICTIONARY d (template = simple, \"password\" = x(y))",
            "CREATE TEXT SEARCH DICTIONARY d (template = simple, \"password\" = '***')",
        ),
        (
            "COPY u (id, password) FROM STDIN WITH (format csv, password x, token (y, z))",
            "COPY u (id, password) FROM STDIN WITH (format csv, password '***', token '***')",
        ),
        ("COPY (SELECT a, password FROM u) TO STDOUT", "COPY (SELECT a, password FROM u) TO STDOUT"),
        ("EXPLAIN (password x) SELECT a, (password = b)", "EXPLAIN (password '***') SELECT a, (password = b)"),
        ("ALTER ROLE ann PASSWORD NULL", "ALTER ROLE ann PASSWORD NULL"),
        ("CREATE ROLE regress_passwd2 ENCRYPTED PASSWORD 'x'", "CREATE ROLE regress_passwd2 ENCRYPTED PASSWORD '***'"),
        ("ALTER ROLE ann PASSWORD hunter2", "ALTER ROLE ann PASSWORD '***'"),
        ("alter user ann password E'a\\'b' valid until 'x'", "alter user ann password E'***' valid until '***'"),
        ("ALTER ROLE ann PASSWORD $$x$$ SUPERUSER", "ALTER ROLE ann PASSWORD $$***$$ SUPERUSER"),
        ("ALTER ROLE ann SET app.secret TO 'x', 'y'", "ALTER ROLE ann SET app.secret TO '***', '***'"),
        ("SET my.password = 'x'", "SET my.password = '***'"),
        ("SET password_encryption = 'md5'", "SET password_encryption = 'md5'"),
        ("SELECT set_config('my.api_key', 'x', false)", "SELECT set_config('***', '***', false)"),
        (
            "CREATE USER MAPPING FOR ann SERVER s OPTIONS (user 'ann', password 'x')",
            "CREATE USER MAPPING FOR ann SERVER s OPTIONS (user '***', password '***')",
        ),
        (
            "ALTER SERVER s OPTIONS (SET host 'h', ADD aws_key 'x', DROP port)",
            "ALTER SERVER s OPTIONS (SET host '***', ADD aws_key '***', DROP port)",
        ),
        (
            "CREATE SUBSCRIPTION s CONNECTION 'host=h password=x' PUBLICATION p",
            "CREATE SUBSCRIPTION s CONNECTION '***' PUBLICATION p",
        ),
        ("COPY t FROM PROGRAM 'curl -u a:b h' WITH CSV", "COPY t FROM PROGRAM '***' WITH CSV"),
        ("SELECT dblink_connect('host=h password=x')", "SELECT dblink_connect('***')"),
        ("SELECT dblink('postgres://a:x@h/d', 'SELECT 1')", "SELECT dblink('***', '***')"),
        (
            "UPDATE u SET password = 'x', name = 'n' WHERE id = 7",
            "UPDATE u SET password = '***', name = '***' WHERE id = '***'",
        ),
        (
            "SELECT 1 FROM u WHERE token IN (2, 3) OR pw BETWEEN 4 AND 5 OR pgp_armor_headers('x') IS NULL LIMIT 6",
            "SELECT '***' FROM u WHERE token IN ('***', '***') OR pw BETWEEN '***' AND '***' \
             OR pgp_armor_headers('***') IS NULL LIMIT '***'",
        ),
        (
            "SELECT * FROM u WHERE api_token IN ('x', 'y') AND b = 'n'",
            "SELECT * FROM u WHERE api_token IN ('***', '***') AND b = '***'",
        ),
        (
            "INSERT INTO u (name, password) VALUES ('n', 'x'), ('m', crypt('y', z)) RETURNING 'k'",
            "INSERT INTO u (name, password) VALUES ('***', '***'), ('***', crypt('***', z)) RETURNING '***'",
        ),
        ("SELECT crypt('x', gen_salt('bf'))", "SELECT crypt('***', gen_salt('***'))"),
        ("SELECT '{\"password\": \"x\", \"n\": 1}'::json", "SELECT '***'::json"),
        ("DO $$ BEGIN EXECUTE 'ALTER ROLE a PASSWORD ''x'''; END $$", "DO $$***$$"),
        // The end of a value in a comment is uncertain.
        ("SELECT 1 /* password=x */ -- token: y", "SELECT '***' /* password=*** */ -- ***"),
        ("SELECT a /*password='a b, c&d/e-f'*/, 'y'", "SELECT a /*password='***/***-****/, '***'"),
        ("SELECT a /*n='x',api_key='a%2Cx'*/ -- token:a;x\n, b", "SELECT a /*n='x',api_key='****/ -- ***\n, b"),
        ("SELECT a /* reset the password */, 'x'", "SELECT a /* reset the password */, '***'"),
        // A secret is also found in percent-encoded text, even if the text is encoded twice.
        ("SELECT a /*r='%2F%3Fpassword%3Dx%27y',b='z'*/, 'y'", "SELECT a /*r='%2F%3Fpassword%3D****/, '***'"),
        ("SELECT a /*r='%253Fpass%253Dx'*/, 'y'", "SELECT a /*r='%253Fpass%253D****/, '***'"),
        ("SELECT a /*r='postgres%3A%2F%2Fu%3ax%40h'*/, 'y'", "SELECT a /*r='postgres%3A%2F%2Fu%3a****/, '***'"),
        ("SELECT f('postgres%3A%2F%2Fu%3Ax%40h')", "SELECT f('***')"),
        ("SELECT a /*r='%2Fp%C3%A4%20%'*/, 'y%' || '%2F'", "SELECT a /*r='%2Fp%C3%A4%20%'*/, 'y%' || '%2F'"),
        // Bodies, and SQL in strings.
        ("DO $$ BEGIN PERFORM dblink_connect('x'); END $$", "DO $$***$$"),
        (
            "CREATE FUNCTION f() RETURNS text AS $$ SELECT crypt('x', a) $$",
            "CREATE FUNCTION f() RETURNS text AS $$***$$",
        ),
        ("SELECT schedule('COPY t FROM PROGRAM ''curl''', 'y')", "SELECT schedule('***', '***')"),
        ("SELECT schedule(E'COPY t FROM PROGRAM \\'curl\\'', 'y')", "SELECT schedule(E'***', '***')"),
        ("DO $$ BEGIN EXECUTE 'CREATE USER MAPPING FOR a SERVER b OPTIONS (user ''x'')'; END $$", "DO $$***$$"),
        // Functions.
        ("SELECT pgp_pub_encrypt('x', k), gen_salt('y')", "SELECT pgp_pub_encrypt('***', k), gen_salt('***')"),
        ("SELECT \"crypt\"('x', 'y'), 5", "SELECT \"crypt\"('***', '***'), '***'"),
        ("SELECT public.\"dblink_connect\" ('x')", "SELECT public.\"dblink_connect\" ('***')"),
        ("SELECT crypt/* */('x')", "SELECT crypt/* */('***')"),
        // A comment that directly follows a word.
        ("SELECT crypt--c\n('x')", "SELECT crypt--c\n('***')"),
        ("SELECT public.dblink----c--d\n--\n('x')", "SELECT public.dblink----c--d\n--\n('***')"),
        (
            "CREATE SERVER s FOREIGN DATA WRAPPER w OPTIONS--c\n(a 'x')",
            "CREATE SERVER s FOREIGN DATA WRAPPER w OPTIONS--c\n(a '***')",
        ),
        ("COPY t FROM PROGRAM--c\n'x'", "COPY t FROM PROGRAM--c\n'***'"),
        ("ALTER SUBSCRIPTION s CONNECTION--\n'x'", "ALTER SUBSCRIPTION s CONNECTION--\n'***'"),
        ("CREATE USER u IDENTIFIED--c\nBY 'x'", "CREATE USER u IDENTIFIED--c\nBY '***'"),
        // A number or a parameter that is directly followed by letters.
        ("UPDATE u SET password = 5x", "UPDATE u SET password = '***'"),
        ("UPDATE u SET password = 1.5ex", "UPDATE u SET password = '***'"),
        ("UPDATE u SET password = $1x", "UPDATE u SET password = $1'***'"),
        ("ALTER ROLE ann PASSWORD U&'x' UESCAPE '!'", "ALTER ROLE ann PASSWORD U&'***' UESCAPE '!'"),
        ("SELECT dblink_connect($q$host=h password=x$q$)", "SELECT dblink_connect($q$***$q$)"),
        ("DO $$ BEGIN EXECUTE format('ALTER ROLE a PASSWORD %L', 'x'); END $$", "DO $$***$$"),
        ("DO $$ BEGIN EXECUTE 'ALTER ROLE a PASSWORD ' || quote_literal('x'); END $$", "DO $$***$$"),
        ("SELECT dblink_connect('host=h password=' || 'x')", "SELECT dblink_connect('***' || '***')"),
        ("UPDATE u SET (a, password) = (1, 'x')", "UPDATE u SET (a, password) = ('***', '***')"),
        ("SELECT 1 FROM u WHERE 'x' = lower(password)", "SELECT '***' FROM u WHERE '***' = lower(password)"),
        ("CREATE TABLE t (password varchar(20) DEFAULT 'x')", "CREATE TABLE t (password varchar('***') DEFAULT '***')"),
        (
            "INSERT INTO u (id, password) SELECT 1, 'x' LIMIT 5",
            "INSERT INTO u (id, password) SELECT '***', '***' LIMIT '***'",
        ),
        ("INSERT INTO u (id, password) VALUES (1, 234)", "INSERT INTO u (id, password) VALUES ('***', '***')"),
        ("SET LOCAL role_password TO x", "SET LOCAL role_password TO '***'"),
        (
            "UPDATE settings SET value = 'x' WHERE key = 'smtp_password'",
            "UPDATE settings SET value = '***' WHERE key = '***'",
        ),
        (
            "UPDATE u SET pin=7 WHERE password='x' AND a < 9",
            "UPDATE u SET pin='***' WHERE password='***' AND a < '***'",
        ),
        ("SET my.secret = a, b", "SET my.secret = '***', '***'"),
        ("SELECT digest('x', 'sha256')", "SELECT digest('***', '***')"),
        ("SET u&\"my.pass\\0077ord\" = 'x'", "SET u&\"my.pass\\0077ord\" = '***'"),
        ("UPDATE u SET U&\"pass!0077ord\" UESCAPE '!' = 'x'", "UPDATE u SET U&\"pass!0077ord\" UESCAPE '!' = '***'"),
        ("SELECT set_config(U&'my.p\\0077', 'x', false)", "SELECT set_config(U&'***', '***', false)"),
        // Statements that do not parse.
        ("ALTER ROLE ann PASSWORD 'x' FOO", "ALTER ROLE ann PASSWORD '***' FOO"),
        ("CREATE USER ann IDENTIFIED BY 'x'", "CREATE USER ann IDENTIFIED BY '***'"),
        ("ALTER ROLE ann PASSWORD 'x", "ALTER ROLE ann PASSWORD '***"),
        ("SELECT dblink('host=h password=x", "SELECT dblink('***"),
        // Statements without secrets.
        ("SELECT passport, 'a' FROM u WHERE name = 'n'", "SELECT passport, 'a' FROM u WHERE name = 'n'"),
        ("SELECT 'é' tokens", "SELECT 'é' tokens"),
        ("SELECT digest, 'a' FROM connection, options", "SELECT digest, 'a' FROM connection, options"),
        ("SELECT 'https://h/a', 7", "SELECT 'https://h/a', 7"),
    ] {
        assert_eq!(mask_sql(sql), expected);
        assert_eq!(mask_sql(expected), expected, "what is masked stays so");
    }
}

#[test]
fn secrets_of_texts_are_masked() {
    for (text, expected) in [
        ("password = 'a b' user=ann", "password = '***' user=ann"),
        ("Key (login, password)=(ann, x) already exists.", "Key (login, password)=(***) already exists."),
        ("{\\\"token\\\":\\\"x\\\"}", "{\\\"token\\\":\\\"***\\\"}"),
        ("Authorization: Bearer abc.def", "Authorization: ***"),
        ("no password supplied", "no password supplied"),
        ("password authentication failed for user \"ann\"", "password authentication failed for user \"ann\""),
        ("http://h:80/a@b", "http://h:***@b"),
        ("Failed process was running: SELECT crypt('x', 7)", "Failed process was running: SELECT crypt('***', ***)"),
        ("SQL statement \"ALTER ROLE a PASSWORD $q$x$q$\"", "SQL statement \"ALTER ROLE a PASSWORD $q$***"),
        ("Process 2: UPDATE u SET password = e'x' WHERE a", "Process ***: UPDATE u SET password = ***'***"),
        ("password: n'a pas de 'z'", "password: ***'***"),
        ("Process 2: COPY t FROM PROGRAM 'curl'", "Process ***: COPY t FROM PROGRAM '***'"),
        (
            "INSERT INTO u (id, password) VALUES ($1, 12.5), ($$x",
            "INSERT INTO u (id, password) VALUES ($1, ***), ($$***",
        ),
        ("password=", "password="),
    ] {
        assert_eq!(mask_text(text), expected);
    }
    assert_eq!(mask_name("/login%3Fpassword%3Dx%27y%26z 7"), "/login%3Fpassword%3D*** 7");
}

#[test]
fn a_password_in_a_name_is_masked_to_its_end() {
    for c in "!#$%&'()*+,-./:;<>?@[\\]^`{|}~\u{a0}\u{3000}é".chars() {
        let name = |password: &str| format!("psql host=h password={password} dbname=d");
        assert_eq!(mask_name(&name(&format!("hunter{c}22x"))), name("***"));
        let masked = mask_name(&format!("postgresql://u:hunter{c}22x@h/d e")).into_owned();
        assert!(masked == "postgresql://u:***@h/d e" || masked == "postgresql://u:*** e", "{masked}");
        for text in [format!("password={c}hunter22x"), format!("postgresql://u:{c}hunter22x@h/d e")] {
            let (masked, comment) = (mask_name(&text), format!("SELECT 1 /* {text} */"));
            assert!(!masked.contains("hunter") && !mask_sql(&comment).contains("hunter"), "{masked}");
        }
    }
    assert_eq!(mask_name("password='hun\\' ter2x' dbname=d"), "password='***");
    for (name, expected) in [
        ("password='a b' user=ann", "password='***' user=ann"),
        ("{\"token\":\"x\",\"user\":\"ann\"}", "{\"token\":\"***\",\"user\":\"ann\"}"),
        ("https://a:x@h https://b:y@h?email=a@b", "https://a:***@h https://b:***@b"),
    ] {
        assert_eq!(mask_name(name), expected);
        assert_eq!(mask_name(expected), expected);
    }
    let long = "password=x&".repeat(100_000) + &"://a:b@".repeat(100_000);
    assert_eq!(mask_name(&long), "password=***");
}

#[test]
fn messages_and_parameters_lose_the_secrets_of_their_statement() {
    assert_eq!(
        mask_message("ALTER ROLE a PASSWORD 'x9z' 7", "syntax error at or near \"x9z\""),
        "syntax error at or near \"***\""
    );
    assert_eq!(
        mask_message("SELECT set_password('x')", "le mot de passe «x» n'est pas long"),
        "le mot de passe «***» n'est pas long"
    );
    assert_eq!(mask_message("SELECT set_password('x')", "the password ‘x’ is 'x"), "the password ‘***‘");
    assert_eq!(
        mask_parameters("INSERT INTO u (a, secret) VALUES ($1, $2)", "$1 = 'it''s', $2 = 'x', $3 = NULL"),
        "$1 = '***', $2 = '***', $3 = NULL"
    );
    let missing = "there is no parameter $2";
    assert_eq!(mask_message("SELECT crypt($2)", missing), missing);
    assert_eq!(mask_message("SELECT crypt('x')", "bad 'abc' and '!x"), "bad '***'");
    assert_eq!(mask_parameters("SELECT $1", "$1 = 'password=x'"), "$1 = '***'");
    assert_eq!(mask_parameters("CALL store('***', $1)", "$1 = 'x'"), "$1 = '***'");
}

#[test]
fn anonymous_statements_have_no_values_and_no_names() {
    let sql = anonymize_sql("SELECT \"Ann\".a + 424242, E'x' FROM ann /* c */ WHERE b = $1 AND c = $$d$$ -- e");
    assert!(!["Ann", "ann", "424242", "'x'", "/*", "--", "$$"].iter().any(|part| sql.contains(part)), "{sql}");
    for sql in ["select $1ann", "select $12ann", "select $1$d$ann$d$", "select $1ännchen"] {
        let sql = anonymize_sql(sql);
        assert!(sql.starts_with("select $1") && !sql.contains("nn"), "{sql}");
    }
    assert_eq!(anonymize_sql("select SHOP.id"), anonymize_sql("select shop . \"id\"").replace(" . ", "."));
}

#[test]
fn different_names_have_different_pseudonyms() {
    let pseudonyms: HashSet<String> = (0..200_000).map(|number| pseudonym("user", &number.to_string())).collect();
    assert_eq!(pseudonyms.len(), 200_000);
}

/// With quadratic time, each of these statements would take minutes.
#[test]
fn long_statements_are_masked_in_linear_time() {
    let starts = [
        "ALTER ROLE r PASSWORD 'x' ",
        "SET password = 'x', ",
        "ALTER ROLE r SET password = 'x', ",
        "CREATE FUNCTION password(a text = 'x') ",
        "CREATE PUBLICATION password WITH (a = 'x', ",
        "COPY password FROM 'x' (",
    ];
    let repeated = [
        "identified by x ",
        "password x, ",
        "password 'x' ",
        "a = b ",
        "set a=",
        "=,",
        "password=(",
        "password=x,",
        "password,)",
        "password/* */",
        "a=$x",
        ",",
        ",)",
        "a=x,)",
    ];
    for (start, words) in starts.into_iter().flat_map(|start| repeated.map(|words| (start, words))) {
        let sql = format!("{start}{}", words.repeat(50_000));
        let masked = pgq::secrets::mask_sql(&sql);
        assert!(!masked.contains("'x'"), "{start}{words}");
    }
}
