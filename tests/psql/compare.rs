//! Compares the statements that pgq finds in a script with the queries that psql sends.

use std::collections::BTreeMap;
use std::ops::Range;

use pgq::script::{MetaCommandEffect, ScriptLexer, ScriptPart, ScriptToken, script_parts};

/// A statement as a list of its tokens, without comments and semicolons.
#[derive(Debug, Clone)]
pub struct Statement {
    tokens: Vec<String>,
    pub text: String,
    /// Whether the statement is in an `\if` block that begins between statements. psql runs only one branch of the
    /// block.
    conditional: bool,
}

/// The result of a comparison: the number of explained differences for each reason, and the unexplained differences.
#[derive(Debug, Default)]
pub struct Comparison {
    pub equal: usize,
    pub explained: BTreeMap<&'static str, usize>,
    pub lost: Vec<String>,
    pub made_up: Vec<String>,
}

/// Returns the statements that pgq finds in a script.
pub fn found_by_pgq(script: &str) -> Vec<Statement> {
    let (mut statements, mut depth) = (Vec::new(), 0usize);
    for part in script_parts(script.as_bytes()) {
        match part {
            ScriptPart::Statement { start, range, holes, .. } => {
                depth = depth.saturating_add_signed(holes.iter().map(|hole| change_of_depth(script, hole)).sum());
                statements.push(Statement::new(&without(script, start..range.end, &holes), depth > 0));
            }
            ScriptPart::MetaCommand(range) => depth = depth.saturating_add_signed(change_of_depth(script, &range)),
            ScriptPart::Blank(_) | ScriptPart::Skipped(_) | ScriptPart::CopyData(_) => {}
        }
    }
    statements
}

/// Returns the statements in the queries that psql sent.
pub fn sent_by_psql(queries: &[String]) -> Vec<Statement> {
    let statements = |query: &String| found_by_pgq(query);
    queries.iter().flat_map(statements).collect()
}

/// Returns the change of the `\if` nesting depth that a meta-command causes.
fn change_of_depth(script: &str, range: &Range<usize>) -> isize {
    let mut lexer = ScriptLexer::new(script.as_bytes(), range.start);
    if lexer.next_token() != ScriptToken::Backslash(range.start) {
        return 0;
    }
    match lexer.skip_meta_command(range.start) {
        MetaCommandEffect::If(_) => 1,
        MetaCommandEffect::Endif => -1,
        _ => 0,
    }
}

/// Returns the part `range` of a script. Replaces each hole in this part with a line break. A hole is the byte range of
/// a meta-command.
fn without(script: &str, range: Range<usize>, holes: &[Range<usize>]) -> String {
    let (mut text, mut at) = (String::new(), range.start);
    for hole in holes {
        if hole.start >= at {
            text += &script[at..hole.start];
            text.push('\n');
        }
        at = at.max(hole.end);
    }
    text + script.get(at..range.end).unwrap_or_default()
}

impl Statement {
    fn new(text: &str, conditional: bool) -> Self {
        // psql's `\:` is a literal colon.
        let text = &text.replace("\\:", ":");
        let tokens = match pgq::scan(text) {
            Ok(tokens) => {
                let code = tokens.iter().filter(|token| !token.is_comment());
                code.map(|token| text[token.start..token.end].trim().to_string()).filter(|token| token != ";").collect()
            }
            Err(_) => {
                text.split([' ', '\n', '\t', '\r', ';']).filter(|word| !word.is_empty()).map(String::from).collect()
            }
        };
        Self { tokens, text: text.trim().to_string(), conditional }
    }

    /// Returns whether psql may have produced the statement `sent` by replacing the variables of `self` with values.
    fn matches(&self, sent: &Self) -> bool {
        self.tokens == sent.tokens || (self.has_variables() && matches_values(&self.tokens, &sent.tokens))
    }

    fn has_variables(&self) -> bool {
        self.tokens.iter().any(|token| token == ":")
    }
}

/// Returns whether the tokens equal the pattern. In the pattern, a variable (a colon and the token after it) matches
/// any number of tokens.
fn matches_values(pattern: &[String], tokens: &[String]) -> bool {
    match pattern {
        [] => tokens.is_empty(),
        [colon, name, rest @ ..] if colon == ":" => {
            let rest = if name == "{" { rest.get(3..).unwrap_or_default() } else { rest };
            (0..=tokens.len()).any(|len| matches_values(rest, &tokens[len..]))
        }
        [first, rest @ ..] => tokens.first() == Some(first) && matches_values(rest, &tokens[1..]),
    }
}

/// Compares `found` with `sent` by their longest common subsequence. For each statement that is not in the subsequence,
/// finds the reason for the difference.
pub fn compare(script: &str, found: &[Statement], sent: &[Statement]) -> Comparison {
    let mut lengths = vec![vec![0usize; sent.len() + 1]; found.len() + 1];
    for i in (0..found.len()).rev() {
        for j in (0..sent.len()).rev() {
            let skip = lengths[i + 1][j].max(lengths[i][j + 1]);
            let take = if found[i].matches(&sent[j]) { lengths[i + 1][j + 1] + 1 } else { 0 };
            lengths[i][j] = skip.max(take);
        }
    }
    let mut comparison = Comparison::default();
    let (mut i, mut j) = (0, 0);
    while i < found.len() || j < sent.len() {
        if i < found.len() && j < sent.len() && found[i].matches(&sent[j]) && lengths[i][j] == lengths[i + 1][j + 1] + 1
        {
            comparison.equal += 1;
            (i, j) = (i + 1, j + 1);
        } else if j < sent.len() && (i == found.len() || lengths[i][j] == lengths[i][j + 1]) {
            let beside = [j.checked_sub(1).and_then(|last| sent.get(last)), sent.get(j + 1)];
            match reason_of_sent(script, &sent[j], beside) {
                Some(reason) => *comparison.explained.entry(reason).or_default() += 1,
                None => comparison.lost.push(sent[j].text.clone()),
            }
            j += 1;
        } else {
            match reason_of_found(&found[i]) {
                Some(reason) => *comparison.explained.entry(reason).or_default() += 1,
                None => comparison.made_up.push(found[i].text.clone()),
            }
            i += 1;
        }
    }
    comparison
}

/// Returns the reason why psql sends a statement that is not in the script. `beside` contains the statements that psql
/// sent before and after it.
fn reason_of_sent(script: &str, sent: &Statement, beside: [Option<&Statement>; 2]) -> Option<&'static str> {
    let text = &sent.text;
    if beside.into_iter().flatten().any(|beside| beside.tokens == sent.tokens) {
        return Some("\\watch, or \\g without a statement: the same again");
    }
    if text.contains("pg_catalog.") || text.starts_with("set client_encoding") {
        return Some("a query of a meta-command itself");
    }
    if text.starts_with("COPY") && script.to_lowercase().contains("\\copy") {
        return Some("the COPY of \\copy");
    }
    None
}

/// Returns the reason why psql does not send a statement of the script.
fn reason_of_found(found: &Statement) -> Option<&'static str> {
    if found.conditional {
        return Some("a branch of \\if between statements that was not run");
    }
    let parens = |paren: &str| found.tokens.iter().filter(|token| *token == paren).count();
    if parens("(") != parens(")") {
        return Some("a parenthesis without its other one");
    }
    None
}
