//! The time line: calls, time and errors in columns, one chart above the other. The script
//! adds what a column says when it is pointed at.

use super::markup::{grouped, time};
use pgq_digest::Bin;
use pgq_digest::report::Report;
use pgq_log::parse_timestamp;

/// Most columns.
const MOST: i64 = 240;

/// Widths of columns in seconds that a person can read.
const STEPS: [i64; 24] = [
    1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 10_800, 14_400, 21_600, 43_200, 86_400, 172_800,
    604_800, 1_209_600, 2_419_200, 4_838_400,
];

/// Height of a chart in pixels.
const HEIGHT: u32 = 76;

/// The columns of a report.
struct Columns {
    /// Seconds since 1970.
    start: i64,
    /// Seconds.
    step: i64,
    /// Seconds east of Greenwich of the clock that the log was written by.
    zone: i64,
    bins: Vec<Bin>,
}

impl Columns {
    /// `None` where the log has no times.
    fn of(report: &Report) -> Option<Self> {
        let (first, last) = (report.bins.first()?.0, report.bins.last()?.0);
        let step = step(report.bin_seconds, last + report.bin_seconds - first);
        let start = first - first.rem_euclid(step);
        let mut bins = vec![Bin::default(); usize::try_from((last - start) / step).ok()? + 1];
        for (second, bin) in &report.bins {
            let column = &mut bins[((second - start) / step) as usize];
            column.calls += bin.calls;
            column.total = column.total.saturating_add(bin.total);
            column.errors += bin.errors;
        }
        Some(Self { start, step, zone: zone(report).unwrap_or(0), bins })
    }

    /// Where a second lies, as a share of the width.
    fn place(&self, second: i64) -> f64 {
        (second - self.start) as f64 / (self.step * self.bins.len() as i64) as f64
    }
}

/// The width of columns: bins are not cut.
fn step(bin_seconds: i64, span: i64) -> i64 {
    let few = |step: &i64| step % bin_seconds == 0 && span / step < MOST;
    STEPS.into_iter().find(few).unwrap_or_else(|| {
        let last = STEPS[STEPS.len() - 1];
        last * (span / last / MOST + 1)
    })
}

/// The zone of a log by its first time: the clock as it is written, less Greenwich's.
fn zone(report: &Report) -> Option<i64> {
    let text = report.first.as_deref()?;
    let written = parse_timestamp(text.get(..19)?)?.micros();
    // Without its fraction of a second; zones are whole minutes.
    Some((written - parse_timestamp(text)?.micros() + 30_000_000).div_euclid(60_000_000) * 60)
}

/// Microseconds from the first statement to the last.
pub fn span(report: &Report) -> Option<i64> {
    let micros = |text: &Option<String>| Some(parse_timestamp(text.as_deref()?)?.micros());
    Some(micros(&report.last)? - micros(&report.first)?)
}

/// The charts, and their figures for the script.
pub fn section(report: &Report) -> String {
    let Some(columns) = Columns::of(report) else {
        return "<p class=\"none\">The statements have no times: there is no time line.</p>\n".into();
    };
    let ticks = ticks(&columns);
    let charts = [
        ("calls", "Calls", columns.bins.iter().map(|bin| bin.calls).collect::<Vec<u64>>()),
        ("time", "Time", columns.bins.iter().map(|bin| bin.total).collect()),
        ("errors", "Errors", columns.bins.iter().map(|bin| bin.errors).collect()),
    ];
    let mut out = String::from("<div class=\"timeline\" id=\"timeline\">\n");
    for (class, name, values) in &charts {
        out += &chart(class, name, values, &columns, &ticks);
    }
    out += "<div class=\"axis-x\"><svg width=\"100%\" height=\"18\" aria-hidden=\"true\">";
    for (at, label) in &ticks {
        out += &format!("<text x=\"{:.2}%\" y=\"13\">{label}</text>", at * 100.0);
    }
    out += "</svg></div>\n</div>\n";
    out + &format!("<script type=\"application/json\" id=\"timeline-data\">{}</script>\n", figures(&columns))
}

/// The width of a column, in words.
fn width(step: i64) -> String {
    match step {
        1 => "second".into(),
        60 => "minute".into(),
        3600 => "hour".into(),
        86_400 => "day".into(),
        ..60 => format!("{step} s"),
        _ => time(step as f64 * 1e6),
    }
}

/// For the script: only numbers and a width, so nothing in it can end the element.
fn figures(columns: &Columns) -> String {
    let rows: Vec<String> = columns
        .bins
        .iter()
        .map(|bin| format!("[{},{},{}]", bin.calls, bin.total as f64 / 1000.0, bin.errors))
        .collect();
    let Columns { start, step, zone, .. } = columns;
    let (each, rows) = (width(*step), rows.join(","));
    format!("{{\"start\":{start},\"step\":{step},\"each\":\"{each}\",\"zone\":{zone},\"columns\":[{rows}]}}")
}

