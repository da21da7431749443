//! Fixes of libpg_query's deparser, applied to the pinned src/postgres_deparse.c when
//! building, and of its normalizer, src/pg_query_normalize.c. Each says what is wrong there and
//! what to put in its place; the sources themselves are left alone.
//!
//! An edit names the function that it is in and a fragment of it, as short as is unique. When
//! the fragment is not there, or not as often as it was, the build fails with the fix's name:
//! the pin has moved and somebody has to look. Tests hold every fix against SQL that needs it
//! (tests/deparse/fixes), and docs/upstream-fixes.md lists them.

mod assertions;
mod checks;
mod expressions;
mod guards;
mod long;
mod names;
mod normalizer;
mod statements;
mod tables;
mod types;

pub use guards::guarded;

/// One thing that the deparser gets wrong, and how it is put right.
pub struct Fix {
    /// Its name, and that of its test.
    pub name: &'static str,
    /// What is wrong, in a sentence.
    pub why: &'static str,
    pub edits: &'static [Edit],
}

/// A change to one function of the file.
pub enum Edit {
    /// `with` in place of `anchor`, which occurs `times` times in the function `of`.
    Put { of: &'static str, times: usize, anchor: &'static str, with: &'static str },
    /// `with` in place of the first `anchor` behind `mark`, which the function `of` has once.
    After { of: &'static str, mark: &'static str, anchor: &'static str, with: &'static str },
    /// `with` in place of `anchor`, which the file has once, in no function.
    Outside { anchor: &'static str, with: &'static str },
    /// `with` as the whole body of the function `of`.
    Body { of: &'static str, with: &'static str },
}

/// Every fix of the deparser, in the order in which they are applied.
pub fn all() -> Vec<&'static Fix> {
    [
        names::FIXES,
        types::FIXES,
        expressions::FIXES,
        tables::FIXES,
        statements::FIXES,
        long::FIXES,
        assertions::FIXES,
        checks::FIXES,
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Every fix of the normalizer.
pub fn of_normalizer() -> Vec<&'static Fix> {
    normalizer::FIXES.iter().collect()
}

/// The text of a file with fixes, or which of them does not fit it.
pub fn apply(stock: &str, fixes: &[&Fix]) -> Result<String, String> {
    let mut text = stock.to_string();
    for fix in fixes {
        for edit in fix.edits {
            edit.apply(&mut text).map_err(|problem| {
                format!("the fix \"{}\" ({}) does not fit this libpg_query: {problem}", fix.name, fix.why)
            })?;
        }
    }
    Ok(text)
}

impl Edit {
    fn apply(&self, text: &mut String) -> Result<(), String> {
        match *self {
            Self::Put { of, times, anchor, with } => {
                let body = body(text, of)?;
                let found = text[body.clone()].matches(anchor).count();
                if found != times {
                    return Err(format!("{of} has {found} times, not {times} times, {anchor:?}"));
                }
                let changed = text[body.clone()].replace(anchor, with);
                text.replace_range(body, &changed);
            }
            Self::After { of, mark, anchor, with } => {
                let body = body(text, of)?;
                let found = text[body.clone()].matches(mark).count();
                if found != 1 {
                    return Err(format!("{of} has {found} times, not once, {mark:?}"));
                }
                let marked = body.start + text[body.clone()].find(mark).unwrap_or(0) + mark.len();
                let Some(at) = text[marked..body.end].find(anchor) else {
                    return Err(format!("{of} has no {anchor:?} behind {mark:?}"));
                };
                text.replace_range(marked + at..marked + at + anchor.len(), with);
            }
            Self::Outside { anchor, with } => {
                let found = text.matches(anchor).count();
                if found != 1 {
                    return Err(format!("the file has {found} times, not once, {anchor:?}"));
                }
                *text = text.replace(anchor, with);
            }
            Self::Body { of, with } => {
                let body = body(text, of)?;
                text.replace_range(body, with);
            }
        }
        Ok(())
    }
}

/// The text of postgres_deparse.c with all fixes, and with looks before pointers are followed.
pub fn fixed_deparser(stock: &str) -> Result<String, String> {
    guarded(&apply(stock, &all())?)
}

/// What stands between the braces of the function `name`.
fn body(text: &str, name: &str) -> Result<std::ops::Range<usize>, String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices(&format!("{name}(")) {
        let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        // A definition starts in the first column and ends in a brace, not a semicolon.
        let before = &text[line_start..at];
        let at_start = before.is_empty() || before.starts_with(|c: char| c.is_ascii_alphabetic());
        let is_name = !before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let Some(open) = text[at..].find(['{', ';']).map(|open| at + open) else { continue };
        if at_start && is_name && text.as_bytes()[open] == b'{' {
            let close = text[open..].find("\n}\n").ok_or_else(|| format!("{name} has no end"))?;
            found.push(open + 1..open + close + 1);
        }
    }
    match found.as_slice() {
        [body] => Ok(body.clone()),
        _ => Err(format!("{} functions are called {name}", found.len())),
    }
}
