//! Compiles one PL/pgSQL function of a C tree to libpg_query's JSON, through the C code in `shim.c`.

use std::mem::MaybeUninit;

use super::bindings::{self as pg, PgqBodyPlace, PgqOutcome, PgqText};
use super::context::Context;
use super::diagnostic::Diagnostic;
use super::stack;
use super::tree_ref::StatementRef;

/// A function as libpg_query's JSON, and the expressions that the JSON omits.
pub(crate) struct CompiledFunction {
    pub json: String,
    /// The expressions that the JSON omits, each with its RawParseMode as a number (PostgreSQL's enum of parse modes).
    pub hidden: Vec<(u8, String)>,
    pub warnings: Vec<Diagnostic>,
}

/// The error of a function, and its position in the body if known.
pub(crate) struct FunctionError {
    pub report: Diagnostic,
    /// Character number from 1; 0 if unknown.
    pub body_cursor: usize,
    /// Number of the body's line that is nearest to the error, from 1; 0 if unknown.
    pub body_line: usize,
}

/// Compiles the function of CREATE FUNCTION, CREATE PROCEDURE or DO. `bytes` is the length of the statement's SQL.
pub(crate) fn compile_plpgsql(statement: StatementRef<'_>, bytes: usize) -> Result<CompiledFunction, FunctionError> {
    let unplaced = |report| FunctionError { report, body_cursor: 0, body_line: 0 };
    let context = Context::take().ok_or_else(|| unplaced(Diagnostic::out_of_memory()))?;
    let mut hidden = MaybeUninit::<PgqText>::uninit();
    let mut place = MaybeUninit::<PgqBodyPlace>::uninit();
    let mut outcome = MaybeUninit::<PgqOutcome>::uninit();
    let text = stack::try_with_stack_for(bytes, |available| {
        let (hidden, place, outcome) = (hidden.as_mut_ptr(), place.as_mut_ptr(), outcome.as_mut_ptr());
        // SAFETY: a StatementRef's tree is valid, and the compiler works on a copy of it. The context is live and
        // belongs to this thread. The shim initializes hidden, place and outcome before anything can fail, and traps
        // every error.
        unsafe { pg::pgq_plpgsql(context.as_ptr(), statement.as_ptr(), available, hidden, place, outcome) }
    });
    let text = text.ok_or_else(|| unplaced(Diagnostic::out_of_memory()))?;
    // SAFETY: pgq_plpgsql has filled the outcome, and the context has not been reset.
    let (error, warnings) = unsafe { Diagnostic::of_outcome(outcome.assume_init_ref()) };
    if let Some(report) = error {
        // SAFETY: as above.
        let place = unsafe { place.assume_init() };
        let number = |value| usize::try_from(value).unwrap_or(0);
        return Err(FunctionError { report, body_cursor: number(place.cursor), body_line: number(place.line) });
    }
    // SAFETY: on success `text` and `hidden` each point to `len` bytes in the context, which is still live.
    let (json, hidden) = unsafe { (copied(text), copied(hidden.assume_init())) };
    let hidden = hidden.split_terminator('\0').filter_map(|entry| {
        let (mode, query) = entry.split_at_checked(1)?;
        Some((mode.parse().ok()?, query.to_string()))
    });
    Ok(CompiledFunction { json, hidden: hidden.collect(), warnings })
}

/// # Safety
/// `text` must point to `len` bytes.
unsafe fn copied(text: PgqText) -> String {
    // SAFETY: the caller meets this function's requirements.
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.len) };
    String::from_utf8_lossy(bytes).into_owned()
}
