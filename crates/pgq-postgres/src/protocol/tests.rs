//! Tests of the protocol without a server. Feeds a session with messages and checks its answers.

use super::*;
use crate::error::CopyDirection;
use crate::settings::AuthenticationMethod;
use crate::settings::{ChannelBindingMode, Password};

fn message(tag: u8, body: &[u8]) -> Vec<u8> {
    [&[tag], &(body.len() as u32 + 4).to_be_bytes()[..], body].concat()
}

fn receive(session: &mut ProtocolState, messages: &[Vec<u8>]) {
    for bytes in messages {
        session.space()[..bytes.len()].copy_from_slice(bytes);
        session.received(bytes.len());
    }
}

/// Returns the session's answers to messages, each as a short string.
fn answers(session: &mut ProtocolState, messages: &[Vec<u8>]) -> Result<Vec<String>, Error> {
    receive(session, messages);
    let mut answers = Vec::new();
    while let Some(answer) = session.next_answer()? {
        let word = match answer.event {
            ServerEvent::Completed(tag) => tag.to_string(),
            ServerEvent::Failed(error) => format!("failed {}", error.code),
            ServerEvent::Row(row) => format!("{row:?}"),
            other => format!("{other:?}"),
        };
        answers.push(format!("{} {word}", answer.request));
    }
    Ok(answers)
}

fn error(code: &str) -> Vec<u8> {
    message(b'E', format!("SERROR\0VERROR\0C{code}\0Mwrong\0\0").as_bytes())
}

fn sent(session: &mut ProtocolState) -> Vec<u8> {
    let bytes = session.output().to_vec();
    session.sent(bytes.len());
    bytes
}

fn credentials() -> Credentials {
    Credentials { user: "ada".into(), password: Some(Password::new("secret")), ..Credentials::default() }
}

fn starting(credentials: Credentials) -> ProtocolState {
    ProtocolState::new([("user", "ada")], credentials).unwrap()
}

/// Returns a session that is ready.
fn session() -> ProtocolState {
    let mut session = starting(credentials());
    let key = message(b'K', &[0, 0, 0, 7, 0, 0, 0, 9]);
    let setting = message(b'S', b"TimeZone\0UTC\0");
    let begun = answers(&mut session, &[message(b'R', &[0; 4]), setting, key, message(b'Z', b"I")]).unwrap();
    assert_eq!(begun, ["0 Parameter { name: \"TimeZone\", value: \"UTC\" }", "0 Ready(Idle)"]);
    assert_eq!((session.key(), session.parameter("TimeZone")), (Some((7, 9)), Some("UTC")));
    sent(&mut session);
    session
}

fn execute(session: &mut ProtocolState) -> u64 {
    let template = BindTemplate::new("", "s", 0, &Formats::Text, &Formats::Text, 0).unwrap();
    session.execute(&template, |_| Ok(())).unwrap()
}

#[test]
fn an_error_skips_everything_up_to_the_sync_even_what_is_sent_later() {
    let mut session = session();
    let numbers = [session.parse("s", "SELECT 1", &[]).unwrap(), execute(&mut session), execute(&mut session)];
    assert_eq!(numbers, [1, 2, 3]);
    let first = [message(b'1', b""), message(b'2', b""), error("22012")];
    assert_eq!(answers(&mut session, &first).unwrap(), ["1 Parsed", "2 failed 22012", "3 Skipped"]);
    assert_eq!(execute(&mut session), 4);
    session.sync();
    let rest = [message(b'Z', b"I")];
    assert_eq!(answers(&mut session, &rest).unwrap(), ["4 Skipped", "5 Ready(Idle)"]);
    assert_eq!(session.outstanding(), 0);
}

#[test]
fn an_error_of_a_sync_is_the_commits() {
    let mut session = session();
    execute(&mut session);
    session.sync();
    let messages = [message(b'2', b""), message(b'C', b"INSERT 0 1\0"), error("23505"), message(b'Z', b"I")];
    let expected = ["1 INSERT 0 1", "2 failed 23505", "2 Ready(Idle)"];
    assert_eq!(answers(&mut session, &messages).unwrap(), expected);
}

#[test]
fn a_simple_query_sends_a_sync_first_where_requests_have_none() {
    let mut session = session();
    execute(&mut session);
    assert_eq!(session.query("SELECT 1").unwrap(), 3);
    let bytes = sent(&mut session);
    assert!(bytes.ends_with(b"S\0\0\0\x04Q\0\0\0\x0dSELECT 1\0"));
    session.query("SELECT 2").unwrap();
    assert_eq!(sent(&mut session), b"Q\0\0\0\x0dSELECT 2\0");
}

#[test]
fn copy_is_refused_with_the_sync_that_the_server_passes_over() {
    let copy_in = message(b'G', &[0, 0, 0]);
    let mut alone = session();
    alone.query("COPY t FROM STDIN").unwrap();
    sent(&mut alone);
    let refused = format!("1 {:?}", ServerEvent::Copy(CopyDirection::FromStdin));
    assert_eq!(answers(&mut alone, std::slice::from_ref(&copy_in)).unwrap(), [refused.as_str()]);
    let bytes = sent(&mut alone);
    assert!(bytes.starts_with(b"f") && !bytes.contains(&b'S'), "{bytes:?}");
    let mut synced = session();
    execute(&mut synced);
    synced.sync();
    sent(&mut synced);
    answers(&mut synced, &[message(b'2', b""), copy_in.clone()]).unwrap();
    assert!(sent(&mut synced).ends_with(b"S\0\0\0\x04"));
    let mut pipelined = session();
    execute(&mut pipelined);
    execute(&mut pipelined);
    assert!(matches!(answers(&mut pipelined, &[message(b'2', b""), copy_in]), Err(Error::Protocol(_))));
}

