//! Builds the parsers. If a parser cannot be built, it is excluded and the page gives the reason.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::packages::Packages;

/// The origin of a parser.
enum Source {
    /// A package of crates.io. The program that uses the package, and the Cargo feature that builds this program, have
    /// the package's name.
    Cargo,
    /// A module of the Go proxy. Its directory in `go` has the parser's name.
    Go(&'static str),
    /// A package of PyPI. `python/pglast_peer.py` uses it.
    Pypi,
    /// A package of npm. `node/libpg_query_peer.js` uses it.
    Npm,
}

/// Names, origins and descriptions of the parsers.
const PARSERS: [(&str, Source, &str); 15] = [
    ("pgq", Source::Cargo, "Rust: PostgreSQL's grammar, with typed access to its C structs"),
    ("pg_query", Source::Cargo, "Rust: libpg_query through Protobuf"),
    ("pg_raw_parse", Source::Cargo, "Rust, by PgDog: libpg_query, with typed access to its C structs"),
    ("pg_parse", Source::Cargo, "Rust: libpg_query through JSON"),
    ("postgresql-cst-parser", Source::Cargo, "Rust without C: PostgreSQL's grammar, with white space in the trees"),
    ("qusql-parse", Source::Cargo, "Rust: its own parser, for three dialects"),
    ("sqlparser", Source::Cargo, "Rust: its own parser, for many dialects"),
    ("sqlglot-rust", Source::Cargo, "Rust: a port of sqlglot, for many dialects"),
    ("polyglot-sql", Source::Cargo, "Rust: another port of sqlglot, for many dialects"),
    ("databend-common-ast", Source::Cargo, "Rust: Databend's parser, with a dialect for PostgreSQL"),
    ("pg_query_go", Source::Go("github.com/pganalyze/pg_query_go/v6"), "Go: libpg_query through cgo and Protobuf"),
    ("go-pgquery", Source::Go("github.com/wasilibs/go-pgquery"), "Go: libpg_query compiled to WebAssembly"),
    ("oliphant", Source::Go("github.com/sqlc-dev/oliphant"), "Go without C: PostgreSQL's parser"),
    ("pglast", Source::Pypi, "Python: libpg_query, with Python objects as nodes"),
    ("libpg-query", Source::Npm, "JavaScript: libpg_query compiled to WebAssembly"),
];

/// A parser that is excluded because it is not published as a package.
const NOT_PUBLISHED: (&str, &str) = (
    "PgDog's fork of pg_query",
    "the fork is only in a Git repository; on crates.io, PgDog publishes pg_raw_parse",
);

pub struct Peer {
    pub name: &'static str,
    pub about: &'static str,
    pub version: String,
    /// The command, without its argument (the file of statements).
    pub command: Vec<String>,
    /// The command that counts the bytes of the heap, for parsers in Rust.
    pub memory: Option<Vec<String>>,
}

/// The built parsers, pgq first, and the excluded parsers with the reasons.
pub struct Peers {
    pub built: Vec<Peer>,
    pub left_out: Vec<(String, String)>,
}

pub fn build(here: &Path, packages: &Packages) -> Result<Peers> {
    let mut built = Vec::new();
    let mut left_out = vec![(NOT_PUBLISHED.0.to_string(), NOT_PUBLISHED.1.to_string())];
    for (name, source, about) in PARSERS {
        eprintln!("building {name}");
        let mut memory = None;
        let result = match source {
            Source::Cargo => {
                cargo(here, name, packages).inspect(|_| memory = copied_program(here, name, "memory").ok())
            }
            Source::Go(module) => go(here, name, module, packages),
            Source::Pypi => pypi(here, packages),
            Source::Npm => npm(here, packages),
        };
        match result {
            Ok((version, command)) => built.push(Peer { name, about, version, command, memory }),
            Err(error) if name == "pgq" => return Err(error),
            Err(error) => {
                eprintln!("left out: {name}: {error:#}");
                left_out.push((name.to_string(), format!("it cannot be built; {error:#}")));
            }
        }
    }
    Ok(Peers { built, left_out })
}

fn cargo(here: &Path, name: &str, packages: &Packages) -> Result<(String, Vec<String>)> {
    let command = copied_program(here, name, "time")?;
    Ok((packages.find(name).context("no package")?.version.clone(), command))
}

/// Builds the program of the parser `name` with the feature `measures` (`time` or `memory`). Returns the path of a
/// copy, because a build with the other feature overwrites the program.
fn copied_program(here: &Path, name: &str, measures: &str) -> Result<Vec<String>> {
    let features = format!("{name},{measures}");
    let program = cargo_program(here, &["--features", &features, "--bin", name])?;
    let copy = format!("{program}-{measures}");
    std::fs::copy(program, &copy)?;
    Ok(vec![copy])
}

/// Builds the release program of the package in `folder`. Returns its path.
pub fn cargo_program(folder: &Path, arguments: &[&str]) -> Result<String> {
    let arguments = [&["build", "--release", "--message-format", "json-render-diagnostics"], arguments].concat();
    let messages = run(Command::new("cargo").args(arguments).current_dir(folder))?;
    let executable = |line: &str| Some(serde_json::from_str::<Value>(line).ok()?["executable"].as_str()?.to_string());
    messages.lines().rev().find_map(executable).context("no program was built")
}

fn go(here: &Path, name: &str, module: &str, packages: &Packages) -> Result<(String, Vec<String>)> {
    let folder = here.join("go");
    let program = packages.target.join("go").join(name).display().to_string();
    run(Command::new("go").args(["build", "-o", &program, &format!("./{name}")]).current_dir(&folder))?;
    let version = run(Command::new("go").args(["list", "-m", "-f", "{{.Version}}", module]).current_dir(&folder))?;
    Ok((version.trim().to_string(), vec![program]))
}

/// Returns the Python of a virtual environment with pglast. Creates the environment if necessary.
pub fn python(here: &Path, packages: &Packages) -> Result<PathBuf> {
    let environment = packages.target.join("python");
    let python = environment.join("bin/python");
    if !python.exists() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
    }
    let install = ["-m", "pip", "--quiet", "install", "--requirement"];
    run(Command::new(&python).args(install).arg(here.join("python/requirements.txt")))?;
    Ok(python)
}

