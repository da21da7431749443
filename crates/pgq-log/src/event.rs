//! What the server says of a statement beside its execution: temporary files, waits for locks, plans.
//! Knows the English messages only.

/// What a message says of a statement, other than that it was executed or failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A temporary file of this many bytes was removed (log_temp_files).
    TemporaryFile {
        /// Its size at that time, in bytes.
        bytes: u64,
    },
    /// The statement has begun to wait for a lock for longer than deadlock_timeout (log_lock_waits).
    LockWait,
    /// The statement got the lock that it had waited for.
    LockAcquired {
        /// How long it waited, in microseconds.
        waited: u64,
    },
    /// The plan of an execution that is a record of its own ([`Field::Plan`](crate::Field::Plan)).
    Plan,
}

/// The event that the text of a message tells of (fd.c: ReportTemporaryFileUsage; proc.c: ProcSleep).
pub fn find_event(text: &[u8]) -> Option<Event> {
    if let Some(rest) = text.strip_prefix(b"temporary file: path ") {
        let size = memchr::memmem::rfind(rest, b"\", size ")?;
        return Some(Event::TemporaryFile { bytes: number(&rest[size + 8..])? });
    }
    let rest = text.strip_prefix(b"process ")?;
    let rest = &rest[rest.iter().take_while(|b| b.is_ascii_digit()).count()..];
    if rest.starts_with(b" still waiting for ") {
        return Some(Event::LockWait);
    }
    let rest = rest.strip_prefix(b" acquired ")?;
    let time = rest[memchr::memmem::rfind(rest, b" after ")? + 7..].strip_suffix(b" ms")?;
    let dot = memchr::memchr(b'.', time)?;
    let (ms, fraction) = (number(&time[..dot])?, &time[dot + 1..]);
    (fraction.len() == 3).then(|| Some(Event::LockAcquired { waited: ms * 1000 + number(fraction)? }))?
}

fn number(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{Event, find_event};

    #[test]
    fn events_are_read_from_their_messages() {
        for (text, event) in [
            (
                "temporary file: path \"base/pgsql_tmp/pgsql_tmp42.0\", size 14000128",
                Some(Event::TemporaryFile { bytes: 14_000_128 }),
            ),
            ("process 42 still waiting for ShareLock on transaction 7 after 1000.115 ms", Some(Event::LockWait)),
            (
                "process 42 acquired AccessExclusiveLock on relation 9 of database 5 after 2345.007 ms",
                Some(Event::LockAcquired { waited: 2_345_007 }),
            ),
            ("process 42 detected deadlock while waiting for ShareLock on transaction 7 after 1000.1 ms", None),
            ("temporary file: path \"x\"", None),
            ("process 42 acquired ShareLock on transaction 7", None),
        ] {
            assert_eq!(find_event(text.as_bytes()), event, "{text}");
        }
    }
}
