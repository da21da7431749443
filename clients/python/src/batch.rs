//! Functions for many texts. They run on several threads, each with its own cache, without the global interpreter lock.

use std::sync::atomic::{AtomicUsize, Ordering};

use pgq::Error;
use pgq::cache::{FingerprintCache, NormalizeCache};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::cache::ThreadState;
use crate::{errors, functions};

/// Number of texts that a thread takes at once.
const CHUNK: usize = 512;

/// A text, or `None` for NULL.
pub type Text<'a> = Option<&'a str>;
/// The result for a text. Errors are large and rare, so they are boxed.
pub type Answer<T> = Option<Result<T, Box<Error>>>;

/// Returns the result for each text, in order. For at most `CHUNK` texts, uses the state that the calling thread keeps.
pub fn for_each<S: ThreadState, T: Send>(
    texts: &[Text<'_>],
    jobs: Option<usize>,
    answer: &(impl Fn(&mut S, &str) -> Result<T, Error> + Sync),
) -> Vec<Answer<T>> {
    let answer_each = |state: &mut S, texts: &[Text<'_>]| -> Vec<Answer<T>> {
        texts.iter().map(|text| text.map(|text| answer(state, text).map_err(Box::new))).collect()
    };
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = jobs.unwrap_or_else(cores).clamp(1, texts.len().div_ceil(CHUNK).max(1));
    if texts.len() <= CHUNK {
        return S::with_kept(|state| answer_each(state, texts));
    }
    if jobs == 1 {
        return answer_each(&mut S::create(jobs), texts);
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut state, mut done) = (S::create(jobs), Vec::new());
        loop {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            let Some(texts) = texts.chunks(CHUNK).nth(chunk) else { return done };
            done.push((chunk, answer_each(&mut state, texts)));
        }
    };
    let mut chunks: Vec<(usize, Vec<Answer<T>>)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    chunks.sort_unstable_by_key(|(chunk, _)| *chunk);
    chunks.into_iter().flat_map(|(_, answers)| answers).collect()
}

/// Returns the names of the tables of a text.
pub fn tables_of((): &mut (), sql: &str) -> Result<Vec<String>, Error> {
    pgq::tables(sql)
}

/// Returns the strings of an iterable, with references that keep them alive.
fn texts_of<'py>(texts: &Bound<'py, PyAny>) -> PyResult<Vec<Option<Bound<'py, PyString>>>> {
    if texts.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("expected a list of str, got str"));
    }
    let text = |item: PyResult<Bound<'py, PyAny>>| -> PyResult<Option<Bound<'py, PyString>>> {
        let item = item?;
        if item.is_none() {
            return Ok(None);
        }
        item.cast_into::<PyString>().map(Some).map_err(|_| PyTypeError::new_err("expected a list of str"))
    };
    texts.try_iter()?.map(text).collect()
}

/// Returns a list with a result for each text: a value, a `ParseError` that is not raised, or None.
fn list_of<'py, S: ThreadState, T: Send>(
    texts: &Bound<'py, PyAny>,
    jobs: Option<usize>,
    answer: impl Fn(&mut S, &str) -> Result<T, Error> + Sync,
    value: impl Fn(T) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let py = texts.py();
    let strings = texts_of(texts)?;
    let texts = strings.iter().map(|text| text.as_ref().map(|text| text.to_str()).transpose());
    let texts: Vec<Text<'_>> = texts.collect::<PyResult<_>>()?;
    let answers = py.detach(|| for_each(&texts, jobs, &answer));
    let list = PyList::empty(py);
    for answer in answers {
        match answer {
            None => list.append(py.None())?,
            Some(Ok(answer)) => list.append(value(answer)?)?,
            Some(Err(error)) => list.append(errors::to_object(py, &error)?)?,
        }
    }
    Ok(list)
}

#[pyfunction]
#[pyo3(signature = (texts, *, jobs = None))]
pub fn fingerprint_all<'py>(texts: &Bound<'py, PyAny>, jobs: Option<usize>) -> PyResult<Bound<'py, PyList>> {
    let py = texts.py();
    list_of(texts, jobs, FingerprintCache::fingerprint, |fingerprint| Ok(functions::digits(py, fingerprint).into_any()))
}

#[pyfunction]
#[pyo3(signature = (texts, *, jobs = None))]
pub fn normalize_all<'py>(texts: &Bound<'py, PyAny>, jobs: Option<usize>) -> PyResult<Bound<'py, PyList>> {
    let py = texts.py();
    list_of(texts, jobs, NormalizeCache::normalize, |text| Ok(PyString::new(py, &text).into_any()))
}

#[pyfunction]
#[pyo3(signature = (texts, *, jobs = None))]
pub fn tables_all<'py>(texts: &Bound<'py, PyAny>, jobs: Option<usize>) -> PyResult<Bound<'py, PyList>> {
    let py = texts.py();
    list_of(texts, jobs, tables_of, |names| Ok(PyList::new(py, names)?.into_any()))
}
