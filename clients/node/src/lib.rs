//! pgq's library for Node: functions from strings to strings. Objects, errors and types are in index.cjs and *.d.ts.
//!
//! Synchronous functions run on the caller's thread. Promises run on a thread of libuv.

mod operations;

use napi::bindgen_prelude::AsyncTask;
use napi::{Env, Error, Result, Status, Task};
use napi_derive::napi;

/// Runs an operation on a text.
#[napi]
pub fn run(operation: String, text: String) -> Result<String> {
    operations::run(&operation, &text).map_err(refused)
}

/// Runs an operation on a text, on a thread of libuv.
#[napi(ts_return_type = "Promise<string>")]
pub fn run_async(operation: String, text: String) -> AsyncTask<Call> {
    AsyncTask::new(Call { operation, text })
}

/// Runs an operation on each text, on a thread of libuv. Returns a string for each text: the result, or an error with
/// the prefix `\0`.
#[napi(ts_return_type = "Promise<string[]>")]
pub fn run_all(operation: String, texts: Vec<String>) -> AsyncTask<Calls> {
    AsyncTask::new(Calls { operation, texts })
}

/// PostgreSQL's version, such as `18.6`.
#[napi]
pub fn postgres_version() -> &'static str {
    pgq::POSTGRES_VERSION
}

pub struct Call {
    operation: String,
    text: String,
}

impl Task for Call {
    type Output = String;
    type JsValue = String;

    fn compute(&mut self) -> Result<String> {
        operations::run(&self.operation, &self.text).map_err(refused)
    }

    fn resolve(&mut self, _env: Env, answer: String) -> Result<String> {
        Ok(answer)
    }
}

pub struct Calls {
    operation: String,
    texts: Vec<String>,
}

impl Task for Calls {
    type Output = Vec<String>;
    type JsValue = Vec<String>;

    fn compute(&mut self) -> Result<Vec<String>> {
        let answer =
            |text: &String| operations::run(&self.operation, text).unwrap_or_else(|error| format!("\0{error}"));
        Ok(self.texts.iter().map(answer).collect())
    }

    fn resolve(&mut self, _env: Env, answers: Vec<String>) -> Result<Vec<String>> {
        Ok(answers)
    }
}

/// Creates an error with JSON as its reason, from which index.cjs creates an `SqlError`.
fn refused(details: String) -> Error {
    Error::new(Status::GenericFailure, details)
}
