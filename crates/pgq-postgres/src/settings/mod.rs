//! Connection settings as in libpq: connection strings, environment variables, service files and password files. Opens
//! no connection.

mod environment;
mod error;
mod file;
mod options;
mod password;
mod password_file;
mod uri;
mod values;

use std::path::PathBuf;
use std::time::Duration;

pub use environment::Environment;
pub use error::SettingsError;
pub use password::Password;
pub use values::{AuthenticationMethod, ChannelBindingMode, SslMode, SslNegotiation, TargetSessionAttrs, TlsVersion};

#[cfg(feature = "tls")]
pub(crate) use file::read_file;
use options::Options;
use password_file::Lookup;
use values::{allowed_methods, check_supported, flag, number, seconds};

/// A server to try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    /// Host name, as in certificates and the password file. A name that starts with `/` is the folder of a Unix socket.
    /// A name that starts with `@` is an abstract Unix socket.
    pub name: String,
    /// The IP address, if it is given. In this case the name is not resolved.
    pub address: Option<std::net::IpAddr>,
    /// The port.
    pub port: u16,
}

impl Host {
    /// Returns the path of the server's Unix socket, or `None` for TCP.
    pub fn socket(&self) -> Option<String> {
        let local = self.address.is_none() && self.name.starts_with(['/', '@']);
        local.then(|| format!("{}/.s.PGSQL.{}", self.name, self.port))
    }
}

impl std::fmt::Display for Host {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.socket(), self.address) {
            (Some(socket), _) => out.write_str(&socket),
            (None, Some(address)) if !self.name.is_empty() => {
                write!(out, "{} ({address}) port {}", self.name, self.port)
            }
            (None, Some(address)) => write!(out, "{address} port {}", self.port),
            (None, None) => write!(out, "{} port {}", self.name, self.port),
        }
    }
}

/// TLS settings.
#[derive(Debug, Clone, Default)]
pub struct TlsSettings {
    /// `sslmode`.
    pub mode: SslMode,
    /// `sslnegotiation`.
    pub negotiation: SslNegotiation,
    /// `sslrootcert`. The default is the file in `~/.postgresql`, if it exists. `system` means the system's
    /// certificates.
    pub root_certificate: Option<PathBuf>,
    /// Path of a list of revoked certificates, `~/.postgresql/root.crl`, if this file exists. libpq checks this list,
    /// but this crate cannot. Therefore, if this list exists, it is an error to verify a server's certificate with a
    /// root certificate file.
    pub revocations: Option<PathBuf>,
    /// `sslcert`. The default is a file in `~/.postgresql`, as for `root_certificate`.
    pub certificate: Option<PathBuf>,
    /// `sslkey`. The default is a file in `~/.postgresql`, as for `root_certificate`.
    pub key: Option<PathBuf>,
    /// `sslsni`.
    pub sni: bool,
    /// `ssl_min_protocol_version`.
    pub min_version: TlsVersion,
    /// Whether `ssl_max_protocol_version` is TLS 1.2.
    pub max_is_tls12: bool,
}

/// `keepalives` and `tcp_user_timeout`, for TCP.
#[derive(Debug, Clone, Default)]
pub struct Keepalive {
    /// Whether the system probes a silent peer.
    pub enabled: bool,
    /// Number of seconds without traffic before the first keepalive probe.
    pub idle: Option<u32>,
    /// Number of seconds between keepalive probes.
    pub interval: Option<u32>,
    /// Number of unanswered keepalive probes after which the connection counts as lost.
    pub count: Option<u32>,
    /// Maximum time that sent data may remain unacknowledged, in milliseconds.
    pub user_timeout: Option<u32>,
}

/// The settings of a connection.
///
/// ```
/// use pgq_postgres::{Environment, Settings};
///
/// let text = "postgresql://ada:secret@one,two:5433/harbor?connect_timeout=3";
/// let settings = Settings::from_text(text, &Environment::default())?;
/// assert_eq!(settings.hosts[1].to_string(), "two port 5433");
/// assert_eq!(settings.user, "ada");
/// assert!(!format!("{settings:?}").contains("secret"));
/// # Ok::<(), pgq_postgres::SettingsError>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Settings {
    /// Servers in the order of attempts.
    pub hosts: Vec<Host>,
    /// Whether the order of servers is random.
    pub shuffle_hosts: bool,
    /// Kind of server to accept.
    pub target: TargetSessionAttrs,
    /// The user.
    pub user: String,
    /// The database.
    pub database: String,
    /// Whether the connection string contains the user. If not, `user` is from the environment.
    pub names_user: bool,
    /// Whether the connection string contains the database. If not, `database` is from the
    /// environment, or equals `user`.
    pub names_database: bool,
    /// The given password, which overrides the password file.
    pub password: Option<Password>,
    /// Path of the password file.
    pub password_file: Option<PathBuf>,
    /// Maximum time for each address, from the start of connecting until the session is ready.
    pub connect_timeout: Option<Duration>,
    /// Server settings of the session: `application_name`, `options`, `client_encoding` (default UTF8) and others.
    pub parameters: Vec<(String, String)>,
    /// TLS settings.
    pub tls: TlsSettings,
    /// `channel_binding`.
    pub channel_binding: ChannelBindingMode,
    /// `require_auth`: the allowed methods. An empty list allows all methods.
    pub allowed_methods: Vec<AuthenticationMethod>,
    /// `requirepeer`: the owner of the peer process of a Unix socket.
    pub required_peer: Option<String>,
    /// TCP keepalive settings.
    pub keepalive: Keepalive,
}

