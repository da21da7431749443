//! Functions for one text. They parse without the global interpreter lock.

use std::ops::Range;

use pgq::cache::{FingerprintCache, NormalizeCache};
use pgq::script::{ScriptPart, script_parts};
use pgq::{Fingerprint, FormatOptions, JsonTree, KeywordCase, PlaceholderStyle, SplitMethod};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::cache::ThreadState;
use crate::errors;
use crate::nodes::{self, Classes};
use crate::tree::{Tree, pretty_options};

/// Runs `f` without the global interpreter lock. Converts its error to an exception.
fn detached<T: Send>(py: Python<'_>, f: impl FnOnce() -> Result<T, pgq::Error> + Send) -> PyResult<T> {
    py.detach(f).map_err(|error| errors::to_exception(py, &error))
}

#[pyfunction]
pub fn parse(py: Python<'_>, sql: &str) -> PyResult<Tree> {
    Tree::parse(py, sql)
}

#[pyfunction]
pub fn from_json(py: Python<'_>, json: &str) -> PyResult<Tree> {
    Ok(Tree::of(detached(py, || JsonTree::read(json).map(JsonTree::into_tree))?))
}

#[pyfunction]
pub fn parse_json(py: Python<'_>, sql: &str) -> PyResult<String> {
    detached(py, || pgq::parse_to_json(sql))
}

#[pyfunction]
pub fn parse_plpgsql(py: Python<'_>, sql: &str) -> PyResult<String> {
    detached(py, || pgq::parse_plpgsql(sql))
}

#[pyfunction]
pub fn is_valid(py: Python<'_>, sql: &str) -> bool {
    py.detach(|| pgq::Tree::parse(sql, &Default::default()).is_ok())
}

#[pyfunction]
pub fn fingerprint<'py>(py: Python<'py>, sql: &str) -> PyResult<Bound<'py, PyString>> {
    // Look up without releasing the lock. A lookup never parses, so it usually takes less time than releasing the lock.
    let fingerprint = match FingerprintCache::with_kept(|cache| cache.look_up(sql.as_bytes())) {
        Ok(known) => known.fingerprint,
        Err(keys) => detached(py, || FingerprintCache::with_kept(|cache| Ok(cache.parse(sql, keys)?.0)))?,
    };
    Ok(digits(py, fingerprint))
}

/// Returns the digits of a fingerprint.
pub fn digits(py: Python<'_>, fingerprint: Fingerprint) -> Bound<'_, PyString> {
    PyString::new(py, std::str::from_utf8(&fingerprint.digits()).unwrap_or_default())
}

#[pyfunction]
pub fn normalize(py: Python<'_>, sql: &str) -> PyResult<String> {
    detached(py, || NormalizeCache::with_kept(|cache| cache.normalize(sql)))
}

#[pyfunction]
pub fn tables(py: Python<'_>, sql: &str) -> PyResult<Vec<String>> {
    detached(py, || pgq::tables(sql))
}

/// Returns the SQL with `$n` in place of placeholders.
#[pyfunction]
pub fn replace_placeholders(py: Python<'_>, sql: &str, style: &str) -> PyResult<String> {
    let style = PlaceholderStyle::from_name(style).ok_or_else(|| {
        let names = PlaceholderStyle::ALL.map(PlaceholderStyle::name).join(", ");
        PyValueError::new_err(format!("style must be one of {names}"))
    })?;
    Ok(py.detach(|| pgq::placeholders(sql, style).sql.into_owned()))
}

/// Returns the SQL of a tree, a node or a list of nodes. If `tree` is an SQL string, returns it reformatted.
#[pyfunction]
#[pyo3(signature = (tree, *, pretty = false, verify = true))]
pub fn deparse(py: Python<'_>, tree: &Bound<'_, PyAny>, pretty: bool, verify: bool) -> PyResult<String> {
    let options = pretty_options(pretty, verify);
    if let Ok(sql) = tree.cast::<PyString>() {
        let sql = sql.to_str()?;
        return detached(py, || pgq::reformat(sql, &options));
    }
    if let Ok(tree) = tree.cast::<Tree>() {
        return tree.get().deparse(py, pretty, verify);
    }
    let statements: Vec<Bound<'_, PyAny>> = if tree.is_instance(Classes::get(py)?.node.bind(py))? {
        vec![tree.clone()]
    } else {
        tree.try_iter()?.collect::<PyResult<_>>()?
    };
    let tree = nodes::tree_of(statements, py)?;
    detached(py, || tree.deparse(&options))
}

