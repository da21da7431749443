//! One chart of the timeline: the outline of its columns as SVG, as wide as the page, with the end
//! of its vertical axis.

use maud::{Markup, html};

use super::super::figures::PAGE;
use super::columns::{Columns, Tick};
use pgq_digest::Bin;

/// Height of a chart in pixels.
const HEIGHT: u32 = 76;

/// The values of a chart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Series {
    Calls,
    Time,
    Errors,
}

impl Series {
    fn class(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Time => "time",
            Self::Errors => "errors",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Calls => "Calls",
            Self::Time => "Time",
            Self::Errors => "Errors",
        }
    }

    fn value(self, bin: &Bin) -> u64 {
        match self {
            Self::Calls => bin.calls,
            Self::Time => bin.total,
            Self::Errors => bin.errors,
        }
    }

    fn figure(self, value: u64) -> String {
        if self == Self::Time { PAGE.time(value as f64) } else { PAGE.count(value) }
    }

    /// Where an axis ends that is to hold a value.
    fn axis_end(self, value: u64) -> u64 {
        if self == Self::Time { round_time_above(value) } else { round_above(value) }
    }
}

pub fn chart(series: Series, columns: &Columns, ticks: &[Tick]) -> Markup {
    let values: Vec<u64> = columns.bins.iter().map(|bin| series.value(bin)).collect();
    let highest = values.iter().copied().max().unwrap_or(0);
    let top = series.axis_end(highest);
    let first = values.iter().position(|value| *value == highest).unwrap_or(0);
    let title = format!("{} per {}", series.name(), columns.width());
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

/// The outline of columns as an SVG path: a column is 1 wide, and `top` is 1000 high. Columns that
/// are not 0 are high enough to be seen.
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

/// The next round number.
fn round_above(value: u64) -> u64 {
    let mut power = 1u64;
    while power <= value / 10 {
        power *= 10;
    }
    let quarters = [4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40].map(|n| power.saturating_mul(n));
    let whole = quarters.into_iter().filter(|n| n % 4 == 0).map(|n| n / 4);
    whole.into_iter().find(|n| *n >= value).unwrap_or(u64::MAX)
}

/// The next round time, of microseconds.
fn round_time_above(micros: u64) -> u64 {
    let unit = match micros {
        ..60_000_000 => 1,
        60_000_000..3_600_000_000 => 60_000_000,
        3_600_000_000..86_400_000_000 => 1_800_000_000,
        _ => 86_400_000_000,
    };
    round_above(micros.div_ceil(unit)).saturating_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::{outline, round_above, round_time_above};

    #[test]
    fn axes_end_at_round_numbers() {
        assert_eq!([0, 1, 7, 10, 11, 99, 1035, 8001].map(round_above), [1, 1, 8, 10, 15, 100, 1250, 10_000]);
        assert_eq!(round_above(u64::MAX), u64::MAX);
        assert_eq!(round_time_above(61_000_000), 120_000_000);
        assert_eq!(round_time_above(999), 1000);
    }

    #[test]
    fn outlines_follow_the_columns() {
        assert_eq!(outline(&[0, 5, 5, 0, 10], 10), "M0 1000H1V500H3V1000H4V0H5V1000Z");
        assert_eq!(outline(&[1], 1_000_000), "M0 1000H0V980H1V1000Z");
        assert_eq!(outline(&[0], 1), "M0 1000H1V1000Z");
    }
}
