//! Converts the names of the Protobuf schema as prost does. The words of a name are separated by their case
//! (`SQLValueFunction`) or by underscores (`stmt_len`).
//!
//! The crate heck converts names in the same way, but is not used here. clap's macros depend on heck. If the tests also
//! depended on it, through pgq-codegen, Cargo would compile heck and then the whole program a second time for
//! `cargo test`.

/// Returns `name` in upper camel case: "SQLValueFunction" becomes "SqlValueFunction".
pub fn upper_camel_case(name: &str) -> String {
    let mut out = String::new();
    for word in words(name) {
        out.push_str(&word[..1].to_ascii_uppercase());
        out.push_str(&word[1..].to_ascii_lowercase());
    }
    out
}

/// Returns `name` in snake case: "SQLValueFunction" becomes "sql_value_function".
pub fn snake_case(name: &str) -> String {
    words(name).join("_").to_ascii_lowercase()
}

/// Returns the words of an ASCII name. A word begins after an underscore, at a capital after a small letter (`V` in
/// `aValue`), and at a capital before a small letter (`V` in `SQLValue`). Digits belong to the word before them.
fn words(name: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for part in name.split('_').filter(|part| !part.is_empty()) {
        let bytes = part.as_bytes();
        let (mut start, mut after_small) = (0, false);
        for (at, byte) in bytes.iter().enumerate() {
            let before_small = bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase);
            if at > start && byte.is_ascii_uppercase() && (after_small || before_small) {
                words.push(&part[start..at]);
                start = at;
            }
            if byte.is_ascii_alphabetic() {
                after_small = byte.is_ascii_lowercase();
            }
        }
        words.push(&part[start..]);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::{snake_case, upper_camel_case};

    #[test]
    fn names_are_those_of_prost() {
        for (name, camel, snake) in [
            ("SQLValueFunction", "SqlValueFunction", "sql_value_function"),
            ("A_Const", "AConst", "a_const"),
            ("stmt_len", "StmtLen", "stmt_len"),
            ("fromDSMV1", "FromDsmv1", "from_dsmv1"),
            ("xml2Doc", "Xml2Doc", "xml2_doc"),
        ] {
            assert_eq!((upper_camel_case(name).as_str(), snake_case(name).as_str()), (camel, snake));
        }
    }
}
