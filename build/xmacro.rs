//! Reads libpg_query's X-macro files, which have lines `MACRO(argument, argument, …)` between function headers. The
//! bindgen allow-list and the table generator use this module.

/// The name and the verbatim arguments of a macro call.
#[derive(Debug, Clone)]
pub struct Call {
    pub name: String,
    pub args: Vec<String>,
}

/// A C function whose body consists of macro calls, such as `_outSelectStmt(…) { WRITE_LIST_FIELD(…); … }`.
#[derive(Debug, Clone)]
pub struct Function {
    /// The Protobuf message that the function writes.
    pub message: String,
    /// The C struct that the function's `node` parameter points to.
    pub c_struct: String,
    pub calls: Vec<Call>,
}

/// Parses the macro call on a line. Returns `None` if the line has no macro call.
pub fn call(line: &str) -> Option<Call> {
    let line = line.trim().trim_end_matches(';');
    let open = line.find('(')?;
    let name = &line[..open];
    let is_macro = !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    let body = line.strip_suffix(')')?.get(open + 1..)?;
    is_macro.then(|| Call { name: name.to_string(), args: body.split(',').map(|a| a.trim().to_string()).collect() })
}

/// Returns the functions of pg_query_outfuncs_defs.c, in order.
///
/// A line in a function body that is neither a macro call nor a brace is an error, because the table must contain
/// everything that libpg_query writes.
pub fn functions(text: &str) -> Result<Vec<Function>, String> {
    let mut functions: Vec<Function> = Vec::new();
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        let trimmed = line.trim();
        if let Some(at) = trimmed.find(", const ").filter(|_| trimmed.starts_with("_out")) {
            let c_struct = trimmed[at + 8..].split_whitespace().next().unwrap_or_default();
            let message = trimmed.split_once("OUT_TYPE(").and_then(|(_, rest)| rest.split([',', ')']).next());
            let message = message.unwrap_or_default().to_string();
            functions.push(Function { message, c_struct: c_struct.to_string(), calls: Vec::new() });
        } else if trimmed == "{" {
            inside = true;
        } else if trimmed == "}" {
            inside = false;
        } else if inside && !trimmed.is_empty() {
            let call = call(trimmed).ok_or_else(|| format!("line {}: not a field: {trimmed}", number + 1))?;
            let function = functions.last_mut().ok_or("a body before any function")?;
            function.calls.push(call);
        }
    }
    Ok(functions)
}
