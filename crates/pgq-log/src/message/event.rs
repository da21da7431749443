//! Server events other than executions and failures of statements: temporary files, waits for locks, plans,
//! cancellations, killed processes. language/events.rs has the messages.

use crate::message::language::{EVENTS, EventForm, EventWords};

/// Kind of a record that is neither the execution nor the failure of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The server removed a temporary file (log_temp_files).
    TemporaryFile {
        /// Size of the removed file, in bytes.
        bytes: u64,
    },
    /// The statement has waited for a lock for longer than deadlock_timeout (log_lock_waits), or until a deadlock was
    /// detected.
    LockWait {
        /// Duration of the wait so far, in microseconds.
        waited: u64,
    },
    /// The statement acquired the lock for which it waited.
    LockAcquired {
        /// Duration of the wait, in microseconds.
        waited: u64,
    },
    /// A plan ([`Field::Plan`](crate::Field::Plan)) whose execution is a separate record.
    Plan,
    /// A WARNING (with or without its statement), or an ERROR, FATAL or PANIC that has no statement
    /// ([`RecordSelection::messages`](crate::RecordSelection::messages)). [`Entry::severity`](crate::Entry::severity)
    /// returns the severity. [`Field::Message`](crate::Field::Message) is the text.
    Message,
    /// A signal killed a process of the server.
    ServerKilled,
    /// The server accepts connections after a start or a crash.
    ServerStarted,
}

/// Returns the event that a message reports (fd.c: ReportTemporaryFileUsage; proc.c: ProcSleep).
pub fn find_event(text: &[u8]) -> Option<Event> {
    let text = without_position(text);
    let first = *text.first()?;
    let names_process = first.is_ascii_digit() || memchr::memmem::find(text, b" (PID ").is_some();
    // Fast path: most messages are not events, and a comparison of the first byte rejects them.
    let begins = |form: &&(EventForm, &str)| matches!(form.1.as_bytes()[0], byte if byte == first || (byte == b'{' && names_process));
    let mut forms = EVENTS.iter().flat_map(|words| words.forms).filter(begins);
    forms.find_map(|(kind, form)| {
        let Parts { bytes, waited, end, .. } = match_form(form, text)?;
        Some(match kind {
            EventForm::TemporaryFile => Event::TemporaryFile { bytes },
            EventForm::LockWait => Event::LockWait { waited },
            EventForm::LockAcquired => Event::LockAcquired { waited },
            // The end is the name of the signal. A quote in it closes a name that a client chose, such as the name of a
            // table in a message of autovacuum.
            EventForm::ServerKilled if String::from_utf8_lossy(end).contains(is_quote) => return None,
            EventForm::ServerKilled => Event::ServerKilled,
            EventForm::ServerStarted => Event::ServerStarted,
        })
    })
}

/// Returns the lock mode and the locked object in the text of an [`Event::LockWait`] or [`Event::LockAcquired`].
/// Returns `None` for any other message.
///
/// ```
/// let text = b"process 42 still waiting for ShareLock on transaction 7 after 1000.115 ms";
/// assert_eq!(pgq_log::lock_of(text), Some((&b"ShareLock"[..], &b"transaction 7"[..])));
/// ```
#[must_use]
pub fn lock_of(message: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = without_position(message);
    let mut forms = EVENTS.iter().flat_map(|words| words.forms).filter(|(_, form)| form.contains("{m}"));
    forms.find_map(|(_, form)| match_form(form, text)).map(|Parts { mode, object, .. }| (mode.trim_ascii(), object))
}

/// Backend type of a parallel worker (`%b`). Messages about a worker contain this name untranslated.
pub const PARALLEL_WORKER: &[u8] = b"parallel worker";

/// Whether the CONTEXT of an error shows that a parallel worker passed the error to its leader. The CONTEXT may be in
/// any language.
pub fn is_of_worker(context: &[u8]) -> bool {
    let mut lines = context.split(|b| *b == b'\n');
    lines.any(|line| EVENTS.iter().any(|words| words.parallel_worker.as_bytes() == line))
}

