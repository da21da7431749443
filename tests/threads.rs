//! Many concurrent threads, and threads that end: results are unchanged and no memory leaks. `PGQ_ROUNDS=300` extends
//! the first test to about a minute on two cores.

mod common;

use std::sync::{Mutex, PoisonError};
use std::thread;

use common::left_out::left_out;
use common::setting::setting;
use pgq::nodes::RangeVar;
use pgq::{DeparseOptions, EditTree, FingerprintOptions, ParseOptions, Tree};
use pgq_corpus::all_statements;

/// Compile-time checks of which types are `Send` and `Sync`.
mod thread_bounds {
    use pgq::cache::{AnswerCache, CachedTree, ShapeCache, ShapedTree, TreeCache};
    use pgq::edit::New;
    use pgq::nodes::{Node, RangeVar};
    use pgq::{EditTree, Error, Parameter, Parsed, PlpgsqlFunction, SharedNode, Statement, Summary, Tree};

    const fn shared<T: Send + Sync>() {}
    const fn sent<T: Send>() {}

    const _: () = {
        shared::<Tree>();
        shared::<SharedNode>();
        shared::<ShapeCache>();
        shared::<ShapedTree>();
        shared::<TreeCache>();
        shared::<CachedTree>();
        shared::<Parsed>();
        shared::<Summary>();
        shared::<PlpgsqlFunction>();
        shared::<Parameter>();
        shared::<Error>();
        sent::<EditTree>();
        sent::<AnswerCache>();
    };

    /// Fails to compile for a type that implements the trait, because for this type both implementations of `Ambiguous`
    /// match.
    macro_rules! assert_not {
        ($trait:ident: $($ty:ty),*) => { $(
            const _: () = {
                trait Ambiguous<Which> {
                    const THERE: () = ();
                }
                impl<T: ?Sized> Ambiguous<()> for T {}
                impl<T: ?Sized + $trait> Ambiguous<u8> for T {}
                <$ty as Ambiguous<_>>::THERE
            };
        )* };
    }

    // Views cannot be sent to another thread, because their tree may be edited.
    assert_not!(Send: Statement<'static>, Node<'static>, RangeVar<'static>, New<'static>);
    assert_not!(Sync: Statement<'static>, Node<'static>, RangeVar<'static>, New<'static>, EditTree);
}

/// Locked by every test of this file, because one of them measures the memory of the process.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Returns the results of four functions for a statement.
fn results(sql: &str) -> [Result<String, String>; 4] {
    let message = |error: pgq::Error| error.to_string();
    [
        pgq::parse_to_json(sql).map_err(message),
        pgq::fingerprint(sql).map(|f| f.to_string()).map_err(message),
        pgq::normalize(sql).map_err(message),
        pgq::reformat(sql, &DeparseOptions::default()).map_err(message),
    ]
}

#[test]
fn eight_threads_get_the_results_of_one() {
    let _lock = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let rounds = setting("PGQ_ROUNDS", 5);
    let statements: Vec<String> = all_statements().into_iter().step_by(50).collect();
    let expected: Vec<_> = statements.iter().map(|sql| results(sql)).collect();
    thread::scope(|scope| {
        for number in 0..8 {
            let (statements, expected) = (&statements, &expected);
            scope.spawn(move || {
                for step in 0..rounds * statements.len() {
                    let at = (step + number * statements.len() / 8) % statements.len();
                    assert_eq!(results(&statements[at]), expected[at], "{}", statements[at]);
                }
            });
        }
    });
    println!("{} statements, {rounds} rounds in each of 8 threads", statements.len());
    assert!(statements.len() > 500);
}

#[test]
fn a_tree_may_be_edited_and_freed_where_it_was_not_parsed() {
    let _lock = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let parsed = || EditTree::parse("SELECT 1 FROM t", &ParseOptions::default()).unwrap();
    let edited = |tree: &EditTree| {
        tree.find::<RangeVar>().for_each(|table| _ = tree.edit(table).schemaname("s"));
        tree.deparse(&DeparseOptions::default()).unwrap()
    };
    // The trees are from threads that have ended. They are used on threads that have parsed before, and on threads that
    // have not.
    let trees: Vec<EditTree> = (0..100).map(|_| thread::spawn(parsed).join().unwrap()).collect();
    for (number, tree) in trees.into_iter().enumerate() {
        match number % 4 {
            0 => drop(tree),
            1 => assert_eq!(edited(&tree), "SELECT 1 FROM s.t"),
            2 => thread::spawn(move || drop(tree)).join().unwrap(),
            _ => thread::spawn(move || assert_eq!(edited(&tree), "SELECT 1 FROM s.t")).join().unwrap(),
        }
    }
    // These trees are parsed on one thread and freed on another thread, which also parses.
    let (send, receive) = std::sync::mpsc::sync_channel(8);
    thread::scope(|scope| {
        scope.spawn(move || (0..1000).for_each(|_| send.send(parsed()).unwrap()));
        for tree in receive {
            assert_eq!((edited(&tree), edited(&parsed())), ("SELECT 1 FROM s.t".into(), "SELECT 1 FROM s.t".into()));
        }
    });
}

/// Returns the resident memory in kilobytes; `None` without /proc.
fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Runs a thread that calls every function, and a thread whose statement is refused.
fn two_threads() {
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
fn ten_thousand_threads_leave_no_memory_behind() {
    let _lock = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    (0..500).for_each(|_| two_threads());
    let Some(before) = resident() else { return left_out("memory after 10,000 threads", "no /proc here") };
    (0..5_000).for_each(|_| two_threads());
    let after = resident().expect("there was /proc before");
    println!("10,000 threads: {before} kB before, {after} kB after");
    // If each thread leaked one kilobyte, the growth would be 10,000 kB.
    assert!(after < before + 8_000, "{before} kB before, {after} kB after");
}
