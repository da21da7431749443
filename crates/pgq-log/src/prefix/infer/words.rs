//! Finds the words of a prefix that are the user, database, application, host or command tag. Other messages of the log
//! (`connection authorized: user=… database=…`) decide. If there are no such messages, the usual order decides.

use super::evidence::name_of;
use super::keys::{LITERALS, escape_of_key, is_rest_of_tag, is_tag};
use super::template::{Role, Row, Template};
use super::token::Look;
use crate::message::language::is_unknown;

/// Assigns roles to words. Returns the columns of the words that have no role yet.
pub fn assign(template: &mut Template<'_, '_>) -> Vec<usize> {
    // `ann/shop from 10.0.0.7`
    for at in 0..template.roles.len() {
        let is_host = matches!(template.look(at + 2), Some(Look::Host | Look::HostPort));
        let text = template.rows[0].tokens[at].text;
        let is_preposition = is_host && matches!(text, b"from" | b"at" | b"on" | b"host" | b"client");
        if is_preposition && template.look(at + 1) == Some(Look::Blank) && template.is_constant(at) {
            template.roles[at] = Role::Literal;
        }
    }
    // `P42`, `xid799`: a letter or a key directly before a value.
    for at in 1..template.roles.len() {
        let before = template.rows[0].tokens[at - 1].text;
        let is_name = before.len() == 1 || template.look(at) == Some(Look::Number);
        let is_glued = template.look(at - 1) == Some(Look::Word) && is_name;
        let is_value = matches!(template.look(at), Some(Look::Word | Look::Number));
        if is_glued && is_value && template.is_constant(at - 1) && template.roles[at - 1] == Role::Unknown {
            template.roles[at - 1] = Role::Literal;
        }
    }
    assign_by_messages(template);
    merge_names_with_blanks(template);
    let words = |template: &Template<'_, '_>| -> Vec<usize> {
        let is_value = |at: &usize| template.look(*at) == Some(Look::Word) && template.roles[*at] == Role::Unknown;
        (0..template.roles.len()).filter(is_value).collect()
    };
    for at in words(template) {
        if is_literal_word(template, at) || is_literal_of_clients(template, at) || is_label(template, at) {
            template.roles[at] = Role::Literal;
        }
    }
    for at in words(template) {
        let is_at = template.look(at + 1) == Some(Look::Punctuation(b'@')) && template.look(at + 2) == Some(Look::Word);
        if is_at && !template.has(b'u') && !template.has(b'd') {
            template.roles[at] = Role::Field(b'u');
            template.roles[at + 2] = Role::Field(b'd');
            break;
        }
    }
    assign_by_messages(template);
    for at in words(template) {
        let is_host = template.column(at).all(is_host_name);
        let tags = template.column(at).filter(|text| is_tag(text)).count();
        if tags * 10 >= template.rows.len() * 9 && !template.has(b'i') {
            template.roles[at] = Role::Field(b'i');
        } else if is_host && !template.has(b'h') && !template.has(b'r') && template.rows.len() > 1 {
            template.roles[at] = Role::Field(b'h');
        }
    }
    words(template)
}

/// Whether the token is a literal word before a number, such as `PG-42P01`, or before a host.
fn is_literal_word(template: &Template<'_, '_>, at: usize) -> bool {
    let text = String::from_utf8_lossy(template.rows[0].tokens[at].text).to_ascii_lowercase();
    template.is_constant(at)
        && (LITERALS.contains(&&*text) || escape_of_key(text.as_bytes()).is_some() && text.len() > 1)
        && template.is_separator(at + 1)
        && !template.is_punctuation(at + 1, b"@")
        && !at.checked_sub(1).is_some_and(|before| template.is_punctuation(before, b"@"))
        && (LITERALS.contains(&&*text)
            || matches!(
                template.look(at + 2),
                Some(Look::Number | Look::Session | Look::Time | Look::Host | Look::HostPort)
            )
            || is_named(template, at, &text))
}

/// Whether a word also occurs in `connection received` lines. Such a word is a literal, because these lines have no
/// names.
fn is_literal_of_clients(template: &Template<'_, '_>, at: usize) -> bool {
    let text = template.rows[0].tokens[at].text;
    template.is_constant(at)
        && !is_unknown(text)
        && !is_host_name(text)
        && template.rows.iter().any(|row| row.message.starts_with(b"connection received: "))
}

/// Whether a word is an uncommon key of a field: `player=ann`.
fn is_label(template: &Template<'_, '_>, at: usize) -> bool {
    template.look(at + 1) == Some(Look::Punctuation(b'=')) && template.is_constant(at)
}

/// Assigns a field to each word that is a name in a connection message. The connection message may be on the same lines
/// as the word, or elsewhere in the log.
fn assign_by_messages(template: &mut Template<'_, '_>) {
    for at in 0..template.roles.len() {
        if template.look(at) == Some(Look::Word)
            && template.roles[at] == Role::Unknown
            && let Some(escape) = by_messages(template, at)
                .or_else(|| template.known.escape(template.column(at)))
                .filter(|escape| !template.has(*escape))
        {
            template.roles[at] = Role::Field(escape);
        }
    }
}

