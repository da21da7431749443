//! Inserts NULL checks into the deparser. A check at the start of a function tests a node parameter (`PGQ_PRESENT`). A
//! check inside an expression such as `a->b->c` tests `a->b` (`PGQ_AT`). Parsed trees always pass the checks. Trees
//! from JSON and from structs can fail them.
//!
//! Both macros are in src/sys/checks.h. If a function already compares a parameter with NULL, no check is inserted for
//! this parameter.

/// Minimum number of inserted parameter checks. With fewer checks, the build fails. Fewer checks mean that the code
/// style of the deparser has changed, and that the search misses some parameters.
const FEWEST: usize = 100;

pub fn guarded(text: &str) -> Result<String, String> {
    let (text, functions) = functions(text);
    let (text, members) = members(&text);
    if functions < FEWEST || members == 0 {
        return Err(format!("only {functions} node parameters and {members} members of members were found to check"));
    }
    Ok(text)
}

/// Inserts a check for each node parameter of all functions.
fn functions(text: &str) -> (String, usize) {
    const OPEN: &str = ")\n{\n";
    let (mut out, mut rest, mut count) = (String::with_capacity(text.len()), text, 0);
    while let Some(open) = rest.find(OPEN) {
        let (head, tail) = rest.split_at(open + OPEN.len());
        let body = &tail[..tail.find("\n}\n").unwrap_or(tail.len())];
        out.push_str(head);
        let line = &head[head[..open].rfind('\n').map_or(0, |at| at + 1)..open];
        for name in line.split_once("(DeparseState *state, ").map_or("", |(_, list)| list).split(',').filter_map(node) {
            let asks = [format!("{name} == NULL"), format!("{name} != NULL"), format!("({name})"), format!("!{name}")];
            if body.contains(&format!("{name}->")) && !asks.iter().any(|ask| body.contains(ask)) {
                out.push_str(&format!("\tPGQ_PRESENT({name});\n"));
                count += 1;
            }
        }
        rest = tail;
    }
    out.push_str(rest);
    (out, count)
}

/// If the parameter is a pointer to a specific node type, returns the parameter's name.
fn node(parameter: &str) -> Option<&str> {
    let (kind, name) = parameter.split_once('*')?;
    let kind = kind.trim().trim_start_matches("const ").trim_start_matches("struct ");
    (!matches!(kind, "char" | "bool" | "List" | "ListCell" | "Node")).then(|| name.trim())
}

/// Inserts a check of `a->b` for each occurrence of `a->b->c`.
fn members(text: &str) -> (String, usize) {
    let (mut out, mut count) = (String::with_capacity(text.len()), 0);
    let mut done = 0;
    for (arrow, _) in text.match_indices("->") {
        let first = arrow - word(text[..arrow].bytes().rev());
        let second = arrow + 2 + word(text[arrow + 2..].bytes());
        // `str` is the deparser's output buffer and not a node.
        let is_node = first >= done && first < arrow && &text[arrow + 2..second] != "str";
        let starts = !text[..first].ends_with("->") && !text[..first].ends_with('.');
        if is_node && starts && text[second..].starts_with("->") {
            out.push_str(&text[done..first]);
            out.push_str(&format!("PGQ_AT({})", &text[first..second]));
            done = second;
            count += 1;
        }
    }
    out.push_str(&text[done..]);
    (out, count)
}

/// Returns the length of the leading word.
fn word(bytes: impl Iterator<Item = u8>) -> usize {
    bytes.take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()
}
