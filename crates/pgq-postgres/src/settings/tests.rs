//! Settings from connection strings and environments, as in libpq.

use std::collections::HashMap;

use super::*;

fn read(text: &str) -> Result<Settings, SettingsError> {
    let environment = Environment {
        variables: HashMap::new(),
        home: None,
        user: Some("me".into()),
        socket_folder: "/sockets".into(),
    };
    Settings::from_text(text, &environment)
}

fn hosts(text: &str) -> Vec<String> {
    read(text).unwrap().hosts.iter().map(Host::to_string).collect()
}

#[test]
fn nothing_at_all_is_a_socket_and_the_own_name() {
    let settings = read("").unwrap();
    assert_eq!(settings.hosts[0].socket().as_deref(), Some("/sockets/.s.PGSQL.5432"));
    assert_eq!((settings.user.as_str(), settings.database.as_str()), ("me", "me"));
    assert_eq!(settings.parameters, [("client_encoding".to_string(), "UTF8".to_string())]);
    assert_eq!(settings.tls.mode, SslMode::Prefer);
    assert_eq!(read("user=ada").unwrap().database, "ada");
}

#[test]
fn lists_of_hosts_ports_and_addresses_go_together() {
    assert_eq!(hosts("host=a,b port=1,2"), ["a port 1", "b port 2"]);
    assert_eq!(hosts("host=a,b port=7"), ["a port 7", "b port 7"]);
    assert_eq!(hosts("host=a,, port=1,,3"), ["a port 1", "/sockets/.s.PGSQL.5432", "/sockets/.s.PGSQL.3"]);
    assert_eq!(hosts("host=a hostaddr=127.0.0.1"), ["a (127.0.0.1) port 5432"]);
    assert_eq!(hosts("hostaddr=::1"), ["::1 port 5432"]);
    assert_eq!(hosts("host=@name"), ["@name/.s.PGSQL.5432"]);
    assert_eq!(read("host=a,b,c port=1,2").unwrap_err(), SettingsError::Lengths(2, 3));
    assert_eq!(read("host=a,b hostaddr=::1").unwrap_err(), SettingsError::Lengths(1, 2));
}

#[test]
fn values_that_cannot_be_are_named_by_their_option() {
    for (text, option) in [
        ("port=0", "port"),
        ("port=70000", "port"),
        ("sslmode=yes", "sslmode"),
        ("hostaddr=localhost", "hostaddr"),
        ("connect_timeout=soon", "connect_timeout"),
        ("keepalives=2", "keepalives"),
        ("require_auth=md5,!none", "require_auth"),
        ("sslrootcert=system sslmode=require", "sslmode"),
        ("sslnegotiation=direct", "sslmode"),
        ("load_balance_hosts=no", "load_balance_hosts"),
    ] {
        assert!(matches!(read(text), Err(SettingsError::Value(name, _)) if name == option), "{text}");
    }
}

#[test]
fn what_is_not_supported_is_refused_and_not_passed_over() {
    for text in ["sslcrl=/a", "gssencmode=require", "replication=database", "sslpassword=x", "require_auth=gss"] {
        assert!(matches!(read(text), Err(SettingsError::Unsupported(..))), "{text}");
    }
    read("gssencmode=prefer krbsrvname=postgres sslcompression=0").unwrap();
}

#[test]
fn timeouts_and_methods_are_read() {
    use AuthenticationMethod::{Md5, None, Password, ScramSha256};
    let settings = read("connect_timeout=1 require_auth=!md5,!password tcp_user_timeout=5000").unwrap();
    assert_eq!(settings.connect_timeout, Some(Duration::from_secs(2)));
    assert_eq!(settings.allowed_methods, [ScramSha256, None]);
    assert_eq!(settings.keepalive.user_timeout, Some(5000));
    let settings = read("connect_timeout=0 require_auth=md5,password").unwrap();
    assert_eq!((settings.connect_timeout, settings.allowed_methods), (Option::None, vec![Password, Md5]));
    assert_eq!(read("sslrootcert=system").unwrap().tls.mode, SslMode::VerifyFull);
}

#[test]
fn no_password_is_shown() {
    let settings = read("password=secret").unwrap();
    assert!(!format!("{settings:?}").contains("secret"));
    assert_eq!(settings.password_for(&settings.hosts[0]).unwrap().reveal(), "secret");
}
