//! SQL as HTML, with tokens of PostgreSQL's scanner in spans. Very long SQL is cut to keep the page small. In this
//! case, the page shows how many bytes are missing.

use maud::{Markup, html};
use pgq::DeparseOptions;

use super::super::figures::{self, excerpt};
use crate::run::report::{SqlPart, escaped, sql_parts};

/// Maximum bytes of SQL that is always shown completely.
const SHORT: usize = 1000;
/// Maximum bytes shown of a statement. When [`BUDGET`] is used up, at most [`SHORT`] bytes of each further statement
/// are shown.
const LONG: usize = 32 << 10;
/// Maximum bytes of HTML for all long statements together. A statement is long if it has more than [`SHORT`] bytes.
const BUDGET: usize = 700_000;

/// Maximum characters of a query in a table.
const START: usize = 320;

/// Remaining bytes of HTML for long SQL.
pub struct HtmlBudget(usize);

impl Default for HtmlBudget {
    fn default() -> Self {
        Self(BUDGET)
    }
}

impl HtmlBudget {
    /// Renders a statement for `<pre>`, cut if too long.
    pub fn statement(&mut self, sql: &str) -> Markup {
        if sql.len() <= SHORT {
            return highlighted(sql);
        }
        let html = cut(sql, LONG);
        match self.0.checked_sub(escaped(&html.0).len()) {
            Some(left) => {
                self.0 = left;
                html
            }
            None => cut(sql, SHORT),
        }
    }
}

/// Renders at most `limit` bytes of a statement, and the number of missing bytes.
fn cut(sql: &str, limit: usize) -> Markup {
    let start = &sql[..sql.floor_char_boundary(limit)];
    let omitted = sql.len() - start.len();
    html! {
        (highlighted(start))
        @if omitted > 0 {
            em { "… " (figures::counted(omitted as u64, "more byte", "more bytes")) ": see --format json" }
        }
    }
}

/// Renders the start of a query for one or two lines.
pub fn start(query: &str) -> Markup {
    let excerpt = excerpt(query, START);
    html! { (highlighted(excerpt.start)) (excerpt.ellipsis) }
}

/// Pretty-prints a normalized query. The grammar does not allow `$n` in place of every constant, so some queries do not
/// parse. Such a query is returned unchanged.
pub fn pretty(query: &str) -> String {
    let mut options = DeparseOptions::default();
    options.pretty = true;
    let laid_out = (query.len() <= LONG).then(|| pgq::reformat(query, &options));
    laid_out.and_then(Result::ok).unwrap_or_else(|| query.to_string())
}

/// Renders SQL with spans around its tokens. Text that the scanner rejects has no spans.
fn highlighted(sql: &str) -> Markup {
    let parts = sql_parts(sql);
    let ends = std::iter::once(0).chain(parts.iter().map(|(part, _)| part.end));
    html! {
        @for ((part, kind), end) in parts.iter().zip(ends) {
            (&sql[end..part.start]) span class=(class(*kind)) { (&sql[part.clone()]) }
        }
        (&sql[parts.last().map_or(0, |(part, _)| part.end)..])
    }
}

/// Returns the CSS class in page.css.
fn class(part: SqlPart) -> &'static str {
    match part {
        SqlPart::Comment => "c",
        SqlPart::String => "s",
        SqlPart::Number => "n",
        SqlPart::Parameter => "p",
        SqlPart::Keyword => "k",
    }
}

#[cfg(test)]
mod tests {
    use super::{BUDGET, HtmlBudget, highlighted, pretty, start};

    #[test]
    fn tokens_have_classes() {
        let html = highlighted("select a.order, name -- <i>\nFROM \"T<\" WHERE x = 'a&b' and y < $1 or z = 1");
        assert_eq!(
            html.into_string(),
            "<span class=\"k\">select</span> a.order, name <span class=\"c\">-- &lt;i&gt;</span>\n\
             <span class=\"k\">FROM</span> &quot;T&lt;&quot; <span class=\"k\">WHERE</span> x = \
             <span class=\"s\">'a&amp;b'</span> <span class=\"k\">and</span> y &lt; \
             <span class=\"p\">$1</span> <span class=\"k\">or</span> z = <span class=\"n\">1</span>"
        );
        assert_eq!(highlighted("select <'é").into_string(), "select &lt;'é");
    }

    #[test]
    fn all_text_between_tokens_is_kept() {
        for sql in ["  select  1 ;\n", "begin; insert into t values (U&'é' , E'\\n')", "", "é", "/* a */ select $$x$$"]
        {
            let html = highlighted(sql).into_string();
            let mut plain = String::new();
            html.split('<').for_each(|part| plain.push_str(part.rsplit('>').next().unwrap_or("")));
            assert_eq!(plain.replace("&quot;", "\"").replace("&amp;", "&"), sql);
        }
    }

    #[test]
    fn long_texts_are_cut_when_the_budget_is_spent() {
        let long = format!("SELECT {}1", "1, ".repeat(5000));
        let mut budget = HtmlBudget::default();
        let all: usize = (0..300).map(|_| budget.statement(&long).0.len()).sum();
        assert!(all < BUDGET + 300 * 9000, "{all}");
        assert!(!HtmlBudget::default().statement(&long).0.contains("more bytes"));
        assert!(budget.statement(&long).0.ends_with("<em>… 14,008 more bytes: see --format json</em>"));
        assert!(budget.statement("SELECT 1").0.ends_with("1</span>"));
        assert!(start(&long).0.ends_with('…'));
    }

    #[test]
    fn escapes_of_control_characters_count_against_the_budget() {
        let hostile = "\u{1b}".repeat(20_000);
        let mut budget = HtmlBudget::default();
        let whole = (0..100).filter(|_| !budget.statement(&hostile).0.contains("more bytes")).count();
        assert_eq!(whole, BUDGET / ("\\u001b".len() * hostile.len()));
    }

    #[test]
    fn cuts_never_split_a_character() {
        let mut budget = HtmlBudget(0);
        assert_eq!(
            budget.statement(&"é".repeat(501)).0,
            "é".repeat(500) + "<em>… 2 more bytes: see --format json</em>"
        );
        assert_eq!(budget.statement(&("a".to_string() + &"é".repeat(501))).0.matches('é').count(), 499);
    }

    #[test]
    fn queries_that_parse_are_laid_out() {
        assert_eq!(pretty("select a from t where b = $1"), "SELECT a\nFROM t\nWHERE b = $1");
        assert_eq!(pretty("select interval $1 from"), "select interval $1 from");
    }
}
