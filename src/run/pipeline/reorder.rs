//! The reorder buffer. Passes outputs to the sink in the order of their chunks. An output that is too early waits in
//! memory, up to a limit of bytes. One thread at a time delivers outputs. The other threads do not wait for the
//! delivery.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use anyhow::Result;

use super::steps::Sink;

/// Maximum bytes of waiting outputs.
const MAX_WAITING_BYTES: usize = 16 << 20;

/// Orders outputs and passes them to a [`Sink`].
pub struct ReorderBuffer<'a, T> {
    state: Mutex<State<'a, T>>,
    changed: Condvar,
}

struct State<'a, T> {
    /// `None` while a thread is delivering outputs.
    sink: Option<&'a mut (dyn Sink<T> + 'a)>,
    /// Number of the next output for the sink.
    next: u64,
    /// Outputs from number `next` on, with their sizes in bytes. `None` if an output has not arrived yet.
    waiting: VecDeque<Option<(usize, T)>>,
    /// Total size in bytes of all outputs in this buffer and of the output that is being delivered.
    waiting_bytes: usize,
    /// Number of threads waiting to add an output.
    blocked: usize,
    /// Whether the sink accepts no more outputs.
    stopped: bool,
    /// The sink is flushed when it has received this number of outputs. Set only while the source blocks.
    flush_at: Option<u64>,
    error: Option<anyhow::Error>,
}

impl<'a, T> ReorderBuffer<'a, T> {
    pub fn new(sink: &'a mut (dyn Sink<T> + 'a)) -> Self {
        let state = State {
            sink: Some(sink),
            next: 0,
            waiting: VecDeque::new(),
            waiting_bytes: 0,
            blocked: 0,
            stopped: false,
            flush_at: None,
            error: None,
        };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State<'a, T>> {
        // A panic in a job (a thread of the pipeline) poisons the lock. The poisoning can be ignored, because the
        // buffer delivers no more outputs after a panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds output `number`, whose size is `weight` bytes. If too many bytes are waiting, this call normally blocks
    /// until there is room. It never blocks for the output that the sink needs next, because the delivery of this
    /// output makes room. Returns `Break` if the sink accepts no more outputs.
    pub fn put(&self, number: u64, weight: usize, output: T) -> ControlFlow<()> {
        let mut state = self.lock();
        while state.next != number && state.waiting_bytes + weight > MAX_WAITING_BYTES && !state.stopped {
            state.blocked += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.blocked -= 1;
        }
        let place = (number - state.next) as usize;
        if place >= state.waiting.len() {
            state.waiting.resize_with(place + 1, || None);
        }
        state.waiting[place] = Some((weight, output));
        state.waiting_bytes += weight;
        let state = self.drain(state);
        if state.stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Delivers outputs in order. Stops at an output that has not arrived yet. If another thread is already delivering,
    /// does nothing: that thread also delivers the outputs that arrive in the meantime.
    fn drain<'s>(&'s self, mut state: MutexGuard<'s, State<'a, T>>) -> MutexGuard<'s, State<'a, T>> {
        let Some(sink) = state.sink.take() else { return state };
        while let Some((weight, output)) = state.take_next() {
            let taken = if state.stopped {
                Ok(ControlFlow::Break(()))
            } else {
                drop(state);
                let taken = sink.take(output);
                state = self.lock();
                taken
            };
            state.waiting_bytes -= weight;
            match taken {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => state.stopped = true,
                Err(error) => state.fail(error),
            }
            if state.blocked > 0 {
                self.changed.notify_all();
            }
        }
        state.sink = Some(sink);
        state.flush_if_due();
        state
    }

    /// Requests a flush of the sink, because the source has read `count` chunks and may now block. The flush happens
    /// when the sink has received the outputs of these chunks.
    pub fn flush_after(&self, count: u64) {
        let mut state = self.lock();
        state.flush_at = Some(count);
        state.flush_if_due();
    }

    /// Called when the source no longer blocks.
    pub fn resume(&self) {
        self.lock().flush_at = None;
    }

    /// Makes the buffer reject further outputs.
    pub fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }

    /// Finishes the sink.
    ///
    /// # Errors
    /// Returns the sink's first error.
    pub fn finish(self) -> Result<()> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        match state.error {
            Some(error) => Err(error),
            None => state.sink.map_or(Ok(()), |sink| sink.finish()),
        }
    }
}

impl<T> State<'_, T> {
    fn take_next(&mut self) -> Option<(usize, T)> {
        let output = self.waiting.front_mut()?.take()?;
        self.waiting.pop_front();
        self.next += 1;
        Some(output)
    }

    fn flush_if_due(&mut self) {
        if self.flush_at == Some(self.next)
            && !self.stopped
            && let Some(sink) = &mut self.sink
            && let Err(error) = sink.flush()
        {
            self.fail(error);
        }
    }

    fn fail(&mut self, error: anyhow::Error) {
        self.stopped = true;
        self.error.get_or_insert(error);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, Receiver};
    use std::time::Duration;

    use super::*;

    /// A sink that waits for a message before it takes its first output.
    struct Slow {
        go_on: Receiver<()>,
        taken: Vec<u64>,
    }

    impl Sink<u64> for Slow {
        fn take(&mut self, output: u64) -> Result<ControlFlow<()>> {
            if self.taken.is_empty() {
                self.go_on.recv_timeout(Duration::from_secs(60))?;
            }
            self.taken.push(output);
            Ok(ControlFlow::Continue(()))
        }

        fn flush(&mut self) -> Result<()> {
            Ok(())
        }

        fn finish(&mut self) -> Result<()> {
            Ok(())
        }
    }

    #[test]
    fn nobody_waits_while_another_hands_an_output_over() {
        let (send, go_on) = mpsc::channel();
        let mut sink = Slow { go_on, taken: Vec::new() };
        let buffer = ReorderBuffer::new(&mut sink);
        std::thread::scope(|scope| {
            let first = scope.spawn(|| buffer.put(0, 1, 0));
            // Waits until the first thread is delivering. Then that thread also delivers the outputs of this thread.
            while buffer.lock().sink.is_some() {
                std::thread::yield_now();
            }
            assert!(buffer.put(2, 1, 2).is_continue() && buffer.put(1, 1, 1).is_continue());
            send.send(()).unwrap();
            assert!(first.join().unwrap().is_continue());
        });
        buffer.finish().unwrap();
        assert_eq!(sink.taken, [0, 1, 2]);
    }
}
