//! A heat map of average active queries by weekday and hour, in the log's time zone. It has one square per hour. The
//! log must span at least two days.

use jiff::Timestamp;
use jiff::civil::Weekday;
use maud::{Markup, html};
use pgq_digest::Totals;
use pgq_digest::report::Report;

use super::super::figures;
use super::columns::Columns;

const HOUR: i64 = 3600;
/// Minimum length of the log in seconds. Shorter logs show no daily pattern.
const SHORTEST: i64 = 48 * HOUR;
const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

const HOURS_OF_WEEK: i64 = 7 * 24;

/// Totals of one hour of the week, summed over all weeks. `hours` is the number of times that this
/// hour of the week occurs in the log.
#[derive(Clone, Copy, Default)]
struct Cell {
    totals: Totals,
    hours: u32,
}

/// Renders the heat map. Returns empty markup if the log is too short, or if some bin of the log belongs to two hours.
/// This is the case if the bins are wider than an hour. It is also the case if an hour begins inside of a bin, for
/// example with the UTC offset +05:45 and bins of 30 minutes.
pub fn section(report: &Report, columns: &Columns) -> Markup {
    let Some(cells) = cells(report, columns) else { return Markup::default() };
    let has_times = report.total > 0;
    let value = |cell: &Cell| match cell.hours {
        0 => 0.0,
        hours if has_times => cell.totals.time as f64 / 1e6 / (f64::from(hours) * HOUR as f64),
        hours => cell.totals.calls as f64 / f64::from(hours),
    };
    let highest = cells.iter().flatten().map(value).fold(0.0, f64::max);
    let unit = if has_times { "active queries on average" } else { "calls an hour" };
    html! {
        figure #heat-map .heat-map {
            figcaption {
                (if has_times { "Average active queries" } else { "Calls per hour" }) " by weekday and hour "
                small { "highest " (figures::decimal(highest)) }
            }
            table {
                thead { tr { th {} @for hour in 0..24 { th scope="col" { @if hour % 3 == 0 { (hour) } } } } }
                tbody {
                    @for (day, hours) in DAYS.iter().zip(&cells) {
                        tr {
                            th scope="row" { (day) }
                            @for (hour, cell) in hours.iter().enumerate() {
                                td title={ (day) " " (hour) ":00: " (figures::decimal(value(cell))) " " (unit) } {
                                    svg width="100%" height="16" aria-hidden="true" {
                                        rect width="100%" height="16"
                                            fill-opacity=(format_args!("{:.3}", opacity(value(cell), highest))) {}
                                    }
                                }
                            }
                        }
                    }
                }
            }
        } "\n"
    }
}

/// Returns an opacity in proportion to the value. Every nonzero value is visible.
fn opacity(value: f64, highest: f64) -> f64 {
    if value <= 0.0 { 0.0 } else { (value / highest).max(0.04) }
}

/// Returns one cell for each weekday and hour. The first weekday is Monday.
fn cells(report: &Report, columns: &Columns) -> Option<[[Cell; 24]; 7]> {
    let (first, last) = (report.bins.first()?.0, report.bins.last()?.0);
    if report.bin_seconds > HOUR || last - first < SHORTEST {
        return None;
    }
    // The hours of a zone such as UTC+05:45 may begin inside of a bin. Such a bin belongs to two hours, so there is no
    // heat map.
    if i64::from(columns.offset().seconds()) % report.bin_seconds.max(1) != 0 {
        return None;
    }
    let place = |second: i64| {
        let local = columns.offset().to_datetime(Timestamp::from_second(second).ok()?);
        let day = local.weekday().since(Weekday::Monday);
        Some((usize::try_from(day).ok()?, usize::try_from(local.hour()).ok()?))
    };
    let mut cells = [[Cell::default(); 24]; 7];
    // The log may span thousands of years, so its hours are not counted one by one.
    let hours = (last - first) / HOUR + 1;
    for index in 0..hours.min(HOURS_OF_WEEK) {
        let (day, hour) = place(first + index * HOUR)?;
        cells[day][hour].hours = u32::try_from((hours - index - 1) / HOURS_OF_WEEK + 1).ok()?;
    }
    for (second, bin) in &report.bins {
        let (day, hour) = place(*second)?;
        let totals = &mut cells[day][hour].totals;
        totals.calls += bin.calls;
        totals.time = totals.time.saturating_add(bin.time);
    }
    Some(cells)
}
