//! Measures pgq's times as multiples of pg_raw_parse's times in one run. Both are measured alternately, in CPU time of
//! the thread. The best round of each is the result. The arguments are the functions to measure; by default all are
//! measured. Run it with `cargo run --release --features pgq,pg_raw_parse --bin ratios`.

use std::collections::HashMap;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use nix::time::{ClockId, clock_gettime};
use pg_raw_parse::Node as RawNode;
use pgq::cache::TreeCache;
use pgq::nodes::Node;
use pgq::{Inside, ParseOptions, Tree};
use pgq_example_proxy::{with_pg_raw_parse, with_pgq};

/// Minimum duration of a measurement, in nanoseconds.
const BATCH: f64 = 200_000.0;

/// Sampling interval in PostgreSQL's regression SQL, in statements.
const SAMPLED: usize = 60;

/// Number of rounds. The best one is the result.
const ROUNDS: usize = 400;

const POINT: &str = "SELECT abalance FROM pgbench_accounts WHERE aid = 42";
const JOIN: &str = "SELECT u.id, u.name, o.total, o.created_at FROM pgbench_users u JOIN pgbench_orders o ON o.user_id = u.id \
    LEFT JOIN pgbench_items i ON i.order_id = o.id WHERE u.aid = 42 AND o.status IN ('open', 'paid') AND o.total > 100 \
    ORDER BY o.created_at DESC LIMIT 20 OFFSET 40";
const INSERT: &str = "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (3, 1, 42, -77, '2026-01-01') RETURNING tid";

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    println!("| statements | function | pgq ns | pg_raw_parse ns | ratio |\n| --- | --- | ---: | ---: | ---: |");
    for (name, statements) in workloads() {
        for (function, measure) in FUNCTIONS {
            if wanted.is_empty() || wanted.iter().any(|wanted| wanted == function) {
                let [own, other] = measure(&statements);
                println!("| {name} | {function} | {own:.0} | {other:.0} | {:.2} |", own / other);
            }
        }
    }
}

/// Returns workloads with their names. Excludes statements on which pg_raw_parse panics.
fn workloads() -> Vec<(&'static str, Vec<String>)> {
    let one = |sql: &str| vec![sql.to_string()];
    let report = pgq_corpus::statements(&pgq_corpus::project_path("fixtures/analytics/long_query.sql"));
    std::panic::set_hook(Box::new(|_| {}));
    let works = |sql: &String| {
        let both = || tree(sql).walk().count() > 0 && walk_other(&raw(sql)) >= 0 && route_both(sql);
        std::panic::catch_unwind(both).unwrap_or(false)
    };
    let sample: Vec<String> = pgq_corpus::sets()
        .into_iter()
        .filter(|set| set.name == "regression")
        .flat_map(|set| set.statements.into_iter().step_by(SAMPLED))
        .filter(works)
        .collect();
    _ = std::panic::take_hook();
    eprintln!("{} statements of the regression SQL", sample.len());
    vec![
        ("point SELECT", one(POINT)),
        ("join", one(JOIN)),
        ("INSERT", one(INSERT)),
        ("report", report),
        ("sample", sample),
    ]
}

fn route_both(sql: &str) -> bool {
    with_pgq::route(sql).is_ok() && with_pg_raw_parse::route(sql).is_some()
}

type Measure = fn(&[String]) -> [f64; 2];

const FUNCTIONS: [(&str, Measure); 7] = [
    ("parse", parse),
    ("walk", walk),
    ("pipeline", pipeline),
    ("shared", shared),
    ("hit", hit),
    ("deparse", deparse),
    ("parsewalk", parse_and_walk),
];

fn tree(sql: &str) -> Tree {
    Tree::parse(sql, &ParseOptions::default()).expect("a statement that parses")
}

fn raw(sql: &str) -> pg_raw_parse::ParseResult {
    pg_raw_parse::parse(sql).expect("a statement that parses")
}

fn parse(statements: &[String]) -> [f64; 2] {
    in_turn(
        statements.len(),
        || statements.iter().for_each(|sql| drop(black_box(tree(sql)))),
        || statements.iter().for_each(|sql| drop(black_box(raw(sql)))),
    )
}

fn walk(statements: &[String]) -> [f64; 2] {
    let own: Vec<_> = statements.iter().map(|sql| tree(sql)).collect();
    let other: Vec<_> = statements.iter().map(|sql| raw(sql)).collect();
    in_turn(
        statements.len(),
        || own.iter().for_each(|tree| _ = black_box(walk_own(tree))),
        || other.iter().for_each(|tree| _ = black_box(walk_other(tree))),
    )
}

