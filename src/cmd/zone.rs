//! Resolves local times whose zone abbreviation is ambiguous or unknown. Counts the guessed and the unknown zones.

use std::cell::OnceCell;

use jiff::tz::TimeZone;
use pgq_log::{Entry, Field, Timestamp, counted, time_without_year};

/// Resolves times whose zone is uncertain.
pub struct Zones {
    /// The zone from `--timezone`.
    given: Option<TimeZone>,
    /// The zone of this machine, looked up when first needed.
    machine: OnceCell<TimeZone>,
    pub counts: ZoneCounts,
}

/// Numbers of records with uncertain zones.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct ZoneCounts {
    /// Number of records whose time was read in this machine's zone, because the log has the abbreviation of this
    /// zone.
    pub machine: u64,
    /// Number of records whose time has the abbreviation IST and was read as India's time. The abbreviation is
    /// ambiguous: Israel uses it in winter, and Ireland in summer.
    pub india: u64,
    /// Number of records whose zone is unknown. `pgq export` writes their times as NULL.
    pub unknown: u64,
    /// Number of records whose time has an unknown format, for example because of another DateStyle.
    pub unread: u64,
    /// Number of records whose time has no year, because syslog wrote the time.
    pub without_year: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Certain,
    Machine,
    India,
    Unknown,
}

impl Zones {
    pub fn new(given: Option<TimeZone>) -> Self {
        Self { given, machine: OnceCell::new(), counts: ZoneCounts::default() }
    }

    /// Returns a record's log time and session start in microseconds since 1970. Unknown times are `None`.
    pub fn utc(&mut self, entry: Entry<'_>, logged: Option<Timestamp>, started: Option<Timestamp>) -> [Option<i64>; 2] {
        let time = entry.get(Field::Time);
        if logged.is_none() && !time.is_empty() {
            let ZoneCounts { unread, without_year, .. } = &mut self.counts;
            *(if time_without_year(time).is_some() { without_year } else { unread }) += 1;
        }
        let stamps = [logged, started];
        // Fast path for logs with known zones.
        if stamps.iter().flatten().all(|stamp| stamp.utc_micros().is_some()) {
            return stamps.map(|stamp| stamp?.utc_micros());
        }
        let offset = started.and_then(|started| entry.session_offset(started));
        let abbreviation = |field| entry.get(field).rsplit(|byte| *byte == b' ').next().unwrap_or_default();
        let zones = [Field::Time, Field::SessionStart].map(abbreviation);
        let offsets = [offset.filter(|_| entry.has_zone_of_session()), offset];
        let mut source = Source::Certain;
        let times = [0, 1].map(|at| {
            let stamp = stamps[at]?;
            let (micros, of) = self.find(stamp, offsets[at], zones[at]);
            if of != Source::Certain {
                source = of;
            }
            micros
        });
        let ZoneCounts { machine, india, unknown, .. } = &mut self.counts;
        match source {
            Source::Certain => {}
            Source::Machine => *machine += 1,
            Source::India => *india += 1,
            Source::Unknown => *unknown += 1,
        }
        times
    }

    fn find(&self, stamp: Timestamp, offset: Option<i64>, abbreviation: &[u8]) -> (Option<i64>, Source) {
        let local = stamp.local_micros();
        let certain = self.given.as_ref().map_or(stamp.utc_micros(), |zone| stamp.utc_micros_or_in(zone));
        if let Some(micros) = certain.or_else(|| Some(local - offset?)) {
            return (Some(micros), Source::Certain);
        }
        if !abbreviation.is_empty() {
            let machine = self.machine.get_or_init(TimeZone::system);
            let in_machine =
                stamp.utc_micros_or_in(machine).filter(|micros| has_abbreviation(machine, *micros, abbreviation));
            if in_machine.is_some() {
                return (in_machine, Source::Machine);
            }
            if abbreviation == b"IST" {
                return (Some(local - INDIA), Source::India);
            }
        }
        (None, Source::Unknown)
    }
}

