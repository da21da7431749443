//! One chart of the timeline: an SVG outline of its columns, and labels for the vertical axis.

use maud::{Markup, html};

use super::super::figures;
use super::columns::{Columns, Tick};
use pgq_digest::Totals;

/// Height of a chart in pixels.
const HEIGHT: u32 = 76;

/// The values that a chart shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Series {
    Calls,
    /// Average number of queries that run at the same time. PostgreSQL tools call this number "average active
    /// sessions".
    Active,
    Errors,
}

/// Value of [`Series::Active`] for one active query: microseconds of query time per second.
const PER_QUERY: f64 = 1e6;

impl Series {
    fn class(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Active => "time",
            Self::Errors => "errors",
        }
    }

    fn title(self, columns: &Columns) -> String {
        match self {
            Self::Calls => format!("Calls per {}", columns.width()),
            Self::Active => "Average active queries".into(),
            Self::Errors => format!("Errors per {}", columns.width()),
        }
    }

    /// Returns the chart's value for a column that is `seconds` wide.
    fn value(self, bin: &Totals, seconds: u64) -> u64 {
        match self {
            Self::Calls => bin.calls,
            Self::Active => bin.time / seconds,
            Self::Errors => bin.errors,
        }
    }

    fn figure(self, value: u64) -> String {
        if self == Self::Active { figures::decimal(value as f64 / PER_QUERY) } else { figures::count(value) }
    }
}

pub fn chart(series: Series, columns: &Columns, ticks: &[Tick]) -> Markup {
    let values: Vec<u64> = columns.bins.iter().map(|bin| series.value(bin, columns.seconds())).collect();
    let highest = values.iter().copied().max().unwrap_or(0);
    let top = round_above(highest);
    let first = values.iter().position(|value| *value == highest).unwrap_or(0);
    let title = series.title(columns);
    let peak = match highest {
        0 => "none".into(),
        _ => format!("peak {} at {}", series.figure(highest), columns.label(first)),
    };
    html! {
        figure .chart.(series.class()) {
            figcaption { (title) " " small { (peak) } }
            div .axis-y aria-hidden="true" {
                span { @if highest > 0 { (series.figure(top)) } }
                span { "0" }
            }
            svg width="100%" height=(HEIGHT) role="img" aria-label={ (title) ": " (peak) } {
                @for tick in ticks {
                    line x1=(tick.x) x2=(tick.x) y1="0" y2=(HEIGHT) {}
                }
                svg width="100%" height=(HEIGHT) viewBox={ "0 0 " (values.len()) " 1000" } preserveAspectRatio="none" {
                    path d=(outline(&values, top)) {}
                }
            }
        } "\n"
    }
}

/// Returns the outline of the columns as an SVG path. A column has width 1. The value `top` has height 1000. Nonzero
/// columns have a visible minimum height.
fn outline(values: &[u64], top: u64) -> String {
    let mut path = String::from("M0 1000");
    let mut current = 0;
    for (i, value) in values.iter().enumerate() {
        let height = (*value as f64 / top.max(1) as f64 * 1000.0).round() as u64;
        let height = if *value > 0 { height.max(20) } else { 0 };
        if height != current {
            path += &format!("H{i}V{}", 1000 - height);
            current = height;
        }
    }
    path + &format!("H{}V1000Z", values.len())
}

/// Rounds up to a round number. For example, 1035 becomes 1250.
fn round_above(value: u64) -> u64 {
    let mut power = 1u64;
    while power <= value / 10 {
        power *= 10;
    }
    let quarters = [4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40].map(|n| power.saturating_mul(n));
    let whole = quarters.into_iter().filter(|n| n % 4 == 0).map(|n| n / 4);
    whole.into_iter().find(|n| *n >= value).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::{outline, round_above};

    #[test]
    fn axes_end_at_round_numbers() {
        assert_eq!([0, 1, 7, 10, 11, 99, 1035, 8001].map(round_above), [1, 1, 8, 10, 15, 100, 1250, 10_000]);
        assert_eq!(round_above(u64::MAX), u64::MAX);
    }

    #[test]
    fn outlines_follow_the_columns() {
        assert_eq!(outline(&[0, 5, 5, 0, 10], 10), "M0 1000H1V500H3V1000H4V0H5V1000Z");
        assert_eq!(outline(&[1], 1_000_000), "M0 1000H0V980H1V1000Z");
        assert_eq!(outline(&[0], 1), "M0 1000H1V1000Z");
    }
}
