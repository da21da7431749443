//! Tests how pgq reads the bodies of functions in PL/pgSQL and in SQL: positions of errors, hostile bodies, tables and
//! fingerprints. tests/equality/plpgsql.rs compares the trees with those of the C library.

use pgq::{ErrorKind, FingerprintOptions, Tree};

fn parse(sql: &str) -> Tree {
    Tree::parse(sql, &Default::default()).expect(sql)
}

/// Returns the error of the first function: the SQL that starts at the error's position, and the message.
fn refused(sql: &str) -> (String, String) {
    let tree = parse(sql);
    let error = tree.statements().find_map(|statement| statement.plpgsql()).expect("a function").unwrap_err();
    let rest = error.position.map_or("", |position| &sql[position.offset..]);
    (rest.to_string(), error.message)
}

#[test]
fn errors_are_placed_in_the_text_of_the_statement() {
    let bodies = [
        "SELECT 1; DO $$BEGIN RAISE 'ü'; SELEC 2; END$$",
        "DO $a$\nBEGIN\n  NULL;\n  SELEC 2; END$a$ LANGUAGE plpgsql",
        "DO 'BEGIN RAISE ''it''''s''; SELEC 2; END'",
        "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS 'BEGIN SELEC 2; END'",
        "/* AS 'no' */ CREATE PROCEDURE f(a text = 'b') AS -- 'no'\n $$BEGIN SELEC 2; END$$ LANGUAGE plpgsql",
    ];
    for sql in bodies {
        let (rest, message) = refused(sql);
        assert!(rest.starts_with("SELEC 2"), "{sql}: {rest}");
        assert_eq!(message, "syntax error at or near \"SELEC\"");
    }
    // Positions in the value of a literal with escapes do not correspond to positions in the SQL, so the error is at
    // the literal's start.
    assert!(refused("DO E'BEGIN\\n SELEC 2; END'").0.starts_with("E'BEGIN"));
    // If PL/pgSQL reports a position, pgq's error has this position. Otherwise the error is at the first word of the
    // line.
    let (rest, message) = refused("DO $$\nDECLARE\n  a int;\n  b int NOT NULL;\nBEGIN END$$");
    assert!(message.contains("must have a default value"), "{message}");
    assert!(rest.starts_with("NOT NULL"), "{rest}");
}

#[test]
fn more_arguments_than_postgresql_allows_are_an_error() {
    let function = |count: usize, mode: &str| {
        let parameters: Vec<_> = (0..count).map(|i| format!("{mode} p{i} int")).collect();
        let sql = format!("CREATE FUNCTION f({}) LANGUAGE plpgsql AS 'BEGIN END'", parameters.join(", "));
        parse(&sql).statement(0).plpgsql().unwrap().map(|function| function.json().len())
    };
    assert!(function(100, "INOUT").is_ok());
    assert_eq!(function(101, "INOUT").unwrap_err().message, "functions cannot have more than 100 arguments");
    assert!(function(1000, "OUT").is_ok());
    assert!(function(100_000, "OUT").is_err());
}

