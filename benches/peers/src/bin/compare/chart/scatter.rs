//! Draws the speed of each parser against the share of the statements that it accepts.

use super::*;

/// Sizes in pixels: the picture, and the edges of the plot.
const SIZE: (i32, i32) = (760, 460);
const PLOT: [i32; 4] = [60, 50, 570, 410];

/// The size of a label in pixels, including its distance from the next one.
const LABEL: (i32, i32) = (170, 17);

pub fn draw(svg: &mut String, rows: &[&Row], theme: &Theme) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::with_string(svg, (SIZE.0 as u32, SIZE.1 as u32)).into_drawing_area();
    let text = |text: String, at, size, color, side| area.draw(&Text::new(text, at, style(size, color, side)));
    let share = |row: &Row| 100.0 * row.statements as f64 / (row.statements + row.refused) as f64;
    let least = rows.iter().map(|row| share(row)).fold(90.0, f64::min);
    let least = (least / 10.0).floor() * 10.0;
    let slowest = rows.iter().map(|row| row.ratio.median).fold(10.0, f64::max);
    let [left, top, right, bottom] = PLOT;
    let x = |share: f64| left + ((share - least) / (100.0 - least) * f64::from(right - left)).round() as i32;
    let y = |ratio: f64| top + (ratio.max(1.0).ln() / slowest.ln() * f64::from(bottom - top)).round() as i32;

    text("Parse: speed, and statements accepted".to_string(), (0, 14), 18, &theme.text, HPos::Left)?;
    for percent in (least as i32..=100).step_by(10) {
        let x = x(f64::from(percent));
        area.draw(&PathElement::new([(x, bottom), (x, bottom + 5)], theme.muted.stroke_width(1)))?;
        text(format!("{percent} %"), (x, bottom + 16), 15, &theme.muted, HPos::Center)?;
    }
    for ratio in [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0].into_iter().filter(|ratio| *ratio <= slowest) {
        area.draw(&PathElement::new([(left, y(ratio)), (right, y(ratio))], theme.others.mix(0.4).stroke_width(1)))?;
        text(format!("{ratio} ×"), (left - 8, y(ratio)), 15, &theme.muted, HPos::Right)?;
    }
    let mut sorted = rows.to_vec();
    sorted.sort_by(|a, b| a.ratio.median.total_cmp(&b.ratio.median));
    let mut labels: Vec<(i32, i32)> = Vec::new();
    for row in sorted {
        let at = (x(share(row)), y(row.ratio.median));
        // A label moves down if it would cover the label of a faster parser.
        let near = labels.iter().filter(|label| (label.0 - at.0).abs() < LABEL.0);
        let line = near.map(|label| label.1 + LABEL.1).fold(at.1, i32::max);
        let color = if row.label.starts_with("pgq") { theme.own } else { theme.others };
        area.draw(&Circle::new(at, 5, color.filled()))?;
        if line > at.1 {
            area.draw(&PathElement::new([at, (at.0 + 10, line)], theme.others.stroke_width(1)))?;
        }
        text(row.label.clone(), (at.0 + 12, line), 16, &theme.text, HPos::Left)?;
        labels.push((at.0, line));
    }
    let about = "to the right: more of the statements that pgq accepts; up: less CPU time, as a multiple of pgq's";
    text(about.to_string(), (0, SIZE.1 - 12), 15, &theme.muted, HPos::Left)?;
    area.present()?;
    Ok(())
}