/// One chart: an outline over the columns, as wide as the page, and the highest value beside it.
fn chart(class: &str, name: &str, values: &[u64], columns: &Columns, ticks: &[(f64, String)]) -> String {
    let shown = |value: u64| if class == "time" { time(value as f64) } else { grouped(value) };
    let highest = values.iter().copied().max().unwrap_or(0);
    let top = if class == "time" { ceiling_of_time(highest) } else { ceiling(highest) };
    let peak = values.iter().position(|value| *value == highest).unwrap_or(0) as i64;
    let at = moment(columns.start + columns.zone + peak * columns.step, columns.step);
    let what = format!("{name} per {}", width(columns.step));
    let peak = if highest == 0 { "none".into() } else { format!("at most {} at {at}", shown(highest)) };
    let lines: String = ticks
        .iter()
        .map(|(at, _)| format!("<line x1=\"{0:.2}%\" x2=\"{0:.2}%\" y1=\"0\" y2=\"{HEIGHT}\"/>", at * 100.0))
        .collect();
    let (count, path) = (values.len(), outline(values, top));
    format!(
        "<figure class=\"chart {class}\"><figcaption>{what} <small>{peak}</small></figcaption>\
         <div class=\"axis-y\" aria-hidden=\"true\"><span>{}</span><span>0</span></div>\
         <svg width=\"100%\" height=\"{HEIGHT}\" role=\"img\" aria-label=\"{what}: {peak}\">{lines}\
         <svg width=\"100%\" height=\"{HEIGHT}\" viewBox=\"0 0 {count} 1000\" preserveAspectRatio=\"none\">\
         <path d=\"{path}\"/></svg></svg></figure>\n",
        if highest == 0 { String::new() } else { shown(top) },
    )
}

/// The outline of columns, each one wide; the highest possible is 1000. What is there at all
/// can be seen.
fn outline(values: &[u64], top: u64) -> String {
    let mut path = String::from("M0 1000");
    let mut now = 0;
    for (i, value) in values.iter().enumerate() {
        let height = (*value as f64 / top.max(1) as f64 * 1000.0).round() as u64;
        let height = if *value > 0 { height.max(20) } else { 0 };
        if height != now {
            path += &format!("H{i}V{}", 1000 - height);
            now = height;
        }
    }
    path + &format!("H{}V1000Z", values.len())
}

/// The next round number.
fn ceiling(value: u64) -> u64 {
    let mut power = 1u64;
    while power <= value / 10 {
        power *= 10;
    }
    let quarters = [4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40].map(|n| power.saturating_mul(n));
    let whole = quarters.into_iter().filter(|n| n % 4 == 0).map(|n| n / 4);
    whole.into_iter().find(|n| *n >= value).unwrap_or(u64::MAX)
}

/// The next round time, of microseconds.
fn ceiling_of_time(micros: u64) -> u64 {
    let unit = match micros {
        ..60_000_000 => 1,
        60_000_000..3_600_000_000 => 60_000_000,
        3_600_000_000..86_400_000_000 => 1_800_000_000,
        _ => 86_400_000_000,
    };
    ceiling(micros.div_ceil(unit)).saturating_mul(unit)
}

/// About eight moments, each a round one by the clock of the log: where, and what it is.
fn ticks(columns: &Columns) -> Vec<(f64, String)> {
    let span = columns.step * columns.bins.len() as i64;
    let every = STEPS.into_iter().find(|step| span / step <= 8).unwrap_or(span / 8 + 1);
    let first = columns.start + columns.zone;
    let mut at = first + every - 1 - (first + every - 1).rem_euclid(every);
    let mut ticks = Vec::new();
    while at < first + span {
        let place = columns.place(at - columns.zone);
        // A label at an edge would be cut.
        if (0.02..0.98).contains(&place) {
            ticks.push((place, moment(at, every)));
        }
        at += every;
    }
    ticks
}

/// A moment by its clock, to the precision that matters; midnight is the day that begins.
fn moment(second: i64, step: i64) -> String {
    let (day, of_day) = (second.div_euclid(86_400), second.rem_euclid(86_400));
    if step >= 86_400 || of_day == 0 && step >= 60 {
        let (year, month, day) = date(day);
        return format!("{year:04}-{month:02}-{day:02}");
    }
    let (hours, minutes, seconds) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    if step >= 60 { format!("{hours:02}:{minutes:02}") } else { format!("{hours:02}:{minutes:02}:{seconds:02}") }
}

/// Year, month and day of a day since 1970 in the Gregorian calendar.
fn date(day: i64) -> (i64, i64, i64) {
    // Eras of 400 years, and years that begin in March, so that the leap day is their last.
    let day = day + 719_468;
    let (era, of_era) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, of_month)
}

#[cfg(test)]
mod tests {
    use super::{MOST, ceiling, ceiling_of_time, date, moment, outline, step};

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
            let found = step(bin, span);
            assert_eq!((found, found % bin), (expected, 0), "{bin} {span}");
            assert!(span / found < MOST);
        }
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!([0, 19_782, 20_777, -1].map(date), [(1970, 1, 1), (2024, 2, 29), (2026, 11, 20), (1969, 12, 31)]);
        let second = 20_777 * 86_400 + 3_661;
        let moments = [1, 60, 86_400].map(|step| moment(second, step));
        assert_eq!(moments, ["01:01:01", "01:01", "2026-11-20"]);
        assert_eq!(moment(20_777 * 86_400, 60), "2026-11-20");
    }

    #[test]
    fn axes_end_at_round_numbers() {
        assert_eq!([0, 1, 7, 10, 11, 99, 1035, 8001].map(ceiling), [1, 1, 8, 10, 15, 100, 1250, 10_000]);
        assert_eq!(ceiling(u64::MAX), u64::MAX);
        assert_eq!(ceiling_of_time(61_000_000), 120_000_000);
        assert_eq!(ceiling_of_time(999), 1000);
    }

    #[test]
    fn outlines_follow_the_columns() {
        assert_eq!(outline(&[0, 5, 5, 0, 10], 10), "M0 1000H1V500H3V1000H4V0H5V1000Z");
        assert_eq!(outline(&[1], 1_000_000), "M0 1000H0V980H1V1000Z");
        assert_eq!(outline(&[0], 1), "M0 1000H1V1000Z");
    }
}
