//! Time zones: UTC offsets, and unambiguous and ambiguous abbreviations.

/// Unambiguous abbreviations, with their offsets in minutes east of UTC. An abbreviation is in this list if today's tz
/// database or PostgreSQL's default list (timezonesets/Default) gives it exactly one offset.
pub const ZONES: [(&str, i64); 49] = [
    ("UTC", 0),
    ("GMT", 0),
    ("Z", 0),
    ("WET", 0),
    ("WEST", 60),
    ("CET", 60),
    ("CEST", 120),
    ("MET", 60),
    ("MEST", 120),
    ("EET", 120),
    ("EEST", 180),
    ("BST", 60),
    ("MSK", 180),
    ("WAT", 60),
    ("CAT", 120),
    ("SAST", 120),
    ("EAT", 180),
    ("IDT", 180),
    ("PKT", 300),
    ("WIB", 420),
    ("WITA", 480),
    ("HKT", 480),
    ("AWST", 480),
    ("WIT", 540),
    ("JST", 540),
    ("KST", 540),
    ("ACST", 570),
    ("ACDT", 630),
    ("AEST", 600),
    ("AEDT", 660),
    ("CHST", 600),
    ("NZST", 720),
    ("NZDT", 780),
    ("NST", -210),
    ("NDT", -150),
    ("AST", -240),
    ("ADT", -180),
    ("EST", -300),
    ("EDT", -240),
    ("CDT", -300),
    ("MST", -420),
    ("MDT", -360),
    ("PST", -480),
    ("PDT", -420),
    ("AKST", -540),
    ("AKDT", -480),
    ("HST", -600),
    ("HDT", -540),
    ("SST", -660),
];

/// Ambiguous abbreviations. IST is used in Ireland, Israel and India; CST in North America, Cuba and China.
pub const AMBIGUOUS: [(&str, [i64; 3]); 2] = [("IST", [60, 120, 330]), ("CST", [-360, -300, 480])];

/// Parses a zone. Returns seconds east of UTC: `Some(Some(3600))` for `+01:00`. Returns `Some(None)` for an unknown
/// abbreviation, and `None` for a string that is not a zone.
pub fn parse_zone(zone: &str) -> Option<Option<i64>> {
    let sign = match zone.as_bytes()[0] {
        b'+' => 1,
        b'-' => -1,
        _ if zone.bytes().all(|b| b.is_ascii_alphabetic()) => {
            let known = ZONES.iter().find(|(name, _)| name.eq_ignore_ascii_case(zone));
            return Some(known.map(|(_, minutes)| minutes * 60));
        }
        _ => return None,
    };
    let digits: String = zone[1..].chars().filter(|c| *c != ':').collect();
    if digits.is_empty() || digits.len() > 6 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let pair = |at: usize| digits.get(at..digits.len().min(at + 2)).and_then(|d| d.parse::<i64>().ok()).unwrap_or(0);
    Some(Some(sign * (pair(0) * 3600 + pair(2) * 60 + pair(4))))
}
