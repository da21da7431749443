//! Handles of a connection: numbers for options, sessions and statements that the client uses repeatedly.

use std::cell::RefCell;
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

/// Handles, counted from 1. Numbers of dropped handles are reused.
#[derive(Default)]
pub struct Handles {
    named: Vec<Option<Named>>,
    free: Vec<u16>,
}

impl Handles {
    /// Adds a handle.
    ///
    /// # Errors
    /// The maximum number of handles is reached.
    pub fn add(&mut self, named: Named) -> Result<u16, Fault> {
        if let Some(handle) = self.free.pop() {
            self.named[usize::from(handle) - 1] = Some(named);
            return Ok(handle);
        }
        if self.named.len() == HANDLES {
            let message = format!("a connection has at most {HANDLES} handles: drop some first");
            return Err(Fault::new(ErrorCode::TooManyHandles, message));
        }
        self.named.push(Some(named));
        Ok(self.named.len() as u16)
    }

    /// Returns the value of a handle.
    ///
    /// # Errors
    /// The handle is unknown.
    pub fn get(&self, handle: u16) -> Result<&Named, Fault> {
        let named = usize::from(handle).checked_sub(1).and_then(|index| self.named.get(index)?.as_ref());
        named.ok_or_else(|| unknown(handle))
    }

    /// Removes a handle.
    ///
    /// # Errors
    /// The handle is unknown.
    pub fn remove(&mut self, handle: u16) -> Result<Named, Fault> {
        let slot = usize::from(handle).checked_sub(1).and_then(|index| self.named.get_mut(index));
        let named = slot.and_then(Option::take).ok_or_else(|| unknown(handle))?;
        self.free.push(handle);
        Ok(named)
    }
}

fn unknown(handle: u16) -> Fault {
    Fault::new(ErrorCode::BadHandle, format!("there is no handle {handle}"))
}

#[cfg(test)]
mod tests {
    use super::{HANDLES, Handles, Named};

    #[test]
    fn dropped_numbers_are_given_again_up_to_the_limit() {
        let mut handles = Handles::default();
        let named = || Named::Options(Default::default());
        for number in 1..=HANDLES {
            assert_eq!(usize::from(handles.add(named()).unwrap()), number);
        }
        assert!(handles.add(named()).is_err() && handles.get(0).is_err() && handles.remove(0).is_err());
        assert!(handles.remove(7).is_ok() && handles.get(7).is_err() && handles.remove(7).is_err());
        assert_eq!(handles.add(named()).unwrap(), 7);
    }
}