#[test]
fn what_nobody_awaits_ends_the_session() {
    for bytes in
        [message(b'D', b"\0\0"), message(b'1', b""), message(b'R', &[0; 4]), message(b'W', b""), vec![b'?', 0, 0, 0, 4]]
    {
        let mut session = session();
        assert!(matches!(answers(&mut session, &[bytes]), Err(Error::Protocol(_))));
        assert!(session.has_ended());
    }
}

#[test]
fn settings_without_end_end_the_session() {
    let setting = |name: usize, len: usize| message(b'S', format!("s{name}\0{}\0", "x".repeat(len)).as_bytes());
    assert!(answers(&mut session(), &(0..200).map(|name| setting(name, 1000)).collect::<Vec<_>>()).is_ok());
    for settings in [(0..257).map(|name| setting(name, 1)).collect(), vec![setting(0, 65_537)]] {
        assert!(matches!(answers(&mut session(), &settings), Err(Error::Protocol(_))));
    }
}

#[test]
fn the_last_words_of_a_server_are_the_error() {
    let fatal = message(b'E', b"SFATAL\0VFATAL\0C57P01\0Mshutting down\0\0");
    for waiting in [false, true] {
        let mut session = session();
        if waiting {
            execute(&mut session);
        }
        let error = answers(&mut session, std::slice::from_ref(&fatal)).unwrap_err();
        assert!(matches!(error, Error::Terminated(ref words) if words.code == "57P01"), "{error}");
    }
}

/// Returns the bytes that a session with these credentials sends in answer to the server's `messages`.
fn authenticate(credentials: Credentials, messages: &[Vec<u8>]) -> Result<Vec<u8>, Error> {
    let mut session = starting(credentials);
    sent(&mut session);
    answers(&mut session, messages)?;
    Ok(sent(&mut session))
}

#[test]
fn passwords_are_sent_as_the_server_asks_and_the_settings_allow() {
    let (ok, ready) = (message(b'R', &[0; 4]), message(b'Z', b"I"));
    let plain = message(b'R', &[0, 0, 0, 3]);
    let md5 = message(b'R', &[0, 0, 0, 5, 1, 2, 3, 4]);
    assert_eq!(authenticate(credentials(), std::slice::from_ref(&plain)).unwrap(), b"p\0\0\0\x0bsecret\0");
    let answer = authenticate(credentials(), std::slice::from_ref(&md5)).unwrap();
    assert!(answer[5..].starts_with(b"md5") && answer.len() == 5 + 35 + 1, "{answer:?}");
    let only_scram = Credentials { allowed: vec![AuthenticationMethod::ScramSha256], ..credentials() };
    let bound = Credentials { channel_binding: ChannelBindingMode::Require, ..credentials() };
    for credentials in [only_scram, bound] {
        for messages in [vec![plain.clone()], vec![md5.clone()], vec![ok.clone()]] {
            let error = authenticate(credentials.clone(), &messages).unwrap_err();
            assert!(matches!(error, Error::Authentication(_)), "{error}");
        }
    }
    let nobody = Credentials { password: None, no_password: Some("why".into()), ..credentials() };
    let error = authenticate(nobody, &[plain]).unwrap_err().to_string();
    assert!(error.contains("why"), "{error}");
    assert!(authenticate(credentials(), &[ready]).is_err(), "a session without authentication");
}

#[test]
fn scram_that_ends_early_or_without_proof_is_refused() {
    let sasl = message(b'R', b"\0\0\0\x0aSCRAM-SHA-256\0\0");
    let ok = message(b'R', &[0; 4]);
    let first = authenticate(credentials(), std::slice::from_ref(&sasl)).unwrap();
    assert!(first.windows(6).any(|window| window == b"n,,n=,"), "{first:?}");
    assert!(matches!(authenticate(credentials(), &[sasl, ok]), Err(Error::Authentication(_))));
    let other = message(b'R', b"\0\0\0\x0aOTHER\0\0");
    assert!(matches!(authenticate(credentials(), &[other]), Err(Error::Authentication(_))));
}

#[test]
fn any_bytes_at_all_are_answers_or_an_error() {
    // Arbitrary messages cause neither a panic nor an endless loop.
    let mut seed = 1_u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as u8
    };
    for _ in 0..2_000 {
        let mut session = session();
        session.query("SELECT 1").unwrap();
        execute(&mut session);
        session.describe("s").unwrap();
        let tags = b"12CDEGHINRSTZcdnst";
        let messages: Vec<_> = (0..random() % 6)
            .map(|_| {
                let body: Vec<u8> = (0..random() % 12).map(|_| random() % 5).collect();
                message(tags[usize::from(random()) % tags.len()], &body)
            })
            .collect();
        let _ = answers(&mut session, &messages);
    }
}