/// Whether an error reports that its statement was canceled. The message may be in any language.
pub fn is_cancellation(message: &[u8]) -> bool {
    let mut texts = EVENTS.iter().flat_map(|words| words.cancellations);
    let message = without_position(message);
    texts.any(|text| text.as_bytes() == message)
}

/// Whether the CONTEXT of an error shows that the error occurred while parameters were bound. The CONTEXT may be in any
/// language.
pub fn is_bind_context(context: &[u8]) -> bool {
    let first = context.split(|b| *b == b'\n').next().unwrap_or_default();
    EVENTS.iter().flat_map(|words| words.binds).any(|form| match_form(form, first).is_some())
}

/// Whether a CONTEXT contains nothing but the parameters of a portal (log_parameter_max_length_on_error). If so, no
/// function was running when the server logged the message. The CONTEXT may be in any language.
pub fn is_portal_context(context: &[u8]) -> bool {
    EVENTS.iter().flat_map(|words| words.portals).any(|form| match_form(form, context).is_some())
}

/// Whether the CONTEXT of a message shows that a PL/pgSQL function raised the message. If so, the first entry of the
/// CONTEXT contains the word RAISE, which no language translates. The entry may also quote the name of a function, or
/// SQL.
pub fn is_raised(context: &[u8]) -> bool {
    if memchr::memmem::find(context, b"RAISE").is_none() || is_portal_context(context) {
        return false;
    }
    let context = String::from_utf8_lossy(context);
    // The CONTEXT quotes the name of a function, or SQL. In the name of a function, quotes are doubled, so the end of
    // the name is clear even if the name contains line breaks. In SQL, quotes are not doubled, so the end of the SQL is
    // not clear, and the search ends at the first line break.
    let before_quote = context.split(['"', '\n']).next().unwrap_or_default();
    let is_function = before_quote.contains("PL/pgSQL");
    let quotes = if is_function { "\"" } else { QUOTES };
    let mut is_outside = true;
    for (at, c) in context.char_indices() {
        if quotes.contains(c) {
            is_outside = !is_outside;
        } else if c == '\n' && (is_outside || !is_function) {
            return false;
        } else if is_outside && context[at..].starts_with("RAISE") {
            return true;
        }
    }
    false
}

/// Whether a message reports the end of its session (log_disconnections). The message may be in any language.
pub fn is_session_end(text: &[u8]) -> bool {
    EVENTS.iter().any(|words| !words.session_end.is_empty() && text.starts_with(words.session_end.as_bytes()))
}

/// Whether a message reports the start of a session (log_connections), in English.
pub fn is_session_start(text: &[u8]) -> bool {
    text.starts_with(b"connection received: ") || text.starts_with(b"connection authorized: ")
}

/// Whether a message reports in English that the server starts. The start is also known in other languages, because
/// [`Event::ServerStarted`] follows in every language, except on a standby.
pub fn is_server_start(text: &[u8]) -> bool {
    text.starts_with(b"starting PostgreSQL ")
}

/// If a message reports the end of a parallel worker (postmaster.c: LogChildExit), returns the worker's process ID. The
/// message may be in any language.
pub fn ended_worker(text: &[u8]) -> Option<u32> {
    let name = memchr::memmem::find(text, PARALLEL_WORKER)?;
    // The name `parallel worker` is in quotes, which are not ASCII in some languages. If the words are part of a
    // client's name, another quote, a parenthesis or no quote precedes them, or no quote follows them.
    let (before, after) = (String::from_utf8_lossy(&text[..name]), &text[name + PARALLEL_WORKER.len()..]);
    let mut before = before.chars().rev();
    let is_quoted = before.next().is_some_and(|c| c == '"' || !c.is_ascii())
        && after.first().is_some_and(|byte| *byte == b'"' || !byte.is_ascii());
    if !is_quoted || before.any(|c| c == '(' || is_quote(c)) {
        return None;
    }
    let at = name + memchr::memmem::find(&text[name..], b"(PID ")? + 5;
    let digits = text[at..].iter().take_while(|b| b.is_ascii_digit()).count();
    std::str::from_utf8(&text[at..at + digits]).ok()?.parse().ok()
}

