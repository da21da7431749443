//! TLS with a real server: which connections each `sslmode` accepts and refuses.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use crate::common::{Server, environment, left_out, own, texts};
use pgq_postgres::{Client, Error, Settings};

fn server() -> Option<&'static Server> {
    static SERVER: OnceLock<Result<Server, String>> = OnceLock::new();
    let start = || match Command::new("openssl").arg("version").output() {
        Ok(_) => Server::start(true),
        Err(_) => Err("openssl is not installed".to_string()),
    };
    SERVER.get_or_init(start).as_ref().map_err(|why| left_out("TLS", why)).ok()
}

/// Connects to `host`, which is a name of this machine.
fn connect(server: &Server, host: &str, more: &str) -> Result<Client, Error> {
    let text = format!("host={host} hostaddr=127.0.0.1 user=trusted dbname=postgres {more}");
    Client::connect(&server.settings_for(&text))
}

fn ca(server: &Server, name: &str) -> String {
    server.folder.join(name).display().to_string()
}

#[test]
fn each_mode_takes_what_it_must_and_no_more() {
    let Some(server) = server() else { return };
    let (own, other) = (ca(server, "ca.crt"), ca(server, "other.crt"));
    for (host, mode, root, encrypted) in [
        ("localhost", "disable", None, Some(false)),
        ("localhost", "allow", None, Some(false)),
        ("localhost", "prefer", None, Some(true)),
        ("elsewhere", "require", None, Some(true)),
        ("elsewhere", "require", Some(&own), Some(true)),
        ("elsewhere", "require", Some(&other), None),
        ("elsewhere", "verify-ca", Some(&own), Some(true)),
        ("localhost", "verify-ca", Some(&other), None),
        ("localhost", "verify-ca", None, None),
        ("localhost", "verify-full", Some(&own), Some(true)),
        ("elsewhere", "verify-full", Some(&own), None),
        ("localhost", "verify-full", Some(&other), None),
        ("localhost", "verify-full", None, None),
    ] {
        let root = root.map(|path| format!("sslrootcert={path}")).unwrap_or_default();
        let found = connect(server, host, &format!("sslmode={mode} {root}"));
        match (found, encrypted) {
            (Ok(mut client), Some(encrypted)) => {
                assert_eq!(client.connection().is_encrypted(), encrypted, "{host} {mode} {root}");
                let ssl = texts(&mut client, "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
                assert_eq!(ssl, [if encrypted { "t" } else { "f" }]);
            }
            (Err(Error::NoServer(attempts)), None) => {
                assert!(matches!(attempts[0].error, Error::Tls(_)), "{host} {mode} {root}: {attempts:?}");
            }
            (found, _) => panic!("{host} {mode} {root}: {found:?}"),
        }
    }
}

#[test]
fn a_list_of_revoked_certificates_is_not_ignored() {
    let Some(server) = server() else { return };
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir(home.path().join(".postgresql")).unwrap();
    std::fs::write(home.path().join(".postgresql/root.crl"), "").unwrap();
    let environment = pgq_postgres::Environment { home: Some(home.path().into()), ..environment() };
    let connect = |mode: &str| {
        let text =
            format!("host=localhost hostaddr=127.0.0.1 port={} user=trusted dbname=postgres {mode}", server.port);
        Client::connect(&Settings::from_text(&text, &environment).unwrap())
    };
    let root = ca(server, "ca.crt");
    for mode in ["require", "verify-ca", "verify-full"] {
        let error = connect(&format!("sslmode={mode} sslrootcert={root}")).unwrap_err().to_string();
        assert!(error.contains("root.crl: lists of revoked certificates are not supported"), "{error}");
    }
    assert!(connect("sslmode=require").unwrap().connection().is_encrypted(), "nothing is verified");
}

/// `prefer` and `require` do not verify the certificate. Therefore it may have any version and any key.
#[test]
fn certificates_that_are_not_verified_may_have_any_form() {
    let Some(server) = own("TLS", true) else { return };
    // The first recipe is from PostgreSQL's documentation. It adds no extensions, so its certificate has X.509
    // version 1. The certificate of the second recipe has a P-521 key.
    for recipe in [
        "openssl req -newkey rsa:2048 -nodes -keyout key -out request -subj /CN=localhost &&
         openssl x509 -req -in request -days 2 -signkey key -out certificate",
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:secp521r1 -nodes -keyout key -out certificate \\
         -days 2 -subj /CN=localhost",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let made = Command::new("sh").args(["-c", recipe]).current_dir(folder.path()).output().unwrap();
        assert!(made.status.success(), "{made:?}");
        for (made, used) in [("key", "server.key"), ("certificate", "server.crt")] {
            // Writes to the server's existing files, so that they still belong to the server's user.
            let text = std::fs::read(folder.path().join(made)).unwrap();
            std::fs::write(server.folder.join("data").join(used), text).unwrap();
        }
        server.restart();
        for mode in ["prefer", "require"] {
            let client = connect(&server, "localhost", &format!("sslmode={mode}"));
            assert!(client.unwrap().connection().is_encrypted(), "{mode}: {recipe}");
        }
    }
    // Both connections fail. With `verify-ca`, webpki refuses the certificate, because the server's own certificate
    // must not be the root. With `channel_binding=require`, the handshake must prove that the server has the key, and
    // ring does not support P-521 keys.
    let root = server.folder.join("data/server.crt").display().to_string();
    for refused in [&format!("sslmode=verify-ca sslrootcert={root}"), "sslmode=require channel_binding=require"] {
        let Err(Error::NoServer(attempts)) = connect(&server, "localhost", refused) else { panic!("{refused}") };
        assert!(matches!(attempts[0].error, Error::Tls(_)), "{refused}: {attempts:?}");
    }
}

/// After a failed handshake, `prefer` must not connect without TLS. The user expects TLS, because the server has it.
#[test]
fn a_failed_handshake_is_an_error() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        socket.read_exact(&mut [0; 8]).unwrap();
        socket.write_all(b"S").unwrap();
        drop(socket);
        listener.set_nonblocking(true).unwrap();
        listener
    });
    let text = format!("host=127.0.0.1 port={port} user=a dbname=a sslmode=prefer connect_timeout=5");
    let error = Client::connect(&Settings::from_text(&text, &environment()).unwrap()).unwrap_err();
    let Error::NoServer(attempts) = &error else { panic!("{error}") };
    assert!(matches!(attempts[0].error, Error::Tls(_)), "{error}");
    assert!(error.to_string().contains("sslmode=disable"), "{error}");
    assert!(server.join().unwrap().accept().is_err(), "a second connection");
}

