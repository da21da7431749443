//! Finds encodings by their names in PostgreSQL or in the web's Encoding Standard. Decodes the
//! statements of a script.

use std::io;
use std::ops::Range;

use encoding_rs::Encoding;
use pgq_log::LogKind;

/// First, the names of an encoding in PostgreSQL (encnames.c), separated by spaces. Second, the corresponding encoding
/// of the web's Encoding Standard, with which pgq decodes text.
type Row = (&'static str, &'static Encoding);

/// Client encodings in which the byte of a quote or a backslash is never part of a multibyte character. Therefore
/// statements in these encodings can be separated before they are decoded.
static SAFE: [Row; 31] = [
    ("utf8 unicode", encoding_rs::UTF_8),
    ("eucjp", encoding_rs::EUC_JP),
    ("euccn", encoding_rs::GBK),
    ("euckr", encoding_rs::EUC_KR),
    ("latin1 iso88591", encoding_rs::WINDOWS_1252),
    ("latin2 iso88592", encoding_rs::ISO_8859_2),
    ("latin3 iso88593", encoding_rs::ISO_8859_3),
    ("latin4 iso88594", encoding_rs::ISO_8859_4),
    ("latin5 iso88599", encoding_rs::WINDOWS_1254),
    ("latin6 iso885910", encoding_rs::ISO_8859_10),
    ("latin7 iso885913", encoding_rs::ISO_8859_13),
    ("latin8 iso885914", encoding_rs::ISO_8859_14),
    ("latin9 iso885915", encoding_rs::ISO_8859_15),
    ("latin10 iso885916", encoding_rs::ISO_8859_16),
    ("iso88595", encoding_rs::ISO_8859_5),
    ("iso88596", encoding_rs::ISO_8859_6),
    ("iso88597", encoding_rs::ISO_8859_7),
    ("iso88598", encoding_rs::ISO_8859_8),
    ("koi8r koi8", encoding_rs::KOI8_R),
    ("koi8u", encoding_rs::KOI8_U),
    ("win866 windows866 alt", encoding_rs::IBM866),
    ("win874 windows874", encoding_rs::WINDOWS_874),
    ("win1250 windows1250", encoding_rs::WINDOWS_1250),
    ("win1251 windows1251 win", encoding_rs::WINDOWS_1251),
    ("win1252 windows1252", encoding_rs::WINDOWS_1252),
    ("win1253 windows1253", encoding_rs::WINDOWS_1253),
    ("win1254 windows1254", encoding_rs::WINDOWS_1254),
    ("win1255 windows1255", encoding_rs::WINDOWS_1255),
    ("win1256 windows1256", encoding_rs::WINDOWS_1256),
    ("win1257 windows1257", encoding_rs::WINDOWS_1257),
    ("win1258 windows1258 abc tcvn tcvn5712 vscii", encoding_rs::WINDOWS_1258),
];

/// Client encodings in which the byte of a quote or a backslash can be part of a multibyte character. Therefore SQL in
/// these encodings must be decoded before its statements can be separated.
static UNSAFE: [Row; 5] = [
    ("sjis shiftjis mskanji win932 windows932", encoding_rs::SHIFT_JIS),
    ("big5 win950 windows950", encoding_rs::BIG5),
    ("gbk win936 windows936", encoding_rs::GBK),
    ("uhc win949 windows949", encoding_rs::EUC_KR),
    ("gb18030", encoding_rs::GB18030),
];

/// Returns the encoding with this name in `rows`. Like PostgreSQL, compares only letters and digits, and ignores their
/// case.
fn find(name: &str, rows: &[Row]) -> Option<&'static Encoding> {
    let name = letters(name);
    rows.iter().find(|(names, _)| names.split(' ').any(|known| known == name)).map(|(_, encoding)| *encoding)
}

fn letters(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// Returns an encoding by its name in PostgreSQL or on the web, such as `EUC_JP`, `WIN1252` or `windows-1252`.
pub fn encoding(name: &str) -> Option<&'static Encoding> {
    let web = || Encoding::for_label_no_replacement(name.as_bytes());
    find(name, &SAFE).or_else(|| find(name, &UNSAFE)).or_else(web)
}

/// Whether decoding a log before it is split may hide a separator: if the server cuts a character and writes a
/// separator after it, a decoder may read the incomplete character and the separator as one character. In a csvlog, a
/// quote is a separator. In other logs, a space and any punctuation are separators.
pub fn hides_separators(encoding: &'static Encoding, kind: LogKind) -> bool {
    let is_separator = |byte: &u8| match kind {
        LogKind::Csvlog => *byte == b'"',
        LogKind::Jsonlog | LogKind::Stderr => *byte == b' ' || byte.is_ascii_punctuation(),
    };
    let is_hidden = |byte: u8| {
        (0x80..=0xff).any(|first| {
            let bytes = [first, byte];
            let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes);
            text.is_some_and(|text| !text.ends_with(char::from(byte)))
        })
    };
    let is_ascii = encoding.is_ascii_compatible();
    encoding == encoding_rs::ISO_2022_JP || (is_ascii && (0..0x80).filter(is_separator).any(is_hidden))
}

