//! The compared functions, and the comparison of their answers.

use pgq::DeparseOptions;

use crate::program::Answers;

/// The comparison of a parser's answer with pgq's answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Comparison {
    /// The answers must be equal.
    Text,
    /// The answer is a count. Each parser defines it differently, so it is shown but not compared.
    Count,
    /// The answer must be SQL with the same fingerprint as the statement.
    Meaning,
    /// The two answers must be equal after pgq has formatted both. Fingerprints cannot be compared, because they ignore
    /// schemas.
    Sql,
}

pub struct Function {
    pub name: &'static str,
    pub title: &'static str,
    /// A description of the measurement and of the answers' column.
    pub about: &'static str,
    pub comparison: Comparison,
    /// The title of the answers' column.
    pub column: &'static str,
    /// Alternative functions of pgq that are also measured, and their names on the page.
    pub others: &'static [(&'static str, &'static str)],
}

pub const FUNCTIONS: [Function; 8] = [
    Function {
        name: "parse",
        title: "Parse",
        about: "Each parser parses the SQL to its own form of tree. The trees of pgq and pg_raw_parse consist of \
                the C structs of PostgreSQL's parser, with typed access. The trees of pg_query, pg_query_go, \
                go-pgquery and oliphant consist of the structs of libpg_query's Protobuf schema. The other parsers \
                in Rust have their own structs. The parsers in Python and JavaScript create objects.\n\n\
                pgq can also create the structs of libpg_query's Protobuf schema. The row *pgq, Protobuf's structs* \
                has the time for this. The column *same count* is the number of inputs in which the parser and pgq \
                find the same number of statements.",
        comparison: Comparison::Text,
        column: "same count",
        others: &[
            ("shared", "pgq, a tree to keep"),
            ("structs", "pgq, Protobuf's structs"),
            ("baseline", "PostgreSQL's parser alone"),
        ],
    },
    Function {
        name: "walk",
        title: "Parse and walk",
        about: "Each parser parses the SQL and passes the nodes of the tree to a visitor. The column *nodes* is the \
                mean number of visited nodes per statement. This number differs between parsers, because they count \
                nodes in different ways. If a parser panics on a statement, the statement counts as refused.",
        comparison: Comparison::Count,
        column: "nodes",
        others: &[],
    },
    Function {
        name: "fingerprint",
        title: "Fingerprint",
        about: "Each parser computes the fingerprint of the SQL. The column *same* is the number of statements for \
                which the parser and pgq compute the same fingerprint. For some statements, parsers that are based on \
                PostgreSQL 17 compute a different fingerprint than pgq, which is based on PostgreSQL 18.",
        comparison: Comparison::Text,
        column: "same",
        others: &[],
    },
    Function {
        name: "normalize",
        title: "Normalize",
        about: "Each parser replaces the constants of the SQL by `$n`. The column *same* is the number of statements \
                for which the parser's SQL equals pgq's SQL. libpg_query writes wrong SQL for some statements, and pgq \
                does not. The output of `pgq bench` at the end of this page has the number of these statements \
                (*written wrong by libpg_query*).",
        comparison: Comparison::Text,
        column: "same",
        others: &[],
    },
    Function {
        name: "both",
        title: "Fingerprint and normalize",
        about: "Each parser computes the fingerprint and the normalized SQL of each statement, as a program that reads \
                logs does. pgq parses the SQL once and walks the tree twice. With every other parser, the program \
                calls two functions, one for the fingerprint and one for the normalized SQL.",
        comparison: Comparison::Text,
        column: "same",
        others: &[],
    },
    Function {
        name: "scan",
        title: "Scan",
        about: "Each parser splits the SQL into tokens. The column *same count* is the number of inputs in which the \
                parser and pgq find the same number of tokens. White space does not count as a token.",
        comparison: Comparison::Text,
        column: "same count",
        others: &[],
    },
    Function {
        name: "deparse",
        title: "Deparse",
        about: "Each parser writes SQL from a tree in its own form. The measured time does not include the creation of \
                the tree. The column *same meaning* is the number of statements for which the written SQL has the same \
                fingerprint as the original statement.",
        comparison: Comparison::Meaning,
        column: "same meaning",
        others: &[("deparse_structs", "pgq, Protobuf's structs")],
    },
    Function {
        name: "rewrite",
        title: "Rewrite",
        about: "Each parser parses the SQL, sets the schema of every table, and deparses the tree. The column *same* \
                is the number of statements for which the parser's SQL equals pgq's SQL. Before this comparison, pgq \
                formats the SQL of both.",
        comparison: Comparison::Sql,
        column: "same",
        others: &[],
    },
];

impl Comparison {
    /// Returns whether an answer agrees with pgq's answer to the same statement. Returns `None` if they are not
    /// comparable.
    pub fn agrees(self, function: &str, answer: &str, pgq: &Answers) -> Option<bool> {
        match self {
            _ if answer.is_empty() => None,
            Self::Text => pgq.get(function).map(|expected| expected == answer),
            Self::Count => None,
            Self::Meaning => Some(&fingerprint(answer) == pgq.get("fingerprint")?),
            Self::Sql => {
                let expected = formatted(pgq.get(function)?);
                Some(expected.is_some() && formatted(answer) == expected)
            }
        }
    }
}

/// Returns the fingerprint of SQL; an empty string if it does not parse.
fn fingerprint(sql: &str) -> String {
    pgq::fingerprint(sql).map_or(String::new(), |fingerprint| fingerprint.to_string())
}

/// Formats SQL with pgq. Returns `None` if it does not parse.
fn formatted(sql: &str) -> Option<String> {
    pgq::reformat(sql, &DeparseOptions::default()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pgq() -> Answers {
        let fingerprint = pgq::fingerprint("SELECT a FROM t WHERE b = 1").expect("it parses").to_string();
        let rewritten = "SELECT a FROM s.t WHERE b = 1".to_string();
        [("fingerprint".to_string(), fingerprint), ("rewrite".to_string(), rewritten)].into()
    }

    #[test]
    fn text_must_be_the_same() {
        let fingerprint = pgq()["fingerprint"].clone();
        assert_eq!(Comparison::Text.agrees("fingerprint", &fingerprint, &pgq()), Some(true));
        assert_eq!(Comparison::Text.agrees("fingerprint", "0000000000000000", &pgq()), Some(false));
    }

    #[test]
    fn meaning_is_that_of_the_statement() {
        let agrees = |sql| Comparison::Meaning.agrees("deparse", sql, &pgq());
        assert_eq!(agrees("select a from t where (b = 2)"), Some(true));
        assert_eq!(agrees("SELECT a FROM t WHERE c = 1"), Some(false));
        assert_eq!(agrees("SELECT a FORM t"), Some(false));
    }

    #[test]
    fn sql_is_compared_as_pgq_formats_it() {
        let agrees = |sql| Comparison::Sql.agrees("rewrite", sql, &pgq());
        assert_eq!(agrees("select a from s.t where b = 1"), Some(true));
        assert_eq!(agrees("select a from t where b = 1"), Some(false));
    }
}
