//! Data that lets the page's script show a subset of the log. A subset contains the statements of one user, database,
//! application, host or tag, or of one period. The data has calls, time and errors of each subset, but no percentiles.

use maud::{Markup, PreEscaped, html};
use pgq_digest::report::Report;
use pgq_digest::{Activity, Facet, GroupFacets, Kept, Sum, Totals};
use serde::{Serialize, Serializer};

use super::super::figures::hex;
use super::super::text::ranked_names;
use super::columns::width_in_seconds;
use crate::run::report::escaped;

/// Menu labels of the facets.
pub const LABELS: [&str; Facet::ALL.len()] = ["Users", "Databases", "Applications", "Hosts", "Tags"];

/// A number for the script. A whole number is serialized as an integer.
#[derive(Clone, Copy)]
pub struct Number(pub f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(number) = *self;
        let whole = number as i64;
        if whole as f64 == number { serializer.serialize_i64(whole) } else { serializer.serialize_f64(number) }
    }
}

pub type Numbers = Vec<Number>;

/// Maximum number of names per facet (users, databases and so on) that the reader can choose from.
/// The names with the most time are kept.
const MAX_NAMES: usize = 500;

/// The names (of users, databases and so on) and the time slots of a report. The data for the page's script refers to
/// each name and slot by its index.
pub struct Parts<'a> {
    report: &'a Report,
    /// Start of the first slot, in seconds since 1970.
    start: i64,
    seconds: i64,
    /// The names of each facet, sorted bytewise.
    names: [Vec<(&'a str, &'a Kept<Activity>)>; Facet::ALL.len()],
    /// For each facet (users, databases and so on), the number of names that are not in `names`.
    more: [u64; Facet::ALL.len()],
}

#[derive(Serialize)]
struct ScriptData {
    start: i64,
    seconds: i64,
    facets: Vec<ScriptFacet>,
    /// Result of [`Parts::by_slot`] for all statements.
    all: Numbers,
    /// The fingerprint of each query, the results of [`Parts::by_name`] and [`Parts::by_slot`] for this query, and
    /// whether the log lacks durations of the query.
    queries: Vec<(String, Numbers, Numbers, bool)>,
}

#[derive(Serialize)]
struct ScriptFacet {
    label: &'static str,
    /// Escaped, as in the rest of the page.
    names: Vec<String>,
    /// Number of names beyond [`MAX_NAMES`].
    more: u64,
    /// For each name: calls, milliseconds and errors.
    totals: Vec<Numbers>,
    /// For each name: the result of [`Parts::by_slot`].
    timelines: Vec<Numbers>,
}

impl<'a> Parts<'a> {
    pub fn new(report: &'a Report) -> Self {
        let mut more = [0; Facet::ALL.len()];
        let names = Facet::ALL.map(|facet| {
            let mut names;
            (names, more[facet as usize]) = ranked_names(report.facets.get(facet), Some(MAX_NAMES));
            names.sort_by_key(|(name, _)| *name);
            names
        });
        let of_facets = names.iter().flatten().map(|(_, kept)| &kept.sum.timeline);
        let of_facets = of_facets.map(|timeline| (timeline.bin_seconds(), timeline.iter().next()));
        let of_rows = report.rows.iter().map(|row| &row.group.timeline);
        let of_short_rows = report.short_rows.iter().map(|row| &row.timeline);
        let of_queries = of_rows.chain(of_short_rows).map(|timeline| (timeline.bin_seconds(), timeline.iter().next()));
        // The script draws one column for each slot. A slot is at least as wide as a column of the report's timeline,
        // because smaller slots would be too many. It is also at least as wide as the widest bin of a name or a query.
        let (mut seconds, mut first) = (width_in_seconds(report).unwrap_or(1), None);
        for (width, bin) in of_facets.chain(of_queries) {
            seconds = seconds.max(width);
            first = bin.map(|(start, _)| first.map_or(start, |first: i64| first.min(start))).or(first);
        }
        let first = first.unwrap_or(0);
        Self { report, start: first - first.rem_euclid(seconds), seconds, names, more }
    }

    /// Returns five numbers for each name (such as a user) in `facets`: the facet's index, the name's index, calls,
    /// milliseconds and errors.
    pub fn by_name(&self, facets: &GroupFacets) -> Numbers {
        let (mut numbers, facets) = (Vec::new(), facets.totals());
        for (index, facet) in Facet::ALL.into_iter().enumerate() {
            for (name, kept) in facets.get(facet).iter() {
                if let Ok(place) = self.names[index].binary_search_by_key(&&**name, |(name, _)| *name) {
                    numbers.extend([index as f64, place as f64].map(Number));
                    numbers.extend(numbers_of(&kept.sum));
                }
            }
        }
        numbers
    }

    /// Returns four numbers for each non-empty slot: the slot's index, calls, milliseconds and errors.
    pub fn by_slot(&self, bins: impl Iterator<Item = (i64, Totals)>) -> Numbers {
        let mut slots: Vec<(i64, Totals)> = Vec::new();
        for (start, totals) in bins {
            let slot = (start - self.start).div_euclid(self.seconds);
            match slots.last_mut() {
                Some((last, sum)) if *last == slot => sum.merge(totals),
                _ => slots.push((slot, totals)),
            }
        }
        let mut numbers = Vec::with_capacity(slots.len() * 4);
        for (slot, totals) in slots {
            numbers.push(Number(slot as f64));
            numbers.extend(numbers_of(&totals));
        }
        numbers
    }

    /// Renders the data for the script.
    pub fn data(&self) -> Markup {
        let facets = LABELS.into_iter().zip(&self.names).zip(self.more).map(|((label, names), more)| ScriptFacet {
            label,
            more,
            names: names.iter().map(|(name, _)| escaped(name)).collect(),
            totals: names.iter().map(|(_, kept)| numbers_of(&kept.sum.totals)).collect(),
            timelines: names.iter().map(|(_, kept)| self.by_slot(kept.sum.timeline.iter())).collect(),
        });
        let queries = self.report.rows.iter().map(|row| {
            let fingerprint = row.fingerprint.map(hex).unwrap_or_default();
            let lacks_durations = row.group.durations.count() < row.group.calls;
            (fingerprint, self.by_name(&row.group.facets), self.by_slot(row.group.timeline.iter()), lacks_durations)
        });
        let data = ScriptData {
            start: self.start,
            seconds: self.seconds,
            facets: facets.collect(),
            all: self.by_slot(self.report.bins.iter().copied()),
            queries: queries.collect(),
        };
        json("parts", &data)
    }
}

fn numbers_of(totals: &Totals) -> Numbers {
    [totals.calls as f64, totals.time as f64 / 1000.0, totals.errors as f64].map(Number).into()
}

/// Renders data as JSON in a separate script element.
pub fn json(id: &str, data: &impl Serialize) -> Markup {
    let data = serde_json::to_string(data).expect("strings and numbers are valid JSON");
    // `</script>` would end the element.
    let data = escaped(&data).replace('<', "\\u003c");
    html! { script #(id) type="application/json" { (PreEscaped(data)) } "\n" }
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_stay_json() {
        let name = "</script>\u{7f}\u{9b}\u{200e}\u{202e}\u{2066}\u{2028}\u{e0001}é";
        let html = super::json("id", &[name]).into_string();
        let data = html.strip_prefix("<script id=\"id\" type=\"application/json\">").unwrap();
        let data = data.strip_suffix("</script>\n").unwrap();
        assert!(!data.contains('<') && super::escaped(data) == data, "{data}");
        assert_eq!(serde_json::from_str::<Vec<String>>(data).unwrap(), [name]);
    }
}
