//! Tests many concurrent connections that open and close at random. The daemon must answer every complete request once
//! and in order, and must leak neither memory nor file descriptors. `PGQ_SERVE_SECONDS=600` makes the test run for ten
//! minutes.

use std::io::{Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use fastrand::Rng;
use pgq_frames::{Answer, MAGIC, Operation, flag, request};

use crate::common::left_out::left_out;
use crate::common::setting::setting;
use crate::daemon::Daemon;

const CONNECTIONS: usize = 200;

/// Maximum memory of the daemon, divided by the number of concurrent connections. Tens of thousands of connections are
/// opened and closed during the test. If they leaked memory, the daemon would exceed this limit.
const KB_PER_CONNECTION: usize = 5 << 10;

/// Counts of all clients.
#[derive(Default)]
struct Counts {
    connections: AtomicU64,
    answered: AtomicU64,
}

#[test]
fn two_hundred_connections_come_and_go() {
    let seconds = setting("PGQ_SERVE_SECONDS", 3) as u64;
    let mut daemon = Daemon::start(&["--max-connections", "400"]);
    let counts = Counts::default();
    let texts: Vec<String> = pgq_corpus::all_statements().into_iter().step_by(97).collect();
    let until = Instant::now() + Duration::from_secs(seconds);
    let memory = std::thread::scope(|scope| {
        for seed in 0..CONNECTIONS as u64 {
            let (daemon, counts, texts) = (&daemon, &counts, &texts);
            scope.spawn(move || {
                let mut rng = Rng::with_seed(seed);
                while Instant::now() < until {
                    one_connection(daemon, &mut rng, texts, counts);
                }
            });
        }
        let mut most = None;
        while Instant::now() < until {
            most = most.max(daemon.resident());
            std::thread::sleep(Duration::from_millis(20));
        }
        most
    });
    daemon.await_quiet();
    let descriptors = daemon.descriptors();
    let (connections, answered) = (counts.connections.into_inner(), counts.answered.into_inner());
    println!("{connections} connections, {answered} answers; at most {memory:?} kB, descriptors {descriptors:?}");
    assert!(daemon.is_running() && connections > CONNECTIONS as u64 && answered > 1000);
    let (Some(memory), Some(descriptors)) = (memory, descriptors) else {
        return left_out("memory of serve with many connections", "there is no /proc");
    };
    assert!(memory < CONNECTIONS * KB_PER_CONNECTION, "{memory} kB");
    assert!(descriptors < 20, "{descriptors} descriptors are left");
}

/// Opens a connection and sends some requests. Then disconnects, sends garbage or half a frame, or closes the
/// connection properly. Checks that complete requests are answered in order.
fn one_connection(daemon: &Daemon, rng: &mut Rng, texts: &[String], counts: &Counts) {
    counts.connections.fetch_add(1, Ordering::Relaxed);
    let mut stream = daemon.connect();
    let mut bytes = MAGIC.to_vec();
    let requests = rng.u32(0..20);
    let mut items = Vec::new();
    for id in 1..=requests {
        let operation = [Operation::Fingerprint, Operation::Both, Operation::Tree, Operation::Scan][rng.usize(..4)];
        let picked: Vec<&String> = (0..rng.usize(0..10)).map(|_| &texts[rng.usize(..texts.len())]).collect();
        request::write_batch(&mut bytes, id, operation as u8, 0, &picked);
        items.push(picked.len());
    }
    match rng.u8(0..5) {
        0 => {
            // Truncates the requests at a random byte, sends them, and disconnects without reading the answers.
            bytes.truncate(rng.usize(..=bytes.len()));
            let _ = stream.write_all(&bytes);
            return;
        }
        1 => bytes.extend((0..rng.usize(1..100)).map(|_| rng.u8(..))), // garbage after the requests
        2 => {
            // Half a frame after the requests.
            let before = bytes.len();
            request::write_batch(&mut bytes, 99, Operation::Both as u8, 0, &[&texts[0]]);
            bytes.truncate(rng.usize(before..bytes.len()));
        }
        _ => {}
    }
    stream.write_all(&bytes).expect("the daemon reads");
    stream.shutdown(std::net::Shutdown::Write).expect("the daemon is there");
    let mut answers = Vec::new();
    // After invalid bytes, the daemon may reset the connection before all answers are read.
    let _ = stream.read_to_end(&mut answers);
    let (mut at, mut id, mut count) = (0, 0, 0);
    while let Some((answer, used)) = Answer::read(&answers[at..], 1 << 30).expect("answers are frames") {
        at += used;
        if answer.flags & flag::BATCH != 0 && answer.id == id + 1 && id < requests {
            count += answer.items().unwrap().len();
            if answer.flags & flag::MORE == 0 {
                assert_eq!(count, items[id as usize], "the items of request {}", answer.id);
                (id, count) = (id + 1, 0);
            }
        } else {
            assert_eq!(id, requests, "an answer out of order: {answer:?}");
        }
    }
    assert_eq!(id, requests, "every complete request is answered");
    counts.answered.fetch_add(u64::from(requests), Ordering::Relaxed);
}
