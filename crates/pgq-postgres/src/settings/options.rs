//! libpq's connection options and their environment variables. Does not interpret values.

use std::collections::BTreeMap;

use crate::settings::SettingsError;

/// The given options, by name.
pub type Options = BTreeMap<&'static str, String>;

/// Every option of libpq, with its environment variable (`""` for no variable).
pub const OPTIONS: [(&str, &str); 50] = [
    ("application_name", "PGAPPNAME"),
    ("channel_binding", "PGCHANNELBINDING"),
    ("client_encoding", "PGCLIENTENCODING"),
    ("connect_timeout", "PGCONNECT_TIMEOUT"),
    ("dbname", "PGDATABASE"),
    ("fallback_application_name", ""),
    ("gssdelegation", "PGGSSDELEGATION"),
    ("gssencmode", "PGGSSENCMODE"),
    ("gsslib", "PGGSSLIB"),
    ("host", "PGHOST"),
    ("hostaddr", "PGHOSTADDR"),
    ("keepalives", ""),
    ("keepalives_count", ""),
    ("keepalives_idle", ""),
    ("keepalives_interval", ""),
    ("krbsrvname", "PGKRBSRVNAME"),
    ("load_balance_hosts", "PGLOADBALANCEHOSTS"),
    ("max_protocol_version", "PGMAXPROTOCOLVERSION"),
    ("min_protocol_version", "PGMINPROTOCOLVERSION"),
    ("oauth_client_id", ""),
    ("oauth_client_secret", ""),
    ("oauth_issuer", ""),
    ("oauth_scope", ""),
    ("options", "PGOPTIONS"),
    ("passfile", "PGPASSFILE"),
    ("password", "PGPASSWORD"),
    ("port", "PGPORT"),
    ("replication", ""),
    ("require_auth", "PGREQUIREAUTH"),
    ("requirepeer", "PGREQUIREPEER"),
    ("scram_client_key", ""),
    ("scram_server_key", ""),
    ("service", "PGSERVICE"),
    ("servicefile", "PGSERVICEFILE"),
    ("ssl_max_protocol_version", "PGSSLMAXPROTOCOLVERSION"),
    ("ssl_min_protocol_version", "PGSSLMINPROTOCOLVERSION"),
    ("sslcert", "PGSSLCERT"),
    ("sslcertmode", "PGSSLCERTMODE"),
    ("sslcompression", "PGSSLCOMPRESSION"),
    ("sslcrl", "PGSSLCRL"),
    ("sslcrldir", "PGSSLCRLDIR"),
    ("sslkey", "PGSSLKEY"),
    ("sslmode", "PGSSLMODE"),
    ("sslnegotiation", "PGSSLNEGOTIATION"),
    ("sslpassword", ""),
    ("sslrootcert", "PGSSLROOTCERT"),
    ("sslsni", "PGSSLSNI"),
    ("target_session_attrs", "PGTARGETSESSIONATTRS"),
    ("tcp_user_timeout", "PGTCPUSERTIMEOUT"),
    ("user", "PGUSER"),
];

/// Sets an option. Fails if the name is unknown.
pub fn set(options: &mut Options, name: &str, value: String) -> Result<(), SettingsError> {
    let found = OPTIONS.iter().find(|(known, _)| *known == name);
    let (name, _) = found.ok_or_else(|| SettingsError::UnknownOption(name.to_string()))?;
    options.insert(name, value);
    Ok(())
}

/// Parses `key = value` pairs that are separated by white space. A value may be in single quotes.
/// `\` is the escape character.
pub fn parse_pairs(text: &str) -> Result<Options, SettingsError> {
    let mut options = Options::new();
    let mut at = 0;
    let skip_space = |at: &mut usize| {
        *at += text[*at..].len() - text[*at..].trim_start().len();
    };
    loop {
        skip_space(&mut at);
        if at == text.len() {
            return Ok(options);
        }
        let name_length = text[at..].find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(text.len() - at);
        let name = &text[at..at + name_length];
        at += name_length;
        skip_space(&mut at);
        if !text[at..].starts_with('=') {
            return Err(SettingsError::Syntax("a name without \"=\"", at));
        }
        at += 1;
        skip_space(&mut at);
        let value = take_value(text, &mut at)?;
        set(&mut options, name, value)?;
    }
}

fn take_value(text: &str, at: &mut usize) -> Result<String, SettingsError> {
    let quoted = text[*at..].starts_with('\'');
    let begin = *at;
    *at += usize::from(quoted);
    let mut value = String::new();
    let mut chars = text[*at..].char_indices();
    let from = *at;
    while let Some((offset, char)) = chars.next() {
        match char {
            '\\' => value.extend(chars.next().map(|(_, char)| char)),
            '\'' if quoted => {
                *at = from + offset + 1;
                return Ok(value);
            }
            char if !quoted && char.is_whitespace() => {
                *at = from + offset;
                return Ok(value);
            }
            char => value.push(char),
        }
    }
    *at = text.len();
    if quoted { Err(SettingsError::Syntax("a quote that does not end", begin)) } else { Ok(value) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::parse_options as parse;

    fn pairs(text: &str) -> Vec<(&'static str, String)> {
        parse(text).unwrap().into_iter().collect()
    }

    #[test]
    fn options_are_in_order_and_different() {
        assert!(OPTIONS.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }

    #[test]
    fn pairs_are_read_as_libpq_reads_them() {
        let expected = [("dbname", "a b"), ("host", "it's"), ("password", "x\\ y"), ("user", "")];
        let expected = expected.map(|(name, value)| (name, value.to_string()));
        assert_eq!(pairs(r"dbname = 'a b' host=it\'s  password=x\\\ y user=''"), expected);
        assert_eq!(pairs("harbor"), [("dbname", "harbor".to_string())]);
        assert_eq!(pairs("host="), [("host", String::new())]);
        assert!(pairs("").is_empty());
    }

    #[test]
    fn mistakes_name_the_place_and_no_values() {
        assert_eq!(parse("host=a secret"), Err(SettingsError::Syntax("a name without \"=\"", 13)));
        assert_eq!(parse("password='secret"), Err(SettingsError::Syntax("a quote that does not end", 9)));
        assert_eq!(parse("hots=a"), Err(SettingsError::UnknownOption("hots".into())));
    }
}
