//! The proxy with pg_raw_parse: measures and routes the traffic.

use pgq_example_proxy::with_pg_raw_parse::route;

fn main() {
    pgq_example_proxy::run("pg_raw_parse", |sql| route(sql).expect("the query parses"));
}