/// Whether a word with dots is a host name rather than a version or a user.
fn is_host_name(text: &[u8]) -> bool {
    let mut labels = text.rsplit(|b| *b == b'.');
    let last = labels.next().unwrap_or_default();
    let is_domain = last.len() > 1 && last.iter().all(u8::is_ascii_alphabetic);
    let labels: Vec<&[u8]> = labels.collect();
    let is_local = matches!(last, b"local" | b"internal" | b"lan" | b"localdomain");
    is_domain && labels.iter().all(|label| !label.is_empty()) && (labels.len() > 1 || is_local && labels.len() == 1)
}

/// Merges words into one name if there are more words than fields, because an application's name may contain blanks.
fn merge_names_with_blanks(template: &mut Template<'_, '_>) {
    let is_word = |template: &Template<'_, '_>, at: usize| {
        matches!(template.look(at), Some(Look::Word | Look::Backend)) && template.roles[at] == Role::Unknown
    };
    let mut at = 0;
    while at < template.roles.len() {
        let mut end = at;
        while is_word(template, end) && template.look(end + 1) == Some(Look::Blank) && is_word(template, end + 2) {
            end += 2;
        }
        let words = (end - at) / 2 + 1;
        let named = usize::from(template.has(b'u')) + usize::from(template.has(b'd'));
        let joined = at.checked_sub(1).is_some_and(
            |before| matches!(template.look(before), Some(Look::Punctuation(byte)) if !b"@])>".contains(&byte)),
        );
        // After a slash or in brackets, all words are one name. Elsewhere, the first two words are the user and the
        // database, and the name with blanks starts at the third.
        let first = if joined || named == 2 { at } else { at + 4 };
        // If all words also occur in `connection received` lines, they are literals, because these lines have no names.
        if words > 1 && (at..=end).all(|at| is_literal_of_clients(template, at)) {
            template.roles[at..=end].fill(Role::Literal);
            at = end + 1;
            continue;
        }
        let known = (at..=end).step_by(2).find(|first| {
            let text = |row: &Row<'_>| row.tokens[*first..=end].iter().flat_map(|token| token.text).copied().collect();
            let texts: Vec<Vec<u8>> = template.rows.iter().map(text).collect();
            template.known.escape(texts.iter().map(Vec::as_slice)) == Some(b'a')
        });
        if let Some(first) = known.filter(|first| *first < end && !template.has(b'a')) {
            template.roles[first] = Role::Field(b'a');
            template.roles[first + 1..=end].fill(Role::Inside);
            at = end + 1;
            continue;
        }
        let is_tag = words > 1 && template.column(at).all(is_tag);
        let is_rest = |at: usize| template.column(at).all(is_rest_of_tag);
        let is_whole = is_tag && (at + 2..=end).step_by(2).all(is_rest);
        if (is_tag && joined || is_whole) && !template.has(b'i') {
            template.roles[at] = Role::Field(b'i');
            template.roles[at + 1..=end].fill(Role::Inside);
            at = end + 1;
            continue;
        }
        if words > 1 && first < end && !template.has(b'a') {
            let by_order = !joined && named < 2;
            if !by_order || words > 3 {
                template.roles[first] = Role::Field(b'a');
                template.roles[first + 1..=end].fill(Role::Inside);
            }
        }
        at = end + 1;
    }
}

/// Keys of the names in connection messages.
const KEYS: [(u8, &[u8]); 3] = [(b'u', b"user="), (b'd', b"database="), (b'a', b"application_name=")];

/// Counts the lines in which a word equals the name in the message, minus the lines in which the word differs.
pub fn votes(template: &Template<'_, '_>, at: usize, escape: u8) -> i32 {
    let Some((_, key)) = KEYS.iter().find(|(of, _)| *of == escape) else { return 0 };
    let mut votes = 0;
    for row in template.rows {
        let text = row.message.strip_prefix(b"connection authorized: ");
        let Some(text) = text.or_else(|| row.message.strip_prefix(b"disconnection: session time: ")) else { continue };
        let Some(found) = memchr::memmem::find(text, key) else { continue };
        let value = name_of(&text[found + key.len()..]);
        let first = &value[..value.iter().position(|b| *b == b' ').unwrap_or(value.len())];
        let text = row.tokens[at].text;
        votes += if value == text || first == text { 1 } else { -1 };
    }
    votes
}

/// Whether a word is the key of the next field, as in `user ann`: the messages on the same lines name the user `ann`.
fn is_named(template: &Template<'_, '_>, at: usize, word: &str) -> bool {
    let Some(escape) = escape_of_key(word.as_bytes()) else { return false };
    template.look(at + 1) == Some(Look::Blank)
        && template.look(at + 2) == Some(Look::Word)
        && votes(template, at + 2, escape) > 0
        && votes(template, at, escape) <= 0
}

/// Returns the escape for a column whose words equal the user, database or application in the messages on the same
/// lines.
fn by_messages(template: &Template<'_, '_>, at: usize) -> Option<u8> {
    let votes = KEYS.map(|(escape, _)| (escape, votes(template, at, escape)));
    let best = votes.iter().filter(|(_, votes)| *votes > 0).max_by_key(|(_, votes)| *votes)?;
    // A user and a database of the same name cannot be distinguished.
    let rivals = votes.iter().filter(|(_, votes)| *votes == best.1).count();
    (rivals == 1).then_some(best.0)
}
