//! Connections to a real server: every authentication method, and every way to specify the server.

use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use crate::common::{Server, environment, own, shared, texts};
use pgq_postgres::{Client, Environment, Error, Settings};

/// Connects. Returns the user name that the server reports.
fn user(settings: &Settings) -> Result<String, Error> {
    Client::connect(settings).map(|mut client| texts(&mut client, "SELECT current_user").remove(0))
}

#[test]
fn every_method_lets_the_right_password_in_and_no_other() {
    let Some(server) = shared("authentication") else { return };
    for name in ["plain", "hashed", "scram"] {
        assert_eq!(user(&server.tcp(&format!("user={name} password='pass word'"))).unwrap(), name);
        let error = user(&server.tcp(&format!("user={name} password=other"))).unwrap_err();
        assert_eq!(error.code(), Some("28P01"), "{error}");
        assert!(!format!("{error} {error:?}").contains("other"), "{error:?}");
        let error = user(&server.tcp(&format!("user={name}"))).unwrap_err().to_string();
        assert!(error.contains("asks for a password, and none was given"), "{error}");
    }
    assert_eq!(user(&server.tcp("user=trusted")).unwrap(), "trusted");
}

#[test]
fn settings_can_require_a_method() {
    let Some(server) = shared("authentication") else { return };
    let with = |user_and_more: &str| user(&server.tcp(&format!("password='pass word' {user_and_more}")));
    assert_eq!(with("user=scram require_auth=scram-sha-256").unwrap(), "scram");
    for refused in [
        "user=hashed require_auth=scram-sha-256",
        "user=plain require_auth=!password",
        "user=trusted require_auth=scram-sha-256,md5",
        "user=scram channel_binding=require",
        "user=trusted channel_binding=require",
    ] {
        let error = with(refused).unwrap_err();
        assert_eq!(error.code(), None, "{refused}: {error}");
    }
}

#[test]
fn the_password_file_counts_where_no_password_is_given() {
    let Some(server) = shared("authentication") else { return };
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), format!("localhost:{}:*:scram:pass word\n*:*:*:*:wrong\n", server.port)).unwrap();
    let passfile = format!("passfile={}", file.path().display());
    assert_eq!(user(&server.tcp(&format!("user=scram {passfile}"))).unwrap(), "scram");
    let error = user(&server.tcp(&format!("user=plain {passfile}"))).unwrap_err();
    assert_eq!(error.code(), Some("28P01"));
    assert_eq!(user(&server.tcp(&format!("user=plain password='pass word' {passfile}"))).unwrap(), "plain");
    std::fs::set_permissions(file.path(), std::fs::Permissions::from_mode(0o644)).unwrap();
    let error = user(&server.tcp(&format!("user=scram {passfile}"))).unwrap_err().to_string();
    assert!(error.contains("others can read it"), "{error}");
}

#[test]
fn uris_variables_and_services_lead_to_the_server() {
    let Some(server) = shared("connecting") else { return };
    let uri = format!("postgresql://scram:pass%20word@127.0.0.1:{}/postgres?sslmode=disable", server.port);
    assert_eq!(user(&Settings::from_text(&uri, &environment()).unwrap()).unwrap(), "scram");
    let folder = server.folder.display().to_string();
    let uri = format!("postgres:///postgres?host={folder}&port={}", server.port);
    assert_eq!(user(&Settings::from_text(&uri, &environment()).unwrap()).unwrap(), "postgres");
    let variables = [("PGHOST", folder.clone()), ("PGPORT", server.port.to_string()), ("PGTZ", "Asia/Tokyo".into())];
    let variables = variables.map(|(name, value)| (name.to_string(), value)).into();
    let settings = Settings::from_text("application_name=tests", &Environment { variables, ..environment() }).unwrap();
    let mut client = Client::connect(&settings).unwrap();
    assert_eq!(client.parameter("TimeZone"), Some("Asia/Tokyo"));
    assert_eq!(client.parameter("application_name"), Some("tests"));
    assert_eq!(client.parameter("client_encoding"), Some("UTF8"));
    let home = tempfile::tempdir().unwrap();
    let services = format!("[own]\nhost={folder}\nport={}\nuser=trusted\ndbname=postgres\n", server.port);
    std::fs::write(home.path().join(".pg_service.conf"), services).unwrap();
    let environment = Environment { home: Some(home.path().into()), ..environment() };
    let settings = Settings::from_text("service=own user=postgres", &environment).unwrap();
    assert_eq!(user(&settings).unwrap(), "postgres");
}

