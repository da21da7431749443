//! Options with a fixed set of values, and their parsers.

use std::time::Duration;

use crate::settings::SettingsError;
use crate::settings::options::Options;

macro_rules! choices {
    ($(#[$doc:meta])* $name:ident: $option:literal, $default:ident, $allowed:literal {
        $($(#[$variant_doc:meta])* $variant:ident = $text:literal),* $(,)?
    }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name {
            $($(#[$variant_doc])* $variant),*
        }

        impl Default for $name {
            fn default() -> Self {
                Self::$default
            }
        }

        impl $name {
            pub(super) fn read(options: &Options) -> Result<Self, SettingsError> {
                match options.get($option).map_or("", String::as_str) {
                    "" => Ok(Self::$default),
                    $($text => Ok(Self::$variant),)*
                    _ => Err(SettingsError::Value($option, $allowed)),
                }
            }
        }
    };
}

choices! {
    /// `sslmode`: whether to use TLS, and how to verify the server. Unix sockets never use TLS.
    SslMode: "sslmode", Prefer, "disable, allow, prefer, require, verify-ca or verify-full" {
        /// No TLS.
        Disable = "disable",
        /// TLS only if the server refuses a session without TLS.
        Allow = "allow",
        /// TLS if the server offers it. If the server does not offer TLS, or refuses the user's session over TLS,
        /// connects without TLS. A failed TLS handshake is an error.
        Prefer = "prefer",
        /// TLS. If there is a root certificate, verifies the server's certificate like `verify-ca`.
        Require = "require",
        /// TLS with a certificate that is signed by a root certificate.
        VerifyCa = "verify-ca",
        /// Like `VerifyCa`, and the certificate must contain the host name.
        VerifyFull = "verify-full",
    }
}

choices! {
    /// `target_session_attrs`: the kind of server to accept.
    TargetSessionAttrs: "target_session_attrs", Any,
        "any, read-write, read-only, primary, standby or prefer-standby" {
        /// Any server.
        Any = "any",
        /// A server whose sessions can write by default.
        ReadWrite = "read-write",
        /// A server whose sessions are read-only by default.
        ReadOnly = "read-only",
        /// A server that is not in recovery.
        Primary = "primary",
        /// A server in recovery.
        Standby = "standby",
        /// Prefers a standby; falls back to any server.
        PreferStandby = "prefer-standby",
    }
}

choices! {
    /// `channel_binding`: whether to bind SCRAM to the TLS connection.
    ChannelBindingMode: "channel_binding", Prefer, "disable, prefer or require" {
        /// No channel binding.
        Disable = "disable",
        /// Channel binding if the server supports it.
        Prefer = "prefer",
        /// Channel binding is required.
        Require = "require",
    }
}

choices! {
    /// `sslnegotiation`: how TLS starts.
    SslNegotiation: "sslnegotiation", Postgres, "postgres or direct" {
        /// The client asks the server for TLS.
        Postgres = "postgres",
        /// The client starts TLS immediately (supported by PostgreSQL 17 and later).
        Direct = "direct",
    }
}

choices! {
    /// `ssl_min_protocol_version`: the oldest accepted version.
    TlsVersion: "ssl_min_protocol_version", Tls12, "TLSv1, TLSv1.1, TLSv1.2 or TLSv1.3" {
        /// TLS 1.2.
        Tls12 = "TLSv1.2",
        /// TLS 1.3.
        Tls13 = "TLSv1.3",
        /// TLS 1.0. As the minimum version, it is equivalent to TLS 1.2, which is the oldest version that this crate
        /// supports.
        Tls10 = "TLSv1",
        /// Equivalent to `Tls10`.
        Tls11 = "TLSv1.1",
    }
}

/// An authentication method of `require_auth`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum AuthenticationMethod {
    None,
    Password,
    Md5,
    ScramSha256,
}

/// Options of libpq that this crate does not support, each with its harmless values. These values do not request the
/// option's feature and are accepted: for example, `gssencmode=disable`. Other values are an error: for example,
/// `gssencmode=require`.
const UNSUPPORTED: [(&str, &[&str]); 12] = [
    ("gssencmode", &["", "disable", "prefer"]),
    ("replication", &["", "false", "off", "no", "0"]),
    ("sslcrl", &[""]),
    ("sslcrldir", &[""]),
    ("sslpassword", &[""]),
    ("sslcertmode", &["", "allow", "disable"]),
    ("scram_client_key", &[""]),
    ("scram_server_key", &[""]),
    ("oauth_issuer", &[""]),
    ("ssl_max_protocol_version", &["", "TLSv1.2", "TLSv1.3"]),
    ("min_protocol_version", &["", "3.0"]),
    ("sslcompression", &["", "0"]),
];

/// Fails if an unsupported option is set, because the user may rely on the option.
pub fn check_supported(options: &Options) -> Result<(), SettingsError> {
    for (name, harmless) in UNSUPPORTED {
        if options.get(name).is_some_and(|value| !harmless.contains(&value.as_str())) {
            return Err(SettingsError::Unsupported(name, " with this value"));
        }
    }
    Ok(())
}

/// Parses an integer, or returns `None` if the option is missing.
pub fn number(options: &Options, name: &'static str) -> Result<Option<i64>, SettingsError> {
    match options.get(name).map(|value| value.trim()) {
        None | Some("") => Ok(None),
        Some(value) => value.parse().map(Some).map_err(|_| SettingsError::Value(name, "a whole number")),
    }
}

/// Parses a Boolean option.
pub fn flag(options: &Options, name: &'static str, default: bool) -> Result<bool, SettingsError> {
    match options.get(name).map_or("", |value| value.trim()) {
        "" => Ok(default),
        "1" => Ok(true),
        "0" => Ok(false),
        _ => Err(SettingsError::Value(name, "0 or 1")),
    }
}

/// Parses seconds. Returns `None` for 0 and negative numbers.
pub fn seconds(options: &Options, name: &'static str) -> Result<Option<Duration>, SettingsError> {
    Ok(number(options, name)?.filter(|seconds| *seconds > 0).map(|seconds| Duration::from_secs(seconds as u64)))
}

/// Parses `require_auth`, a list of allowed methods. If each method has the prefix `!`, the list contains the forbidden
/// methods.
pub fn allowed_methods(options: &Options) -> Result<Vec<AuthenticationMethod>, SettingsError> {
    use AuthenticationMethod::{Md5, None, Password, ScramSha256};
    let wrong = SettingsError::Value(
        "require_auth",
        "a list of password, md5, scram-sha-256, gss, sspi and none, all with \"!\" or all without",
    );
    let text = options.get("require_auth").map_or("", String::as_str);
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let negated = text.trim().starts_with('!');
    let mut named = Vec::new();
    for item in text.split(',') {
        let item = item.trim();
        if item.starts_with('!') != negated {
            return Err(wrong);
        }
        match item.trim_start_matches('!') {
            "password" => named.push(Password),
            "md5" => named.push(Md5),
            "scram-sha-256" => named.push(ScramSha256),
            "none" => named.push(None),
            "gss" | "sspi" | "oauth" => {}
            _ => return Err(wrong),
        }
    }
    let all = [Password, Md5, ScramSha256, None];
    let allowed: Vec<_> = all.into_iter().filter(|method| named.contains(method) != negated).collect();
    if allowed.is_empty() {
        return Err(SettingsError::Unsupported("require_auth", ": none of the methods that it leaves"));
    }
    Ok(allowed)
}
