//! Translated severities that were transliterated to ASCII. Until a client has connected to its database, the server
//! writes messages in the encoding of the postmaster's locale. If this is the C locale, glibc replaces letters outside
//! of ASCII by similar ones or by `?`. A test compares this list with the words of all languages.

use crate::message::kinds::Severity;
use crate::message::kinds::Severity::{Error, Fatal, Log, Other, Panic, Warning};

/// Transliterated severities, with their meanings. Severities whose transliteration has no letter are not listed.
pub const TRANSLITERATED: [(&str, Severity); 21] = [
    ("SOOBSHHENIE", Log), // ru
    ("OSHIBKA", Error),
    ("VAZHNO", Fatal),
    ("PREDUPREZHDENIE", Warning),
    ("OTLADKA", Other),
    ("INFORMACZIYA", Other), // ru, uk
    ("ZAMECHANIE", Other),
    ("PANIKA", Panic),     // ru, uk
    ("ZAPISUVANNYA", Log), // uk
    ("POMILKA", Error),
    ("FATAL`NO", Fatal),
    ("POPEREDZHENNYA", Warning),
    ("NALAGODZHENNYA", Other),
    ("POVIDOMLENNYA", Other),
    ("B??D", Error), // pl
    ("OSTRZE?ENIE", Warning),
    ("?L?MC?L (FATAL)", Fatal), // tr
    ("KR?T?K", Panic),
    ("B?LG?", Other),
    ("P?NICO", Panic), // pt_BR
    ("DEPURA??O", Other),
];

/// Returns the severity whose name the server wrote as this number of question marks. If several severities have this
/// number, returns the severity that the server logs for clients that are not connected yet: LOG rather than ERROR, and
/// FATAL rather than DEBUG. If no severity has this number, returns LOG. Such a number can occur, because older
/// versions of glibc replace every letter.
pub fn severity_of_marks(marks: usize) -> Severity {
    match marks {
        4 | 5 | 8 => Fatal, // zh, ko, ka
        6 => Panic,         // ka
        11 => Warning,      // ka
        3 | 10 => Other,    // ko, ka
        _ => Log,
    }
}