#[test]
fn hosts_are_tried_until_one_will_do() {
    let Some(server) = shared("connecting") else { return };
    let port = server.port;
    let with = |more: &str| Settings::from_text(&format!("user=trusted dbname=postgres {more}"), &environment());
    // No server listens on the first port.
    let settings = with(&format!("host=127.0.0.1,127.0.0.1 port=1,{port} sslmode=disable")).unwrap();
    assert_eq!(user(&settings).unwrap(), "trusted");
    let settings = with(&format!("host=127.0.0.1,127.0.0.1 port=1,{port} load_balance_hosts=random")).unwrap();
    assert_eq!(user(&settings).unwrap(), "trusted");
    let text = user(&with("host=127.0.0.1,/does/not/exist port=1").unwrap()).unwrap_err().to_string();
    assert!(text.contains("127.0.0.1 port 1: ") && text.contains("/does/not/exist/.s.PGSQL.1: "), "{text}");
    // If a server refuses the user, the client tries no further server.
    let settings = server.settings_for("host=localhost,localhost hostaddr=127.0.0.1,127.0.0.1 user=nobody");
    let Error::NoServer(attempts) = user(&settings).unwrap_err() else { panic!() };
    assert_eq!(attempts.len(), 1);
    let error = user(&server.settings("dbname=nothing")).unwrap_err();
    assert_eq!(error.code(), Some("3D000"));
}

#[test]
fn only_servers_with_the_right_attributes_are_taken() {
    let Some(server) = shared("connecting") else { return };
    let refused = |more: &str| user(&server.settings(more)).err().map(|error| error.to_string());
    for fits in ["any", "read-write", "primary", "prefer-standby"] {
        assert_eq!(refused(&format!("target_session_attrs={fits}")), None);
    }
    let why = refused("target_session_attrs=standby").unwrap();
    assert!(why.ends_with("target_session_attrs: it is no standby"), "{why}");
    assert!(refused("target_session_attrs=read-only").unwrap().ends_with("its sessions can write"));
    let read_only = "options='-c default_transaction_read_only=on'";
    assert_eq!(refused(&format!("target_session_attrs=read-only {read_only}")), None);
    assert!(refused(&format!("target_session_attrs=read-write {read_only}")).unwrap().ends_with("cannot write"));
}

#[test]
fn the_servers_process_can_be_required_to_be_someones() {
    let Some(server) = shared("connecting") else { return };
    let owner = std::os::unix::fs::MetadataExt::uid(&std::fs::metadata(server.folder.join("data")).unwrap());
    let name = std::process::Command::new("id").args(["-nu", &owner.to_string()]).output().unwrap().stdout;
    let name = String::from_utf8(name).unwrap();
    assert_eq!(user(&server.settings(&format!("requirepeer={}", name.trim()))).unwrap(), "postgres");
    let error = user(&server.settings("requirepeer=nobody")).unwrap_err().to_string();
    assert!(error.contains("not that of the user nobody"), "{error}");
}

#[test]
fn a_server_that_does_not_answer_ends_the_attempt() {
    // A server that accepts connections but never answers.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    for mode in ["disable", "prefer"] {
        let text = format!("host=127.0.0.1 port={port} user=a connect_timeout=2 sslmode={mode}");
        let begun = Instant::now();
        let error = user(&Settings::from_text(&text, &environment()).unwrap()).unwrap_err();
        let Error::NoServer(attempts) = &error else { panic!("{error}") };
        assert!(matches!(attempts[0].error, Error::Timeout(time) if time == Duration::from_secs(2)), "{error}");
        assert!(begun.elapsed() >= Duration::from_secs(2));
    }
}

#[test]
fn too_many_connections_are_an_error_with_a_code() {
    let Some(server) = own("connecting", false) else { return };
    let settings: Settings = Server::settings(&server, "user=plain");
    let mut clients = Vec::new();
    let error = loop {
        match Client::connect(&settings) {
            Ok(client) => clients.push(client),
            Err(error) => break error,
        }
        assert!(clients.len() <= 30);
    };
    assert_eq!(error.code(), Some("53300"), "{error}");
    clients.into_iter().for_each(Client::close);
}
