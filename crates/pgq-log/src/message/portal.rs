//! Finds the name of a portal in the heading of an execution, which is the text before its SQL.

/// Returns the statement and portal names in a heading: `s1/p1` in `duration: 1.5 ms  execute s1/p1: `.
pub fn portal_name(heading: &[u8]) -> Option<&[u8]> {
    if !may_have_portal(heading) {
        return None;
    }
    let names = heading.trim_ascii_end().strip_suffix(b":")?.trim_ascii_end();
    let names = names.rsplit(|b| *b == b' ').next()?;
    // In Chinese, no blank separates the names from the verb.
    let without = |verb: &str| names.strip_prefix(verb.as_bytes());
    let names = without("执行FETCH操作").or_else(|| without("执行")).unwrap_or(names);
    names.contains(&b'/').then_some(names)
}

/// Whether a heading (the text before the SQL) may contain the name of a portal. The simple protocol (`statement: `)
/// has no portals.
#[inline]
pub fn may_have_portal(heading: &[u8]) -> bool {
    !heading.ends_with(b"statement: ") && heading.contains(&b'/')
}