fn pypi(here: &Path, packages: &Packages) -> Result<(String, Vec<String>)> {
    let python = python(here, packages)?;
    let version = "from importlib.metadata import version; print(version('pglast'))";
    let version = run(Command::new(&python).args(["-c", version]))?;
    let script = here.join("python/pglast_peer.py");
    Ok((version.trim().to_string(), vec![python.display().to_string(), script.display().to_string()]))
}

fn npm(here: &Path, packages: &Packages) -> Result<(String, Vec<String>)> {
    let folder = packages.target.join("node");
    std::fs::create_dir_all(&folder)?;
    for file in ["package.json", "package-lock.json", "libpg_query_peer.js"] {
        std::fs::copy(here.join("node").join(file), folder.join(file))?;
    }
    run(Command::new("npm").args(["install", "--silent", "--no-audit", "--no-fund"]).current_dir(&folder))?;
    let package = std::fs::read(folder.join("node_modules/libpg-query/package.json"))?;
    let package: Value = serde_json::from_slice(&package)?;
    let script = folder.join("libpg_query_peer.js").display().to_string();
    Ok((package["version"].as_str().context("no version")?.to_string(), vec!["node".to_string(), script]))
}

/// Returns the output of a command, or its most informative error message if it fails.
pub fn run(command: &mut Command) -> Result<String> {
    let program = command.get_program().display().to_string();
    let output = command.output().with_context(|| format!("{program} cannot be run"))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        eprintln!("{errors}");
        bail!("{program}: {}", reason(&errors).unwrap_or("it failed"));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the linker's first message about a missing function (`undefined reference to …`). Without such a message,
/// returns the first line that contains `error`; without such a line, the last line.
fn reason(errors: &str) -> Option<&str> {
    if let Some(start) = errors.find("undefined reference") {
        return errors[start..].lines().next();
    }
    let mut lines = errors.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.clone().find(|line| line.to_lowercase().contains("error")).or_else(|| lines.next_back())
}

#[test]
fn the_reason_is_the_line_that_names_an_error() {
    assert_eq!(reason("note: x\nerror: no libclang\nwarning: y\n"), Some("error: no libclang"));
    assert_eq!(reason("error: x\nld: /y.c:1: undefined reference to `z'\n"), Some("undefined reference to `z'"));
    assert_eq!(reason("go: not found\n\n"), Some("go: not found"));
    assert_eq!(reason(""), None);
}
