//! Finds errors about startup packets in a stderr log. The server logs these errors before it cuts the names of the
//! packet to 63 bytes (ProcessStartupPacket). The user and the database in the prefix of such an error may therefore
//! contain whole forged messages. The other tests for forged messages assume names of at most 63 bytes, so they do not
//! find these messages.

use memchr::memmem;

use crate::message::language::{EVENTS, LANGUAGES};
use crate::message::text::sqlstate_len;

/// Whether a message is an error about a startup packet. `text`: the text after the label FATAL.
pub fn is_startup_error(text: &[u8]) -> bool {
    EVENTS.iter().flat_map(|words| &words.startup_errors).any(|start| text.starts_with(start.as_bytes()))
}

/// Whether a message reports that the server could not send data to the client. The server may log this message before
/// it has cut the names of the startup packet to 63 bytes. In this case, the message has no statement.
pub fn is_lost_client(text: &[u8]) -> bool {
    EVENTS.iter().any(|words| text.starts_with(words.lost_client.as_bytes()))
}

/// Whether a text contains an error about a startup packet, or a message about a lost client. The text before this
/// error or message may be part of a name.
pub fn contains_startup_error(text: &[u8]) -> bool {
    let lost_client =
        EVENTS.iter().filter(|words| words.code == "en" || !text.is_ascii()).map(|words| words.lost_client);
    if lost_client.into_iter().any(|message| memmem::find(text, message.as_bytes()).is_some()) {
        return true;
    }
    let foreign = LANGUAGES.iter().map(|language| language.severities[6]);
    // Searches for each language's word for FATAL. In an ASCII text, searching for `FATAL` is enough: every other
    // language's word either contains `FATAL` or occurs only in texts that are not ASCII.
    let words = ["FATAL"].into_iter().chain(foreign.filter(|word| !word.contains("FATAL") && !text.is_ascii()));
    let mut after = words.flat_map(|word| memmem::find_iter(text, word).map(move |start| &text[start + word.len()..]));
    after.any(|after| {
        // The severity may have an ending, as in the Italian `FATALE:  `.
        let colon = after.iter().take(4).position(|byte| *byte == b':');
        colon.is_some_and(|colon| {
            let message = after[colon + 1..].trim_ascii_start();
            is_startup_error(&message[sqlstate_len(message)..])
        })
    })
}