fn walk_own(tree: &Tree) -> i32 {
    let mut highest = 0;
    let visited: ControlFlow<()> = tree.visit(|node| {
        if let Node::ParamRef(parameter) = node {
            highest = highest.max(parameter.number());
        }
        ControlFlow::Continue(Inside::Visit)
    });
    let _ = black_box(visited);
    highest
}

fn walk_other(tree: &pg_raw_parse::ParseResult) -> i32 {
    let mut highest = 0;
    for statement in tree.stmts() {
        pg_raw_parse::walk::walk(statement, |node| {
            if let RawNode::ParamRef(parameter) = node {
                highest = highest.max(parameter.number);
            }
        });
    }
    highest
}

fn parse_and_walk(statements: &[String]) -> [f64; 2] {
    in_turn(
        statements.len(),
        || statements.iter().for_each(|sql| _ = black_box(walk_own(&tree(sql)))),
        || statements.iter().for_each(|sql| _ = black_box(walk_other(&raw(sql)))),
    )
}

fn pipeline(statements: &[String]) -> [f64; 2] {
    in_turn(
        statements.len(),
        || statements.iter().for_each(|sql| _ = black_box(with_pgq::route(sql))),
        || statements.iter().for_each(|sql| _ = black_box(with_pg_raw_parse::route(sql))),
    )
}

fn shared(statements: &[String]) -> [f64; 2] {
    in_turn(
        statements.len(),
        || statements.iter().for_each(|sql| drop(black_box(Tree::parse_shared(sql)))),
        || statements.iter().for_each(|sql| drop(black_box(Arc::new(raw(sql).into_inner())))),
    )
}

/// Measures how fast a tree is found by its text: in pgq's cache, and in a map with a mutex. A proxy with pg_raw_parse
/// has such a map.
fn hit(statements: &[String]) -> [f64; 2] {
    let cache = TreeCache::new(64 << 20);
    statements.iter().for_each(|sql| drop(cache.parse(sql)));
    let map: HashMap<String, Arc<_>> =
        statements.iter().map(|sql| (sql.clone(), Arc::new(raw(sql).into_inner()))).collect();
    let map = Mutex::new(map);
    in_turn(
        statements.len(),
        || statements.iter().for_each(|sql| drop(black_box(cache.get(sql)))),
        || statements.iter().for_each(|sql| drop(black_box(map.lock().expect("no panic").get(sql).cloned()))),
    )
}

/// Measures deparsing the node of each statement, without the surrounding tree.
fn deparse(statements: &[String]) -> [f64; 2] {
    let own: Vec<_> = statements.iter().map(|sql| tree(sql)).collect();
    let other: Vec<_> = statements.iter().map(|sql| raw(sql)).collect();
    in_turn(
        statements.len(),
        || {
            for node in own.iter().flat_map(|tree| tree.statement(0).node()) {
                _ = black_box(node.deparse());
            }
        },
        || {
            for statement in other.iter().filter_map(|tree| tree.stmts().next()) {
                _ = black_box(pg_raw_parse::deparse(statement).map(|sql| sql.as_str().to_string()));
            }
        },
    )
}

/// Returns the nanoseconds per statement, for both functions. Each call of a function processes `count` statements. The
/// functions are measured alternately.
fn in_turn(count: usize, mut own: impl FnMut(), mut other: impl FnMut()) -> [f64; 2] {
    let (own_calls, other_calls) = (calls(&mut own), calls(&mut other));
    let mut best = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        best[0] = best[0].min(time(&mut own, own_calls));
        best[1] = best[1].min(time(&mut other, other_calls));
    }
    best.map(|nanos| nanos / count as f64)
}

/// Returns the number of calls that together take long enough to be measured.
fn calls(f: &mut impl FnMut()) -> usize {
    let once = (0..3).map(|_| time(f, 10)).fold(f64::INFINITY, f64::min);
    (BATCH / once).ceil().max(1.0) as usize
}

/// Returns the nanoseconds per call.
fn time(f: &mut impl FnMut(), calls: usize) -> f64 {
    let now = || clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("a clock of the system");
    let start = now();
    (0..calls).for_each(|_| f());
    let end = now();
    let nanos = (end.tv_sec() - start.tv_sec()) as f64 * 1e9 + (end.tv_nsec() - start.tv_nsec()) as f64;
    nanos / calls as f64
}
