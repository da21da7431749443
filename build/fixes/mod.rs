//! Fixes of libpg_query's files, applied when building to copies of the pinned files. Each fix says
//! what is wrong and holds the edits that correct it; the sources themselves are not changed.
//!
//! An edit names the function to change and the shortest unique fragment of it. If the fragment
//! does not occur as often as expected, the build fails and names the fix: the pin has moved, and
//! somebody must check whether the fix is still needed. Tests run every fix on SQL that needs it
//! (tests/deparse/fixes), and docs/upstream-fixes.md lists all fixes.

mod assertions;
mod checks;
mod expressions;
mod flat;
mod guards;
mod long;
mod names;
mod normalizer;
mod output;
mod parameters;
mod plpgsql;
mod statements;
mod tables;
mod types;

pub use guards::guarded;

/// One fault of libpg_query, and its correction.
pub struct Fix {
    /// Its name, which is also the name of its test.
    pub name: &'static str,
    /// What is wrong: a sentence for docs/upstream-fixes.md and for build errors.
    pub why: &'static str,
    pub edits: &'static [Edit],
}

/// A change to the file.
pub enum Edit {
    /// Replaces `anchor`, which must occur `times` times in the function `of`, by `with`.
    Put { of: &'static str, times: usize, anchor: &'static str, with: &'static str },
    /// Replaces the first `anchor` after `mark`, which must occur once in the function `of`, by `with`.
    After { of: &'static str, mark: &'static str, anchor: &'static str, with: &'static str },
    /// Replaces `anchor`, which must occur once in the file, outside of functions, by `with`.
    Outside { anchor: &'static str, with: &'static str },
    /// Replaces the whole body of the function `of` by `with`.
    Body { of: &'static str, with: &'static str },
}

/// A file of libpg_query that is compiled with fixes.
pub struct FixedFile {
    /// Its path below libpg_query's folder `src`.
    pub path: &'static str,
    /// Its fixes, in the order in which they are applied.
    pub fixes: &'static [&'static [Fix]],
}

impl FixedFile {
    /// Every fix, in order.
    pub fn all(&self) -> Vec<&'static Fix> {
        self.fixes.iter().copied().flatten().collect()
    }

    /// Returns the text of the file with all fixes.
    ///
    /// # Errors
    /// A line for each fix that does not fit.
    pub fn fixed(&self, stock: &str) -> Result<String, String> {
        let fixed = if self.path == DEPARSER.path { fixed_deparser(stock) } else { apply(stock, &self.all()) };
        fixed.map_err(|problem| problem.lines().map(|line| format!("{}: {line}\n", self.path)).collect())
    }

    /// Returns the name of the file with all fixes.
    pub fn name(&self) -> String {
        let name = self.path.rsplit('/').next().unwrap_or(self.path);
        name.replace(".c", "_fixed.c")
    }
}

/// The deparser, which is a part of src/sys/deparse.c.
pub const DEPARSER: FixedFile = FixedFile {
    path: "postgres_deparse.c",
    fixes: &[
        names::FIXES,
        types::FIXES,
        expressions::FIXES,
        tables::FIXES,
        statements::FIXES,
        long::FIXES,
        assertions::FIXES,
        checks::FIXES,
    ],
};

/// The grammar, which is a part of src/sys/grammar.c, too.
pub const GRAMMAR: FixedFile =
    FixedFile { path: "postgres/src_backend_parser_gram.c", fixes: &[parameters::OF_GRAMMAR] };

/// The other files, which are compiled in place of libpg_query's.
pub const FILES: &[FixedFile] = &[
    FixedFile { path: "pg_query_normalize.c", fixes: &[normalizer::FIXES] },
    FixedFile { path: "postgres/src_backend_parser_scan.c", fixes: &[parameters::OF_SCANNER] },
    FixedFile { path: "postgres/src_port_snprintf.c", fixes: &[output::OF_PRINTF] },
    FixedFile { path: "postgres/src_pl_plpgsql_src_pl_funcs.c", fixes: &[plpgsql::OF_NAMES] },
    FixedFile { path: "postgres/src_pl_plpgsql_src_pl_comp.c", fixes: &[plpgsql::OF_COMPILER] },
    FixedFile { path: "postgres/src_pl_plpgsql_src_pl_gram.c", fixes: &[plpgsql::OF_GRAMMAR] },
    FixedFile { path: "postgres/src_backend_catalog_namespace.c", fixes: &[plpgsql::OF_SCHEMAS] },
    FixedFile { path: "postgres/src_backend_parser_parse_type.c", fixes: &[plpgsql::OF_TYPES] },
    FixedFile { path: "postgres/src_backend_utils_cache_lsyscache.c", fixes: &[plpgsql::OF_CATALOG] },
    FixedFile { path: "pg_query_json_plpgsql.c", fixes: &[plpgsql::OF_JSON] },
];

/// Applies fixes to the text of a file. The error has a line for each fix that does not fit.
pub fn apply(stock: &str, fixes: &[&Fix]) -> Result<String, String> {
    let mut text = stock.to_string();
    let mut problems = Vec::new();
    for fix in fixes {
        for edit in fix.edits {
            if let Err(problem) = edit.apply(&mut text) {
                let Fix { name, why, .. } = fix;
                problems.push(format!("the fix \"{name}\" ({why}) does not fit this libpg_query: {problem}"));
                break;
            }
        }
    }
    if problems.is_empty() { Ok(text) } else { Err(problems.join("\n")) }
}

impl Edit {
    fn apply(&self, text: &mut String) -> Result<(), String> {
        match *self {
            Self::Put { of, times, anchor, with } => {
                let body = body(text, of)?;
                let found = text[body.clone()].matches(anchor).count();
                if found != times {
                    return Err(format!("{of} contains {anchor:?} {found} times, not {times} times"));
                }
                let changed = text[body.clone()].replace(anchor, with);
                text.replace_range(body, &changed);
            }
            Self::After { of, mark, anchor, with } => {
                let body = body(text, of)?;
                let found = text[body.clone()].matches(mark).count();
                if found != 1 {
                    return Err(format!("{of} contains {mark:?} {found} times, not once"));
                }
                let marked = body.start + text[body.clone()].find(mark).unwrap_or(0) + mark.len();
                let Some(at) = text[marked..body.end].find(anchor) else {
                    return Err(format!("{of} has no {anchor:?} after {mark:?}"));
                };
                text.replace_range(marked + at..marked + at + anchor.len(), with);
            }
            Self::Outside { anchor, with } => {
                let found = text.matches(anchor).count();
                if found != 1 {
                    return Err(format!("the file contains {anchor:?} {found} times, not once"));
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

/// Returns the text of postgres_deparse.c with all fixes, with checks before pointers are followed, and with
/// our ways of appending text.
pub fn fixed_deparser(stock: &str) -> Result<String, String> {
    let edits: Vec<&Fix> = DEPARSER.all().into_iter().chain(flat::EDITS).collect();
    guarded(&flat::with_names(&apply(stock, &edits)?)?)
}

/// Returns the range between the braces of the function `name`.
fn body(text: &str, name: &str) -> Result<std::ops::Range<usize>, String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices(&format!("{name}(")) {
        let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        // A definition starts in the first column, and a brace follows it, not a semicolon.
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
        _ => Err(format!("{} functions are named {name}", found.len())),
    }
}