#[test]
fn deep_and_long_bodies_are_answers_or_errors_on_a_small_thread() {
    let nested = |open: &str, inner: &str, close: &str, levels: usize| {
        format!("DO $$BEGIN {}{inner}{} END$$", open.repeat(levels), close.repeat(levels))
    };
    let statements = [
        nested("BEGIN ", "NULL;", "END; ", 3_000),
        nested("BEGIN ", "NULL;", "END; ", 100_000),
        nested("IF true THEN ", "NULL;", "END IF; ", 100_000),
        nested("BEGIN ", "NULL;", "EXCEPTION WHEN others THEN NULL; END; ", 2_000),
        nested("", "PERFORM 1", " + 1", 100_000) + "; ",
        format!("DO $$BEGIN PERFORM {}1{}; END$$", "(".repeat(100_000), ")".repeat(100_000)),
        format!("DO $$BEGIN PERFORM 1{}; END$$", " + 1".repeat(100_000)),
        format!("DO $$DECLARE {} BEGIN END$$", "a int; ".repeat(2)),
        "DO $$".to_string() + &"+-".repeat(50_000) + "$$",
        "DO $$BEGIN ".to_string() + &"/*".repeat(50_000) + "$$",
        "DO ''".into(),
        "DO $$BEGIN".into(),
        "DO $$x y z$$".into(),
    ];
    std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(move || {
            for sql in statements {
                let Ok(tree) = Tree::parse(&sql, &Default::default()) else { continue };
                match tree.statement(0).plpgsql().unwrap() {
                    Ok(function) => assert!(function.json().starts_with("{\"PLpgSQL_function\"")),
                    Err(error) => assert!(!error.message.is_empty()),
                }
            }
        })
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn statements_after_many_nested_blocks_have_their_lines() {
    let body = format!("BEGIN\n{}PERFORM 2;\nEND", "BEGIN\nPERFORM 1;\nEND;\n".repeat(5_000));
    let functions = pgq::parse_plpgsql(&format!("DO $${body}$$")).unwrap();
    let json = functions.as_str();
    assert!(json.contains("{\"PLpgSQL_stmt_perform\":{\"lineno\":15002"), "{}", &json[json.len() - 300..]);
    assert!(json.contains("{\"PLpgSQL_stmt_block\":{\"lineno\":14999"));
}

#[test]
fn a_record_of_too_many_fields_is_refused() {
    let body = |count: usize| {
        let fields: Vec<String> = (0..count).map(|i| format!("r.f{i}")).collect();
        format!("DO $$DECLARE r record; BEGIN PERFORM {}; END$$", fields.join(", "))
    };
    assert_eq!(refused(&body(1_665)).1, "a record has more than 1664 fields");
    assert!(pgq::parse_plpgsql(&body(1_664)).is_ok());
}

#[test]
fn a_handler_of_too_many_conditions_is_refused() {
    let body = |count: usize| format!("DO $$BEGIN EXCEPTION WHEN others {} THEN END$$", "OR others ".repeat(count));
    let (_, message) = refused(&body(2_000));
    assert_eq!(message, "an exception handler has more than 1000 conditions");
    assert!(pgq::parse_plpgsql(&body(900)).is_ok());
}

#[test]
fn a_function_with_too_many_variables_is_refused_in_time() {
    let declared: String = (0..40_000).map(|i| format!("a{i} int; ")).collect();
    let (_, message) = refused(&format!("DO $$DECLARE {declared} BEGIN END$$"));
    assert_eq!(message, "the function has too many variables or labels to be compiled in reasonable time");
    let labels: String = (0..3_000).map(|i| format!("<<l{i}>> LOOP ")).collect();
    let exits = "EXIT l0; ".repeat(10_000) + &"END LOOP; ".repeat(3_000);
    let (_, message) = refused(&format!("DO $$BEGIN {labels} {exits} END$$"));
    assert!(message.starts_with("the function has too many variables or labels"), "{message}");
    let declared: String = (0..1_000).map(|i| format!("a{i} int; ")).collect();
    assert!(pgq::parse_plpgsql(&format!("DO $$DECLARE {declared} BEGIN END$$")).is_ok());
}

#[test]
fn a_refused_function_leaves_nothing_behind() {
    let good = "CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN a; END'";
    let expected = pgq::parse_plpgsql(good).unwrap();
    for bad in ["DO 'DECLARE a int'", "DO 'BEGIN SELECT U&''\\x''; END'", "DO 'BEGIN << a >> EXIT b; END'", "SELEC"] {
        assert!(pgq::parse_plpgsql(bad).is_err(), "{bad}");
        assert_eq!(pgq::parse_plpgsql(good).unwrap(), expected);
        assert!(pgq::parse("SELECT 'a\\'").is_ok());
    }
    assert_eq!(pgq::parse_plpgsql("SELECT 1").unwrap(), "[]");
}

#[test]
fn functions_are_compiled_on_many_threads_at_once() {
    let sql = "DO $$ DECLARE r record; BEGIN FOR r IN SELECT * FROM t LOOP RAISE NOTICE '%', r; END LOOP; END $$";
    let expected = pgq::parse_plpgsql(sql).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..200).for_each(|_| assert_eq!(pgq::parse_plpgsql(sql).unwrap(), expected)));
        }
    });
}

