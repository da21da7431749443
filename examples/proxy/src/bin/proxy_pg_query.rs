//! The proxy with pg_query: measures and routes the traffic.

use pgq_example_proxy::with_pg_query::route;

fn main() {
    pgq_example_proxy::run("pg_query", |sql| route(sql).expect("the query parses"));
}
