//! Options of operations on SQL, parsed from JSON.

use pgq::{DeparseOptions, FingerprintOptions, JsonStyle, ParseOptions, PlaceholderStyle, SplitMethod};
use pgq_frames::{ErrorCode, Fault};
use serde::Deserialize;

/// Options in the library's types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextOptions {
    pub parse: ParseOptions,
    pub placeholders: Option<PlaceholderStyle>,
    pub fingerprint: FingerprintOptions,
    pub utility: bool,
    pub one_line: bool,
    pub show_secrets: bool,
    pub json: JsonStyle,
    pub deparse: DeparseOptions,
    pub split: SplitMethod,
}

/// Maximum value of `indent`. With larger values, the answer to short SQL could take much memory.
const MAX_INDENT: u16 = 16;

/// The keys of the JSON object. docs/protocol.md describes them.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "an object of options")]
struct Keys {
    backslash_escapes: bool,
    placeholders: Option<String>,
    postgres_17: bool,
    full_relation_names: bool,
    full_depth: bool,
    ignore_aliases: bool,
    include_schema: bool,
    utility: bool,
    one_line: bool,
    show_secrets: bool,
    lossless: bool,
    pretty: bool,
    commas_first: bool,
    trailing_newline: bool,
    indent: u16,
    max_line_length: u16,
    verify: Option<bool>,
    split: Option<Split>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Split {
    Parser,
    Scanner,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self::from_keys(&Keys::default(), None)
    }
}

impl TextOptions {
    /// Parses a JSON object.
    ///
    /// # Errors
    /// The JSON is not an object, or contains an unknown option or a wrong value. If an option is unknown, the message
    /// names it.
    pub fn read(json: &[u8]) -> Result<Self, Fault> {
        let bad = |message: String| Fault::new(ErrorCode::BadOptions, message);
        if json.trim_ascii_start().first() != Some(&b'{') {
            // Refuses an array. Otherwise, serde would accept it and use its items as the values of the keys.
            return Err(bad("options are a JSON object".into()));
        }
        let keys: Keys = serde_json::from_slice(json).map_err(|error| bad(error.to_string()))?;
        if keys.indent > MAX_INDENT {
            return Err(bad(format!("`indent` is at most {MAX_INDENT}")));
        }
        let style = |name: &String| {
            let style = PlaceholderStyle::from_name(name);
            style.ok_or_else(|| bad(format!("there is no style of placeholders {name:?}")))
        };
        let placeholders = keys.placeholders.as_ref().map(style).transpose()?;
        Ok(Self::from_keys(&keys, placeholders))
    }

    fn from_keys(keys: &Keys, placeholders: Option<PlaceholderStyle>) -> Self {
        let mut parse = ParseOptions::normalized();
        parse.backslash_escapes = keys.backslash_escapes;
        let mut fingerprint = FingerprintOptions::default();
        fingerprint.postgres_17 = keys.postgres_17;
        fingerprint.full_relation_names = keys.full_relation_names;
        fingerprint.full_depth = keys.full_depth;
        fingerprint.ignore_aliases = keys.ignore_aliases;
        fingerprint.include_schema = keys.include_schema;
        fingerprint.parse = parse;
        let mut deparse = DeparseOptions::default();
        deparse.pretty = keys.pretty;
        deparse.commas_first = keys.commas_first;
        deparse.trailing_newline = keys.trailing_newline;
        deparse.indent = keys.indent;
        deparse.max_line_length = keys.max_line_length;
        deparse.verify = keys.verify.unwrap_or(true);
        Self {
            parse,
            placeholders,
            fingerprint,
            utility: keys.utility,
            one_line: keys.one_line,
            show_secrets: keys.show_secrets,
            json: if keys.lossless { JsonStyle::Lossless } else { JsonStyle::Compatible },
            deparse,
            split: if matches!(keys.split, Some(Split::Scanner)) { SplitMethod::Scanner } else { SplitMethod::Parser },
        }
    }
}

/// Encoding of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Body of a binary answer or item.
    Binary,
    /// Keys and values of a JSON object.
    Json,
}

#[cfg(test)]
mod tests {
    use super::TextOptions;

    #[test]
    fn an_object_of_known_keys_is_read_and_nothing_else() {
        let read = |json: &str| TextOptions::read(json.as_bytes());
        assert_eq!(read("{}").unwrap(), TextOptions::default());
        let options = read(r#"{"postgres_17":true,"placeholders":"qmark","verify":false,"split":"scanner"}"#).unwrap();
        assert!(options.fingerprint.postgres_17 && !options.deparse.verify && options != TextOptions::default());
        for bad in [
            "",
            "[]",
            "1",
            r#"{"postgres17":true}"#,
            r#"{"indent":-1}"#,
            r#"{"indent":17}"#,
            r#"{"placeholders":"x"}"#,
            "{} {}",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
        let message = read(r#"{"prety":true}"#).unwrap_err();
        assert!(message.message().contains("prety"), "{message:?}");
    }
}