/// Returns the tables of the first statement and its body. The boolean is true if the body may use other tables, for
/// example in SQL that it builds at run time.
fn tables(sql: &str) -> (Vec<String>, bool) {
    let summary = parse(sql).statement(0).summary_with_bodies().expect(sql);
    (summary.table_names(), summary.has_hidden_sql)
}

#[test]
fn tables_are_found_in_every_part_of_a_body() {
    let sql = "CREATE FUNCTION f(x int DEFAULT 1) RETURNS SETOF t0 LANGUAGE plpgsql AS $$
        DECLARE
          a int := (SELECT max(n) FROM t1);
          r t2 := (SELECT t2 FROM t2 LIMIT 1);
          c CURSOR (k int) FOR SELECT * FROM t3 WHERE id = k;
        BEGIN
          IF EXISTS (SELECT FROM t4) THEN
            INSERT INTO t5 VALUES (1) RETURNING n INTO a;
          ELSIF a > (SELECT 1 FROM t6) THEN
            FOR r IN WITH w AS (SELECT * FROM t7) SELECT * FROM w LOOP
              RETURN QUERY SELECT * FROM t8;
            END LOOP;
          END IF;
          CASE (SELECT 1 FROM t9) WHEN (SELECT 2 FROM t10) THEN a := (SELECT n FROM t11); ELSE NULL; END CASE;
          FOR r IN c((SELECT 3 FROM t12)) LOOP PERFORM FROM t13; END LOOP;
          WHILE (SELECT true FROM t14) LOOP EXIT WHEN (SELECT true FROM t15); END LOOP;
          RAISE NOTICE '%', (SELECT 4 FROM t16) USING hint = (SELECT 'h' FROM t17);
          ASSERT (SELECT true FROM t18), (SELECT 'm' FROM t19);
          CALL p((SELECT 5 FROM t20));
          RETURN NEXT (SELECT t21 FROM t21);
        EXCEPTION WHEN others THEN
          DELETE FROM t22;
        END $$";
    let (found, hidden) = tables(sql);
    let missing: Vec<_> = (1..=22).map(|n| format!("t{n}")).filter(|name| !found.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?} of {found:?}");
    assert!(!found.contains(&"w".to_string()) && !hidden, "{found:?}");
}

#[test]
fn what_cannot_be_seen_is_said() {
    for sql in [
        "DO 'BEGIN EXECUTE ''DELETE FROM t''; END'",
        "DO 'DECLARE r record; BEGIN FOR r IN EXECUTE ''SELECT 1'' LOOP END LOOP; END'",
        "CREATE FUNCTION f() RETURNS SETOF int LANGUAGE plpgsql AS 'BEGIN RETURN QUERY EXECUTE ''SELECT 1''; END'",
        "DO 'DECLARE c refcursor; BEGIN OPEN c FOR EXECUTE ''SELECT 1''; END'",
        "DO LANGUAGE plpython3u 'pass'",
    ] {
        assert_eq!(tables(sql), (vec![], true), "{sql}");
    }
    let (found, hidden) = tables("DO 'BEGIN DELETE FROM t WHERE a = ''PLpgSQL_stmt_dynexecute''; END'");
    assert_eq!((found, hidden), (vec!["t".to_string()], false));
}

#[test]
fn bodies_in_sql_and_bodies_in_bodies_are_looked_into() {
    let inner = "CREATE FUNCTION g() RETURNS int LANGUAGE sql AS $i$ SELECT n FROM deep $i$";
    let sql = format!("CREATE FUNCTION f() RETURNS int LANGUAGE SQL AS $o$ {inner}; SELECT m FROM flat $o$");
    assert_eq!(tables(&sql).0, ["deep", "flat"]);
    assert_eq!(tables("CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT n FROM atomic; END").0, ["atomic"]);
    let error = parse("SELECT 1; DO LANGUAGE sql $$SELECT 1; SELEC 2$$").statement(1).tables_with_bodies().unwrap_err();
    assert_eq!((error.kind, error.position.unwrap().offset), (ErrorKind::Syntax, 38));
}

