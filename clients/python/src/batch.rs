//! Functions for many texts: run on several threads with one cache each, without the global interpreter lock.

use std::sync::atomic::{AtomicUsize, Ordering};

use pgq::Error;
use pgq::cache::{AnswerCacheOptions, FingerprintCache, NormalizeCache};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::errors;

/// Number of texts that a thread takes at once.
const CHUNK: usize = 512;
/// Total maximum bytes of the threads' caches by text and by shape, equal to the program's.
const TEXT_BYTES: usize = 4 << 20;
const SHAPE_BYTES: usize = 8 << 20;

/// A text, or `None` for NULL.
pub type Text<'a> = Option<&'a str>;
/// The result for a text. Errors are large and rare, so they are boxed.
pub type Answer<T> = Option<Result<T, Box<Error>>>;

/// Returns the result for each text, in order. `state` creates the state of a thread.
pub fn for_each<S, T: Send>(
    texts: &[Text<'_>],
    jobs: Option<usize>,
    state: &(impl Fn(usize) -> S + Sync),
    answer: &(impl Fn(&mut S, &str) -> Result<T, Error> + Sync),
) -> Vec<Answer<T>> {
    let answer_each = |state: &mut S, texts: &[Text<'_>]| -> Vec<Answer<T>> {
        texts.iter().map(|text| text.map(|text| answer(state, text).map_err(Box::new))).collect()
    };
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = jobs.unwrap_or_else(cores).clamp(1, texts.len().div_ceil(CHUNK).max(1));
    if jobs == 1 {
        return answer_each(&mut state(jobs), texts);
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut state, mut done) = (state(jobs), Vec::new());
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

/// Returns the options of each cache of `jobs` threads.
pub fn cache_options(jobs: usize) -> AnswerCacheOptions {
    let mut options = AnswerCacheOptions::default();
    (options.text_bytes, options.shape_bytes) = (TEXT_BYTES / jobs, SHAPE_BYTES / jobs);
    options
}

/// Creates a thread's cache of fingerprints.
pub fn fingerprints(jobs: usize) -> FingerprintCache {
    FingerprintCache::new(&cache_options(jobs))
}

/// Creates a thread's cache of normalized SQL.
pub fn normalized(jobs: usize) -> NormalizeCache {
    NormalizeCache::new(&cache_options(jobs))
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
fn list_of<'py, S, T: Send>(
    texts: &Bound<'py, PyAny>,
    jobs: Option<usize>,
    state: impl Fn(usize) -> S + Sync,
    answer: impl Fn(&mut S, &str) -> Result<T, Error> + Sync,
    value: impl Fn(T) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let py = texts.py();
    let strings = texts_of(texts)?;
    let texts = strings.iter().map(|text| text.as_ref().map(|text| text.to_str()).transpose());
    let texts: Vec<Text<'_>> = texts.collect::<PyResult<_>>()?;
    let answers = py.detach(|| for_each(&texts, jobs, &state, &answer));
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
    list_of(texts, jobs, fingerprints, FingerprintCache::fingerprint, |fingerprint| {
        Ok(PyString::new(py, &fingerprint.to_string()).into_any())
    })
}

#[pyfunction]
#[pyo3(signature = (texts, *, jobs = None))]
pub fn normalize_all<'py>(texts: &Bound<'py, PyAny>, jobs: Option<usize>) -> PyResult<Bound<'py, PyList>> {
    let py = texts.py();
    list_of(texts, jobs, normalized, NormalizeCache::normalize, |text| Ok(PyString::new(py, &text).into_any()))
}

#[pyfunction]
#[pyo3(signature = (texts, *, jobs = None))]
pub fn tables_all<'py>(texts: &Bound<'py, PyAny>, jobs: Option<usize>) -> PyResult<Bound<'py, PyList>> {
    let py = texts.py();
    list_of(texts, jobs, |_| (), |(), sql| pgq::tables(sql), |names| Ok(PyList::new(py, names)?.into_any()))
}
