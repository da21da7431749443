//! Statements with other literals in place of their own, the same for the same seed.

use std::hash::Hasher;

use pgq::Token;

/// What kind of literals.
#[derive(Clone, Copy, Debug)]
pub enum Manner {
    /// Of the kind that is there, in any form that it has.
    Same,
    /// One digit, one letter.
    Small,
    /// As [`Manner::Same`], without the white space around them.
    Tight,
    /// Empty, huge, full of quotes.
    Extreme,
    /// Numbers below 0.
    Negative,
    /// Of any kind.
    Mixed,
}

const INTEGERS: [&str; 6] = ["0", "7", "42", "1_000", "0x1F", "2147483647"];
const NUMBERS: [&str; 6] = ["0.5", "1e10", ".25", "2147483648", "1.", "99999999999999999999"];
const STRINGS: [&str; 8] =
    ["'x'", "'a''b'", "E'a\\'b\\n'", "$$a'b$$", "$q$ $$ $q$", "'-- no comment'", "'é'", "'a'\n  'b'"];
const BITS: [&str; 3] = ["b'0101'", "B''", "b'1'"];
const HEXES: [&str; 3] = ["x'1F'", "X''", "x'0'"];

/// The statement with its literals replaced; `None` where it has none, or does not scan.
pub fn rewritten(sql: &str, manner: Manner, seed: u64) -> Option<String> {
    let tokens = pgq::scan(sql).ok()?;
    let mut out = String::with_capacity(sql.len());
    let mut done = 0;
    for token in tokens {
        if let Some(other) = other(token, manner, pick(sql, token.start, manner, seed)) {
            let tight = matches!(manner, Manner::Tight);
            let before = &sql[done..token.start];
            out.push_str(if tight { before.trim_end() } else { before });
            // A name may stand right before a dollar or a letter that begins a literal.
            let space = if tight { "" } else { " " };
            out.extend([space, &other, space]);
            let blank = sql[token.end..].bytes().take_while(|byte| *byte == b' ').count();
            done = token.end + if tight { blank } else { 0 };
        }
    }
    (done > 0).then(|| out + &sql[done..])
}

/// A number that depends on all of these.
fn pick(sql: &str, at: usize, manner: Manner, seed: u64) -> usize {
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(sql.as_bytes());
    hasher.write_usize(at);
    hasher.write_u64(seed << 8 | manner as u64);
    hasher.finish() as usize
}

fn other(token: Token, manner: Manner, pick: usize) -> Option<String> {
    let own: &[&str] = match token.name() {
        "ICONST" => &INTEGERS,
        "FCONST" => &NUMBERS,
        "SCONST" => &STRINGS,
        "BCONST" => &BITS,
        "XCONST" => &HEXES,
        _ => return None,
    };
    let of = |all: &[&str]| all[pick % all.len()].to_string();
    Some(match (manner, token.name()) {
        (Manner::Same | Manner::Tight, _) => of(own),
        (Manner::Small, "ICONST") => (pick % 10).to_string(),
        (Manner::Small, "SCONST") => format!("'{}'", char::from(b'a' + (pick % 26) as u8)),
        (Manner::Small, _) => own[1].to_string(),
        (Manner::Extreme, "ICONST" | "FCONST") => "9".repeat(1 + pick % 400),
        (Manner::Extreme, "SCONST") if pick.is_multiple_of(2) => "''".to_string(),
        (Manner::Extreme, _) => format!("'{}'", "''\"$".repeat(pick % 500)),
        (Manner::Negative, "ICONST" | "FCONST") => format!("-{}", of(own)),
        (Manner::Negative, _) => of(own),
        (Manner::Mixed, _) => of([&INTEGERS[..], &NUMBERS, &STRINGS, &BITS, &HEXES][pick / 8 % 5]),
    })
}