#[test]
fn variables_are_no_filter_columns() {
    let sql = "CREATE FUNCTION f(p int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE r record; BEGIN
               DELETE FROM t WHERE id = p AND n > r.low AND found; END $$";
    let columns = parse(sql).statement(0).summary_with_bodies().unwrap().filter_columns;
    assert_eq!(columns.iter().map(|column| column.column.as_str()).collect::<Vec<_>>(), ["id", "n"]);
    let sql = "CREATE FUNCTION f(p int) RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM t WHERE id = p'";
    let columns = parse(sql).statement(0).summary_with_bodies().unwrap().filter_columns;
    assert_eq!(columns.iter().map(|column| column.column.as_str()).collect::<Vec<_>>(), ["id"]);
}

#[test]
fn fingerprints_of_bodies_ignore_layout_and_constants() {
    let mut options = FingerprintOptions::default();
    options.function_bodies = true;
    let print = |sql: &str| parse(sql).statement(0).fingerprint(&options).unwrap().fingerprint;
    let body = |body: &str| print(&format!("CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $${body}$$"));
    let first = body("BEGIN IF a > 1 THEN DELETE FROM t WHERE n = 2; END IF; END");
    assert_eq!(first, body("BEGIN\n  IF a > 10 THEN -- why\n    DELETE  FROM t WHERE n = 3;\n  END IF;\nEND"));
    for other in [
        "BEGIN WHILE a > 1 LOOP DELETE FROM t WHERE n = 2; END LOOP; END",
        "BEGIN IF a > 1 THEN DELETE FROM t WHERE m = 2; END IF; END",
        "BEGIN IF a > 1 THEN DELETE FROM t WHERE n = 2; DELETE FROM t WHERE n = 2; END IF; END",
    ] {
        assert_ne!(first, body(other), "{other}");
    }
    let sql = |body: &str| print(&format!("CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $${body}$$"));
    assert_eq!(sql("SELECT 1 FROM t"), sql("SELECT  2 FROM t"));
    assert_ne!(sql("SELECT 1 FROM t"), sql("SELECT 1 FROM u"));
    // The option `function_bodies` adds the body to the fingerprint. The rest of the statement is a part of the
    // fingerprint as usual. If a body cannot be parsed, its text is added instead.
    assert_ne!(sql("SELECT 1 FROM t"), print("CREATE FUNCTION g() RETURNS int LANGUAGE sql AS 'SELECT 1 FROM t'"));
    for unread in
        ["DO LANGUAGE plpython3u 'BODY'", "DO 'BEGIN BODY'", "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'BODY x'"]
    {
        let [one, other] = ["pass", "raise"].map(|body| unread.replace("BODY", body));
        assert_eq!(print(&one), print(&one));
        assert_ne!(print(&one), print(&other), "{unread}");
    }
    // A tree with one statement has the fingerprint of the statement.
    let tree = parse("DO 'BEGIN END'");
    assert_eq!(tree.fingerprint(&options).unwrap(), tree.statement(0).fingerprint(&options).unwrap());
}

