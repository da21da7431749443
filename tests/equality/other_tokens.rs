//! Statements that are truncated after a token, lack a token, or contain a token of another statement. Together they
//! present unexpected tokens to every state of the grammar. pgq must refuse the same statements as PostgreSQL's parser.

use fastrand::Rng;
use pgq::{ParseOptions, reference};
use pgq_corpus::{Set, sets};

use crate::outcomes::compare_sets;

/// The test uses one in every `ONE_OF` statements. This sample yields several hundred thousand texts.
const ONE_OF: usize = 12;

/// Maximum number of tokens in a statement. The test's time is quadratic in this number.
const MOST_TOKENS: usize = 120;

fn tokens(sql: &str) -> Vec<&str> {
    let tokens = pgq::scan(sql).unwrap_or_default();
    tokens.iter().map(|token| &sql[token.start..token.end]).collect()
}

fn with_other_tokens(rng: &mut Rng, statements: &[String]) -> Vec<String> {
    let all: Vec<Vec<&str>> = statements.iter().map(|sql| tokens(sql)).filter(|tokens| !tokens.is_empty()).collect();
    let mut texts = Vec::new();
    for tokens in all.iter().step_by(ONE_OF).filter(|tokens| tokens.len() <= MOST_TOKENS) {
        for at in 1..tokens.len() {
            let other = |rng: &mut Rng| {
                let others = &all[rng.usize(..all.len())];
                others[rng.usize(..others.len())]
            };
            let (before, behind) = tokens.split_at(at);
            let joined = |between: &[&str], behind: &[&str]| [before, between, behind].concat().join(" ");
            texts.push(joined(&[], &[]));
            texts.push(joined(&[], &behind[1..]));
            texts.push(joined(&[other(rng)], &behind[1..]));
            texts.push(joined(&[other(rng)], behind));
        }
    }
    texts
}

#[test]
fn parsing_statements_with_other_tokens_equals_the_c_library() {
    let options = ParseOptions::default();
    let mut rng = Rng::with_seed(1);
    let sets = sets().into_iter().map(|set| Set { statements: with_other_tokens(&mut rng, &set.statements), ..set });
    compare_sets("equality/parse_other_tokens", sets, ["structs"], |sql, [structs]| {
        structs.compare(sql, pgq::parse(sql).map(pgq::Parsed::into_tree), reference::parse(sql, &options));
    });
}
