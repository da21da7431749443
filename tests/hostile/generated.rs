//! Hostile inputs that are too large for files: long chains, nesting up to and beyond the parser's limits, texts that
//! are slow to scan, other encodings.

/// A hostile input: its name and its bytes.
pub struct Case {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// The size of every input is divided by this number. If the tests are built with `PGQ_FULL_SIZE`, the number is 1, and
/// the tests take minutes.
pub const DIVISOR: usize = if option_env!("PGQ_FULL_SIZE").is_some() { 1 } else { 32 };

const LINKS: usize = 100_000 / DIVISOR;
const MEGABYTE: usize = 1_000_000 / DIVISOR;

fn case(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Case {
    Case { name: name.into(), bytes: bytes.into() }
}

/// Returns all generated inputs.
pub fn cases() -> Vec<Case> {
    [chains(), nested(), long(), costly(), logs(), broken(), encodings()].into_iter().flatten().collect()
}

fn chains() -> Vec<Case> {
    [
        ("plus", "SELECT 1", " + 1", ""),
        ("minus signs", "SELECT ", "- ", "1"),
        ("and", "SELECT 1 WHERE a", " AND a", ""),
        ("not", "SELECT ", "NOT ", "a"),
        ("concatenation", "SELECT a", " || 'x'", ""),
        ("casts", "SELECT 1", "::int", ""),
        ("collations", "SELECT a", " COLLATE \"C\"", ""),
        ("null tests", "SELECT a", " IS NULL", ""),
        ("subscripts", "SELECT a", "[1]", ""),
        ("joins", "SELECT * FROM t", " JOIN t ON x", ""),
        ("unions", "SELECT 1", " UNION SELECT 1", ""),
        ("with queries", "WITH a AS (SELECT 1)", ", a AS (SELECT 1)", " SELECT 1"),
        ("when", "SELECT CASE", " WHEN a THEN 1", " END"),
        ("from list", "SELECT * FROM t", ", t", ""),
        ("rows", "INSERT INTO t VALUES (1)", ", (1, 'a', NULL)", ""),
        ("typed literals", "SELECT 1", ", date '2020-01-01'", ""),
        ("escaped literals", "SELECT 1", ", U&'a' UESCAPE '!'", ""),
    ]
    .into_iter()
    .map(|(name, first, link, last)| case(format!("chain: {name}"), format!("{first}{}{last}", link.repeat(LINKS))))
    .collect()
}

fn nested() -> Vec<Case> {
    let mut cases = Vec::new();
    for levels in [1_000, 9_000, LINKS] {
        for (name, first, open, inner, close) in [
            ("parentheses", "SELECT ", "(", "1", ")"),
            ("subselects", "SELECT ", "(SELECT ", "1", ")"),
            ("from", "SELECT * FROM ", "(SELECT * FROM ", "t", ") a"),
            ("functions", "SELECT ", "f(", "1", ")"),
            ("arrays", "SELECT ", "ARRAY[", "1", "]"),
            ("case", "SELECT ", "CASE WHEN ", "a", " THEN 1 END"),
            ("unions", "", "(", "SELECT 1", " UNION SELECT 1)"),
            ("joins", "SELECT * FROM ", "(", "t", " JOIN t ON x)"),
            ("open", "SELECT ", "(", "", ""),
        ] {
            let text = format!("{first}{}{inner}{}", open.repeat(levels), close.repeat(levels));
            cases.push(case(format!("{levels} nested {name}"), text));
        }
    }
    cases
}

fn long() -> Vec<Case> {
    let numbers: Vec<String> = (0..1_300_000 / DIVISOR).map(|n| n.to_string()).collect();
    let columns: Vec<String> = (0..5000 / DIVISOR).map(|n| format!("a + {n}")).collect();
    let columns = columns.join(", ");
    vec![
        case("IN list", format!("SELECT * FROM t WHERE a IN ({})", numbers.join(","))),
        case("10 MB of statements", "SELECT 1;".repeat(10 * MEGABYTE / 9)),
        case("GROUP BY", format!("SELECT {columns} FROM t GROUP BY {columns}")),
        case("name", format!("SELECT {} b c d", "a".repeat(MEGABYTE))),
        case("quoted name", format!("SELECT \"{}\"", "a".repeat(MEGABYTE))),
        case("literal", format!("SELECT '{}'", "a".repeat(MEGABYTE))),
        case("number", format!("SELECT {}", "1".repeat(MEGABYTE))),
        case("escapes", format!("SELECT E'{}'", "\\n".repeat(MEGABYTE / 2))),
        case("Unicode escapes", format!("SELECT U&'{}'", "\\0061".repeat(MEGABYTE / 5))),
        case("continued literal", format!("SELECT {}", "'a'\n".repeat(MEGABYTE / 4))),
        case("semicolons", ";".repeat(MEGABYTE)),
        case("line comments", "--a\n".repeat(MEGABYTE / 4)),
        case("long names", format!("SELECT {}", vec!["a".repeat(70); 10_000 / DIVISOR].join(", "))),
        case("notices", "CREATE GLOBAL TEMP TABLE t (a int);".repeat(20_000 / DIVISOR)),
    ]
}

/// Returns inputs for which PostgreSQL's scanner takes quadratic time, and inputs for which pgq might take quadratic
/// time.
fn costly() -> Vec<Case> {
    let body = "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; ";
    vec![
        case("comments, not closed", "/*".repeat(MEGABYTE / 2)),
        case("comments, not closed, after a statement", format!("SELECT 1 {}", "/*".repeat(MEGABYTE / 2))),
        case("comments, closed", format!("{}{} SELECT 1", "/*".repeat(MEGABYTE / 4), "*/".repeat(MEGABYTE / 4))),
        case(
            "comments, closed, and an error",
            format!("{}{} SELEC 1", "/*".repeat(MEGABYTE / 4), "*/".repeat(MEGABYTE / 4)),
        ),
        case("comments after an escape", format!("SELECT U&'a' {}", "/*".repeat(MEGABYTE / 2))),
        case("plus", format!("SELECT {}1", "+".repeat(MEGABYTE))),
        case("plus and minus", format!("SELECT {}1", "+-".repeat(MEGABYTE / 2))),
        case("plus and at", format!("SELECT {}1", "+@".repeat(MEGABYTE / 2))),
        case("minus", format!("SELECT 1 {}", "-".repeat(MEGABYTE))),
        case("stars", format!("SELECT {}", "*".repeat(MEGABYTE))),
        case("slashes", format!("SELECT {}", "/".repeat(MEGABYTE))),
        case("runs of plus", format!("SELECT {}", ("+".repeat(900) + "1 ").repeat(MEGABYTE / 902))),
        case("dollars", format!("SELECT {}", "$a".repeat(MEGABYTE / 2))),
        case("dollar tags", (0..LINKS).map(|n| format!("$a{n}$ ")).collect::<String>()),
        case("a long dollar tag", format!("SELECT ${}$ x", "a".repeat(MEGABYTE))),
        case("quotes", "'".repeat(MEGABYTE + 1)),
        case("double quotes", "\"".repeat(MEGABYTE + 1)),
        case("backslashes", "\\".repeat(MEGABYTE)),
        case("routine bodies that do not end", body.repeat(MEGABYTE / body.len())),
        case("a routine body that does not end", format!("{body}{}", "SELECT 1;".repeat(LINKS))),
        case("CASE that does not end", format!("{body}SELECT {}", "CASE ".repeat(LINKS))),
    ]
}

/// Returns csvlogs with a long text and many statements or plans. pgq must not search the whole text again for each
/// statement or plan.
fn logs() -> Vec<Case> {
    let row = |number: usize, message: &str| {
        format!(
            "2026-01-31 12:00:00.000 UTC,\"a\",\"b\",7,\"[local]\",697df1f0.7,{number},\"SELECT\",2026-01-31 12:00:00 UTC,\
             3/{number},0,LOG,00000,\"{message}\",,,,,,,,,\"\",\"client backend\",,0\n"
        )
    };
    let plan = |number| row(number, &format!("duration: 0.1 ms  plan:\nQuery Text: SELECT {number}\nResult"));
    let comments = row(2, &format!("duration: 0.2 ms  statement: SELECT 1 -- {}", ";/*".repeat(MEGABYTE / 3)));
    let transactions = format!("statement: SELECT 1; SELECT '{}'; COMMIT", "a".repeat(MEGABYTE));
    vec![
        case("a log with comments after semicolons", plan(1) + &comments),
        case("a log with plans after a long text", row(1, &transactions) + &(2..LINKS).map(plan).collect::<String>()),
    ]
}

fn broken() -> Vec<Case> {
    vec![
        case("errors", "SELEC 1;".repeat(50_000 / DIVISOR)),
        case("an error on every line", "SELEC\n".repeat(50_000 / DIVISOR)),
        case("errors at the end", "SELECT 1 + ; ".repeat(50_000 / DIVISOR)),
        case("an error after many statements", format!("{}SELEC", "SELECT 1;".repeat(LINKS))),
        case("a long token in an error", format!("SELEC {}", "a".repeat(MEGABYTE))),
        case("NUL bytes", vec![0; MEGABYTE]),
        case("a NUL byte in a statement", b"SELECT 1;\nSELECT '\xc3\xa9 \0';\nSELECT 3;\n".to_vec()),
        case("bytes that are not UTF-8", vec![0xff; MEGABYTE]),
        case("a byte that is not UTF-8", b"SELECT 1;\nSELECT '\xc3\xa9 \xff';\nSELECT 3;\n".to_vec()),
    ]
}

fn encodings() -> Vec<Case> {
    let wide = |mark: &[u8], order: fn(u16) -> [u8; 2]| {
        [mark, &"SELECT 'é';".encode_utf16().flat_map(order).collect::<Vec<_>>()].concat()
    };
    vec![
        case("UTF-16, little-endian", wide(b"\xff\xfe", u16::to_le_bytes)),
        case("UTF-16, big-endian", wide(b"\xfe\xff", u16::to_be_bytes)),
        case("UTF-32, little-endian", b"\xff\xfe\0\0S\0\0\0".to_vec()),
        case("UTF-32, big-endian", b"\0\0\xfe\xff\0\0\0S".to_vec()),
        case("UTF-16 without a mark", wide(b"", u16::to_le_bytes)),
        case("a byte order mark", b"\xef\xbb\xbfSELECT 1;".to_vec()),
        case("two byte order marks", b"\xef\xbb\xbf\xef\xbb\xbfSELECT 1;".to_vec()),
    ]
}
