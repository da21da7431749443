//! Threads that come and go, and many at once: the same results, and nothing left behind.
//! `PGQ_ROUNDS=300` makes it longer (about a minute on two cores).

use std::sync::{Mutex, PoisonError};
use std::thread;

use pgq::{DeparseOptions, FingerprintOptions, ParseOptions, Tree};

#[path = "equality/corpus.rs"]
#[allow(dead_code)]
mod corpus;

/// The tests of this file run one after the other: one of them looks at the memory of all.
static TURN: Mutex<()> = Mutex::new(());

/// Everything that the library says of a text.
fn all_of(sql: &str) -> [Result<String, String>; 4] {
    let said = |error: pgq::Error| error.to_string();
    [
        pgq::parse_to_json(sql).map_err(said),
        pgq::fingerprint(sql).map(|f| f.to_string()).map_err(said),
        pgq::normalize(sql).map_err(said),
        pgq::reformat(sql, &DeparseOptions::default()).map_err(said),
    ]
}

#[test]
fn eight_threads_say_what_one_says() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let rounds = std::env::var("PGQ_ROUNDS").map_or(5, |text| text.parse().expect("a number"));
    let statements: Vec<String> = corpus::sets().into_iter().flat_map(|set| set.statements).step_by(50).collect();
    let alone: Vec<_> = statements.iter().map(|sql| all_of(sql)).collect();
    thread::scope(|scope| {
        for first in 0..8 {
            let (statements, alone) = (&statements, &alone);
            scope.spawn(move || {
                for at in 0..rounds * statements.len() {
                    // Each thread begins elsewhere.
                    let at = (at + first * statements.len() / 8) % statements.len();
                    assert_eq!(all_of(&statements[at]), alone[at], "{}", statements[at]);
                }
            });
        }
    });
    println!("{} statements, {rounds} rounds in each of 8 threads", statements.len());
    assert!(statements.len() > 500);
}

/// Kilobytes of memory that the process holds; `None` where the system does not say.
fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// A thread that uses all of the library, and one that fails in it.
fn come_and_go() {
    let work = thread::spawn(|| {
        let sql = "SELECT a, 'x' FROM t WHERE b = 1";
        let tree = Tree::parse(sql, &ParseOptions::default()).unwrap();
        assert!(tree.fingerprint(&FingerprintOptions::default()).is_ok());
        assert_eq!(tree.normalize(false).unwrap().text, "SELECT a, $1 FROM t WHERE b = $2");
        assert!(pgq::scan(sql).is_ok() && pgq::reformat(sql, &DeparseOptions::default()).is_ok());
    });
    let failure = thread::spawn(|| assert!(pgq::parse("SELECT FROM WHERE").is_err()));
    work.join().unwrap();
    failure.join().unwrap();
}

#[test]
fn ten_thousand_threads_leave_nothing_behind() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    (0..500).for_each(|_| come_and_go());
    let before = resident();
    (0..5_000).for_each(|_| come_and_go());
    let after = resident();
    match (before, after) {
        (Some(before), Some(after)) => {
            println!("10,000 threads: {before} kB before, {after} kB after");
            // A kilobyte left by each would be 10,000.
            assert!(after < before + 8_000, "{before} kB before, {after} kB after");
        }
        _ => println!("left out: this system does not say how much memory a process holds"),
    }
}
