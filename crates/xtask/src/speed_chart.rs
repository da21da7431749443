//! The chart of speed in the README: the speed-ups of the first table of docs/benchmarks.md, as bars. It measures
//! nothing.

use std::fmt::Write;

use anyhow::{Context, Result, bail};
use xshell::Shell;

/// Name, text, muted text, bars.
const THEMES: [(&str, &str, &str, &str); 2] =
    [("light", "#1F2328", "#59636E", "#336791"), ("dark", "#E6EDF3", "#9198A1", "#6AA5DA")];

/// Sizes in pixels: the picture, where bars begin, and a row.
const WIDTH: f64 = 760.0;
const LEFT: f64 = 110.0;
const ROW: f64 = 30.0;

/// Writes docs/captures/speed-light.svg and speed-dark.svg.
pub fn run(shell: &Shell) -> Result<()> {
    let table = shell.read_file("docs/benchmarks.md")?;
    let rows = speed_ups(&table)?;
    for (theme, text, muted, bars) in THEMES {
        shell.write_file(format!("docs/captures/speed-{theme}.svg"), svg(&rows, [text, muted, bars]))?;
    }
    Ok(())
}

/// The functions of the first table, each with how many times faster the direct path is.
fn speed_ups(document: &str) -> Result<Vec<(String, f64)>> {
    let (_, table) = document.split_once("```text\n").context("docs/benchmarks.md has no table")?;
    let (table, _) = table.split_once("```").context("the table has no end")?;
    let mut rows = Vec::new();
    for line in table.lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        if let [function, "raw", .., speed_up, _] = fields[..] {
            let factor = speed_up.strip_suffix('x').and_then(|factor| factor.parse().ok());
            rows.push((function.to_string(), factor.with_context(|| format!("not a speed-up: {speed_up}"))?));
        }
    }
    if rows.is_empty() { bail!("docs/benchmarks.md has no rows of the path raw") } else { Ok(rows) }
}

fn svg(rows: &[(String, f64)], [text, muted, bars]: [&str; 3]) -> String {
    let highest = rows.iter().map(|(_, factor)| *factor).fold(1.0, f64::max);
    let height = rows.len() as f64 * ROW + 62.0;
    let scale = (WIDTH - LEFT - 70.0) / highest;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"14\" fill=\"{text}\">\n\
         <title>How many times as fast as libpg_query's Protobuf path</title>\n\
         <text x=\"0\" y=\"18\" font-weight=\"600\">Times as fast as through libpg_query's Protobuf interface</text>\n"
    );
    for (index, (function, factor)) in rows.iter().enumerate() {
        let y = index as f64 * ROW + 34.0;
        let (width, base) = (factor * scale, y + 16.0);
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{base}\" text-anchor=\"end\">{function}</text>\
             <rect x=\"{LEFT}\" y=\"{y}\" width=\"{width:.1}\" height=\"21\" rx=\"2\" fill=\"{bars}\"/>\
             <text x=\"{:.1}\" y=\"{base}\">{factor}×</text>",
            LEFT - 12.0,
            LEFT + width + 8.0
        );
    }
    let once = LEFT + scale;
    let _ = writeln!(
        svg,
        "<line x1=\"{once:.1}\" x2=\"{once:.1}\" y1=\"28\" y2=\"{0}\" stroke=\"{muted}\" stroke-dasharray=\"3 3\"/>\
         <text x=\"{LEFT}\" y=\"{1}\" fill=\"{muted}\" font-size=\"12\">PostgreSQL's regression SQL, one thread; the line is \
         the Protobuf interface (docs/benchmarks.md)</text>",
        height - 26.0,
        height - 8.0
    );
    svg + "</svg>\n"
}