/// Converts the statements at `ranges` of `bytes` to UTF-8. `name` is the client encoding that a script has set. A
/// statement with invalid bytes stays unchanged. Returns false if no conversion is necessary.
///
/// # Errors
/// Returns an error if pgq does not support the encoding, or cannot separate statements in this encoding.
pub fn from_client_encoding(name: &str, bytes: &mut Vec<u8>, ranges: &mut [Range<usize>]) -> io::Result<bool> {
    if bytes.is_ascii() || letters(name) == "sqlascii" {
        return Ok(false);
    }
    let Some(encoding) = find(name, &SAFE) else {
        let advice = match find(name, &UNSAFE) {
            Some(_) => format!("which is read only with --encoding {name}"),
            None => "an encoding that pgq does not have: convert the file (iconv -t UTF-8)".into(),
        };
        let message = format!("sets client_encoding to {name}, {advice}");
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    };
    if encoding == encoding_rs::UTF_8 {
        return Ok(false);
    }
    let (mut decoded, mut end) = (Vec::with_capacity(bytes.len() * 2), 0);
    let mut append = |part: &[u8]| {
        match encoding.decode_without_bom_handling_and_without_replacement(part) {
            Some(text) => decoded.extend_from_slice(text.as_bytes()),
            None => decoded.extend_from_slice(part),
        }
        decoded.len()
    };
    for range in ranges {
        let start = append(&bytes[end..range.start]);
        end = range.end;
        *range = start..append(&bytes[range.clone()]);
    }
    append(&bytes[end..]);
    *bytes = decoded;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::{Encoding, LogKind, encoding, from_client_encoding, hides_separators};

    #[test]
    fn separators_are_bytes_of_characters_in_some_encodings() {
        for (name, expected) in [
            ("sjis", [false, true, true]),
            ("big5", [false, true, true]),
            ("gbk", [false, true, true]),
            ("gb18030", [false, true, true]),
            ("euc_cn", [false, true, true]), // decoded as GBK
            ("iso-2022-jp", [true, true, true]),
            ("utf-16le", [false, false, false]),
            ("uhc", [false, false, false]),
            ("euc_kr", [false, false, false]),
            ("euc_jp", [false, false, false]),
            ("latin1", [false, false, false]),
            ("utf8", [false, false, false]),
        ] {
            let encoding = encoding(name).unwrap();
            let kinds = [LogKind::Csvlog, LogKind::Jsonlog, LogKind::Stderr];
            assert_eq!(kinds.map(|kind| hides_separators(encoding, kind)), expected, "{name}");
        }
    }

    #[test]
    fn statements_become_utf8() {
        let (mut bytes, mut ranges) = (b"-- \xe9\nSELECT '\xe9';".to_vec(), [5..16]);
        from_client_encoding("latin1", &mut bytes, &mut ranges).unwrap();
        assert_eq!(
            (bytes.as_slice(), &bytes[ranges[0].clone()]),
            ("-- é\nSELECT 'é';".as_bytes(), "SELECT 'é';".as_bytes())
        );
    }

    fn error_of(name: &str) -> Option<String> {
        from_client_encoding(name, &mut b"\x95\x5c".to_vec(), &mut []).err().map(|error| error.to_string())
    }

    #[test]
    fn an_error_names_an_option_that_works() {
        for name in ["sjis", "mskanji", "uhc", "windows949", "big5", "win950", "gbk", "gb18030"] {
            let expected = format!("sets client_encoding to {name}, which is read only with --encoding {name}");
            assert_eq!(error_of(name), Some(expected));
            assert!(encoding(name).is_some(), "{name}");
        }
        for name in ["johab", "shift_jis_2004", "euc_tw", "mule_internal", "utf8mb4"] {
            let message = error_of(name).unwrap();
            assert!(message.contains("an encoding that pgq does not have"), "{message}");
            assert!(encoding(name).is_none(), "{name}");
        }
        assert!(from_client_encoding("sjis", &mut b"SELECT 1".to_vec(), &mut []).is_ok());
    }

    #[test]
    fn names_of_postgresql_are_names_of_the_web() {
        for (name, web) in [
            ("LATIN9", "iso-8859-15"),
            ("latin10", "iso-8859-16"),
            ("Latin-7", "iso-8859-13"),
            ("alt", "ibm866"),
            ("win", "windows-1251"),
            ("EUC_CN", "gbk"),
            ("KOI8R", "koi8-r"),
            ("utf_8", "utf-8"),
        ] {
            assert_eq!(encoding(name), Encoding::for_label(web.as_bytes()), "{name}");
            assert_eq!(error_of(name), None);
        }
        assert_eq!(error_of("SQL_ASCII"), None);
        assert_eq!(encoding("iso-2022-kr"), None);
    }
}