impl ZoneCounts {
    /// Returns notices about guessed and unknown zones.
    pub fn notices(self) -> Vec<String> {
        let Self { machine, india, unknown, unread, without_year } = self;
        let of_machine = || {
            let zone = TimeZone::system();
            let name = zone.iana_name().unwrap_or("the local one");
            format!("taken to be in this machine's zone, {name}, which has the same abbreviation")
        };
        let notices = [
            (machine, if machine > 0 { of_machine() } else { String::new() }),
            (india, "taken to be in India, where IST is +05:30".to_string()),
            (unknown, "NULL, because the log does not tell their zone".to_string()),
        ];
        let said = notices.into_iter().filter(|(records, _)| *records > 0);
        let said = said.map(|(records, text)| {
            format!("the times of {} are {text}: name it with --timezone", counted(records, "records"))
        });
        let unread = [
            (unread, "their form is unknown: write the log with DateStyle ISO"),
            (without_year, "they have no year: add %m to log_line_prefix"),
        ];
        let unread = unread
            .into_iter()
            .filter(|(records, _)| *records > 0)
            .map(|(records, why)| format!("the times of {} are NULL, because {why}", counted(records, "records")));
        said.chain(unread).collect()
    }
}

impl std::ops::AddAssign for ZoneCounts {
    fn add_assign(&mut self, other: Self) {
        self.machine += other.machine;
        self.india += other.india;
        self.unknown += other.unknown;
        self.unread += other.unread;
        self.without_year += other.without_year;
    }
}

/// India's offset east of UTC in microseconds.
const INDIA: i64 = 330 * 60 * 1_000_000;

/// Whether `zone` uses `abbreviation` at the time `micros`, in microseconds since 1970.
fn has_abbreviation(zone: &TimeZone, micros: i64, abbreviation: &[u8]) -> bool {
    let time = jiff::Timestamp::from_microsecond(micros);
    time.is_ok_and(|time| zone.to_offset_info(time).abbreviation().as_bytes() == abbreviation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgq_log::parse_timestamp;

    #[test]
    fn a_zone_is_used_where_the_log_has_none() {
        let zones = |given: Option<&str>, machine: &str| Zones {
            given: given.map(|name| TimeZone::get(name).unwrap()),
            machine: OnceCell::from(TimeZone::get(machine).unwrap()),
            counts: ZoneCounts::default(),
        };
        let utc = |text: &str| parse_timestamp(text).unwrap().utc_micros();
        let find = |zones: &Zones, text: &str| {
            let abbreviation = text.rsplit(' ').next().unwrap_or_default();
            zones.find(parse_timestamp(text).unwrap(), None, abbreviation.as_bytes()).0
        };
        let berlin = zones(Some("Europe/Berlin"), "UTC");
        assert_eq!(find(&berlin, "2026-01-31 12:00:00"), utc("2026-01-31 11:00:00 UTC"));
        assert_eq!(find(&berlin, "2026-07-31 12:00:00 XYZ"), utc("2026-07-31 10:00:00 UTC"));
        assert_eq!(find(&berlin, "2026-01-31 11:00:00 UTC"), utc("2026-01-31 11:00:00 UTC"));
        let server = zones(None, "UTC");
        assert_eq!(find(&server, "2026-01-31 12:00:00"), None);
        assert_eq!(find(&server, "2026-01-31 12:00:00 CST"), None);
        assert_eq!(find(&server, "2026-01-31 17:30:00 IST"), utc("2026-01-31 12:00:00 UTC"));
        let shanghai = zones(None, "Asia/Shanghai");
        assert_eq!(find(&shanghai, "2026-01-31 20:00:00 CST"), utc("2026-01-31 12:00:00 UTC"));
        let jerusalem = zones(None, "Asia/Jerusalem");
        assert_eq!(find(&jerusalem, "2026-01-31 14:00:00 IST"), utc("2026-01-31 12:00:00 UTC"));
    }
}