#[test]
fn the_types_that_no_catalog_has_are_accepted() {
    for sql in [
        "CREATE FUNCTION f(VARIADIC x text[]) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN 1; END'",
        "CREATE FUNCTION f(VARIADIC x s.typ[]) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN 1; END'",
        "CREATE PROCEDURE f(VARIADIC x int[]) LANGUAGE plpgsql AS 'BEGIN NULL; END'",
        "CREATE FUNCTION f(x t.c%TYPE) RETURNS s.t.c%TYPE LANGUAGE plpgsql AS 'BEGIN RETURN x; END'",
        "CREATE FUNCTION f(x s.typ) RETURNS SETOF s.typ LANGUAGE plpgsql AS 'BEGIN x.a := 1; RETURN NEXT x; END'",
        "CREATE FUNCTION f() RETURNS TABLE (x int, y s.typ) LANGUAGE plpgsql AS 'BEGIN y.a := 1; RETURN NEXT; END'",
        "CREATE FUNCTION f(a dom, OUT b dom) LANGUAGE plpgsql AS 'BEGIN SELECT 1, 2 INTO a, b; END'",
        "DO $$ DECLARE r t%ROWTYPE; s s.t%ROWTYPE; BEGIN r.a := 1; r.a.b := 2; s := r; SELECT 1 INTO r.a, s.b; END $$",
        "DO $$ DECLARE r t.c%TYPE; s r%TYPE; BEGIN r.a := 1; s.b := 2; FOR r IN SELECT 1 LOOP NULL; END LOOP; END $$",
        "DO $$ DECLARE a typ[]; b s.typ[]; c t.c%TYPE[]; BEGIN a[1] := 1; b[1].x := 2; c[1] := 3; END $$",
        "DO $$ DECLARE a t.c%TYPE COLLATE \"C\"; b dom COLLATE \"C\" := 'x'; c s.typ[] COLLATE \"C\"; BEGIN END $$",
        "CREATE FUNCTION f() RETURNS mood[] LANGUAGE plpgsql AS 'DECLARE v mood[]; BEGIN v[1] := 1; RETURN v; END'",
        "CREATE FUNCTION f(a int) RETURNS SETOF s.typ[] LANGUAGE plpgsql AS 'BEGIN RETURN NEXT NULL; END'",
        "CREATE FUNCTION f(a int, OUT b hstore[]) LANGUAGE plpgsql AS 'BEGIN b := NULL; RETURN; END'",
        "CREATE FUNCTION f(INOUT b mood[3]) RETURNS SETOF mood[] LANGUAGE plpgsql AS 'BEGIN RETURN NEXT; END'",
        "CREATE FUNCTION f() RETURNS TABLE (b mood ARRAY) LANGUAGE plpgsql AS 'BEGIN RETURN NEXT; END'",
        "CREATE FUNCTION f() RETURNS t.c%TYPE LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
        "DO $$ DECLARE a dom; b s.dom; BEGIN SELECT 1, 2 INTO a, b; GET DIAGNOSTICS a = ROW_COUNT; END $$",
        "DO $$ DECLARE a dom; b dom; BEGIN FOR a, b IN SELECT 1, 2 LOOP NULL; END LOOP; END $$",
        "DO $$ DECLARE a s.dom NOT NULL := 'a'; b CONSTANT s.dom := 2; BEGIN NULL; END $$",
        "CREATE FUNCTION f() RETURNS pg_catalog.trigger LANGUAGE plpgsql AS 'BEGIN NEW.a := 1; RETURN NEW; END'",
    ] {
        let tree = parse(sql);
        if let Err(error) = tree.statement(0).plpgsql().unwrap() {
            panic!("{sql}: {error}");
        }
    }
    // If the type of a variable is known, a wrong use of the variable is an error.
    assert!(
        refused("DO $$ DECLARE a record; b int; BEGIN SELECT 1, 2 INTO a, b; END $$").1.contains("record variable")
    );
    assert!(refused("DO $$ DECLARE a int; BEGIN a.b := 1; END $$").1.contains("not a known variable"));
    assert!(
        refused("CREATE FUNCTION f(VARIADIC x int) RETURNS int LANGUAGE plpgsql AS 'BEGIN END'").1.contains("array")
    );
}

#[test]
fn bodies_that_return_other_variables_have_other_fingerprints() {
    let mut options = FingerprintOptions::default();
    options.function_bodies = true;
    let fingerprint = |returned: &str, next: &str| {
        let sql = format!(
            "CREATE FUNCTION pick(a int, b int) RETURNS SETOF int LANGUAGE plpgsql AS $$ BEGIN RETURN NEXT {next}; END $$; \
             CREATE FUNCTION pick(a int, b int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN {returned}; END $$"
        );
        pgq::fingerprint_with(&sql, &options).unwrap()
    };
    assert_ne!(fingerprint("a", "a"), fingerprint("b", "a"));
    assert_ne!(fingerprint("a", "a"), fingerprint("a", "b"));
    assert_eq!(fingerprint("a", "a"), fingerprint("  a  ", "a /* c */"));
}
