//! Tests statements with the placeholders of drivers, object mappers and scripts. When the placeholders are replaced,
//! the statements must parse, and the offset of every `$n` must map back to its placeholder.

use pgq::{PlaceholderStyle, Replaced, placeholders};
use pgq_corpus::{project_path, script_statements};

/// Returns the statements of a script, with meta-commands inside them replaced by spaces.
fn statements(script: &str) -> Vec<String> {
    script_statements(script).into_iter().map(|statement| statement.sql).collect()
}

/// Returns the script `tests/placeholders/STYLE.sql`.
fn fixture(style: PlaceholderStyle) -> String {
    let path = project_path("tests/placeholders").join(style.name()).with_extension("sql");
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Checks every parameter in the new SQL. Either the original SQL contains the same parameter, or the parameter's
/// offset maps back to the placeholder with the same number.
fn check_parameters(sql: &str, replaced: &Replaced<'_>) {
    let mut numbered = replaced.placeholders.iter().filter(|placeholder| placeholder.number.is_some());
    for token in pgq::scan(&replaced.sql).unwrap().iter().filter(|token| token.name() == "PARAM") {
        let (text, original) = (&replaced.sql[token.start..token.end], replaced.original(token.start));
        if !sql[original..].starts_with('$') {
            let placeholder = numbered.next().unwrap_or_else(|| panic!("{sql}: {text} has no placeholder"));
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
fn statements_with_placeholders_parse() {
    let mut failed = Vec::new();
    for style in PlaceholderStyle::ALL {
        let script = fixture(style);
        let statements = statements(&script);
        let (mut parameters, mut others, mut refused_before) = (0, 0, 0);
        for sql in &statements {
            let replaced = placeholders(sql, style);
            if let Err(error) = pgq::Tree::parse(&replaced.sql, &pgq::ParseOptions::normalized()) {
                failed.push(format!("{}: {sql}\n  became {}\n  {error}", style.name(), replaced.sql));
                continue;
            }
            check_parameters(sql, &replaced);
            let numbered = replaced.placeholders.iter().filter(|placeholder| placeholder.number.is_some()).count();
            parameters += numbered;
            others += replaced.placeholders.len() - numbered;
            refused_before += usize::from(pgq::parse(sql).is_err());
        }
        println!(
            "{}: {} statements parse, {refused_before} of them only with placeholders replaced; \
             {parameters} parameters, {others} other placeholders",
            style.name(),
            statements.len()
        );
        assert!(statements.len() >= 20 && parameters + others > statements.len(), "{}", style.name());
        // Statements of the style `At` parse even before the replacement, because PostgreSQL reads `@name` as an
        // operator and a column.
        assert!(refused_before >= 15 || style == PlaceholderStyle::At, "{}", style.name());
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// In styles without meta-commands, a whole script has the same placeholders as its separate statements. Only the
/// numbers of the placeholders differ.
#[test]
fn a_script_has_the_placeholders_of_its_statements() {
    for style in PlaceholderStyle::ALL.into_iter().filter(|style| *style != PlaceholderStyle::Psql) {
        let script = fixture(style);
        let whole = placeholders(&script, style);
        let names = |replaced: &Replaced<'_>| -> Vec<(Option<String>, bool)> {
            replaced.placeholders.iter().map(|p| (p.name.map(str::to_string), p.number.is_some())).collect()
        };
        let one_by_one: Vec<_> = statements(&script).iter().flat_map(|sql| names(&placeholders(sql, style))).collect();
        assert_eq!(names(&whole), one_by_one, "{}", style.name());
        assert!(pgq::Tree::parse(&whole.sql, &pgq::ParseOptions::normalized()).is_ok(), "{}", style.name());
    }
}

/// The statements of the fixtures contain casts, slices, JSON and operators that resemble placeholders of the three
/// tested styles. The numeric style is not tested, because `[:1]` contains a placeholder of that style.
#[test]
fn statements_without_placeholders_stay_the_same() {
    let mut count = 0;
    for dir in ["analytics", "ddl", "functions", "migrations", "oltp", "orm"] {
        for entry in std::fs::read_dir(project_path("fixtures").join(dir)).unwrap() {
            let script = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            for sql in statements(&script) {
                for style in [PlaceholderStyle::Psql, PlaceholderStyle::Named, PlaceholderStyle::At] {
                    assert_eq!(placeholders(&sql, style).sql, sql, "{}", style.name());
                }
                count += 1;
            }
        }
    }
    println!("{count} statements stay the same in three styles");
    assert!(count > 100);
}
