//! A part of the work that must be done in the input's order, by whichever thread has the
//! turn. It knows nothing of the work.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A value that is visited in turns, numbered from 0.
pub struct Turns<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    next: u64,
    abandoned: bool,
    value: T,
}

impl<T> Turns<T> {
    pub fn new(value: T) -> Self {
        Self { state: Mutex::new(State { next: 0, abandoned: false, value }), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // A thread that panics abandons the turns: nobody looks at what it left.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for turn `number` and runs `f` in it. `None` when the turns were abandoned.
    pub fn take<R>(&self, number: u64, f: impl FnOnce(&mut T) -> R) -> Option<R> {
        let mut state = self.lock();
        while state.next != number && !state.abandoned {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.abandoned {
            return None;
        }
        let result = f(&mut state.value);
        state.next += 1;
        self.changed.notify_all();
        Some(result)
    }

    /// Nobody is going to take the next turn: all who wait give up.
    pub fn abandon(&self) {
        self.lock().abandoned = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::Turns;

    #[test]
    fn turns_are_taken_in_order() {
        let turns = Turns::new(Vec::new());
        std::thread::scope(|scope| {
            for number in (0..20).rev() {
                let turns = &turns;
                scope.spawn(move || turns.take(number, |seen| seen.push(number)));
            }
        });
        assert_eq!(turns.take(20, |seen| seen.clone()), Some((0..20).collect::<Vec<u64>>()));
    }

    #[test]
    fn nobody_waits_for_an_abandoned_turn() {
        let turns = Turns::new(());
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| turns.take(7, |()| ()));
            turns.abandon();
            assert_eq!(waiting.join().unwrap(), None);
        });
    }
}
