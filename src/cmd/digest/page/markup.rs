//! Elements that all sections of the page use, such as figures with their exact value as an attribute.

use maud::{Markup, html};

use super::super::figures;

/// Renders a number in readable form. An attribute has the exact number, as in the JSON report.
pub fn data(value: f64, shown: &str) -> Markup {
    html! { data value=(value) { (shown) } }
}

/// Renders a count.
pub fn number(count: u64) -> Markup {
    html! { data value=(count) { (figures::count(count)) } }
}

/// Renders a count. If up to `missing` items were not counted, the count is a lower bound: `at least 12`.
pub fn at_least(count: u64, missing: u64) -> Markup {
    html! { @if missing > 0 { "at least " } (number(count)) }
}

/// Renders a duration. The attribute is in milliseconds.
pub fn duration(micros: f64) -> Markup {
    data(micros / 1000.0, &figures::time(micros))
}

/// Renders a horizontal bar. `percent` is its width, `height` is in pixels.
pub fn bar(percent: f64, height: u8) -> Markup {
    html! {
        svg width="100%" height=(height) aria-hidden="true" {
            rect width=(format_args!("{percent:.1}%")) height=(height) {}
        }
    }
}

/// Renders the header of a table.
pub fn table_head(names: &[&str]) -> Markup {
    html! { thead { tr { @for name in names { th scope="col" { (name) } } } } "\n" }
}

/// Joins parts with commas.
pub fn listed(parts: &[Markup]) -> Markup {
    html! {
        @for (index, part) in parts.iter().enumerate() {
            @if index > 0 { ", " }
            (part)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{bar, data, duration, number};

    #[test]
    fn figures_have_their_exact_value_beside_the_shown_one() {
        assert_eq!(number(1_234_567).into_string(), "<data value=\"1234567\">1,234,567</data>");
        assert_eq!(duration(90_000_500.0).into_string(), "<data value=\"90000.5\">1 min 30 s</data>");
        assert_eq!(data(0.0004, "<0.1%").into_string(), "<data value=\"0.0004\">&lt;0.1%</data>");
    }

    #[test]
    fn bars_are_as_wide_as_their_share() {
        let svg =
            "<svg width=\"100%\" height=\"4\" aria-hidden=\"true\"><rect width=\"12.3%\" height=\"4\"></rect></svg>";
        assert_eq!(bar(12.34, 4).into_string(), svg);
    }
}
