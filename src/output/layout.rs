//! SQL on one line: comments and layout away, meaning kept, so that `sort | uniq -c` works.

/// `sql` on one line: tokens as they are, one space where there was any space or comment
/// between them, and literals that span lines rewritten with escapes.
///
/// Text that does not scan only has its line breaks replaced by spaces.
pub fn one_line(sql: &str) -> String {
    let Ok(tokens) = pgq::scan(sql) else {
        return sql.replace(['\n', '\r'], " ");
    };
    let mut line = String::with_capacity(sql.len());
    let mut end = 0;
    for token in tokens.iter().filter(|t| !t.is_comment()) {
        if !line.is_empty() && token.start > end {
            line.push(' ');
        }
        push_token(&sql[token.start..token.end], &mut line);
        end = token.end;
    }
    // A statement's own semicolon ends it, and so does the line.
    let kept = line.trim_end_matches([';', ' ']).len();
    line.truncate(kept);
    line
}

fn push_token(token: &str, line: &mut String) {
    let token = token.trim_end(); // U&'…' takes the space behind it along
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
        // Unicode escapes; a plain quoted identifier has none until it becomes one of these.
        ("" | "U&" | "u&", Some(&mark @ (b'"' | b'\''))) => {
            let body = if mark == b'"' { rest[1..rest.len() - 1].to_string() } else { quoted_parts(rest, false) };
            let body = if prefix.is_empty() { body.replace('\\', "\\\\") } else { body };
            let mark = char::from(mark);
            line.extend(["U&", &mark.to_string()]);
            line.push_str(&body.replace('\n', "\\000a").replace('\r', "\\000d"));
            line.push(mark);
        }
        // B'…' and X'…' span lines only by going on in a further part.
        (_, Some(b'\'')) => line.extend([prefix, "'", &quoted_parts(rest, false), "'"]),
        _ => line.push_str(&token.replace(['\n', '\r'], " ")),
    }
}

/// What stands between the quotes of a literal, all parts of `'a'` newline `'b'` together,
/// escapes and doubled quotes as they are.
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
                while chars.next_if(|c| *c != '\'').is_some() {}
                chars.next();
            }
            c => body.push(c),
        }
    }
    body
}

/// Writes E'…'. In plain text backslashes and quotes are still to be escaped.
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
    use super::one_line;

    #[test]
    fn layout_and_comments_go_and_tokens_stay() {
        assert_eq!(one_line("SELECT  a , -- c\n b\nFROM\tt /* x */;"), "SELECT a , b FROM t");
        assert_eq!(one_line("SELECT 'a  b'"), "SELECT 'a  b'");
    }

    #[test]
    fn literals_that_span_lines_keep_their_value() {
        for sql in [
            "SELECT 'a\n''b\\'",
            "DO $x$ begin\n  perform 'y\\z'; end $x$",
            "SELECT E'a\\'\n'",
            "SELECT 'a'\n   'b\n'",
            "SELECT U&'\\0061\n' x",
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
