//! Edits that make the deparser faster. The SQL is unchanged. Output that is not pretty-printed goes to one buffer
//! (src/sys/deparse/replace.h), and names and constants are appended in one pass.

use super::{Edit, Fix};

pub const EDITS: &[Fix] = &[
    Fix {
        name: "flat-text",
        why: "text in one buffer",
        edits: &[
            Edit::Outside {
                anchor: "PostgresDeparseOpts *opts;",
                with: "PostgresDeparseOpts *opts;\n\n\t/* Flat text (flat.h). */\n\tchar *at;\n\tchar *limit;\n\tchar *start;\n\tchar *part;\n\tchar *keyword_end;\n\tStringInfo buffer;\n\tbool borrowed;\n\tbool has_groups;\n\tbool after_level;\n\tbool unusual;",
            },
            Edit::Outside {
                anchor: "/*\n * Append a SQL string literal representing \"val\" to buf.",
                with: "#include \"deparse/replace.h\"\n\n/*\n * Append a SQL string literal representing \"val\" to buf.",
            },
        ],
    },
    Fix {
        name: "string-constant",
        why: "a string constant in one pass",
        edits: &[Edit::Body { of: "deparseStringLiteral", with: "\n\tappend_string_constant(state, val);\n" }],
    },
    Fix {
        name: "integer",
        why: "an integer without printf",
        edits: &[
            Edit::Put {
                of: "deparseSignedIconst",
                times: 1,
                anchor: "deparseAppendStringInfo(state, \"%d\", ",
                with: "append_integer(state, ",
            },
            Edit::Put {
                of: "deparseNumericOnly",
                times: 1,
                anchor: "deparseAppendStringInfo(state, \"%d\", ",
                with: "append_integer(state, ",
            },
            Edit::Put {
                of: "deparseParamRef",
                times: 1,
                anchor: "deparseAppendStringInfo(state, \"$%d\", ",
                with: "deparseAppendStringInfoChar(state, '$');\n\t\tappend_integer(state, ",
            },
        ],
    },
    Fix {
        name: "atom",
        why: "columns, constants and parameters need no parentheses",
        edits: &[
            Edit::Put {
                of: "needsParensForPrecedence",
                times: 1,
                anchor: "DeparseExprPrec prec = getExprPrecedence(node);",
                with: "DeparseExprPrec prec;\n\n\tif (is_atom(node) && parent_prec != DEPARSE_PREC_ATOM)\n\t\treturn false;\n\tprec = getExprPrecedence(node);",
            },
            Edit::Put {
                of: "needsParensAsBExpr",
                times: 1,
                anchor: "if (node == NULL)",
                with: "if (node == NULL || is_atom(node))",
            },
            Edit::Put {
                of: "needsParensAsCExpr",
                times: 1,
                anchor: "return getExprPrecedence",
                with: "if (is_atom(node))\n\t\treturn false;\n\treturn getExprPrecedence",
            },
        ],
    },
];

const APPEND: &str = "deparseAppendStringInfoString(state, quote_identifier(";

/// Replaces each call that appends a quoted name with a call of `append_name`, which is faster for names that need no
/// quotes.
pub fn with_names(text: &str) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut count = 0;
    while let Some((head, tail)) = rest.split_once(APPEND) {
        let end = closing(tail).filter(|end| tail[*end..].starts_with("));"));
        let end = end.ok_or_else(|| format!("a name is appended in another way: {}", &tail[..tail.len().min(60)]))?;
        out.push_str(head);
        out.push_str("append_name(state, ");
        out.push_str(&tail[..end]);
        rest = &tail[end + 1..];
        count += 1;
    }
    out.push_str(rest);
    if count == 0 { Err("no name is appended".into()) } else { Ok(out) }
}

/// Returns the offset of the unmatched closing parenthesis, for example 7 in `a, f(b)) + c`.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(at, c)| {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
        None
    })
}