/// Formats a script. A statement that cannot be formatted is an error unless `errors` is "keep".
#[pyfunction]
#[pyo3(signature = (sql, *, width = 88, indent = 4, keyword_case = "keep", comma_first = false, bodies = false, errors = "raise"))]
#[allow(clippy::too_many_arguments)] // They are keywords in Python.
pub fn format(
    py: Python<'_>,
    sql: &str,
    width: u16,
    indent: u16,
    keyword_case: &str,
    comma_first: bool,
    bodies: bool,
    errors: &str,
) -> PyResult<String> {
    let mut options = FormatOptions::default();
    (options.width, options.indent) = (width.into(), indent.into());
    (options.comma_first, options.bodies) = (comma_first, bodies);
    options.keyword_case = match keyword_case {
        "keep" => KeywordCase::Keep,
        "upper" => KeywordCase::Upper,
        "lower" => KeywordCase::Lower,
        _ => return Err(PyValueError::new_err("keyword_case must be \"keep\", \"upper\" or \"lower\"")),
    };
    let keep = match errors {
        "raise" => false,
        "keep" => true,
        _ => return Err(PyValueError::new_err("errors must be \"raise\" or \"keep\"")),
    };
    let formatted = py.detach(|| pgq::format_script(sql, &options));
    match formatted.kept.first() {
        Some(kept) if !keep => Err(crate::errors::of_kept(py, kept)),
        _ => Ok(formatted.text),
    }
}

/// Splits a script into statements, as psql or libpg_query does. Omits the semicolons.
#[pyfunction]
#[pyo3(signature = (sql, *, method = "script"))]
pub fn split(py: Python<'_>, sql: &str, method: &str) -> PyResult<Vec<String>> {
    let texts = |ranges: Vec<Range<usize>>| ranges.into_iter().map(|range| sql[range].trim().to_string()).collect();
    match method {
        "script" => Ok(py.detach(|| statements_of_script(sql))),
        "parser" => detached(py, || pgq::split(sql, SplitMethod::Parser).map(texts)),
        "scanner" => detached(py, || pgq::split(sql, SplitMethod::Scanner).map(texts)),
        _ => Err(PyValueError::new_err("method must be \"script\", \"parser\" or \"scanner\"")),
    }
}

fn statements_of_script(sql: &str) -> Vec<String> {
    let mut statements = Vec::new();
    for part in script_parts(sql.as_bytes()) {
        let ScriptPart::Statement { range, start, holes, .. } = part else { continue };
        let (mut text, mut at) = (String::new(), start);
        // The holes are meta-commands inside the statement. Omit them, because psql does not send them to the server.
        for hole in holes.into_iter().chain([range.end..range.end]) {
            text.push_str(&sql[at..hole.start.max(at)]);
            at = hole.end.max(at);
        }
        let text = text.trim();
        statements.push(text.strip_suffix(';').unwrap_or(text).trim_end().to_string());
    }
    statements
}

/// A token of PostgreSQL's scanner.
#[pyclass(frozen, get_all, module = "pgquill")]
pub struct Token {
    /// libpg_query's name of the token.
    name: &'static str,
    /// Keyword class.
    keyword: &'static str,
    /// Byte offsets in the UTF-8 text.
    start: usize,
    end: usize,
    text: Py<PyString>,
}

#[pymethods]
impl Token {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Token({}, {}, {}:{})", self.name, self.text.bind(py).repr()?, self.start, self.end))
    }
}

#[pyfunction]
pub fn scan(py: Python<'_>, sql: &str) -> PyResult<Vec<Token>> {
    let tokens = detached(py, || pgq::scan(sql))?;
    let token = |token: pgq::Token| Token {
        name: token.name(),
        keyword: token.keyword_name(),
        start: token.start,
        end: token.end,
        text: PyString::new(py, &sql[token.start..token.end]).unbind(),
    };
    Ok(tokens.into_iter().map(token).collect())
}
