//! The queries, and how a proxy processes a query in four steps. The first step decides whether the query's result may
//! be cached. The second finds the shard. The third checks the tenant's tables. The fourth rewrites the query for the
//! shard.

#[cfg(feature = "pgq")]
pub mod growth;
#[cfg(feature = "pgq")]
pub mod lookups;
#[cfg(feature = "pg_query")]
pub mod with_pg_query;
#[cfg(feature = "pg_raw_parse")]
pub mod with_pg_raw_parse;
#[cfg(feature = "pgq")]
pub mod with_pgq;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;

/// The sharding column.
pub const KEY: &str = "aid";

/// The number of shards.
pub const SHARDS: i32 = 16;

/// Functions whose results vary between calls.
pub const VOLATILE: [&str; 3] = ["now", "random", "nextval"];

/// Prefix of the tables that every tenant may use.
pub const TENANT: &str = "pgbench_";

/// The routing of a query.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Route {
    /// Whether the result may be cached: the query only reads, and calls no volatile function.
    pub cacheable: bool,
    /// Whether the query uses only the tenant's tables.
    pub of_tenant: bool,
    /// The shard; `None` for all shards.
    pub shard: Option<i32>,
    /// Whether the query may write.
    pub writes: bool,
    /// The query with the shard's tables.
    pub sql: String,
}

/// Returns the name of a table on a shard.
pub fn sharded(table: &str, shard: i32) -> String {
    format!("{table}_{shard}")
}

/// Returns the statements of pgbench's transaction with random numbers.
pub fn queries(count: usize) -> Vec<String> {
    let mut rng = fastrand::Rng::with_seed(1);
    let mut queries = Vec::with_capacity(count);
    while queries.len() < count {
        let (aid, tid, bid) = (rng.i32(1..100_000), rng.i32(1..=10), 1);
        let delta = rng.i32(1..5000);
        queries.push(format!("UPDATE pgbench_accounts SET abalance = abalance + {delta} WHERE aid = {aid}"));
        queries.push(format!("SELECT abalance FROM pgbench_accounts WHERE aid = {aid}"));
        queries.push(format!("UPDATE pgbench_tellers SET tbalance = tbalance + {delta} WHERE tid = {tid}"));
        queries.push(format!("UPDATE pgbench_branches SET bbalance = bbalance + {delta} WHERE bid = {bid}"));
        queries.push(format!(
            "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES ({tid}, {bid}, {aid}, {delta}, now())"
        ));
    }
    queries.truncate(count);
    queries
}

/// Routes the queries, and prints the time and a hash of the routes.
pub fn run(parser: &str, mut route: impl FnMut(&str) -> Route) {
    let count = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(200_000);
    let queries = queries(count);
    let mut digest = DefaultHasher::new();
    for query in &queries {
        route(query).hash(&mut digest);
    }
    let best = (0..5).map(|_| {
        let start = Instant::now();
        queries.iter().for_each(|query| drop(std::hint::black_box(route(query))));
        start.elapsed()
    });
    let best = best.min().expect("five rounds").as_nanos() as f64 / 1e3 / count as f64;
    println!("{parser:<13} {best:7.3} us/query, routes {:016x}", digest.finish());
}
