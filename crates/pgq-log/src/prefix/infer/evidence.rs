//! Finds lines that contradict a prefix. In such a line, the message names a user, database or application that differs
//! from the prefix, or the prefix ends at `%q` although the line has a user or a database.

use super::Sample;
use crate::message::language::is_unknown;
use crate::prefix::{Prefix, PrefixField, PrefixRanges};

/// Counts the lines that a prefix matches although their messages contradict it, for example by another user name.
pub fn contradictions(setting: &str, samples: &[Sample<'_>]) -> usize {
    let prefix = Prefix::parse(setting);
    let mut ranges = PrefixRanges::default();
    let names = samples.iter().filter(|sample| {
        (is_connection(sample.message()) || sample.message().starts_with(b"connection received: "))
            && prefix.match_line(sample.line, &mut ranges).is_some_and(|(_, text)| text == sample.text)
            && !agrees(sample, &ranges)
    });
    names.count() + ends_of_sessions(setting, samples)
}

/// Names of users, databases and applications in messages about connections and autovacuum.
#[derive(Default)]
pub struct Known<'a> {
    names: [Vec<&'a [u8]>; 3],
}

/// Escapes of the names, with their keys in the messages.
const KEYS: [(u8, &[u8]); 3] = [(b'u', b" user="), (b'd', b" database="), (b'a', b" application_name=")];

impl<'a> Known<'a> {
    pub fn of(samples: &[Sample<'a>]) -> Self {
        /// Maximum number of names of each kind.
        const MAX_NAMES: usize = 70;
        let mut known = Self::default();
        for sample in samples {
            let text = sample.message();
            if let Some(database) = vacuumed_database(text)
                && !known.names[1].contains(&database)
                && known.names[1].len() < MAX_NAMES
            {
                known.names[1].push(database);
            }
            let found = if is_connection(text) { names_of_connection(text) } else { names_in_other_language(text) };
            for (name, names) in found.into_iter().zip(&mut known.names) {
                let name = name.filter(|name| name.len() > 1 && !names.contains(name) && names.len() < MAX_NAMES);
                names.extend(name);
            }
        }
        known
    }

    /// Returns all names, longest first.
    pub fn names(&self) -> Vec<&'a [u8]> {
        let mut names = self.names.concat();
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        names.dedup();
        names
    }

    /// Returns the escape (`u`, `d` or `a`) whose known names include all `texts`. Returns `None` if several escapes or
    /// no escape qualify.
    pub fn escape<'t>(&self, texts: impl Iterator<Item = &'t [u8]> + Clone) -> Option<u8> {
        let are = |names: &Vec<&[u8]>| {
            let mut texts = texts.clone().filter(|text| !text.is_empty() && !is_unknown(text)).peekable();
            texts.peek().is_some() && texts.all(|text| names.contains(&text))
        };
        let mut escapes = KEYS.iter().zip(&self.names).filter(|(_, names)| are(names)).map(|((escape, _), _)| *escape);
        escapes.next().filter(|_| escapes.next().is_none())
    }
}

/// Returns the user, the database and the application in a connection message.
fn names_of_connection(text: &[u8]) -> [Option<&[u8]>; 3] {
    KEYS.map(|(_, key)| memchr::memmem::find(text, key).map(|at| name_of(&text[at + key.len()..])))
}

/// Like `names_of_connection`, for translated messages. The user follows the first `=`, and the database follows the
/// second. The key `application_name` is never translated.
fn names_in_other_language(text: &[u8]) -> [Option<&[u8]>; 3] {
    let Some(application) = memchr::memmem::find(text, KEYS[2].1) else { return [None; 3] };
    let mut values = text[..application].split(|b| *b == b'=').skip(1);
    let (Some(first), Some(database), None) = (values.next(), values.next(), values.next()) else { return [None; 3] };
    // The database's key follows the user.
    let user = memchr::memrchr(b' ', first).map(|end| &first[..end]);
    [user, Some(database), Some(name_of(&text[application + KEYS[2].1.len()..]))]
}

/// Returns the database of `automatic vacuum of table "shop.public.orders"`.
fn vacuumed_database(text: &[u8]) -> Option<&[u8]> {
    let rest = text.strip_prefix(b"automatic ")?;
    let start = memchr::memmem::find(&rest[..rest.len().min(80)], b" table \"")? + 8;
    let name = &rest[start..];
    Some(&name[..memchr::memchr(b'.', name)?]).filter(|name| name.len() > 1)
}

/// Strings that end a name in a connection message.
const ENDS: [&[u8]; 6] = [b" database=", b" application_name=", b" SSL ", b" GSS ", b" host=", b" port="];

/// Returns the name at the start of `text`.
pub fn name_of(text: &[u8]) -> &[u8] {
    let end = ENDS.iter().filter_map(|end| memchr::memmem::find(text, end)).min().unwrap_or(text.len());
    text[..end].trim_ascii_end()
}

fn is_connection(text: &[u8]) -> bool {
    text.starts_with(b"connection authorized: user=")
}

/// Whether the names in the prefix equal the names in `connection authorized: user=… database=…`.
fn agrees(sample: &Sample<'_>, ranges: &PrefixRanges) -> bool {
    let text = sample.message();
    let keys: [(&[u8], PrefixField); 4] = [
        (b"user=", PrefixField::User),
        (b" database=", PrefixField::Database),
        (b" application_name=", PrefixField::Application),
        (b": host=", PrefixField::RemoteHost), // in `connection received`
    ];
    keys.into_iter().all(|(key, field)| {
        let name = &sample.line[ranges.get(field)];
        // Removes the port after the host.
        let end = memchr::memchr(b'(', name).filter(|_| field == PrefixField::RemoteHost);
        let name = &name[..end.unwrap_or(name.len())];
        let value = memchr::memmem::find(text, key).map(|at| &text[at + key.len()..]);
        // Tests only whether the value starts with the name. The end of the value is unknown, because a name may
        // contain blanks.
        name.is_empty() || is_unknown(name) || value.is_none_or(|value| is_prefix_of(name, value))
    })
}

fn is_prefix_of(name: &[u8], value: &[u8]) -> bool {
    let rest = value.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || ENDS.iter().any(|end| rest.starts_with(end)))
}

/// Counts the lines of sessions that match the prefix only up to `%q`. A line with a user or a database before `%q` is
/// from a session, so the part of `setting` after `%q` should also match the line.
fn ends_of_sessions(setting: &str, samples: &[Sample<'_>]) -> usize {
    let Some((before, after)) = setting.split_once("%q") else { return 0 };
    if !before.contains("%u") && !before.contains("%d") {
        return 0;
    }
    let (short, whole) = (Prefix::parse(before), Prefix::parse(&format!("{before}{after}")));
    let mut ranges = PrefixRanges::default();
    let ends = |prefix: &Prefix, sample: &Sample<'_>, ranges: &mut PrefixRanges| {
        prefix.match_line(sample.line, ranges).is_some_and(|(_, text)| text == sample.text)
    };
    let is_session = |sample: &&Sample<'_>| {
        !ends(&whole, sample, &mut ranges)
            && ends(&short, sample, &mut ranges)
            && [PrefixField::User, PrefixField::Database].iter().any(|field| !ranges.get(*field).is_empty())
    };
    samples.iter().filter(is_session).count()
}