impl Settings {
    /// Sets `client_encoding` to UTF8. Overrides the connection string and the environment.
    pub fn use_utf8(&mut self) {
        self.parameters.retain(|(name, _)| name != "client_encoding");
        self.parameters.push(("client_encoding".into(), "UTF8".into()));
    }

    /// Parses a connection string, and completes it from the environment of the process. The string is a URI,
    /// `key=value` pairs, a database name, or empty.
    pub fn from_environment(text: &str) -> Result<Self, SettingsError> {
        Self::from_text(text, &Environment::of_process())
    }

    /// Like `from_environment`, with a given environment.
    pub fn from_text(text: &str, environment: &Environment) -> Result<Self, SettingsError> {
        let mut options = parse_options(text)?;
        let is_given = |name: &str| text_of(&options, name).is_some();
        let (names_user, names_database) = (is_given("user"), is_given("dbname"));
        environment.complete(&mut options)?;
        check_supported(&options)?;
        let user = match text_of(&options, "user") {
            Some(user) => user,
            None => environment.user.clone().ok_or(SettingsError::NoUser)?,
        };
        Ok(Self {
            hosts: hosts(&options, environment)?,
            shuffle_hosts: match text_of(&options, "load_balance_hosts").as_deref() {
                None | Some("disable") => false,
                Some("random") => true,
                Some(_) => return Err(SettingsError::Value("load_balance_hosts", "disable or random")),
            },
            target: TargetSessionAttrs::read(&options)?,
            database: text_of(&options, "dbname").unwrap_or_else(|| user.clone()),
            user,
            names_user,
            names_database,
            password: text_of(&options, "password").map(Password::new),
            password_file: text_of(&options, "passfile").map(PathBuf::from).or(environment.home_file(".pgpass")),
            // As in libpq, the minimum is two seconds. One second does not distinguish a slow server from an
            // unreachable one.
            connect_timeout: seconds(&options, "connect_timeout")?.map(|time| time.max(Duration::from_secs(2))),
            parameters: parameters(&options, environment),
            tls: tls(&options, environment)?,
            channel_binding: ChannelBindingMode::read(&options)?,
            allowed_methods: allowed_methods(&options)?,
            required_peer: text_of(&options, "requirepeer"),
            keepalive: keepalive(&options)?,
        })
    }

    /// Returns the password for a host: the given password, or the password in the password file. The error contains
    /// the reason if the file was ignored.
    pub fn password_for(&self, host: &Host) -> Result<Password, Option<String>> {
        if let Some(password) = &self.password {
            return Ok(password.clone());
        }
        let Some(file) = &self.password_file else { return Err(None) };
        // If the host is a Unix socket in a default folder, look up the host `localhost` in the password file, as libpq
        // does.
        let usual = ["/var/run/postgresql", "/run/postgresql", "/tmp"];
        let name = if usual.contains(&host.name.as_str()) { "localhost" } else { &host.name };
        let address = host.address.map(|address| address.to_string());
        let name = if name.is_empty() { address.as_deref().unwrap_or_default() } else { name };
        match password_file::look_up(file, name, host.port, &self.database, &self.user) {
            Lookup::Found(password) => Ok(password),
            Lookup::None => Err(None),
            Lookup::Refused(why) => Err(Some(why)),
        }
    }
}

/// Parses a connection string, which is a URI, `key=value` pairs or a database name.
fn parse_options(text: &str) -> Result<Options, SettingsError> {
    if let Some(rest) = text.strip_prefix("postgresql://").or_else(|| text.strip_prefix("postgres://")) {
        return uri::parse(rest);
    }
    if text.contains('=') {
        return options::parse_pairs(text);
    }
    let mut options = Options::new();
    if !text.trim().is_empty() {
        options.insert("dbname", text.to_string());
    }
    Ok(options)
}

