//! Executions of named portals, whose rows clients fetch piece by piece (JDBC's fetch size). The time of later
//! fetches is part of the execution, so it waits here until its transaction ends. Parses no SQL.

use foldhash::HashMap;

use crate::assembly::entry::{Entry, OwnedEntry};
use crate::message::field::Field;
use crate::time::clock::duration_micros;

/// Maximum number of portals of a session that are kept.
const MAX_PORTALS: usize = 16;

/// Open portals by session, oldest first.
#[derive(Default)]
pub struct Portals(HashMap<u64, Vec<Box<OwnedEntry>>>);

/// The statement's and the portal's name in a heading: `s1/p1` in `duration: 1.5 ms  execute s1/p1: `.
pub fn portal_name(heading: &[u8]) -> Option<&[u8]> {
    memchr::memchr(b'/', heading)?;
    let names = heading.trim_ascii_end().strip_suffix(b":")?.trim_ascii_end();
    let names = names.rsplit(|b| *b == b' ').next()?;
    names.contains(&b'/').then_some(names)
}

impl Portals {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Keeps an execution. Returns one that leaves: the portal of the same name before it, or the oldest of many.
    pub fn add(&mut self, session: u64, execution: Box<OwnedEntry>) -> Option<Box<OwnedEntry>> {
        let portals = self.0.entry(session).or_default();
        let name = |entry: &OwnedEntry| portal_name(entry.entry().get(Field::Heading)).map(<[u8]>::to_vec);
        let same = portals.iter().position(|kept| name(kept) == name(&execution));
        let leaves = same.or((portals.len() == MAX_PORTALS).then_some(0)).map(|at| portals.remove(at));
        portals.push(execution);
        leaves
    }

    /// Adds the duration of a fetch to its execution. Whether that is known.
    pub fn add_fetch(&mut self, fetch: Entry<'_>) -> bool {
        let Some(portals) = self.0.get_mut(&fetch.session()) else { return false };
        let name = portal_name(fetch.get(Field::Heading));
        let same_sql = |kept: &Box<OwnedEntry>| kept.entry().sql() == fetch.sql();
        let is_same = |kept: &Box<OwnedEntry>| portal_name(kept.entry().get(Field::Heading)) == name && same_sql(kept);
        let at = portals.iter().rposition(is_same).or_else(|| portals.iter().rposition(same_sql));
        let Some(execution) = at.map(|at| &mut portals[at]) else { return false };
        let micros = |entry: Entry<'_>| duration_micros(entry.get(Field::Duration)).unwrap_or(0);
        let sum = micros(execution.entry()) + micros(fetch);
        execution.set(Field::Duration, format!("{}.{:03}", sum / 1000, sum % 1000).as_bytes());
        true
    }

    /// Removes the portals of a session.
    pub fn take(&mut self, session: u64) -> Vec<Box<OwnedEntry>> {
        self.0.remove(&session).unwrap_or_default()
    }

    /// Removes all portals, in the order of the log.
    pub fn take_all(&mut self) -> Vec<Box<OwnedEntry>> {
        let mut all: Vec<Box<OwnedEntry>> = self.0.drain().flat_map(|(_, portals)| portals).collect();
        all.sort_by_key(|entry| entry.entry().position().offset);
        all
    }
}