#[test]
fn users_without_a_line_for_plain_connections_get_tls_from_allow_and_prefer() {
    let Some(server) = server() else { return };
    let connect = |mode: &str| {
        let text = "host=localhost hostaddr=127.0.0.1 user=encrypted password='pass word' dbname=postgres";
        Client::connect(&server.settings_for(&format!("{text} sslmode={mode}")))
    };
    for mode in ["allow", "prefer"] {
        assert!(connect(mode).unwrap().connection().is_encrypted());
    }
    assert_eq!(connect("disable").unwrap_err().code(), Some("28000"));
}

#[test]
fn scram_is_bound_to_the_certificate() {
    let Some(server) = server() else { return };
    let text = "user=scram password='pass word' sslmode=require";
    for binding in ["require", "prefer", "disable"] {
        for version in ["TLSv1.2", "TLSv1.3"] {
            let more = format!("{text} channel_binding={binding} ssl_max_protocol_version={version}");
            let mut client = connect(server, "localhost", &more).unwrap();
            assert_eq!(texts(&mut client, "SELECT current_user"), ["scram"]);
            let spoken = texts(&mut client, "SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
            assert_eq!(spoken, [version]);
        }
    }
    let error = connect(server, "localhost", "user=hashed password='pass word' channel_binding=require").unwrap_err();
    assert!(error.to_string().contains("channel binding is required"), "{error}");
}

#[test]
fn a_cancel_is_encrypted_as_well_and_long_messages_pass() {
    let Some(server) = server() else { return };
    let mut client = connect(server, "localhost", "sslmode=require").unwrap();
    client.set_answer_timeout(Some(Duration::from_millis(200)));
    assert_eq!(client.run("SELECT pg_sleep(3600)").unwrap_err().code(), Some("57014"));
    client.set_answer_timeout(None);
    let echo = client.prepare("SELECT $1::text", &[]).unwrap();
    let value = vec![b'x'; 5 << 20];
    let (mut left, mut lengths) = (4, Vec::new());
    let push = |row: &mut pgq_postgres::Parameters<'_>| {
        row.push(Some(&value));
        left -= 1;
        Ok(left >= 0)
    };
    let take = |answer: pgq_postgres::BatchAnswer<'_>| {
        if let pgq_postgres::BatchAnswer::Row { data, .. } = answer {
            lengths.push(data.values().unwrap()[0].unwrap().len());
        }
        std::ops::ControlFlow::Continue(())
    };
    client.execute(&echo, &pgq_postgres::BatchOptions::default(), push, take).unwrap();
    assert_eq!(lengths, [5 << 20; 4]);
}

#[test]
fn a_server_without_tls_is_refused_where_tls_is_required() {
    let Some(server) = crate::common::shared("TLS") else { return };
    assert!(!connect(server, "localhost", "sslmode=prefer").unwrap().connection().is_encrypted());
    let error = connect(server, "localhost", "sslmode=require").unwrap_err().to_string();
    assert!(error.contains("the server does not support it"), "{error}");
    // Unix sockets never use TLS, so `sslmode` has no effect.
    assert!(!server.client("sslmode=require").connection().is_encrypted());
}