/// Removes the position (`at character 8`) that PostgreSQL appends to errors on stderr, in any language.
///
/// ```
/// use pgq_log::without_position;
///
/// assert_eq!(without_position(b"syntax error at character 8"), b"syntax error");
/// assert_eq!(without_position("Syntaxfehler bei Zeichen 8".as_bytes()), b"Syntaxfehler");
/// assert_eq!(without_position(b"at character"), b"at character");
/// ```
#[must_use]
pub fn without_position(message: &[u8]) -> &[u8] {
    let Some(last) = message.last() else { return message };
    // Fast path: most messages have no position, and a comparison of the last byte rejects them.
    let may_have =
        |words: &&EventWords| words.position[1].as_bytes().last().map_or(last.is_ascii_digit(), |end| end == last);
    let without = |words: &EventWords| {
        let [before, after] = words.position;
        let text = if after.is_empty() { message } else { message.strip_suffix(after.as_bytes())? };
        let digits = text.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        text[..text.len() - digits].strip_suffix(before.as_bytes()).filter(|_| digits > 0)
    };
    EVENTS.iter().filter(may_have).find_map(without).unwrap_or(message)
}

/// Variable parts of a message.
#[derive(Debug, Default)]
struct Parts<'a> {
    bytes: u64,
    waited: u64,
    mode: &'a [u8],
    object: &'a [u8],
    /// The text at the end, if the pattern ends in `{n}`.
    end: &'a [u8],
}

/// Matches a whole message against a pattern such as `{n} (PID {p}) was terminated by signal {n}`. Returns the values
/// of its placeholders.
fn match_form<'a>(form: &str, text: &'a [u8]) -> Option<Parts<'a>> {
    let (mut form, mut rest, mut parts) = (form, text, Parts::default());
    while let Some(open) = form.find('{') {
        rest = rest.strip_prefix(&form.as_bytes()[..open])?;
        let field = form.as_bytes()[open + 1];
        form = &form[open + 3..];
        let literal = &form.as_bytes()[..form.find('{').unwrap_or(form.len())];
        let len = match (field, literal) {
            (b'n' | b'm' | b'o', []) => rest.len(),
            (b'n' | b'm' | b'o', literal) => memchr::memmem::find(rest, literal)?,
            _ => rest.iter().take_while(|b| b.is_ascii_digit() || (field == b'w' && b".,".contains(b))).count(),
        };
        let begins = std::ptr::eq(rest, text);
        match field {
            b'n' if begins && !is_process(&rest[..len]) => return None,
            b'b' => parts.bytes = number(&rest[..len])?,
            b'w' => parts.waited = micros(&rest[..len])?,
            b'm' => parts.mode = &rest[..len],
            b'o' => parts.object = &rest[..len],
            b'n' if literal.is_empty() => parts.end = rest,
            _ => {}
        }
        rest = &rest[len..];
    }
    (rest == form.as_bytes()).then_some(parts)
}

/// Whether a text can be the description of a process, such as `background worker "pg_cron"`. A text with an open quote
/// is not a description, because it ends inside a name that a client chose. For example, if a table has the name
/// `server process (PID 7) was killed`, the text before `(PID` may be `automatic vacuum of table "server process`. No
/// description contains a `=` or a parenthesis.
fn is_process(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    !text.contains(['=', '(']) && is_outside_of_quotes(&text)
}

/// Quotes in the messages of all languages.
const QUOTES: &str = "\"«»„“”「」";

/// Whether all quotes in a text are closed.
fn is_outside_of_quotes(text: &str) -> bool {
    text.chars().filter(|c| is_quote(*c)).count().is_multiple_of(2)
}

fn is_quote(c: char) -> bool {
    QUOTES.contains(c)
}

/// Parses milliseconds with three decimals after a point or a comma. Returns microseconds.
fn micros(text: &[u8]) -> Option<u64> {
    let at = memchr::memchr2(b'.', b',', text)?;
    let (ms, fraction) = (number(&text[..at])?, &text[at + 1..]);
    (fraction.len() == 3).then_some(ms * 1000 + number(fraction)?)
}

fn number(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}
