//! Splits psql scripts into statements.

use pgq_lexer::script::{ScriptPart, script_parts};

/// A statement of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptStatement {
    /// The statement with preceding comments and its semicolon. Spaces replace the meta-commands inside it.
    pub sql: String,
    /// Whether the statement contains a meta-command, as in `SELECT \echo x`.
    pub has_meta_command: bool,
}

/// Returns the statements of a script. Omits the meta-commands between statements, and COPY data.
#[must_use]
pub fn script_statements(script: &str) -> Vec<ScriptStatement> {
    let mut statements = Vec::new();
    for part in script_parts(script.as_bytes()) {
        let ScriptPart::Statement { range, holes, .. } = part else { continue };
        let has_meta_command = !holes.is_empty();
        let mut sql = script[range.clone()].to_string();
        for hole in holes {
            sql.replace_range(hole.start - range.start..hole.end - range.start, &" ".repeat(hole.len()));
        }
        statements.push(ScriptStatement { sql, has_meta_command });
    }
    statements
}

#[test]
fn meta_commands_and_copy_data_are_not_statements() {
    let script = "\\set x 1\nSELECT 1;\nCOPY t FROM STDIN;\n1\t2\n\\.\nSELECT 2 \\echo x\n + 3;\n";
    let statements = script_statements(script);
    let sql: Vec<_> = statements
        .iter()
        .map(|s| (s.sql.split_whitespace().collect::<Vec<_>>().join(" "), s.has_meta_command))
        .collect();
    let expected = [("SELECT 1;", false), ("COPY t FROM STDIN;", false), ("SELECT 2 + 3;", true)];
    assert_eq!(sql, expected.map(|(sql, has)| (sql.to_string(), has)));
}
