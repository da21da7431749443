//! Converts SQL to one line without comments and layout. The meaning of the SQL stays the same. Equal statements become
//! equal lines for `sort | uniq -c`.

/// White space in PostgreSQL's scanner (scan.l: space). Other space characters, such as U+00A0, can be part of a name.
const SPACES: [char; 6] = [' ', '\t', '\n', '\r', '\x0b', '\x0c'];

/// Returns `sql` on one line. White space and comments between tokens become one space. If a literal spans lines, its
/// line breaks become escapes.
///
/// If PostgreSQL's scanner fails, only replaces each line break with a space.
pub fn one_line(sql: &str) -> String {
    let Ok(tokens) = pgq::scan(sql) else {
        return sql.replace(['\n', '\r'], " ");
    };
    let mut line = String::with_capacity(sql.len());
    let mut end = 0;
    let text = |token: &pgq::Token| &sql[token.start..token.end];
    let mut tokens = tokens.iter().filter(|token| !token.is_comment());
    while let Some(token) = tokens.next() {
        if !line.is_empty() && token.start > end {
            line.push(' ');
        }
        push_token(text(token), tokens.clone().map(text), &mut line);
        end = token.end;
    }
    // A line is a statement, so semicolons at the end are not needed.
    let kept = line.trim_end_matches([';', ' ']).len();
    line.truncate(kept);
    line
}

/// Returns `sql` without spaces at the ends of lines. Spaces in literals, quoted names and comments stay.
pub fn trim_line_ends(sql: &str) -> String {
    let Ok(tokens) = pgq::scan(sql) else { return sql.to_string() };
    let (mut text, mut end) = (String::with_capacity(sql.len()), 0);
    for token in &tokens {
        push_gap(&sql[end..token.start], &mut text);
        text.push_str(&sql[token.start..token.end]);
        end = token.end;
    }
    push_gap(&sql[end..], &mut text);
    text.truncate(text.trim_end_matches(SPACES).len());
    text
}

/// Appends white space. Removes the spaces before each line break.
fn push_gap(gap: &str, text: &mut String) {
    let mut lines = gap.split('\n').rev();
    let last = lines.next().unwrap_or_default();
    text.extend(std::iter::repeat_n('\n', lines.count()));
    text.push_str(last);
}

/// Returns the escape character of a `U&'…'` token. `next` yields the tokens after it. `UESCAPE
/// '!'` sets the escape character to `!`; the default is a backslash.
fn unicode_escape<'a>(mut next: impl Iterator<Item = &'a str>) -> char {
    let is_set = next.next().is_some_and(|word| word.eq_ignore_ascii_case("uescape"));
    let quoted =
        next.next().filter(|_| is_set).and_then(|literal| literal.split(['\'', '$']).find(|part| part.len() == 1));
    quoted.and_then(|escape| escape.chars().next()).unwrap_or('\\')
}

/// Appends a token. `next` has the tokens after it.
fn push_token<'a>(token: &str, next: impl Iterator<Item = &'a str>, line: &mut String) {
    let token = token.trim_end_matches(SPACES); // PostgreSQL's scanner includes trailing spaces in a `U&'…'` token
    if !token.contains(['\n', '\r']) {
        return line.push_str(token);
    }
    let quote = token.find(['\'', '"', '$']).unwrap_or(0);
    let (prefix, rest) = token.split_at(quote);
    match (prefix, rest.as_bytes().first()) {
        ("", Some(b'$')) => {
            let tag = rest[1..].find('$').map_or(0, |at| at + 2);
            push_escaped(rest.get(tag..rest.len() - tag).unwrap_or_default(), true, line);
        }
        ("", Some(b'\'')) => push_escaped(&quoted_parts(rest, false).replace("\'\'", "\'"), true, line),
        ("E" | "e", Some(b'\'')) => push_escaped(&quoted_parts(rest, true), false, line),
        // Each line break becomes a Unicode escape, such as `\000a`. Such an escape requires the prefix `U&`. Therefore
        // a quoted identifier becomes `U&"…"`, even if it had no escapes.
        ("" | "U&" | "u&", Some(&mark @ (b'"' | b'\''))) => {
            let body = if mark == b'"' { rest[1..rest.len() - 1].to_string() } else { quoted_parts(rest, false) };
            let (body, escape) = match prefix {
                "" => (body.replace('\\', "\\\\"), '\\'),
                _ => (body, unicode_escape(next)),
            };
            let mark = char::from(mark);
            line.extend(["U&", &mark.to_string()]);
            line.push_str(&body.replace('\n', &format!("{escape}000a")).replace('\r', &format!("{escape}000d")));
            line.push(mark);
        }
        // A `B'…'` or `X'…'` that spans lines consists of several quoted parts, which are joined here.
        (_, Some(b'\'')) => line.extend([prefix, "'", &quoted_parts(rest, false), "'"]),
        _ => line.push_str(&token.replace(['\n', '\r'], " ")),
    }
}

