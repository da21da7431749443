//! Finds lines that contradict a prefix. Examples:
//!
//! - The message names a different user, database or application than the line's prefix.
//! - The line matches the prefix only up to `%q`, although the line has a user or a database and is therefore from a
//!   session.
//! - The prefix also matches the lines of a second prefix, and the lines of the two prefixes alternate. If the server's
//!   setting had changed, they would not alternate.

use super::{Sample, Unclear, fits};
use crate::message::language::is_unknown;
use crate::prefix::{Prefix, PrefixField, PrefixRanges};

/// If the server's setting was changed once, the prefix changes at most this number of times from line to line. It can
/// change several times, because statements that run during the change still have the old prefix.
const MAX_CHANGES: usize = 4;

/// Counts the lines that a prefix matches although their messages contradict the match. For example, the message
/// names a different user.
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

/// Strings that end a name in a connection message.
const ENDS: [&[u8]; 6] = [b" database=", b" application_name=", b" SSL ", b" GSS ", b" host=", b" port="];

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
        // Tests only whether the value in the message starts with the name in the prefix. The end of the value is
        // unknown, because a name may contain blanks.
        name.is_empty() || is_unknown(name) || value.is_none_or(|value| is_prefix_of(name, value))
    })
}

fn is_prefix_of(name: &[u8], value: &[u8]) -> bool {
    let rest = value.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || ENDS.iter().any(|end| rest.starts_with(end)))
}

/// Counts the lines that match the prefix only up to `%q`, although they are from sessions: they have a user or a
/// database before `%q`. If `setting` is the right prefix, its part after `%q` also matches such a line.
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

/// Returns two of the prefixes if the first one matches the lines of both, and the lines of the two alternate. In this
/// case, the second prefix is probably wrong: its lines have the first prefix, and a blank in a user or database. If
/// the server's setting had changed from one prefix to the other, the lines would not alternate.
pub fn alternating(prefixes: &[String], samples: &[Sample<'_>]) -> Option<Unclear> {
    let mut ranges = PrefixRanges::default();
    let pairs = prefixes.iter().flat_map(|one| prefixes.iter().map(move |other| (one, other)));
    for (one, other) in pairs.filter(|(one, other)| one != other) {
        let [first, second] = [one, other].map(|prefix| Prefix::parse(prefix));
        let mut matches = |prefix: &Prefix, sample: &Sample<'_>| {
            prefix.match_line(sample.line, &mut ranges).is_some_and(|(_, text)| text == sample.text)
                && !ranges.get(PrefixField::User).is_empty()
        };
        let sessions: Vec<(bool, bool)> = samples
            .iter()
            .filter(|sample| matches(&first, sample))
            .map(|sample| (fits(&first, sample), fits(&second, sample)))
            .filter(|(by_first, by_second)| by_first != by_second)
            .collect();
        if sessions.windows(2).filter(|pair| pair[0] != pair[1]).count() > MAX_CHANGES {
            return Some([one.clone(), other.clone()]);
        }
    }
    None
}
