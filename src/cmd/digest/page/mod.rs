//! A digest as one page that needs nothing else: no network, no framework, no fonts.
//!
//! Everything that is to be read is written here, so that the page reads without its script;
//! the script sorts, searches, draws histograms and copies. Text of the log reaches the page
//! through `markup::text` only, and the page's own policy lets no script run but its own.

mod bars;
mod detail;
mod markup;
mod others;
mod queries;
mod sql;
mod summary;
mod timeline;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest as _, Sha256};

use pgq_digest::report::Report;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// One scope, so that no name of it meets one of the browser.
const SCRIPT: &str = concat!(
    "\"use strict\";\n(() => {\n",
    include_str!("page.js"),
    include_str!("timeline.js"),
    include_str!("queries.js"),
    "})();\n"
);

pub fn write(report: &Report, out: &mut Vec<u8>) {
    let mut room = sql::Room::default();
    let page = filled(TEMPLATE, |name| match name {
        "version" => env!("CARGO_PKG_VERSION").to_string(),
        "style" => STYLE.to_string(),
        "style-hash" => hash(STYLE),
        "script" => SCRIPT.to_string(),
        "script-hash" => hash(SCRIPT),
        "title" => summary::title(report),
        "head" => summary::head(report),
        "timeline" => timeline::section(report),
        "bars" => bars::section(report),
        "queries" => queries::section(report, &mut room),
        "others" => others::sections(report, &mut room),
        "sums" => summary::sums(report),
        _ => unreachable!("page.html names nothing else"),
    });
    out.extend_from_slice(page.as_bytes());
}

/// A template with its `{{name}}` filled in. What is filled in is not looked through again.
fn filled(template: &str, mut part: impl FnMut(&str) -> String) -> String {
    let mut pieces = template.split("{{");
    let mut out = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let (name, rest) = piece.split_once("}}").expect("page.html closes what it opens");
        out.push_str(&part(name));
        out.push_str(rest);
    }
    out
}

/// What the page's policy calls a script or a style by.
fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::{SCRIPT, STYLE, filled};

    #[test]
    fn what_is_filled_in_stays_as_it_is() {
        let part = |name: &str| if name == "a" { "{{b}}".to_string() } else { name.to_uppercase() };
        assert_eq!(filled("x {{a}} y {{b}}", part), "x {{b}} y B");
    }

    #[test]
    fn the_parts_cannot_end_their_elements() {
        assert!(!SCRIPT.to_lowercase().contains("</script") && !SCRIPT.contains("<!--"));
        assert!(!STYLE.to_lowercase().contains("</style"));
        // The name of SVG is no address.
        let script = SCRIPT.replace("http://www.w3.org/2000/svg", "");
        for wrong in ["http:", "https:", "//cdn", "@import", "url("] {
            assert!(!STYLE.contains(wrong) && !script.contains(wrong), "{wrong}");
        }
    }
}
