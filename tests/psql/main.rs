//! Compares the statements that pgq finds in scripts with the statements that psql sends. psql runs the scripts against
//! a server that records its queries. Skipped without psql.

#[cfg(feature = "cli")]
mod commands;
#[path = "../common/mod.rs"]
mod common;
mod compare;
mod generate;
mod server;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use common::left_out::left_out;
use common::setting::setting;
use compare::{compare, found_by_pgq, sent_by_psql};
use server::Server;
use wait_timeout::ChildExt;

/// Number of psql programs that run at the same time.
const THREADS: usize = 4;

/// Returns the major version of psql, if it is installed.
fn psql_version() -> Option<u32> {
    let output = Command::new("psql").arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let number = text.split(' ').find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    number.split('.').next()?.parse().ok()
}

/// Runs a script with psql, with a timeout of two minutes.
fn run_psql(server: &Server, script: &Path, folder: &Path) {
    let mut psql = Command::new("psql");
    psql.args(["-X", "-q", "-h", "127.0.0.1", "-U", "u", "-d", "d", "-p", &server.port.to_string(), "-f"])
        .arg(script)
        .current_dir(folder)
        .env("PGSSLMODE", "disable")
        .env("PGGSSENCMODE", "disable")
        .env("PGPASSWORD", "p")
        .env("PSQL_EDITOR", "true")
        .env("PSQL_PAGER", "cat")
        .env("PGCLIENTENCODING", "UTF8")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = psql.spawn().unwrap();
    if child.wait_timeout(Duration::from_secs(120)).unwrap().is_none() {
        child.kill().unwrap();
        panic!("psql does not end: {}", script.display());
    }
}

/// Counts of compared statements.
#[derive(Default)]
struct Totals {
    scripts: usize,
    equal: usize,
    explained: BTreeMap<&'static str, usize>,
    /// The scripts with different statements.
    wrong: String,
}

/// Runs every script with psql. Compares the statements that psql sends with the statements that pgq finds, and prints
/// the totals. Several threads run scripts, because most of the time is spent waiting for psql.
fn check(name: &str, scripts: impl Iterator<Item = String> + Send) {
    let (scripts, totals) = (Mutex::new(scripts), Mutex::new(Totals::default()));
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let (server, folder) = (Server::start(), tempfile::tempdir().unwrap());
                let next = || scripts.lock().unwrap().next();
                while let Some(script) = next() {
                    check_script(&server, folder.path(), &without_stops(&script), &totals);
                }
            });
        }
    });
    let Totals { scripts, equal, explained, wrong } = totals.into_inner().unwrap();
    println!("{name}: {scripts} scripts, {equal} statements equal, {explained:?}");
    assert!(wrong.is_empty(), "{wrong}");
}

fn check_script(server: &Server, folder: &Path, script: &str, totals: &Mutex<Totals>) {
    let path = folder.join("script.sql");
    std::fs::write(&path, script).unwrap();
    run_psql(server, &path, folder);
    let comparison = compare(script, &found_by_pgq(script), &sent_by_psql(&server.take_queries()));
    let mut totals = totals.lock().unwrap();
    totals.scripts += 1;
    totals.equal += comparison.equal;
    for (reason, count) in comparison.explained {
        *totals.explained.entry(reason).or_default() += count;
    }
    if !comparison.lost.is_empty() || !comparison.made_up.is_empty() {
        let (lost, made_up) = (&comparison.lost, &comparison.made_up);
        totals.wrong += &format!("== {script}\n-- lost: {lost:#?}\n-- made up: {made_up:#?}\n");
    }
}

/// Changes a script so that psql reads it to its end, whatever the server answers.
fn without_stops(script: &str) -> String {
    let (mut depth, mut text) = (0usize, String::new());
    for line in script.split_inclusive('\n') {
        let command = line.trim_start();
        depth += usize::from(command.starts_with("\\if "));
        depth -= usize::from(command.starts_with("\\endif")).min(depth);
        let lower = command.to_lowercase();
        let is_extension = lower.starts_with("\\echo use \"");
        // This statement is invalid. psql 15.20 and later versions then expect data up to `\.` and skip it.
        let is_copy_of_query = lower.starts_with("copy (") && lower.contains(") from stdin");
        let stops = is_extension
            || is_copy_of_query
            || command.starts_with("\\set ON_ERROR_STOP")
            || (depth > 0 && command.starts_with("\\q"));
        text += if stops { "\\echo\n" } else { line };
    }
    text
}

/// Returns the oldest version of psql that has all meta-commands of a script. Returns 0 if all versions have them.
fn version_of(script: &str) -> u32 {
    const NEWER: [(u32, &[&str]); 2] = [
        (16, &["\\bind "]),
        (18, &["\\parse ", "\\bind_named", "\\close_prepared", "pipeline\n", "\\flush", "\\getresults"]),
    ];
    let versions = NEWER.into_iter().filter(|(_, commands)| commands.iter().any(|command| script.contains(command)));
    versions.map(|(version, _)| version).max().unwrap_or(0)
}

/// Returns whether a script is safe to run here: it runs no programs and writes no files outside its folder.
fn is_harmless(script: &str) -> bool {
    !["\\!", "`", "| ", "\\o ", "\\w ", "\\out ", "\\write ", "\\lo_"].iter().any(|command| script.contains(command))
}

fn scripts_of(folder: &Path) -> Vec<String> {
    let files = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().flatten();
    let files = files.map(|file| file.path().to_path_buf());
    let is_sql = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "sql" || extension == "psql");
    files.filter(is_sql).filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

#[test]
fn generated_scripts_are_read_as_psql_reads_them() {
    let Some(version) = psql_version() else { return left_out("generated scripts", "no psql") };
    let mut rng = fastrand::Rng::with_seed(setting("PGQ_SEED", 1) as u64);
    let scripts = (0..60 * setting("PGQ_CASES", 1)).map(move |_| generate::script(&mut rng, version));
    check("generated", scripts);
}

#[test]
fn the_projects_scripts_are_read_as_psql_reads_them() {
    if psql_version().is_none() {
        return left_out("the project's scripts", "no psql");
    }
    let scripts = scripts_of(&pgq_corpus::project_path("fixtures"));
    check("fixtures", scripts.into_iter());
}

#[test]
fn the_scripts_of_the_corpus_are_read_as_psql_reads_them() {
    let Some(version) = psql_version() else { return left_out("the scripts of the corpus", "no psql") };
    let folder = pgq_corpus::sql_folder();
    let folder = std::env::var_os("PGQ_SCRIPTS").map_or(folder, PathBuf::from);
    let scripts = scripts_of(&folder);
    let known = scripts.iter().filter(|script| is_harmless(script) && version_of(script) <= version);
    println!("of {} scripts, psql {version} runs {}", scripts.len(), known.clone().count());
    check("corpus", known.cloned());
}
