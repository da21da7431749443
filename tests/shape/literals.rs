//! Replaces the literals of statements by other literals. The seed determines the result.

use fastrand::Rng;
use pgq::Token;

/// The kind of replacement literals.
#[derive(Clone, Copy, Debug)]
pub enum LiteralStyle {
    /// Literals of the same type, in any notation.
    SameType,
    /// Single digits and letters.
    Short,
    /// Like [`LiteralStyle::SameType`], without the surrounding white space.
    NoSpace,
    /// Empty, huge, or full of quotes.
    Extreme,
    /// Numbers below zero.
    Negative,
    /// Literals of any type.
    AnyType,
}

const INTEGERS: [&str; 6] = ["0", "7", "42", "1_000", "0x1F", "2147483647"];
const NUMBERS: [&str; 6] = ["0.5", "1e10", ".25", "2147483648", "1.", "99999999999999999999"];
const STRINGS: [&str; 8] = ["'x'", "'a''b'", "E'a\\'b\\n'", "$$a'b$$", "$q$ $$ $q$", "'-- x'", "'é'", "'a'\n  'b'"];
const BITS: [&str; 3] = ["b'0101'", "B''", "b'1'"];
const HEXES: [&str; 3] = ["x'1F'", "X''", "x'0'"];

/// Replaces the literals of the statement; `None` if it has no literal or does not scan.
pub fn with_other_literals(sql: &str, style: LiteralStyle, rng: &mut Rng) -> Option<String> {
    let mut out = String::with_capacity(sql.len());
    let mut copied = 0;
    for token in pgq::scan(sql).ok()? {
        let Some(other) = other_literal(token, style, rng) else { continue };
        let no_space = matches!(style, LiteralStyle::NoSpace);
        let before = &sql[copied..token.start];
        out.push_str(if no_space { before.trim_end() } else { before });
        // Without the blank, a literal that begins with `$` or a letter would become part of a name directly before the
        // literal.
        let space = if no_space { "" } else { " " };
        out.extend([space, &other, space]);
        let spaces = sql[token.end..].bytes().take_while(|byte| *byte == b' ').count();
        copied = token.end + if no_space { spaces } else { 0 };
    }
    (copied > 0).then(|| out + &sql[copied..])
}

fn other_literal(token: Token, style: LiteralStyle, rng: &mut Rng) -> Option<String> {
    let same_type: &[&str] = match token.name() {
        "ICONST" => &INTEGERS,
        "FCONST" => &NUMBERS,
        "SCONST" => &STRINGS,
        "BCONST" => &BITS,
        "XCONST" => &HEXES,
        _ => return None,
    };
    let one_of = |rng: &mut Rng, literals: &[&str]| literals[rng.usize(..literals.len())].to_string();
    Some(match (style, token.name()) {
        (LiteralStyle::SameType | LiteralStyle::NoSpace, _) => one_of(rng, same_type),
        (LiteralStyle::Short, "ICONST") => rng.digit(10).to_string(),
        (LiteralStyle::Short, "SCONST") => format!("'{}'", rng.lowercase()),
        (LiteralStyle::Short, _) => same_type[1].to_string(),
        (LiteralStyle::Extreme, "ICONST" | "FCONST") => "9".repeat(rng.usize(1..=400)),
        (LiteralStyle::Extreme, "SCONST") if rng.bool() => "''".to_string(),
        (LiteralStyle::Extreme, _) => format!("'{}'", "''\"$".repeat(rng.usize(..500))),
        (LiteralStyle::Negative, "ICONST" | "FCONST") => format!("-{}", one_of(rng, same_type)),
        (LiteralStyle::Negative, _) => one_of(rng, same_type),
        (LiteralStyle::AnyType, _) => {
            let types = [&INTEGERS[..], &NUMBERS, &STRINGS, &BITS, &HEXES];
            let literals = types[rng.usize(..types.len())];
            one_of(rng, literals)
        }
    })
}
