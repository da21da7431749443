//! The columns of the timeline, and the time labels on its axis. A column combines one or more bins of the report.

use jiff::Timestamp;
use jiff::civil::Time;
use jiff::tz::Offset;

use super::super::figures;
use pgq_digest::Totals;
use pgq_digest::report::Report;
use pgq_log::parse_timestamp;

/// Upper bound for the number of columns.
const COLUMNS: i64 = 240;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// Column widths in seconds, from one second to eight weeks.
const STEPS: [i64; 24] = [
    1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 10_800, 14_400, 21_600, 43_200, 86_400, 172_800,
    604_800, 1_209_600, 2_419_200, 4_838_400,
];

/// The columns of a timeline.
pub struct Columns {
    /// Start of the first column, in seconds since 1970.
    start: i64,
    /// Width of a column in seconds.
    step: i64,
    /// The UTC offset at the start of the log. Labels show times with this offset.
    offset: Offset,
    /// Whether the UTC offset changes within the log, for example at the start of summer time. This is true if the
    /// offset at the log's end, or at the first or last time of a query, differs from the offset at the log's start.
    pub changes_offset: bool,
    pub bins: Vec<Totals>,
}

/// A labelled time on the horizontal axis.
pub struct Tick {
    /// Distance from the left edge as a percentage.
    pub x: String,
    pub label: String,
}

/// Data for the page's script, in the element `timeline-data`.
#[derive(serde::Serialize)]
pub struct ScriptData {
    start: i64,
    step: i64,
    /// Column width in words, such as `minute`.
    each: String,
    /// Seconds east of UTC.
    zone: i32,
    /// Calls, milliseconds and errors of each column.
    columns: Vec<(u64, f64, u64)>,
}

impl Columns {
    /// Returns `None` if the log has no times.
    pub fn new(report: &Report) -> Option<Self> {
        let (first, last) = (report.bins.first()?.0, report.bins.last()?.0);
        let step = width_in_seconds(report)?;
        let start = first - first.rem_euclid(step);
        let mut bins = vec![Totals::default(); usize::try_from((last - start) / step).ok()? + 1];
        for (second, bin) in &report.bins {
            let column = &mut bins[((second - start) / step) as usize];
            column.calls += bin.calls;
            column.time = column.time.saturating_add(bin.time);
            column.errors += bin.errors;
        }
        let (first, last) = report.micros.unwrap_or_default();
        let at_start = offset(report.first.as_deref(), first);
        let groups = report.rows.iter().flat_map(|row| [&row.group.first, &row.group.last]).flatten();
        let others = groups.map(|time| offset(Some(&time.text), time.micros));
        let changes_offset = others.chain([offset(report.last.as_deref(), last)]).any(|other| other != at_start);
        Some(Self { start, step, offset: at_start.unwrap_or(Offset::UTC), changes_offset, bins })
    }

    pub fn offset(&self) -> Offset {
        self.offset
    }

    /// Returns the width of a column in seconds.
    pub fn seconds(&self) -> u64 {
        self.step.unsigned_abs()
    }

    /// Returns the seconds from the start of the first column to the end of the last.
    fn span(&self) -> i64 {
        self.step * self.bins.len() as i64
    }

    /// Returns about eight ticks at round times in the log's time zone.
    pub fn ticks(&self) -> Vec<Tick> {
        let span = self.span();
        let every = STEPS.into_iter().find(|step| span / step <= 8).unwrap_or(span / 8 + 1);
        // Rounds in the log's time zone, because days begin at local midnight.
        let zone = i64::from(self.offset.seconds());
        let first = (self.start + zone + every - 1).div_euclid(every) * every - zone;
        let places = (first..self.start + span).step_by(every as usize);
        let places = places.map(|second| (second, (second - self.start) as f64 / span as f64 * 100.0));
        // Drops labels near an edge, because they would be cut off.
        let inner = places.filter(|(_, x)| (2.0..98.0).contains(x));
        inner.map(|(second, x)| Tick { x: format!("{x:.2}%"), label: label(second, every, self.offset) }).collect()
    }

    /// Returns the start time of a column as a label.
    pub fn label(&self, column: usize) -> String {
        label(self.start + column as i64 * self.step, self.step, self.offset)
    }

    /// Returns the width of a column in words, such as `minute`.
    pub fn width(&self) -> String {
        match self.step {
            1 => "second".into(),
            MINUTE => "minute".into(),
            HOUR => "hour".into(),
            DAY => "day".into(),
            ..MINUTE => format!("{} s", self.step),
            _ => figures::time(self.step as f64 * 1e6),
        }
    }

