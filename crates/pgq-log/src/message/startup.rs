//! Finds errors about startup packets in a stderr log. The server logs these errors before it cuts the names of the
//! packet to 63 bytes (ProcessStartupPacket). The user and the database in their prefix may therefore contain whole
//! forged messages, and no rule for names of at most 63 bytes finds them.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::message::language::{EVENTS, LANGUAGES};
use crate::message::text::sqlstate_len;

/// The word FATAL in all languages.
static FATAL: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let words = LANGUAGES.iter().map(|language| language.severities[6]).chain(["FATAL"]);
    AhoCorasick::new(words).expect("the words are few and short")
});

/// Counts the errors about startup packets in the lines of a log. An error may be anywhere in a line, because a name
/// may contain the start of another message.
pub fn count_startup_errors(lines: &[u8]) -> u64 {
    FATAL.find_iter(lines).filter(|found| is_startup_error(&lines[found.end()..])).count() as u64
}

/// `text`: the text after the word FATAL.
fn is_startup_error(text: &[u8]) -> bool {
    // The severity may have an ending, as in the Italian `FATALE:  `.
    let Some(colon) = text.iter().take(4).position(|byte| *byte == b':') else { return false };
    let message = text[colon + 1..].trim_ascii_start();
    let message = &message[sqlstate_len(message)..];
    EVENTS.iter().flat_map(|words| &words.startup_errors).any(|start| message.starts_with(start.as_bytes()))
}