/// Returns the text between the quotes of a literal. Escapes and doubled quotes stay unchanged. If the literal has
/// several parts on separate lines, joins the parts.
fn quoted_parts(text: &str, escapes: bool) -> String {
    let mut body = String::new();
    let mut chars = text.chars().skip(1).peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if escapes => {
                body.push(c);
                body.extend(chars.next());
            }
            '\'' if chars.next_if_eq(&'\'').is_some() => body.push_str("''"),
            '\'' => {
                // Skips the white space and the comments before the next part. A comment may contain quotes.
                while let Some(c) = chars.next().filter(|c| *c != '\'') {
                    if c == '-' {
                        chars.by_ref().find(|c| matches!(c, '\n' | '\r'));
                    }
                }
            }
            c => body.push(c),
        }
    }
    body
}

/// Appends a literal `E'…'` with the content `body`. If `plain` is true, escapes backslashes and quotes. Otherwise they
/// are already escaped in `body`.
fn push_escaped(body: &str, plain: bool, line: &mut String) {
    line.push_str("E'");
    for c in body.chars() {
        match c {
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\\' if plain => line.push_str("\\\\"),
            '\'' if plain => line.push_str("''"),
            c => line.push(c),
        }
    }
    line.push('\'');
}

#[cfg(test)]
mod tests {
    use super::{one_line, trim_line_ends};

    #[test]
    fn blanks_at_the_ends_of_lines_are_dropped_outside_of_tokens() {
        let sql = "SELECT 'a  \n', -- b  \n   \n  1  \n  ";
        assert_eq!(trim_line_ends(sql), "SELECT 'a  \n', -- b  \n\n  1");
    }

    #[test]
    fn layout_and_comments_are_dropped() {
        assert_eq!(one_line("SELECT  a , -- c\n b\nFROM\tt /* x */;"), "SELECT a , b FROM t");
        assert_eq!(one_line("SELECT 'a  b'"), "SELECT 'a  b'");
    }

    #[test]
    fn spaces_of_unicode_are_letters_of_names() {
        for space in ['\u{85}', '\u{a0}', '\u{1680}', '\u{2003}', '\u{2028}', '\u{3000}', '\u{202f}', '\u{205f}'] {
            for sql in [format!("SELECT a{space} , {space}b"), format!("SELECT 1 AS a{space}")] {
                assert_eq!(one_line(&sql), sql);
                assert_eq!(trim_line_ends(&sql), sql);
            }
        }
    }

    #[test]
    fn literals_that_span_lines_keep_their_value() {
        for sql in [
            "SELECT 'a\n''b\\'",
            "DO $x$ begin\n  perform 'y\\z'; end $x$",
            "SELECT E'a\\'\n'",
            "SELECT 'a'\n   'b\n'",
            "SELECT 'a' -- it's\\\n 'b\n', E'\\n' --'\r'\\'\n\n'",
            "SELECT U&'\\0061\n' x",
            "SELECT U&'!0061\n' UESCAPE '!'",
            "SELECT U&'!0061\n' /* a */ uescape -- b\n $$!$$",
            "SELECT U&\"!0061\n\\\r\" UESCAPE '!', \"a\nb\", U&'\n' FROM uescape",
            "SELECT B'01'\n'10'",
            "SELECT \"a\nb\\c\"",
        ] {
            let line = one_line(sql);
            assert!(!line.contains('\n'), "{line}");
            let (was, is) = (pgq::reformat(sql, &Default::default()), pgq::reformat(&line, &Default::default()));
            assert_eq!(was, is, "{line}");
        }
    }
}