fn text_of(options: &Options, name: &str) -> Option<String> {
    options.get(name).filter(|value| !value.is_empty()).cloned()
}

fn hosts(options: &Options, environment: &Environment) -> Result<Vec<Host>, SettingsError> {
    let list = |name: &str| -> Vec<String> {
        let text = text_of(options, name);
        text.map(|text| text.split(',').map(|item| item.trim().to_string()).collect()).unwrap_or_default()
    };
    let (names, addresses, ports) = (list("host"), list("hostaddr"), list("port"));
    let count = names.len().max(addresses.len()).max(1);
    for (list, may_be_one) in [(&names, false), (&addresses, false), (&ports, true)] {
        if !list.is_empty() && list.len() != count && !(may_be_one && list.len() == 1) {
            return Err(SettingsError::Lengths(list.len(), count));
        }
    }
    let item = |list: &[String], index: usize| -> String { list.get(index).cloned().unwrap_or_default() };
    let default = environment.socket_folder.to_string_lossy();
    (0..count)
        .map(|index| {
            let address = match item(&addresses, index).as_str() {
                "" => None,
                text => Some(text.parse().map_err(|_| SettingsError::Value("hostaddr", "an IP address"))?),
            };
            let name = item(&names, index);
            let name = if name.is_empty() && address.is_none() { default.to_string() } else { name };
            let port = match item(&ports, if ports.len() == 1 { 0 } else { index }).as_str() {
                "" => 5432,
                text => text.parse().ok().filter(|port| *port != 0).ok_or(BAD_PORT)?,
            };
            Ok(Host { name, address, port })
        })
        .collect()
}

const BAD_PORT: SettingsError = SettingsError::Value("port", "a number from 1 to 65535");

fn parameters(options: &Options, environment: &Environment) -> Vec<(String, String)> {
    let encoding = text_of(options, "client_encoding").filter(|encoding| encoding != "auto");
    let mut parameters = vec![("client_encoding".to_string(), encoding.unwrap_or_else(|| "UTF8".into()))];
    let application = text_of(options, "application_name").or_else(|| text_of(options, "fallback_application_name"));
    parameters.extend(application.map(|name| ("application_name".to_string(), name)));
    parameters.extend(text_of(options, "options").map(|value| ("options".to_string(), value)));
    parameters.extend(environment.server_settings());
    parameters
}

fn tls(options: &Options, environment: &Environment) -> Result<TlsSettings, SettingsError> {
    let file = |option: &str, name: &str| {
        let own = text_of(options, option).map(PathBuf::from);
        own.or_else(|| environment.home_file(&format!(".postgresql/{name}")).filter(|path| path.exists()))
    };
    let mut tls = TlsSettings {
        mode: SslMode::read(options)?,
        negotiation: SslNegotiation::read(options)?,
        root_certificate: file("sslrootcert", "root.crt"),
        revocations: file("sslcrl", "root.crl"),
        certificate: file("sslcert", "postgresql.crt"),
        key: file("sslkey", "postgresql.key"),
        sni: flag(options, "sslsni", true)?,
        min_version: TlsVersion::read(options)?,
        max_is_tls12: options.get("ssl_max_protocol_version").is_some_and(|version| version == "TLSv1.2"),
    };
    if options.get("sslcertmode").is_some_and(|mode| mode == "disable") {
        (tls.certificate, tls.key) = (None, None);
    }
    let given = text_of(options, "sslmode").is_some();
    if options.get("sslrootcert").is_some_and(|file| file == "system") {
        if !given {
            tls.mode = SslMode::VerifyFull;
        } else if tls.mode != SslMode::VerifyFull {
            return Err(SettingsError::Value("sslmode", "verify-full with sslrootcert=system"));
        }
    }
    let strict = matches!(tls.mode, SslMode::Require | SslMode::VerifyCa | SslMode::VerifyFull);
    if tls.negotiation == SslNegotiation::Direct && !strict {
        return Err(SettingsError::Value("sslmode", "require, verify-ca or verify-full with sslnegotiation=direct"));
    }
    Ok(tls)
}

fn keepalive(options: &Options) -> Result<Keepalive, SettingsError> {
    let positive = |name| Ok(number(options, name)?.and_then(|n| u32::try_from(n).ok()).filter(|n| *n > 0));
    Ok(Keepalive {
        enabled: flag(options, "keepalives", true)?,
        idle: positive("keepalives_idle")?,
        interval: positive("keepalives_interval")?,
        count: positive("keepalives_count")?,
        user_timeout: positive("tcp_user_timeout")?,
    })
}

#[cfg(test)]
mod tests;
