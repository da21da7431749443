//! Tags, such as the route of a web request, that frameworks add to statements in comments. There are two forms:
//! sqlcommenter (`/*route='%2Fcart',db_driver='pg'*/`), and Marginalia or Rails
//! (`/*application:shop,controller:carts*/`). Other comments are ignored.

use std::collections::HashSet;

use memchr::memchr_iter;

/// Keys whose values are unique to a request. Tags with these keys are dropped.
const OF_REQUESTS: [&str; 2] = ["traceparent", "tracestate"];

/// Returns the tags in the comments of a statement, as `key=value`, each once. Searches for `/*` first, and returns
/// early if there is no comment.
pub fn tags(sql: &[u8]) -> Vec<String> {
    if !memchr_iter(b'/', sql).any(|at| sql.get(at + 1) == Some(&b'*')) {
        return Vec::new();
    }
    let comments = pgq::check_utf8(sql).and_then(pgq::comments);
    let Ok(comments) = comments else { return Vec::new() };
    let blocks = comments.iter().filter_map(|comment| comment.text.strip_prefix("/*")?.strip_suffix("*/"));
    let (mut tags, mut found): (Vec<_>, _) = (blocks.filter_map(tags_of_comment).flatten().collect(), HashSet::new());
    tags.retain(|tag| found.insert(tag.clone()));
    tags
}

/// Returns the tags in a comment, without those of [`OF_REQUESTS`]. Returns `None` if the comment contains anything but
/// tags.
fn tags_of_comment(comment: &str) -> Option<Vec<String>> {
    let mut tags = Vec::new();
    for part in comment.trim().split(',') {
        let (key, value) = key_and_value(part.trim())?;
        if !OF_REQUESTS.contains(&key.as_str()) {
            tags.push(format!("{key}={value}"));
        }
    }
    Some(tags)
}

fn key_and_value(part: &str) -> Option<(String, String)> {
    let end = part.find(['=', ':'])?;
    let (key, value) = (decoded(&part[..end]), &part[end + 1..]);
    let is_key = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c));
    let value = match part.as_bytes()[end] {
        b'=' => decoded(value.strip_prefix('\'')?.strip_suffix('\'')?),
        // A value with white space is part of a sentence, not a tag. A value with `//` or `@` is an address, which may
        // contain a password: `postgres://user:password@host`.
        _ if value.is_empty() || value.contains(char::is_whitespace) || value.contains("//") || value.contains('@') => {
            return None;
        }
        _ => value.to_string(),
    };
    is_key.then_some((key, value))
}

/// Decodes sqlcommenter's escapes: `%2F`, and a backslash before a quote.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let hex = behind.get(..2).filter(|_| *first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => (bytes.push(byte), rest = &behind[2..]).1,
            None if *first == b'\\' && behind.first() == Some(&b'\'') => rest = behind,
            None => (bytes.push(*first), rest = behind).1,
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::tags;

    #[test]
    fn comments_of_frameworks_are_tags() {
        for (sql, expected) in [
            (
                "SELECT 1 /*action='%2Fcart%20x',framework='rails',traceparent='00-5bd6-01'*/",
                &["action=/cart x", "framework=rails"][..],
            ),
            ("/* app:checkout, route:/a/b */ SELECT 1", &["app=checkout", "route=/a/b"]),
            ("SELECT 1 /*name='it\\'s',n=''*/", &["name=it's", "n="]),
            ("SELECT '/*a:b*/' /* todo: later */ /*+ SeqScan(t) */ /* a, b:c */", &[]),
            ("SELECT 1 -- a:b", &[]),
            ("/*a:b,c:d*/ SELECT 1 /*a='b'*/; SELECT 2 /*a:b*/", &["a=b", "c=d"]),
            ("SELECT 1 /* postgres://ann:x@db/shop */ /* ann:x@db */", &[]),
            ("SELECT 1", &[]),
            ("SELECT 1 /*p='100%',q='%zz'*/", &["p=100%", "q=%zz"]),
        ] {
            assert_eq!(tags(sql.as_bytes()), expected, "{sql}");
        }
    }
}
