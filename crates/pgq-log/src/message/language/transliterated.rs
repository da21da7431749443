//! Severities in ASCII. Until a client has connected to its database, the server writes messages in the encoding of the
//! postmaster's locale. If this is the C locale, glibc replaces letters outside of ASCII by similar ones or by `?`.
//! A test compares this list with the words of all languages.

use crate::message::kinds::Severity;
use crate::message::kinds::Severity::{Error, Fatal, Log, Other, Panic, Warning};

/// Severities in ASCII, by name. Some names stand for several severities, also in one language. The severity is then the
/// one that the server logs for clients that are not connected yet: LOG and not ERROR, and FATAL and not DEBUG.
pub const TRANSLITERATED: [(&str, Severity); 30] = [
    ("??", Log),           // ko, zh
    ("???", Other),        // ko
    ("????", Fatal),       // zh
    ("?????", Fatal),      // ko
    ("??????", Panic),     // ka
    ("???????", Log),      // ka
    ("????????", Fatal),   // ka
    ("??????????", Other), // ka
    ("SOOBSHHENIE", Log),  // ru
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
    ("???????????", Warning), // ka, zh
];
