//! Draws one bar chart per function: CPU time as a multiple of pgq's, by parser.

mod scatter;

use anyhow::{Result, anyhow};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::results::Row;
use crate::spread::Spread;

/// The colours of a chart for a light or dark page. The background is transparent.
pub struct Theme {
    pub name: &'static str,
    text: RGBColor,
    muted: RGBColor,
    /// The colour of pgq's bars, and the colour of other bars.
    own: RGBColor,
    others: RGBColor,
}

pub const THEMES: [Theme; 2] = [
    Theme {
        name: "light",
        text: RGBColor(31, 35, 40),
        muted: RGBColor(89, 99, 110),
        own: RGBColor(51, 103, 145),
        others: RGBColor(165, 178, 192),
    },
    Theme {
        name: "dark",
        text: RGBColor(230, 237, 243),
        muted: RGBColor(145, 152, 161),
        own: RGBColor(106, 165, 218),
        others: RGBColor(84, 96, 110),
    },
];

/// Index of the corpus that the charts show. The tables contain all corpora.
pub const FIRST_CORPUS: usize = 0;

/// Sizes in pixels: the picture, the start and end of bars, the margins, and a row.
const WIDTH: i32 = 760;
const LEFT: i32 = 185;
const RIGHT: i32 = 600;
const TOP: i32 = 34;
const BOTTOM: i32 = 30;
const ROW: i32 = 28;

/// Maximum ratio that a bar shows to scale. The bar of a larger ratio ends here and has a gap, because a scale for all
/// ratios would make short bars indistinguishable.
const LONGEST: f64 = 25.0;

/// Returns a bar chart as SVG. The bar of a row shows the median, and a line over it shows the range.
pub fn svg(rows: &[&Row], title: &str, corpus: &str, theme: &Theme) -> Result<String> {
    let mut svg = String::new();
    draw(&mut svg, rows, title, corpus, theme).map_err(|error| anyhow!("the chart of {title}: {error}"))?;
    Ok(svg.trim_end().to_string() + "\n")
}

/// Returns a chart of the parsers' speed against the share of the statements that they accept.
pub fn scatter(rows: &[&Row], theme: &Theme) -> Result<String> {
    let mut svg = String::new();
    scatter::draw(&mut svg, rows, theme).map_err(|error| anyhow!("the chart of accepted statements: {error}"))?;
    Ok(svg.trim_end().to_string() + "\n")
}

/// Returns the style of a text. plotters draws the text at 0.8 times `size`, in pixels.
fn style(size: i32, color: &RGBColor, side: HPos) -> TextStyle<'_> {
    TextStyle::from(("sans-serif", size)).color(color).pos(Pos::new(side, VPos::Center))
}

fn draw(
    svg: &mut String,
    rows: &[&Row],
    title: &str,
    corpus: &str,
    theme: &Theme,
) -> Result<(), Box<dyn std::error::Error>> {
    let height = TOP + ROW * rows.len() as i32 + BOTTOM;
    let area = SVGBackend::with_string(svg, (WIDTH as u32, height as u32)).into_drawing_area();
    let label = style(17, &theme.text, HPos::Right);
    let value = style(17, &theme.text, HPos::Left);
    area.draw(&Text::new(format!("{title}: CPU time, pgq = 1"), (0, 14), style(18, &theme.text, HPos::Left)))?;
    let most = rows.iter().map(|row| row.ratio.most).fold(1.0, f64::max).min(LONGEST);
    let x = |ratio: f64| LEFT + (ratio.min(most) / most * f64::from(RIGHT - LEFT)).round() as i32;
    for (number, row) in rows.iter().enumerate() {
        let Spread { median, least, most } = row.ratio;
        let middle = TOP + ROW * number as i32 + ROW / 2;
        let color = if row.label.starts_with("pgq,") || row.label == "pgq" { theme.own } else { theme.others };
        let bar = |start, end| Rectangle::new([(start, middle - 9), (end, middle + 9)], color.filled());
        area.draw(&Text::new(row.label.clone(), (LEFT - 10, middle), label.clone()))?;
        // A bar of less than two pixels would be invisible.
        let end = if median > LONGEST { RIGHT } else { x(median).max(LEFT + 2) };
        if median > LONGEST {
            area.draw(&bar(LEFT, end - 18))?;
            area.draw(&bar(end - 12, end))?;
        } else {
            area.draw(&bar(LEFT, end))?;
            area.draw(&PathElement::new([(x(least), middle), (x(most), middle)], theme.muted.stroke_width(1)))?;
        }
        let decimals = usize::from(median < 100.0);
        let figures = format!("{median:.decimals$} ({least:.decimals$}–{most:.decimals$})");
        area.draw(&Text::new(figures, (x(most).max(end) + 8, middle), value.clone()))?;
    }
    let once = [(x(1.0), TOP - 2), (x(1.0), height - BOTTOM + 2)];
    area.draw(&PathElement::new(once, theme.muted.stroke_width(1)))?;
    let broken = if rows.iter().any(|row| row.ratio.median > LONGEST) { "; a bar with a gap is longer" } else { "" };
    let about = format!("{corpus} SQL; the median of the repeats, with the least and the most{broken}");
    area.draw(&Text::new(about, (0, height - BOTTOM / 2 + 2), style(15, &theme.muted, HPos::Left)))?;
    area.present()?;
    Ok(())
}
