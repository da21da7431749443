//! Fixes of libpg_query's files. The build applies them to copies; the pinned sources are unchanged. Each fix has an
//! explanation and edits.
//!
//! An edit names a function and a short fragment of its code. If the fragment does not occur the expected number of
//! times, the build fails and names the fix. This can happen after an update of the pinned version. A maintainer
//! must then check whether the fix is still needed. Tests run every fix on SQL that needs it (tests/deparse/fixes), and
//! docs/upstream-fixes.md lists all fixes.

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
mod rows;
mod statements;
mod tables;
mod types;

pub use guards::guarded;

/// The correction of an error in libpg_query.
pub struct Fix {
    /// The name of the fix and of its test.
    pub name: &'static str,
    /// A sentence that describes the error, for docs/upstream-fixes.md and for build errors.
    pub why: &'static str,
    pub edits: &'static [Edit],
}

/// A change of a file.
pub enum Edit {
    /// Replaces every occurrence of a text in one function. `of` is the function's name. `anchor` is the old text, and
    /// `with` is the new text. The build fails if the function does not contain the old text exactly `times` times.
    Put { of: &'static str, times: usize, anchor: &'static str, with: &'static str },
    /// Replaces the first `anchor` after `mark`. `of` is the function's name, and `with` is the new text. The build
    /// fails if the function does not contain the mark exactly once.
    After { of: &'static str, mark: &'static str, anchor: &'static str, with: &'static str },
    /// Replaces `anchor` outside of functions. `with` is the new text. The build fails if the file does not contain the
    /// anchor exactly once.
    Outside { anchor: &'static str, with: &'static str },
    /// Replaces the whole body of a function. `of` is the function's name, and `with` is the new body.
    Body { of: &'static str, with: &'static str },
}

/// A file of libpg_query that is compiled with fixes.
pub struct FixedFile {
    /// Path relative to libpg_query's directory `src`.
    pub path: &'static str,
    /// The fixes, in the order of application.
    pub fixes: &'static [&'static [Fix]],
}

impl FixedFile {
    pub fn all(&self) -> Vec<&'static Fix> {
        self.fixes.iter().copied().flatten().collect()
    }

    /// Returns the contents of the file with all fixes applied.
    ///
    /// # Errors
    /// Returns one line for each fix that does not match.
    pub fn fixed(&self, stock: &str) -> Result<String, String> {
        let fixed = if self.path == DEPARSER.path { fixed_deparser(stock) } else { apply(stock, &self.all()) };
        fixed.map_err(|problem| problem.lines().map(|line| format!("{}: {line}\n", self.path)).collect())
    }

    /// Returns the name of the fixed file.
    pub fn name(&self) -> String {
        let name = self.path.rsplit('/').next().unwrap_or(self.path);
        name.replace(".c", "_fixed.c")
    }
}

/// The deparser. src/sys/deparse.c includes it.
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

/// The grammar. src/sys/grammar.c includes it.
pub const GRAMMAR: FixedFile =
    FixedFile { path: "postgres/src_backend_parser_gram.c", fixes: &[parameters::OF_GRAMMAR, rows::OF_GRAMMAR] };

/// Files to fix, in addition to the deparser and the grammar. The build compiles fixed copies instead of the originals.
pub const FILES: &[FixedFile] = &[
    FixedFile { path: "pg_query_normalize.c", fixes: &[normalizer::FIXES] },
    FixedFile { path: "postgres/src_backend_parser_scan.c", fixes: &[parameters::OF_SCANNER] },
    FixedFile { path: "postgres/src_port_snprintf.c", fixes: &[output::OF_PRINTF] },
    FixedFile { path: "postgres/src_pl_plpgsql_src_pl_funcs.c", fixes: &[plpgsql::OF_NAMES] },
    FixedFile { path: "postgres/src_pl_plpgsql_src_pl_comp.c", fixes: &[plpgsql::OF_COMPILER] },
    FixedFile { path: "postgres/src_pl_plpgsql_src_pl_gram.c", fixes: &[plpgsql::OF_GRAMMAR] },
    FixedFile { path: "postgres/src_pl_plpgsql_src_pl_scanner.c", fixes: &[plpgsql::OF_SCANNER] },
    FixedFile { path: "postgres/src_backend_catalog_namespace.c", fixes: &[plpgsql::OF_SCHEMAS] },
    FixedFile { path: "postgres/src_backend_parser_parse_type.c", fixes: &[plpgsql::OF_TYPES] },
    FixedFile { path: "postgres/src_backend_utils_cache_lsyscache.c", fixes: &[plpgsql::OF_CATALOG] },
    FixedFile { path: "pg_query_json_plpgsql.c", fixes: &[plpgsql::OF_JSON] },
];

/// The scanner's entry points without `pg_query_scan`, for builds without the feature `reference`.
/// `pg_query_scan` is the only entry point that needs Protobuf.
pub const SCAN_WITHOUT_PROTOBUF: FixedFile = FixedFile {
    path: "pg_query_scan.c",
    fixes: &[&[Fix {
        name: "no Protobuf",
        why: "builds without the feature `reference` do not contain the Protobuf library",
        edits: &[Edit::Body { of: "pg_query_scan", with: "\n  return (PgQueryScanResult) {0};\n" }],
    }]],
};

/// Applies fixes to the contents of a file. The error has one line for each fix that does not match.
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
                let found = memchr::memmem::find_iter(text.as_bytes(), anchor).count();
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

/// Returns the contents of postgres_deparse.c with all fixes, NULL checks and faster string functions.
pub fn fixed_deparser(stock: &str) -> Result<String, String> {
    let edits: Vec<&Fix> = DEPARSER.all().into_iter().chain(flat::EDITS).collect();
    guarded(&flat::with_names(&apply(stock, &edits)?)?)
}

/// Returns the range between the braces of the function `name`.
fn body(text: &str, name: &str) -> Result<std::ops::Range<usize>, String> {
    let mut found = Vec::new();
    for at in memchr::memmem::find_iter(text.as_bytes(), &format!("{name}(")) {
        let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        // A definition starts in the first column, and contains `{` before the first semicolon.
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
