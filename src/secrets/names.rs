//! Names of secrets.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

/// Parts of names of secrets, in lower case.
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

/// Complete names of secrets.
const WHOLE: [&str; 2] = ["pass", "pw"];

/// Names that contain one of these parts, but whose values are public.
const PUBLIC: [&str; 4] = ["password_encryption", "passwordcheck", "tokens", "token_count"];

/// Functions whose arguments are secrets (pgcrypto, dblink).
const FUNCTIONS: [&str; 19] = [
    "digest",
    "pgp_armor_headers",
    "armor",
    "dearmor",
    "pgp_key_id",
    "dblink_connect",
    "dblink_connect_u",
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

/// A text without any of these words has no secrets.
const WORDS: [&str; 15] = [
    "pass",
    "pw",
    "://",
    "dblink",
    "connection",
    "program",
    "options",
    "identified",
    "crypt",
    "hmac",
    "digest",
    "armor",
    "pgp_",
    "u&\"",
    "u&'",
];

/// Returns whether a text contains a word that may precede a secret. One search rules out most texts.
pub fn may_have_secrets(text: &str) -> bool {
    static SEARCHER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
        let words = PARTS.iter().chain(&WORDS);
        AhoCorasick::builder().ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA)).build(words).ok()
    });
    SEARCHER.as_ref().is_none_or(|searcher| searcher.is_match(text))
}

/// Returns whether a name, optionally in quotes or with a schema, is the name of a secret.
pub fn is_secret(name: &str) -> bool {
    let name = name.trim_matches('"').to_ascii_lowercase();
    let last = name.rsplit('.').next().unwrap_or(&name);
    !PUBLIC.contains(&last) && (WHOLE.contains(&last) || PARTS.iter().any(|part| name.contains(part)))
}

/// Returns whether the arguments of a function are secrets.
pub fn is_secret_function(name: &str) -> bool {
    FUNCTIONS.iter().any(|function| name.eq_ignore_ascii_case(function))
}
