//! SQL as HTML: the tokens of PostgreSQL's scanner in spans. Very long texts are cut, so that
//! a page stays a page; it says so where it is done.

use pgq::{DeparseOptions, Token};

use super::markup::{grouped, text};

/// Texts of so many bytes are shown whole, always.
const SHORT: usize = 1000;
/// Longer texts are, up to this,
const LONG: usize = 32 << 10;
/// as long as all of them together have not made so many bytes of HTML.
const ROOM: usize = 700_000;

/// Keywords that may be names, and hardly ever are where they are written in small letters.
const WORDS: [&str; 24] = [
    "alter",
    "begin",
    "by",
    "commit",
    "copy",
    "declare",
    "delete",
    "drop",
    "execute",
    "explain",
    "fetch",
    "if",
    "insert",
    "over",
    "partition",
    "prepare",
    "recursive",
    "rollback",
    "set",
    "truncate",
    "update",
    "vacuum",
    "view",
    "nulls",
];

/// How much room is left for long texts.
pub struct Room(usize);

impl Default for Room {
    fn default() -> Self {
        Self(ROOM)
    }
}

impl Room {
    /// A statement for `<pre>`.
    pub fn whole(&mut self, sql: &str) -> String {
        if sql.len() <= SHORT {
            return highlighted(sql);
        }
        let most = (0..=sql.len().min(LONG)).rev().find(|at| sql.is_char_boundary(*at)).unwrap_or(0);
        let html = highlighted(&sql[..most]);
        if html.len() <= self.0 {
            self.0 -= html.len();
            return html + &cut(sql.len() - most);
        }
        let most = (0..=SHORT).rev().find(|at| sql.is_char_boundary(*at)).unwrap_or(0);
        highlighted(&sql[..most]) + &cut(sql.len() - most)
    }
}

/// What stands for the bytes that are not shown.
fn cut(bytes: usize) -> String {
    match bytes {
        0 => String::new(),
        _ => format!("<em>… {} more bytes: see --format json</em>", grouped(bytes as u64)),
    }
}

/// A normalized query over several lines, where it parses: not all of them do, as some
/// constants have no `$n` in the grammar.
pub fn pretty(query: &str) -> String {
    let mut options = DeparseOptions::default();
    options.pretty = true;
    let laid_out = (query.len() <= LONG).then(|| pgq::reformat(query, &options));
    laid_out.and_then(Result::ok).unwrap_or_else(|| query.to_string())
}

/// The start of a query for one or two lines.
pub fn start(query: &str) -> String {
    const MOST: usize = 320;
    match query.char_indices().nth(MOST) {
        Some((at, _)) => highlighted(&query[..at]) + "…",
        None => highlighted(query),
    }
}

/// SQL with spans around its tokens; plain text where it does not scan.
pub fn highlighted(sql: &str) -> String {
    let Ok(tokens) = pgq::scan(sql) else { return text(sql) };
    let mut out = String::with_capacity(sql.len() * 2);
    let mut before: Option<&str> = None;
    let mut end = 0;
    for token in &tokens {
        out.push_str(&text(&sql[end..token.start]));
        let word = &sql[token.start..token.end];
        match class(token, word, before) {
            Some(class) => out.extend(["<span class=\"", class, "\">", &text(word), "</span>"]),
            None => out.push_str(&text(word)),
        }
        (before, end) = (Some(word), token.end);
    }
    out.push_str(&text(&sql[end..]));
    out
}

/// The class of a token in page.css.
fn class(token: &Token, word: &str, before: Option<&str>) -> Option<&'static str> {
    if token.is_comment() {
        return Some("c");
    }
    match token.name() {
        "SCONST" | "USCONST" | "BCONST" | "XCONST" => return Some("s"),
        "ICONST" | "FCONST" => return Some("n"),
        "PARAM" => return Some("p"),
        _ => {}
    }
    let is_keyword = match token.keyword_name() {
        "NO_KEYWORD" => false,
        _ if before == Some(".") => false,
        "UNRESERVED_KEYWORD" => {
            let is_upper = !word.contains(|c: char| c.is_ascii_lowercase());
            is_upper || before.is_none_or(|before| before == ";") || WORDS.contains(&word)
        }
        _ => true,
    };
    is_keyword.then_some("k")
}

#[cfg(test)]
mod tests {
    use super::{ROOM, Room, highlighted, pretty, start};

    #[test]
    fn tokens_have_classes() {
        let html = highlighted("select a.order, name -- <i>\nFROM \"T<\" WHERE x = 'a&b' and y < $1 or z = 1");
        assert_eq!(
            html,
            "<span class=\"k\">select</span> a.order, name <span class=\"c\">-- &lt;i&gt;</span>\n\
             <span class=\"k\">FROM</span> &quot;T&lt;&quot; <span class=\"k\">WHERE</span> x = \
             <span class=\"s\">&#39;a&amp;b&#39;</span> <span class=\"k\">and</span> y &lt; \
             <span class=\"p\">$1</span> <span class=\"k\">or</span> z = <span class=\"n\">1</span>"
        );
        assert_eq!(highlighted("select 'é"), "select &#39;é");
    }

    #[test]
    fn nothing_is_lost_between_tokens() {
        for sql in ["  select  1 ;\n", "begin; insert into t values (U&'é' , E'\\n')", "", "é", "/* a */ select $$x$$"]
        {
            let html = highlighted(sql);
            let mut plain = String::new();
            html.split('<').for_each(|part| plain.push_str(part.rsplit('>').next().unwrap_or("")));
            let plain = plain.replace("&#39;", "'").replace("&quot;", "\"").replace("&amp;", "&");
            assert_eq!(plain, sql);
        }
    }

    #[test]
    fn long_texts_are_cut_when_the_room_is_used_up() {
        let long = format!("SELECT {}1", "1, ".repeat(5000));
        let mut room = Room::default();
        let all: usize = (0..300).map(|_| room.whole(&long).len()).sum();
        assert!(all < ROOM + 300 * 9000, "{all}");
        assert!(!Room::default().whole(&long).contains("more bytes"));
        assert!(room.whole(&long).ends_with("<em>… 14,008 more bytes: see --format json</em>"));
        assert!(room.whole("SELECT 1").ends_with("1</span>"));
        assert!(start(&long).ends_with('…'));
    }

    #[test]
    fn queries_are_laid_out_where_they_parse() {
        assert_eq!(pretty("select a from t where b = $1"), "SELECT a\nFROM t\nWHERE b = $1");
        assert_eq!(pretty("select interval $1 from"), "select interval $1 from");
    }
}
