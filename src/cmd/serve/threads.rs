//! The threads of connections. They are joined and never detached: glibc (seen with 2.36) reads the memory of a thread
//! that it detaches, which a thread that ends at that moment may have released.

use std::thread::{Builder, JoinHandle};

/// Threads that run, or have ended and are not joined yet.
#[derive(Default)]
pub struct Threads(Vec<JoinHandle<()>>);

impl Threads {
    /// Runs `f` on a new thread. If there is none (memory is short), `f` is dropped.
    pub fn spawn(&mut self, f: impl FnOnce() + Send + 'static) {
        self.join_ended();
        if let Ok(thread) = Builder::new().name("connection".into()).spawn(f) {
            self.0.push(thread);
        }
    }

    /// Releases the resources of threads that have ended.
    fn join_ended(&mut self) {
        for thread in self.0.extract_if(.., |thread| thread.is_finished()) {
            // A panic was printed where it happened, and ended its connection.
            let _ = thread.join();
        }
    }
}

impl Drop for Threads {
    /// Threads that still run end with the program.
    fn drop(&mut self) {
        self.join_ended();
        self.0.drain(..).for_each(std::mem::forget);
    }
}
