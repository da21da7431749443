//! Handles of a connection: numbers for options, sessions and statements that the client uses repeatedly.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;
use std::sync::Arc;

use pgq_frames::{ErrorCode, Fault};

use super::limits::HANDLES;
use super::options::TextOptions;
use super::postgres::{PreparedStatement, ServerSession};

/// The value of a handle.
pub enum Named {
    Options(Arc<TextOptions>),
    Session(Rc<RefCell<ServerSession>>),
    Statement(PreparedStatement),
}

/// The handles of a connection. Numbers are assigned from 1 to 65,535, and then again from 1. Therefore the number of a
/// removed handle is not reused for a long time. A client that still uses the removed handle gets an error, and does
/// not execute another statement by mistake.
#[derive(Default)]
pub struct Handles {
    named: HashMap<u16, Named>,
    last: u16,
}

impl Handles {
    /// Checks that a handle can be added.
    ///
    /// # Errors
    /// The maximum number of handles is reached.
    pub fn check_room(&self) -> Result<(), Fault> {
        if self.named.len() < HANDLES {
            return Ok(());
        }
        let message = format!("a connection has at most {HANDLES} handles: drop some first");
        Err(Fault::new(ErrorCode::TooManyHandles, message))
    }

    /// Adds a handle.
    ///
    /// # Errors
    /// The maximum number of handles is reached.
    pub fn add(&mut self, named: Named) -> Result<u16, Fault> {
        self.check_room()?;
        loop {
            self.last = self.last.checked_add(1).unwrap_or(1);
            if let Entry::Vacant(vacant) = self.named.entry(self.last) {
                vacant.insert(named);
                return Ok(self.last);
            }
        }
    }

    /// Returns the value of a handle.
    ///
    /// # Errors
    /// The handle is unknown.
    pub fn get(&self, handle: u16) -> Result<&Named, Fault> {
        self.named.get(&handle).ok_or_else(|| unknown(handle))
    }

    /// Removes a handle.
    ///
    /// # Errors
    /// The handle is unknown.
    pub fn remove(&mut self, handle: u16) -> Result<Named, Fault> {
        self.named.remove(&handle).ok_or_else(|| unknown(handle))
    }

    /// Removes the handles of a session and of its statements.
    pub fn forget_session(&mut self, session: &Rc<RefCell<ServerSession>>) {
        self.named.retain(|_, named| match named {
            Named::Options(_) => true,
            Named::Session(other) | Named::Statement(PreparedStatement { session: other, .. }) => {
                !Rc::ptr_eq(session, other)
            }
        });
    }
}

fn unknown(handle: u16) -> Fault {
    Fault::new(
        ErrorCode::BadHandle,
        format!("there is no handle {handle}, or it was dropped, or its session has ended"),
    )
}

#[cfg(test)]
mod tests {
    use super::{HANDLES, Handles, Named};

    #[test]
    fn dropped_numbers_are_given_again_after_all_others() {
        let mut handles = Handles::default();
        let named = || Named::Options(Default::default());
        for number in 1..=HANDLES {
            assert_eq!(usize::from(handles.add(named()).unwrap()), number);
        }
        assert!(handles.add(named()).is_err() && handles.get(0).is_err() && handles.remove(0).is_err());
        assert!(handles.remove(7).is_ok() && handles.get(7).is_err() && handles.remove(7).is_err());
        for number in HANDLES + 1..=usize::from(u16::MAX) {
            let added = handles.add(named()).unwrap();
            assert_eq!(usize::from(added), number);
            handles.remove(added).unwrap();
        }
        assert_eq!(handles.add(named()).unwrap(), 7);
    }
}
