//! Distinguishes user, database and application if no connection message names them. Decides first by the values of the
//! fields, then by the usual order. A decision by order alone is reported as a doubt.

use std::collections::BTreeSet;

use super::keys::APPLICATIONS;
use super::template::{Role, Template};
use super::words::votes;
use crate::message::language::is_unknown;

/// Common suffixes of database and user names.
const DATABASE_ENDS: [&[u8]; 7] = [b"db", b"_prod", b"_production", b"_dev", b"_development", b"_test", b"_staging"];
const USER_ENDS: [&[u8]; 8] = [b"user", b"usr", b"admin", b"_rw", b"_ro", b"_owner", b"_role", b"_svc"];

/// Assigns roles to the words at `columns`.
pub fn assign(template: &mut Template<'_, '_>, mut columns: Vec<usize>) {
    for at in std::mem::take(&mut columns) {
        if is_literal(template, at) {
            template.roles[at] = Role::Literal;
        } else {
            columns.push(at);
        }
    }
    let free = |template: &Template<'_, '_>| -> Vec<u8> {
        b"uda".iter().copied().filter(|escape| !template.has(*escape)).collect()
    };
    // Assigns the field with the highest score first.
    loop {
        let scores = columns.iter().flat_map(|at| free(template).into_iter().map(|escape| (*at, escape)));
        let scores = scores.map(|(at, escape)| (score(template, at, escape), at, escape));
        let Some((_, at, escape)) = scores.filter(|(score, ..)| *score > 0).max_by_key(|(score, at, _)| (*score, !at))
        else {
            break;
        };
        template.roles[at] = Role::Field(escape);
        columns.retain(|column| *column != at);
    }
    let is_doubtful = free(template).len() > 1;
    for at in columns {
        let Some(escape) = free(template).first().copied() else { return };
        let is_other = template.is_constant(at) && votes(template, at, escape) < 0;
        if is_other {
            template.roles[at] = Role::Literal;
            continue;
        }
        template.roles[at] = Role::Field(escape);
        if is_doubtful {
            template.doubts.push("which of the names is the user, the database or the application is not certain");
        }
    }
}

/// Whether a constant word is a literal. A literal is in capitals, or occurs in lines of processes without a session.
fn is_literal(template: &Template<'_, '_>, at: usize) -> bool {
    const OF_SERVER: [&[u8]; 5] =
        [b"starting PostgreSQL ", b"listening on ", b"database system ", b"checkpoint ", b"automatic "];
    let is_of_server = |message: &[u8]| OF_SERVER.iter().any(|start| message.starts_with(start));
    let text = template.rows[0].tokens[at].text;
    template.is_constant(at)
        && !is_unknown(text)
        && (text.len() > 2 && text.iter().all(u8::is_ascii_uppercase)
            || template.rows.iter().any(|row| is_of_server(row.message)))
}

/// Returns the number of a column's values that support a field, minus the number that support other fields.
fn score(template: &Template<'_, '_>, at: usize, escape: u8) -> i32 {
    let values: BTreeSet<&[u8]> = template.column(at).filter(|text| !text.is_empty() && !is_unknown(text)).collect();
    let sum = |says: &dyn Fn(&[u8]) -> Option<u8>| -> i32 {
        let votes = |text: &&[u8]| says(text).map_or(0, |other| if other == escape { 1 } else { -1 });
        values.iter().map(votes).sum()
    };
    // Known names count only if at least half of the values are known. A few may be known by coincidence, such as a
    // user with the name of a database.
    let known = |text: &[u8]| template.known.escape(std::iter::once(text)).filter(|_| text != b"postgres");
    let is_known = values.iter().filter(|text| known(text).is_some()).count() * 2 >= values.len();
    let ends_in = |text: &[u8], ends: &[&[u8]]| ends.iter().any(|end| text.ends_with(end));
    let looks = |text: &[u8]| match text {
        _ if is_application(text) => Some(b'a'),
        _ if ends_in(text, &DATABASE_ENDS) => Some(b'd'),
        _ if ends_in(text, &USER_ENDS) => Some(b'u'),
        _ => None,
    };
    // A line with a statement may lack the application's name, but never the user or the database.
    let is_unset = template.rows.iter().any(|row| {
        let is_statement = row.message.starts_with(b"duration: ") || row.message.starts_with(b"statement: ");
        is_statement && is_unknown(row.tokens[at].text)
    });
    let unset = if escape == b'a' { 2 } else { -2 };
    sum(&looks) + if is_known { sum(&known) } else { 0 } + if is_unset { unset } else { 0 }
}

/// Whether `text` is a program's name: a well-known name, or a name with a version.
fn is_application(text: &[u8]) -> bool {
    let has_version = || {
        let at = memchr::memchr(b'/', text);
        at.is_some_and(|at| text.get(at + 1).is_some_and(u8::is_ascii_digit))
    };
    APPLICATIONS.iter().any(|name| text.starts_with(name.as_bytes())) || has_version()
}
