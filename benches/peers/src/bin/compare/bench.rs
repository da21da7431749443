//! Runs `pgq bench`, which measures libpg_query's functions, and captures the tables that it prints.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::peers::run;
use crate::results::BenchTable;

/// Returns the inputs of `pgq bench`: a description, the name in docs/benchmarks.md, and the path.
fn inputs() -> [(&'static str, &'static str, PathBuf); 3] {
    let fixture = |path: &'static str| (path, pgq_corpus::project_path(path));
    let (report, report_path) = fixture("fixtures/analytics/long_query.sql");
    let (pgbench, pgbench_path) = fixture("fixtures/oltp/pgbench_like.sql");
    [
        (
            "all statements of PostgreSQL's regression SQL and libpg_query's tests (`SQL` is their folder)",
            "SQL",
            pgq_corpus::sql_folder(),
        ),
        ("one reporting query of 2.7 kB", report, report_path),
        ("statements like pgbench's", pgbench, pgbench_path),
    ]
}

/// Runs `pgq bench` on each input, for `seconds` seconds per function.
pub fn tables(pgq: &str, seconds: f64, repeats: usize) -> Result<Vec<BenchTable>> {
    let mut tables = Vec::new();
    for (about, name, path) in inputs() {
        eprintln!("pgq bench {name}");
        let options = ["bench".to_string(), format!("--repeat={repeats}"), format!("--time={seconds}")];
        let text = run(Command::new(pgq).args(&options).arg(path))?;
        let command = format!("pgq {} {name}", options.join(" "));
        tables.push(BenchTable { about: about.to_string(), command, text });
    }
    Ok(tables)
}
