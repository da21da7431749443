//! Names that identify secrets.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

/// Strings that identify a secret if its name contains them, in lower case.
const PARTS: [&str; 18] = [
    "passw",
    "passphrase",
    "passcode",
    "_pass",
    "pwd",
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "access_key",
    "accesskey",
    "private_key",
    "encryption_key",
    "credential",
    "authorization",
    "bearer",
    "client_key",
];

/// Names of secrets that are matched as a whole.
const WHOLE: [&str; 2] = ["pass", "pw"];

/// Names that contain one of [`PARTS`], but belong to public settings.
const PUBLIC: [&str; 4] = ["password_encryption", "passwordcheck", "tokens", "token_count"];

/// Functions whose arguments are secrets (pgcrypto).
const FUNCTIONS: [&str; 12] = [
    "crypt",
    "pgp_sym_encrypt",
    "pgp_sym_decrypt",
    "pgp_sym_encrypt_bytea",
    "pgp_sym_decrypt_bytea",
    "pgp_pub_decrypt",
    "pgp_pub_decrypt_bytea",
    "hmac",
    "encrypt",
    "decrypt",
    "encrypt_iv",
    "decrypt_iv",
];

/// Options of servers and user mappings that are not secret.
const HARMLESS_OPTIONS: [&str; 22] = [
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "username",
    "schema",
    "schema_name",
    "table",
    "table_name",
    "column_name",
    "fetch_size",
    "batch_size",
    "use_remote_estimate",
    "updatable",
    "truncatable",
    "async_capable",
    "extensions",
    "sslmode",
    "format",
    "header",
    "delimiter",
];

/// A string contains no secrets if it contains none of these words and none of [`PARTS`].
const WORDS: [&str; 9] = ["pass", "pw", "://", "connection", "program", "options", "identified", "crypt", "hmac"];

/// Returns whether a string contains a word that may precede a secret. One search excludes most strings.
pub fn may_have_secrets(text: &str) -> bool {
    static SEARCHER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
        let words = PARTS.iter().chain(&WORDS);
        AhoCorasick::builder().ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA)).build(words).ok()
    });
    SEARCHER.as_ref().is_none_or(|searcher| searcher.is_match(text))
}

/// Returns whether a name, which may have quotes or a schema, identifies a secret.
pub fn is_secret(name: &str) -> bool {
    let name = name.trim_matches('"').to_ascii_lowercase();
    let last = name.rsplit('.').next().unwrap_or(&name);
    !PUBLIC.contains(&last) && (WHOLE.contains(&last) || PARTS.iter().any(|part| name.contains(part)))
}

/// Returns whether the arguments of a function are secrets.
pub fn is_secret_function(name: &str) -> bool {
    FUNCTIONS.iter().any(|function| name.eq_ignore_ascii_case(function))
}

/// Returns whether an option of a server or a user mapping is not secret.
pub fn is_harmless_option(name: &str) -> bool {
    HARMLESS_OPTIONS.iter().any(|option| name.trim_matches('"').eq_ignore_ascii_case(option))
}
