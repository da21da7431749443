//! The threads of connections. They are joined, because detaching a thread that has just ended can crash: glibc (seen
//! with 2.36) reads the thread's memory, which may already be released.

use std::thread::{Builder, JoinHandle};

/// Threads that are not joined yet.
#[derive(Default)]
pub struct Threads(Vec<JoinHandle<()>>);

impl Threads {
    /// Runs `f` on a new thread. If no thread can be created, `f` is dropped.
    pub fn spawn(&mut self, f: impl FnOnce() + Send + 'static) {
        self.join_ended();
        if let Ok(thread) = Builder::new().name("connection".into()).spawn(f) {
            self.0.push(thread);
        }
    }

    /// Joins the threads that have ended.
    fn join_ended(&mut self) {
        for thread in self.0.extract_if(.., |thread| thread.is_finished()) {
            // Ignores a panic. It is already printed, and it has ended only this thread's connection.
            let _ = thread.join();
        }
    }
}

impl Drop for Threads {
    /// Does not wait for threads that are still running. They end with the program.
    fn drop(&mut self) {
        self.join_ended();
        self.0.drain(..).for_each(std::mem::forget);
    }
}
