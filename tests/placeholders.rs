//! Statements as drivers, object mappers and scripts write them: with their placeholders
//! replaced they parse, and every `$n` leads back to the placeholder that it stands for.

use std::path::Path;

use pgq::script::{ScriptPart, copy_data_end, next_part};
use pgq::{PlaceholderStyle, Replaced, placeholders};

/// The statements of a script, with meta-commands inside of them as white space.
fn statements(script: &str) -> Vec<String> {
    let (mut at, mut found) = (0, Vec::new());
    while let Some(part) = next_part(script.as_bytes(), at, true) {
        at = part.end();
        let ScriptPart::Statement { range, meta_commands, copy_from_stdin, .. } = part else { continue };
        let mut statement = script[range.clone()].to_string();
        for hole in meta_commands {
            statement.replace_range(hole.start - range.start..hole.end - range.start, &" ".repeat(hole.len()));
        }
        found.push(statement);
        if copy_from_stdin {
            at = copy_data_end(script.as_bytes(), at).unwrap_or(at);
        }
    }
    found
}

/// `tests/placeholders/STYLE.sql`.
fn fixture(style: PlaceholderStyle) -> String {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/placeholders");
    let path = dir.join(style.name()).with_extension("sql");
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Every parameter that PostgreSQL's scanner sees in the new text: those that were there
/// before, and one for each placeholder that has a number, at its place.
fn parameters_lead_back(sql: &str, replaced: &Replaced<'_>) {
    let mut numbered = replaced.placeholders.iter().filter(|placeholder| placeholder.number.is_some());
    for token in pgq::scan(&replaced.sql).unwrap().iter().filter(|token| token.name() == "PARAM") {
        let (text, original) = (&replaced.sql[token.start..token.end], replaced.original(token.start));
        if !sql[original..].starts_with('$') {
            let placeholder = numbered.next().unwrap_or_else(|| panic!("{sql}: {text} stands for nothing"));
            assert_eq!(
                (text, original),
                (&*format!("${}", placeholder.number.unwrap()), placeholder.range.start),
                "{sql}"
            );
        }
    }
    assert_eq!(numbered.next(), None, "{sql}");
}

#[test]
fn statements_of_drivers_parse() {
    let mut failed = Vec::new();
    for style in PlaceholderStyle::ALL {
        let script = fixture(style);
        let statements = statements(&script);
        let (mut parameters, mut others, mut refused_before) = (0, 0, 0);
        for sql in &statements {
            let replaced = placeholders(sql, style);
            if let Err(error) = pgq::parse(&replaced.sql) {
                failed.push(format!("{}: {sql}\n  became {}\n  {error}", style.name(), replaced.sql));
                continue;
            }
            parameters_lead_back(sql, &replaced);
            let numbered = replaced.placeholders.iter().filter(|placeholder| placeholder.number.is_some()).count();
            parameters += numbered;
            others += replaced.placeholders.len() - numbered;
            refused_before += usize::from(pgq::parse(sql).is_err());
        }
        println!(
            "{}: {} statements parse, {refused_before} of them only so; {parameters} parameters, {others} other",
            style.name(),
            statements.len()
        );
        assert!(statements.len() >= 20 && parameters + others > statements.len(), "{}", style.name());
        // `@name` is an operator and a column for PostgreSQL.
        assert!(refused_before >= 15 || style == PlaceholderStyle::At, "{}", style.name());
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// The styles without meta-commands give the same for a whole script, numbers aside.
#[test]
fn a_script_is_replaced_like_its_statements() {
    for style in PlaceholderStyle::ALL.into_iter().filter(|style| *style != PlaceholderStyle::Psql) {
        let script = fixture(style);
        let whole = placeholders(&script, style);
        let shape = |replaced: &Replaced<'_>| -> Vec<(Option<String>, bool)> {
            replaced.placeholders.iter().map(|p| (p.name.map(str::to_string), p.number.is_some())).collect()
        };
        let one_by_one: Vec<_> = statements(&script).iter().flat_map(|sql| shape(&placeholders(sql, style))).collect();
        assert_eq!(shape(&whole), one_by_one, "{}", style.name());
        assert!(pgq::parse(&whole.sql).is_ok(), "{}", style.name());
    }
}

/// Statements without placeholders stay as they are in the styles whose marks PostgreSQL has
/// elsewhere: in casts, slices, JSON and operators. (A `[:1]` is a placeholder in numeric.)
#[test]
fn statements_without_placeholders_stay() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut count = 0;
    for dir in ["analytics", "ddl", "functions", "migrations", "oltp", "orm"] {
        for entry in std::fs::read_dir(fixtures.join(dir)).unwrap() {
            let script = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            for sql in statements(&script) {
                for style in [PlaceholderStyle::Psql, PlaceholderStyle::Named, PlaceholderStyle::At] {
                    assert_eq!(placeholders(&sql, style).sql, sql, "{}", style.name());
                }
                count += 1;
            }
        }
    }
    println!("{count} statements stayed as they are in three styles");
    assert!(count > 100);
}
