//! JSON documents that span lines. Host names or NUL bytes may separate the documents.

use std::io;

use serde_json::Value;

/// Returns the offset of the document after Ansible's header (`db1 | CHANGED => {`). Skips leading blanks.
pub fn json_start(text: &[u8]) -> usize {
    let text = text.trim_ascii_start();
    let line = text.split(|b| *b == b'\n').next().unwrap_or_default().trim_ascii_end();
    let is_behind =
        !matches!(text.first(), Some(b'{' | b'[')) && (line.ends_with(b" => {") || line.ends_with(b" => ["));
    if is_behind { line.len() - 1 } else { 0 }
}

/// Passes every JSON value in `text` to `f`. Returns the JSON error that ended the sequence, if any.
///
/// # Errors
/// The errors of `f`.
pub fn for_each_value(mut text: Vec<u8>, f: &mut dyn FnMut(Value) -> io::Result<()>) -> io::Result<Option<io::Error>> {
    // Some programs write a NUL after each value.
    text.iter_mut().filter(|b| **b == 0).for_each(|b| *b = b' ');
    let text = String::from_utf8_lossy(&text);
    let mut text = text.trim_start();
    text = &text[json_start(text.as_bytes())..];
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    while let Some(value) = values.next() {
        match value {
            Ok(value) => f(value)?,
            Err(error) => {
                // The document of another host may follow.
                let next = text[values.byte_offset()..].trim_start();
                let start = json_start(next.as_bytes());
                if start == 0 {
                    return Ok(Some(io::Error::new(io::ErrorKind::InvalidData, format!("is not JSON: {error}"))));
                }
                text = &next[start..];
                values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::for_each_value;

    #[test]
    fn documents_may_stand_behind_hosts() {
        let read = |text: &str| {
            let mut values = Vec::new();
            let problem = for_each_value(text.into(), &mut |value| {
                values.push(value.to_string());
                Ok(())
            });
            (values.join(" "), problem.unwrap().is_some())
        };
        assert_eq!(read("[1]\0[2]\n"), ("[1] [2]".to_string(), false));
        assert_eq!(read("a | CHANGED => {\n}\nb | CHANGED => {\n}\n"), ("{} {}".to_string(), false));
        assert_eq!(read("{}\nmore"), ("{}".to_string(), true));
    }
}
