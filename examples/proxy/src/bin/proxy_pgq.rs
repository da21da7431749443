//! The proxy with pgq: measures and routes the traffic.

use pgq_example_proxy::with_pgq::route;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    pgq_example_proxy::run("pgq", |sql| route(sql).expect("the query parses"));
}
