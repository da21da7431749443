//! Checks that all paths (ways to compute a function's result) give equal results for every
//! statement.

use indicatif::ProgressBar;
use pgq::{DeparseOptions, Error, FingerprintOptions, ParseOptions, Tree, proto, reference};

use super::call::log;
use super::columns;
use super::function::Path;
use super::function::{Function, Table};
use crate::run::report::Diagnostics;

/// Outcome of comparing the results of a function's two implementations, the raw path and the Protobuf path. The
/// fields count statements.
pub struct Verified {
    pub function: Function,
    /// Statements with equal results.
    pub compared: usize,
    /// Statements with different results or different errors.
    pub differ: usize,
    /// Statements that fail on both paths (implementations) with the same error at the same position.
    pub refused: usize,
    /// Statements for which libpg_query writes wrong SQL, that is, SQL that does not parse back to the same tree.
    pub wrong: usize,
    /// Statements that libpg_query fails to deparse, whereas pgq's SQL parses back to the same
    /// tree.
    pub refused_by_libpg_query: usize,
}

/// Maximum number of printed differences.
const MAX_PRINTED: usize = 5;

/// Runs each statement on all paths (implementations) of a function, and compares the results. Prints differences.
pub fn verify(function: Function, statements: &[String], diagnostics: &Diagnostics, bar: &ProgressBar) -> Verified {
    let mut verified = Verified { function, compared: 0, differ: 0, refused: 0, wrong: 0, refused_by_libpg_query: 0 };
    for sql in statements {
        match compare(function, sql) {
            Ok(Outcome::Equal) => verified.compared += 1,
            Ok(Outcome::Refused) => verified.refused += 1,
            Ok(Outcome::Wrong) => verified.wrong += 1,
            Ok(Outcome::RefusedByLibpgQuery) => verified.refused_by_libpg_query += 1,
            Err(why) => {
                verified.differ += 1;
                if verified.differ <= MAX_PRINTED {
                    let sql: String = sql.chars().take(200).collect();
                    diagnostics.mismatch(&format!("{}: {why}: {sql}", function.name()));
                }
            }
        }
        bar.inc(1);
    }
    verified
}

#[derive(Debug, PartialEq)]
enum Outcome {
    Equal,
    Refused,
    Wrong,
    RefusedByLibpgQuery,
}

/// Runs one statement on all paths (implementations) and compares the results. `Err` describes the difference.
fn compare(function: Function, sql: &str) -> Result<Outcome, String> {
    if let Some(table) = function.table() {
        return compare_batches(table, sql);
    }
    let parse = ParseOptions::normalized();
    match function {
        Function::Parse => {
            let ours = pgq::parse_with(sql, &parse).map(pgq::Parsed::into_tree);
            compare_results(ours, reference::parse(sql, &parse))
        }
        Function::Deparse => match pgq::parse_with(sql, &parse) {
            Ok(parsed) => {
                let reference = reference::deparse(&parsed.tree, &DeparseOptions::default());
                let is_right = |sql: &str| pgq::verify(&parsed.tree, sql).is_ok();
                match (pgq::deparse(&parsed.tree), reference) {
                    (_, Ok(sql)) if !is_right(&sql) => Ok(Outcome::Wrong),
                    (Ok(sql), Err(_)) if is_right(&sql) => Ok(Outcome::RefusedByLibpgQuery),
                    (ours, reference) => compare_results(ours, reference),
                }
            }
            Err(_) => Ok(Outcome::Refused),
        },
        Function::Fingerprint => {
            compare_results(pgq::fingerprint(sql), reference::fingerprint(sql, &FingerprintOptions::default()))
        }
        Function::Json => {
            let ours = Tree::parse(sql, &parse).and_then(|tree| tree.to_json());
            compare_results(ours, reference::parse_to_json(sql, &parse))
        }
        Function::Normalize => {
            // pgq's result lists deviations only if libpg_query's normalized SQL is wrong. [`Verified::wrong`] counts
            // the statements with deviations.
            let ours = Tree::parse(sql, &parse).and_then(|tree| tree.normalize(false));
            match (ours, reference::normalize(sql)) {
                (Ok(ours), Ok(_)) if !ours.deviations.is_empty() => Ok(Outcome::Wrong),
                (ours, reference) => compare_results(ours.map(|ours| ours.text), reference),
            }
        }
        Function::Log => {
            let fingerprint = reference::fingerprint(sql, &FingerprintOptions::default());
            let ours = Tree::parse(sql, &parse).and_then(|tree| tree.normalize(false));
            if ours.is_ok_and(|ours| !ours.deviations.is_empty()) {
                return compare_results(log(sql).map(|(fingerprint, _)| fingerprint), fingerprint);
            }
            compare_results(log(sql), fingerprint.and_then(|fingerprint| Ok((fingerprint, reference::normalize(sql)?))))
        }
        Function::Scan => {
            let tokens = |t: Vec<pgq::Token>| t.iter().map(|t| (t.start, t.end, t.token, t.keyword)).collect();
            let reference = |t: proto::ScanResult| {
                t.tokens.iter().map(|t| (t.start as usize, t.end as usize, t.token, t.keyword_kind)).collect::<Vec<_>>()
            };
            compare_results(pgq::scan(sql).map(tokens), reference::scan(sql).map(reference))
        }
        _ => unreachable!("compared as batches"),
    }
}

/// Compares the record batches of all paths.
fn compare_batches(table: Table, sql: &str) -> Result<Outcome, String> {
    let raw = || columns::batch(table, Path::Raw, sql);
    let others = Path::ALL.iter().filter(|path| ![Path::Raw, Path::Floor].contains(*path));
    let mut outcomes = others.map(|path| compare_results(raw(), columns::batch(table, *path, sql)));
    outcomes.find(Result::is_err).unwrap_or_else(|| compare_results(raw(), columns::batch(table, Path::Protobuf, sql)))
}

fn compare_results<T: PartialEq>(raw: Result<T, Error>, protobuf: Result<T, Error>) -> Result<Outcome, String> {
    match (raw, protobuf) {
        (Ok(raw), Ok(protobuf)) if raw == protobuf => Ok(Outcome::Equal),
        (Ok(_), Ok(_)) => Err("the results differ".into()),
        (Err(raw), Err(protobuf)) if raw.message == protobuf.message && raw.position == protobuf.position => {
            Ok(Outcome::Refused)
        }
        (Err(raw), Err(protobuf)) => Err(format!("refused as \"{raw}\" and as \"{protobuf}\"")),
        (Ok(_), Err(error)) => Err(format!("only the Protobuf path refuses (\"{error}\")")),
        (Err(error), Ok(_)) => Err(format!("only the raw path refuses (\"{error}\")")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Function, Outcome, compare};

    #[test]
    fn what_libpg_query_cannot_write_is_no_difference() {
        for (sql, outcome) in [
            ("SELECT 1", Outcome::Equal),
            ("SELECT FROM WHERE", Outcome::Refused),
            ("ALTER DATABASE d REFRESH COLLATION VERSION", Outcome::RefusedByLibpgQuery),
            ("SELECT xmlroot(a, version b)", Outcome::RefusedByLibpgQuery),
        ] {
            assert_eq!(compare(Function::Deparse, sql), Ok(outcome), "{sql}");
        }
    }
}
