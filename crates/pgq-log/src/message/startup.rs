//! Finds errors about startup packets in a stderr log. The server logs these errors before it cuts the names of the
//! packet to 63 bytes (ProcessStartupPacket). The user and the database in their prefix may therefore contain whole
//! forged messages, and no rule for names of at most 63 bytes finds them.

use memchr::memmem;

use crate::message::language::{EVENTS, LANGUAGES};
use crate::message::text::sqlstate_len;

/// Counts the errors about startup packets in the lines of a log. An error may be anywhere in a line, because a name
/// may contain the start of another message. `is_foreign`: whether the log has labels in other languages than English.
pub fn count_startup_errors(lines: &[u8], is_foreign: bool) -> u64 {
    let count = |word: &str| {
        let ends = memmem::find_iter(lines, word).map(|start| start + word.len());
        ends.filter(|end| is_startup_error(&lines[*end..])).count() as u64
    };
    let mut words: Vec<&str> = LANGUAGES.iter().map(|language| language.severities[6]).collect();
    words.retain(|word| is_foreign && !word.contains("FATAL"));
    count("FATAL") + words.into_iter().map(count).sum::<u64>()
}

/// `text`: the text after the word FATAL.
fn is_startup_error(text: &[u8]) -> bool {
    // The severity may have an ending, as in the Italian `FATALE:  `.
    let Some(colon) = text.iter().take(4).position(|byte| *byte == b':') else { return false };
    let message = text[colon + 1..].trim_ascii_start();
    let message = &message[sqlstate_len(message)..];
    EVENTS.iter().flat_map(|words| &words.startup_errors).any(|start| message.starts_with(start.as_bytes()))
}
