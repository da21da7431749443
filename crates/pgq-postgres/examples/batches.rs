//! Measures how many statements per second one connection executes in batches.
//!
//!     cargo run --release -p pgq-postgres --example batches -- 'dbname=harbor' 10000 5
//!
//! The arguments are a connection string, the rows per batch and a duration in seconds. benches/postgres/run.sh
//! compares the result with other clients.

use std::ops::ControlFlow::Continue;
use std::time::{Duration, Instant};

use pgq_postgres::{BatchAnswer, BatchOptions, Client, Parameters, Settings, SyncEvery};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, server, rows, seconds] = &arguments[..] else { return Err("SERVER ROWS SECONDS".into()) };
    let (rows, seconds): (u64, u64) = (rows.parse()?, seconds.parse()?);
    let mut client = Client::connect(&Settings::from_environment(server)?)?;
    let statement = client.prepare("SELECT id, name FROM harbors LIMIT $1", &[])?;
    // Send one Sync per batch, like the clients with which benches/postgres/run.sh compares this example.
    let options = BatchOptions { sync: SyncEvery::End, ..BatchOptions::default() };
    let limits: Vec<String> = (1..=10).map(|limit| limit.to_string()).collect();
    let (mut executed, mut bytes) = (0, 0);
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(seconds) {
        let mut row = 0;
        let push = |parameters: &mut Parameters<'_>| {
            parameters.push(Some(limits[row as usize % limits.len()].as_bytes()));
            row += 1;
            Ok(row <= rows)
        };
        let summary = client.execute(&statement, &options, push, |answer| {
            if let BatchAnswer::Row { data, .. } = answer {
                for value in data.values().expect("the server's rows are sound").into_iter().flatten() {
                    bytes += value.len();
                }
            }
            Continue(())
        })?;
        assert_eq!((summary.ran, summary.failed), (rows, 0));
        executed += summary.ran;
    }
    println!("{:.0} {}", executed as f64 / begun.elapsed().as_secs_f64(), bytes / executed as usize);
    Ok(())
}
