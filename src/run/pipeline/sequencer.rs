//! Runs the ordered part of a stage (a step of the pipeline). Threads access one value in the order of their chunks.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A value that threads access in turns. The turns are numbered from 0.
pub struct Sequencer<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    next: u64,
    /// Number of waiting threads. If it is 0, the system call that wakes threads is omitted.
    waiting: usize,
    abandoned: bool,
    value: T,
}

impl<T> Sequencer<T> {
    pub fn new(value: T) -> Self {
        Self { state: Mutex::new(State { next: 0, waiting: 0, abandoned: false, value }), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // A panic in a turn poisons the lock, and may leave the value partly changed. The poisoning can be ignored: no
        // further turn begins, so no thread sees this value.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for turn `number`, then runs `f`. Returns `None` if the turns were abandoned.
    pub fn take_turn<R>(&self, number: u64, f: impl FnOnce(&mut T) -> R) -> Option<R> {
        let mut state = self.lock();
        while state.next != number && !state.abandoned {
            state.waiting += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
        if state.abandoned {
            return None;
        }
        let result = f(&mut state.value);
        state.next += 1;
        let is_awaited = state.waiting > 0;
        drop(state); // a thread that wakes up needs the lock
        if is_awaited {
            self.changed.notify_all();
        }
        Some(result)
    }

    /// Abandons all further turns. Waiting threads return.
    pub fn abandon(&self) {
        self.lock().abandoned = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::Sequencer;

    #[test]
    fn turns_are_taken_in_order() {
        let sequencer = Sequencer::new(Vec::new());
        std::thread::scope(|scope| {
            for number in (0..20).rev() {
                let sequencer = &sequencer;
                scope.spawn(move || sequencer.take_turn(number, |visits| visits.push(number)));
            }
        });
        assert_eq!(sequencer.take_turn(20, |visits| visits.clone()), Some((0..20).collect::<Vec<u64>>()));
    }

    #[test]
    fn abandoning_releases_waiting_threads() {
        let sequencer = Sequencer::new(());
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| sequencer.take_turn(7, |()| ()));
            sequencer.abandon();
            assert_eq!(waiting.join().unwrap(), None);
        });
    }
}
