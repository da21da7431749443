//! Results leave in the input's order, whichever thread has them first. What is done before
//! its turn waits, up to a limit of bytes.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use anyhow::Result;

use super::{Event, Outlet};
use crate::input::Flow;

/// Bytes of results that may wait for those before them.
const WAITING: usize = 16 << 20;

/// Puts results in order and hands them to an [`Outlet`].
pub struct Ordered<'a, D> {
    state: Mutex<State<'a, D>>,
    changed: Condvar,
}

struct State<'a, D> {
    outlet: &'a mut (dyn Outlet<D> + 'a),
    next: u64,
    waiting: BTreeMap<u64, (usize, Event<D>)>,
    weight: usize,
    /// No more is wanted.
    stopped: bool,
    /// The input is about to wait, and results before this number are all there is to come.
    resting_at: Option<u64>,
    problem: Option<anyhow::Error>,
}

impl<'a, D> Ordered<'a, D> {
    pub fn new(outlet: &'a mut (dyn Outlet<D> + 'a)) -> Self {
        let state = State {
            outlet,
            next: 0,
            waiting: BTreeMap::new(),
            weight: 0,
            stopped: false,
            resting_at: None,
            problem: None,
        };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State<'a, D>> {
        // A thread that panics stops the outlet first: nothing more goes through it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts result `number`, of about so many bytes. Stop means that no more is wanted.
    pub fn put(&self, number: u64, event: Event<D>) -> Flow {
        let weight = event.weight();
        let mut state = self.lock();
        while state.next != number && state.weight + weight > WAITING && !state.stopped {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.waiting.insert(number, (weight, event));
        state.weight += weight;
        state.hand_on();
        self.changed.notify_all();
        if state.stopped { Flow::Stop } else { Flow::Continue }
    }

    /// The input is about to wait for more behind the first `given` chunks: once their
    /// results are out, they are not to be held back.
    pub fn rest(&self, given: u64) {
        let mut state = self.lock();
        state.resting_at = Some(given);
        state.flush_at_rest();
    }

    /// The input goes on.
    pub fn resume(&self) {
        self.lock().resting_at = None;
    }

    /// Nothing more is to come.
    pub fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }

    /// # Errors
    /// What went wrong with the output.
    pub fn finish(self) -> Result<()> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        match state.problem {
            Some(problem) => Err(problem),
            None => state.outlet.finish(),
        }
    }
}

impl<D> State<'_, D> {
    fn hand_on(&mut self) {
        while let Some((weight, event)) = self.waiting.remove(&self.next) {
            self.weight -= weight;
            self.next += 1;
            if self.stopped {
                continue;
            }
            match self.outlet.take(event) {
                Ok(Flow::Continue) => {}
                Ok(Flow::Stop) => self.stopped = true,
                Err(problem) => self.fail(problem),
            }
        }
        self.flush_at_rest();
    }

    fn flush_at_rest(&mut self) {
        if self.resting_at == Some(self.next)
            && !self.stopped
            && let Err(problem) = self.outlet.flush()
        {
            self.fail(problem);
        }
    }

    fn fail(&mut self, problem: anyhow::Error) {
        self.stopped = true;
        self.problem.get_or_insert(problem);
    }
}
