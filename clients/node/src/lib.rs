//! pgq's library for Node: strings in, strings out. Objects, errors and types are in index.cjs and *.d.ts.
//!
//! An answer is computed on the caller's thread, or on one of libuv's for a promise.

mod operations;

use napi::bindgen_prelude::AsyncTask;
use napi::{Env, Error, Result, Status, Task};
use napi_derive::napi;

/// Runs an operation on a text.
#[napi]
pub fn run(operation: String, text: String) -> Result<String> {
    operations::run(&operation, &text).map_err(refused)
}

/// Runs an operation on a text, on one of libuv's threads.
#[napi(ts_return_type = "Promise<string>")]
pub fn run_async(operation: String, text: String) -> AsyncTask<Call> {
    AsyncTask::new(Call { operation, text })
}

/// Runs an operation on each of many texts, on one of libuv's threads. An error is at its text's index, after `\0`.
#[napi(ts_return_type = "Promise<string[]>")]
pub fn run_all(operation: String, texts: Vec<String>) -> AsyncTask<Calls> {
    AsyncTask::new(Calls { operation, texts })
}

/// PostgreSQL's version, such as `18.6`.
#[napi]
pub fn postgres_version() -> &'static str {
    pgq::POSTGRES_VERSION
}

/// A call under way.
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

/// A batch under way.
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

/// The reason is JSON, which index.cjs makes a `SqlError` of.
fn refused(details: String) -> Error {
    Error::new(Status::GenericFailure, details)
}