    pub fn script_data(&self) -> ScriptData {
        ScriptData {
            start: self.start,
            step: self.step,
            each: self.width(),
            zone: self.offset.seconds(),
            columns: self.bins.iter().map(|bin| (bin.calls, bin.time as f64 / 1000.0, bin.errors)).collect(),
        }
    }
}

/// Returns the width of a column of the timeline. Returns `None` if the log has no times.
pub fn width_in_seconds(report: &Report) -> Option<i64> {
    let (first, last) = (report.bins.first()?.0, report.bins.last()?.0);
    Some(step(report.bin_seconds, last + report.bin_seconds - first))
}

/// Returns the column width for a time span. The width is a multiple of the report's bin width.
fn step(bin_seconds: i64, span: i64) -> i64 {
    let fits = |step: &i64| step % bin_seconds == 0 && span / step < COLUMNS;
    STEPS.into_iter().find(fits).unwrap_or_else(|| {
        let last = STEPS[STEPS.len() - 1];
        last * (span / last / COLUMNS + 1)
    })
}

/// Returns the UTC offset of a time in the log. `text` is the time as logged, and `utc` is the same
/// time in microseconds since 1970. Parses the local time in `text` without its zone, and subtracts
/// `utc`.
fn offset(text: Option<&str>, utc: i64) -> Option<Offset> {
    let local = parse_timestamp(text?.get(.."2026-01-31 12:00:00".len())?)?.unix_micros();
    // `local` has no fractions of a second, so the difference is rounded to minutes.
    let minutes = (local - utc + 30_000_000).div_euclid(60_000_000);
    Offset::from_seconds(i32::try_from(minutes * MINUTE).ok()?).ok()
}

/// Formats a time in the log's time zone, as precisely as `step` needs. Midnight is shown as the date.
fn label(second: i64, step: i64, offset: Offset) -> String {
    let Ok(timestamp) = Timestamp::from_second(second) else {
        return format!("{second} s"); // beyond the year 9999
    };
    let local = offset.to_datetime(timestamp);
    let is_date = step >= DAY || step >= MINUTE && local.time() == Time::midnight();
    let format = match step {
        _ if is_date => "%Y-%m-%d",
        MINUTE.. => "%H:%M",
        _ => "%H:%M:%S",
    };
    local.strftime(format).to_string()
}

#[cfg(test)]
mod tests {
    use jiff::tz::Offset;

    use super::{COLUMNS, Columns, DAY, HOUR, MINUTE, label, step};
    use pgq_digest::Totals;

    #[test]
    fn columns_are_few_and_hold_whole_bins() {
        for (bin, span, expected) in [
            (1, 1, 1),
            (1, 239, 1),
            (1, 240, 2),
            (60, 86_400, 600),
            (600, 86_400, 600),
            (604_800, 604_800, 604_800),
            (604_800, 60 * 365 * 86_400, 4_838_400 * 2),
        ] {
            let step = step(bin, span);
            assert_eq!((step, step % bin), (expected, 0), "{bin} {span}");
            assert!(span / step < COLUMNS);
        }
    }

    #[test]
    fn labels_are_as_precise_as_the_step() {
        let labels = |second| [1, MINUTE, DAY].map(|step| label(second, step, Offset::UTC));
        assert_eq!(labels(20_777 * DAY + 3_661), ["01:01:01", "01:01", "2026-11-20"]);
        assert_eq!(labels(20_777 * DAY), ["00:00:00", "2026-11-20", "2026-11-20"]);
        assert_eq!(labels(19_782 * DAY)[2], "2024-02-29");
        assert_eq!(labels(-1), ["23:59:59", "23:59", "1969-12-31"]);
        assert_eq!(labels(i64::MAX)[0], "9223372036854775807 s");
    }

    #[test]
    fn labels_are_in_the_time_of_the_log() {
        let india = Offset::from_seconds((5 * HOUR + 30 * MINUTE) as i32).unwrap();
        assert_eq!(label(20_777 * DAY, MINUTE, india), "05:30");
        let columns = Columns {
            start: 20_777 * DAY,
            step: HOUR,
            offset: india,
            changes_offset: false,
            bins: vec![Totals::default(); 24],
        };
        let labels: Vec<String> = columns.ticks().into_iter().map(|tick| tick.label).collect();
        assert_eq!(labels, ["06:00", "09:00", "12:00", "15:00", "18:00", "21:00", "2026-11-21", "03:00"]);
    }

    #[test]
    fn times_beyond_the_calendar_have_labels_too() {
        let columns = Columns {
            start: i64::MAX / 4,
            step: 7 * DAY,
            offset: Offset::UTC,
            changes_offset: false,
            bins: vec![Totals::default(); 9],
        };
        assert!(columns.ticks().iter().all(|tick| tick.label.ends_with(" s")));
    }
}
