//! Tests the rules of each style of placeholders with a table of original SQL, new SQL and placeholders.

use std::borrow::Cow;

use PlaceholderStyle::{At, Extension, Format, Named, Numeric, Psql, Pyformat, Qmark};
use pgq::{Placeholder, PlaceholderStyle, placeholders};

/// Formats placeholders as `$1=name`. A placeholder that has no name is `$1`; one that has no number is `-=name`.
fn shown(placeholders: &[Placeholder<'_>]) -> String {
    let one = |p: &Placeholder<'_>| {
        let number = p.number.map_or("-".to_string(), |n| format!("${n}"));
        p.name.map_or(number.clone(), |name| format!("{number}={name}"))
    };
    placeholders.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// Checks a table of (original, new SQL, placeholders) and reports all wrong lines.
fn check(style: PlaceholderStyle, table: &[(&str, &str, &str)]) {
    let mut wrong = String::new();
    for (sql, expected, names) in table {
        let replaced = placeholders(sql, style);
        let found = shown(&replaced.placeholders);
        if replaced.sql != *expected || found != *names {
            wrong += &format!("{sql}\n  became   {}  [{found}]\n  expected {expected}  [{names}]\n", replaced.sql);
        }
    }
    assert!(wrong.is_empty(), "{}:\n{wrong}", style.name());
}

/// Checks that SQL is unchanged and not copied.
fn unchanged(style: PlaceholderStyle, texts: &[&str]) {
    for sql in texts {
        let replaced = placeholders(sql, style);
        assert_eq!(replaced.sql, *sql, "{}", style.name());
        assert!(matches!(replaced.sql, Cow::Borrowed(_)) && replaced.placeholders.is_empty(), "{sql}");
    }
}

#[test]
fn qmark() {
    check(
        Qmark,
        &[
            ("a = ? AND b = ?", "a = $1 AND b = $2", "$1 $2"),
            ("?::int, (?), -?, f(?,?)", "$1::int, ($2), -$3, f($4,$5)", "$1 $2 $3 $4 $5"),
            // A single question mark is a placeholder, as in pgjdbc. A doubled question mark becomes the question mark
            // of an operator.
            ("a ?? 'k'", "a ? 'k'", ""),
            ("a ??| ? OR a ??& ?", "a ?| $1 OR a ?& $2", "$1 $2"),
            ("a @?? ?", "a @? $1", "$1"),
            ("a ? 'k'", "a $1 'k'", "$1"),
            ("a ?| b", "a $1| b", "$1"),
            ("???", "?$1", "$1"),
            ("????", "??", ""),
            // Literals and comments are unchanged.
            ("'?' = ?", "'?' = $1", "$1"),
            (
                "'it''s ?', E'\\'?', \"a?\", $$?$$, $q$ ? $$ ? $q$, ?",
                "'it''s ?', E'\\'?', \"a?\", $$?$$, $q$ ? $$ ? $q$, $1",
                "$1",
            ),
            ("'\\', ?", "'\\', $1", "$1"),
            ("/* ? /* ? */ ? */ ? -- ?\n, ?", "/* ? /* ? */ ? */ $1 -- ?\n, $2", "$1 $2"),
            ("U&'?', B'?', n'?', ?", "U&'?', B'?', n'?', $1", "$1"),
            // `$n` remains a separate token.
            ("LIMIT?", "LIMIT $1", "$1"),
            ("a=?AND b", "a=$1 AND b", "$1"),
            ("??1", "?1", ""),
            ("1?", "1 $1", "$1"),
            ("$?", "$ $1", "$1"),
            ("?é", "$1 é", "$1"),
            // Numbers start after the highest `$n` of the SQL.
            ("$3, ?, $1, ?", "$3, $4, $1, $5", "$4 $5"),
            ("?, $2", "$3, $2", "$3"),
            ("'$9', $$ $8 $$, a$7, \"$6\" /* $5 */, $2, ?", "'$9', $$ $8 $$, a$7, \"$6\" /* $5 */, $2, $3", "$3"),
            // JPA has numbered placeholders.
            ("?1, ?2, ?1", "$1, $2, $1", "$1=1 $2=2 $1=1"),
            ("?2, ?, ?1", "$2, $3, $1", "$2=2 $3 $1=1"),
            ("?1, $4", "$5, $4", "$5=1"),
            ("?0", "$1 0", "$1"),
            ("?99999999999", "$1 99999999999", "$1"),
        ],
    );
    unchanged(Qmark, &["", "SELECT 1", "SELECT '?'", "-- ?", "/* ? ", "'?", "$a$ ? ", "\"?", ":a @b %s"]);
}

#[test]
fn format() {
    check(
        Format,
        &[
            ("SELECT %s + %s", "SELECT $1 + $2", "$1 $2"),
            ("SELECT %b, %t", "SELECT $1, $2", "$1 $2"),
            ("SELECT %s::int, (%s)[1]", "SELECT $1::int, ($2)[1]", "$1 $2"),
            // `%%` becomes `%` everywhere.
            ("SELECT a %% %s", "SELECT a % $1", "$1"),
            ("SELECT a %%%s", "SELECT a %$1", "$1"),
            ("SELECT a %%s", "SELECT a %s", ""),
            ("SELECT a LIKE 'x%%' AND b = %s", "SELECT a LIKE 'x%' AND b = $1", "$1"),
            ("SELECT E'\\'%%', \"%%\", $$%%$$ /* %% */ -- %%", "SELECT E'\\'%', \"%\", $$%$$ /* % */ -- %", ""),
            ("SELECT '%%%%', '%%%'", "SELECT '%%', '%%'", ""),
            // `%s` in a literal or a comment is not a placeholder.
            ("SELECT '%s', %s -- %s", "SELECT '%s', $1 -- %s", "$1"),
            ("SELECT format('%%s', %s)", "SELECT format('%s', $1)", "$1"),
            // psycopg rejects these percent signs. pgq leaves them unchanged.
            ("SELECT 5 % 2, %d, %s, a LIKE 'x%'", "SELECT 5 % 2, %d, $1, a LIKE 'x%'", "$1"),
            ("SELECT %(a)s, %s", "SELECT %(a)s, $1", "$1"),
            ("SELECT %sAND, a%s, %s%s", "SELECT $1 AND, a $2, $3 $4", "$1 $2 $3 $4"),
            // If the grammar requires a literal, the placeholder becomes a literal, as in psycopg 2.
            ("NOTIFY c, %s; SELECT %s", "NOTIFY c, '?'; SELECT $1", "- $1"),
            ("SELECT now() - INTERVAL %s, %s", "SELECT now() - INTERVAL $1, $2", "$1 $2"),
            ("SELECT %s FROM t; COMMENT ON TABLE t IS %s", "SELECT $1 FROM t; COMMENT ON TABLE t IS '?'", "$1 -"),
            ("SELECT * FROM %s", "SELECT * FROM $1", "$1"),
        ],
    );
    unchanged(Format, &["SELECT 1", "SELECT 5 % 2", "SELECT '%s'", "-- %s", "%", "'%", "?, :a, $1"]);
}

#[test]
fn pyformat() {
    check(
        Pyformat,
        &[
            ("SELECT %(a)s, %(b)s, %(a)s", "SELECT $1, $2, $1", "$1=a $2=b $1=a"),
            ("SELECT %(two words)s, %(it's)s, 'x'", "SELECT $1, $2, 'x'", "$1=two words $2=it's"),
            ("SELECT %(a)b, %(ü)t", "SELECT $1, $2", "$1=a $2=ü"),
            ("SELECT %s, %s", "SELECT $1, $2", "$1 $2"),
            ("SELECT a LIKE '%%x' AND b %% %(m)s", "SELECT a LIKE '%x' AND b % $1", "$1=m"),
            ("SELECT '%(a)s', %(a)s", "SELECT '%(a)s', $1", "$1=a"),
            ("SELECT %(a)d, %()s, %(b, %(c)s", "SELECT %(a)d, %()s, $1", "$1=b, %(c"),
            ("SELECT $2, %(a)s::int", "SELECT $2, $3::int", "$3=a"),
            ("COPY t FROM %(path)s", "COPY t FROM 'path'", "-=path"),
            ("LOAD %(it's)s", "LOAD 'it''s'", "-=it's"),
        ],
    );
    unchanged(Pyformat, &["SELECT 1", "SELECT a % (b)", "SELECT a %(b)", "SELECT '%(a)s'", "%(a", "%("]);
}

#[test]
fn named() {
    check(
        Named,
        &[
            ("a = :a AND b = :b OR :a", "a = $1 AND b = $2 OR $1", "$1=a $2=b $1=a"),
            (":a, :A, :_1, :ä2", "$1, $2, $3, $4", "$1=a $2=A $3=_1 $4=ä2"),
            ("$2, :a", "$2, $3", "$3=a"),
            // PostgreSQL's own colons.
            ("a::int, :a::int", "a::int, $1::int", "$1=a"),
            ("x := :x, f(a:=:a)", "x := $1, f(a:=$2)", "$1=x $2=a"),
            ("a[1:x], a[i:j], a[b[1]:n], a[(1) :n], a[:n]", "a[1:x], a[i:j], a[b[1]:n], a[(1) :n], a[$1]", "$1=n"),
            ("a[:lo:hi], a[:lo: :hi], a[:]", "a[$1:hi], a[$1: $2], a[:]", "$1=lo $1=lo $2=hi"),
            (
                "ARRAY[:a, :b], a[CASE WHEN :c THEN 1 END]",
                "ARRAY[$1, $2], a[CASE WHEN $3 THEN 1 END]",
                "$1=a $2=b $3=c",
            ),
            ("json_object('k':v, :a : :b), (:c)", "json_object('k':v, $1 : $2), ($3)", "$1=a $2=b $3=c"),
            ("JSON_OBJECTAGG(k:v), json_object(k VALUE :v)", "JSON_OBJECTAGG(k:v), json_object(k VALUE $1)", "$1=v"),
            (":1, a[1:2], :a", ":1, a[1:2], $1", "$1=a"),
            // Escapes.
            ("a[1\\:x], b\\:\\:int, :c\\:\\:int", "a[1:x], b::int, $1::int", "$1=c"),
            ("\\:a", ":a", ""),
            // Literals and comments.
            (
                "':a', \":a\", $$:a$$, E'\\':a' /* :a */, :a -- :a",
                "':a', \":a\", $$:a$$, E'\\':a' /* :a */, $1 -- :a",
                "$1=a",
            ),
            ("'12:30', :t", "'12:30', $1", "$1=t"),
            ("LIMIT:n", "LIMIT $1", "$1=n"),
            (":a:b", "$1 $2", "$1=a $2=b"),
            (":'a', :\"b\", : c, :d", ":'a', :\"b\", : c, $1", "$1=d"),
            ("(a[1;:b]", "(a[1;$1]", "$1=b"),
        ],
    );
    unchanged(Named, &["SELECT 1", "SELECT a::int", "SELECT a[1:n]", "SELECT '12:30'", "x := 1", ":", ":1", "::a"]);
}

#[test]
fn numeric() {
    check(
        Numeric,
        &[
            ("a = :1 AND b = :2", "a = $1 AND b = $2", "$1=1 $2=2"),
            (":2, :1, :2", "$2, $1, $2", "$2=2 $1=1 $2=2"),
            ("$3, :1", "$3, $4", "$4=1"),
            ("a[1:2], a[i:2], a[f(x):3], a[:2], :1", "a[1:2], a[i:2], a[f(x):3], a[$2], $1", "$2=2 $1=1"),
            ("':1', :1::int, :1AND", "':1', $1::int, $1 AND", "$1=1 $1=1"),
            ("json_object('a':1), :1", "json_object('a':1), $1", "$1=1"),
        ],
    );
    unchanged(Numeric, &["SELECT :a", "SELECT :0", "SELECT :99999999999", "SELECT a[1:2]", "SELECT '12:30'", "a:=1"]);
}

#[test]
fn at() {
    check(
        At,
        &[
            ("a = @a AND b = @b OR @A", "a = $1 AND b = $2 OR $1", "$1=a $2=b $1=A"),
            ("@p1, @p2, @p.x, @p.", "$1, $2, $3, $4.", "$1=p1 $2=p2 $3=p.x $4=p"),
            ("a=@a, a<@b, a>=@c", "a=$1, a<$2, a>=$3", "$1=a $2=b $3=c"),
            ("a @> @b, a <@ @b, a @@ @c, a @? '$'", "a @> $1, a <@ $1, a @@ $2, a @? '$'", "$1=b $1=b $2=c"),
            ("@ -5, @-5, @5, @(x), @@x, @@@y, @z", "@ -5, @-5, @5, @(x), @@x, @@@y, $1", "$1=z"),
            (
                "'@a', \"@a\", $$@a$$ /* @a */, 'me@example.org', @a",
                "'@a', \"@a\", $$@a$$ /* @a */, 'me@example.org', $1",
                "$1=a",
            ),
            ("LIMIT@n", "LIMIT $1", "$1=n"),
            ("@Größe + @GRÖSSE + @GRÖßE", "$1 + $2 + $1", "$1=Größe $2=GRÖSSE $1=GRÖßE"),
        ],
    );
    unchanged(At, &["SELECT 1", "SELECT a @> b", "SELECT @@x", "SELECT 'a@b'", "SELECT @ 5", "@"]);
}

#[test]
fn extension() {
    check(
        Extension,
        &[
            (
                "@extschema@.f(@extschema:cube@.g())",
                "\"extschema\".f(\"extschema:cube\".g())",
                "-=extschema -=extschema:cube",
            ),
            (
                "OPERATOR(@extschema@.=), @extowner@",
                "OPERATOR(\"extschema\".=), \"extowner\"",
                "-=extschema -=extowner",
            ),
            (
                "'@extschema@', $$@extschema@$$, @extschema@",
                "'@extschema@', $$@extschema@$$, \"extschema\"",
                "-=extschema",
            ),
        ],
    );
    unchanged(
        Extension,
        &["SELECT 1", "SELECT @ 5", "@extra@", "@extschema", "@extschema: @", "@@", "'MODULE_PATHNAME'"],
    );
}

#[test]
fn variables_that_hold_the_beginning_of_a_command() {
    check(
        Psql,
        &[
            (":EXPLAIN SELECT :a; :X\n:Y (SELECT 1)", "  SELECT $1;  \n  (SELECT 1)", "-=EXPLAIN $1=a -=X -=Y"),
            ("/* c */ :p -- c\nSELECT 1", "/* c */   -- c\nSELECT 1", "-=p"),
            (":f(1)", "\"f\"(1)", "-=f"),
        ],
    );
}

#[test]
fn psql() {
    check(
        Psql,
        &[
            ("SELECT :a, :'b', :a, :'a'", "SELECT $1, $2, $1, $1", "$1=a $2=b $1=a $1=a"),
            ("SELECT :\"b\" FROM t", "SELECT \"b\" FROM t", "-=b"),
            ("SELECT :{?a}, :{?b}::text, :{?c}AND", "SELECT TRUE, TRUE::text, TRUE AND", "-=a -=b -=c"),
            ("SELECT $1, :a", "SELECT $1, $2", "$2=a"),
            ("SELECT :1, :2x, :ü_", "SELECT $1, $2, $3", "$1=1 $2=2x $3=ü_"),
            // If the grammar does not accept a parameter, the variable becomes an identifier or a literal.
            ("SELECT * FROM :t WHERE a = :a", "SELECT * FROM \"t\" WHERE a = $1", "-=t $1=a"),
            ("SELECT * FROM :s.:t, :\"s\".:t", "SELECT * FROM \"s\".\"t\", \"s\".\"t\"", "-=s -=t -=s -=t"),
            ("INSERT INTO :t (:c) VALUES (:c)", "INSERT INTO \"t\" (\"c\") VALUES ($1)", "-=t -=c $1=c"),
            (
                "SELECT :f(:a), :s.f(1), :s . :\"f\" (2)",
                "SELECT \"f\"($1), \"s\".f(1), \"s\" . \"f\" (2)",
                "-=f $1=a -=s -=s -=f",
            ),
            ("SELECT a::int, a:::t FROM t", "SELECT a::int, a::\"t\" FROM t", "-=t"),
            ("COPY t FROM :'file'", "COPY t FROM 'file'", "-=file"),
            ("ALTER ROLE :\"r\" VALID UNTIL :'u'", "ALTER ROLE \"r\" VALID UNTIL 'u'", "-=r -=u"),
            ("ALTER ROLE :r PASSWORD :'p'", "ALTER ROLE \"r\" PASSWORD $1", "-=r $1=p"),
            ("SELECT date :'d' + :n", "SELECT date $1 + $2", "$1=d $2=n"),
            ("GRANT :a ON :b TO :c, :d", "GRANT \"a\" ON \"b\" TO \"c\", \"d\"", "-=a -=b -=c -=d"),
            // At the position of `:dir`, the grammar accepts no parameter, identifier or literal. In this case the
            // variable becomes a parameter, and the error is at the parameter's position.
            ("SELECT a FROM :t ORDER BY (a) :dir", "SELECT a FROM \"t\" ORDER BY (a) $1", "-=t $1=dir"),
            (":query;", "$1;", "$1=query"),
            ("SELECT :a FORM t", "SELECT $1 FORM t", "$1=a"),
            // Statements are independent.
            (
                "SELECT 1 1; DROP TABLE :t; \\echo :x\nSELECT :a; SELECT 2 \\gx :y\n TABLE :t",
                "SELECT 1 1; DROP TABLE \"t\"; \\echo :x\nSELECT $1; SELECT 2 \\gx :y\n TABLE \"t\"",
                "-=t $1=a -=t",
            ),
            ("TABLE \\echo it's :x\n:t; SELECT :a", "TABLE \\echo it's :x\n\"t\"; SELECT $1", "-=t $1=a"),
            // Parts of an identifier.
            (
                "SELECT * FROM part_:year, part_:year:month",
                "SELECT * FROM part_year, part_yearmonth",
                "-=year -=year -=month",
            ),
            ("SELECT * FROM s.part_:y, \"s\".:t", "SELECT * FROM s.part_y, \"s\".\"t\"", "-=y -=t"),
            // Colons that do not start a variable of psql.
            ("SELECT a::int, f(x := 1, y := :y)", "SELECT a::int, f(x := 1, y := $1)", "$1=y"),
            ("SELECT a[1:2], a[1:x], a[i:j], a[:2], a[:n]", "SELECT a[1:2], a[1:x], a[i:j], a[:2], a[$1]", "$1=n"),
            ("SELECT a[:lo:hi], a[1\\:x], a[:n\\:3]", "SELECT a[$1:hi], a[1:x], a[$2:3]", "$1=lo $2=n"),
            ("SELECT json_object('a':x, k :1, :k : :v)", "SELECT json_object('a':x, k :1, $1 : $2)", "$1=k $2=v"),
            // Literals and comments.
            (
                "SELECT ':a', \":a\", $$:a$$, E'\\':a', U&\":a\" /* :a */, :a -- :a",
                "SELECT ':a', \":a\", $$:a$$, E'\\':a', U&\":a\" /* :a */, $1 -- :a",
                "$1=a",
            ),
            ("SELECT :'a b', :\"a b\", :{? a}, : a, :a", "SELECT :'a b', :\"a b\", :{? a}, : a, $1", "$1=a"),
            ("SELECT e:'a', b IN:'c'", "SELECT e $1, b IN $2", "$1=a $2=c"),
        ],
    );
    unchanged(
        Psql,
        &["SELECT 1", "SELECT a::int", "SELECT a[1:2]", "SELECT ':a'", "\\echo :a\n", ":", ":'", ":{?", ":'a"],
    );
}
