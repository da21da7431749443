//! Tests that `pgq export` produces the same rows from every log format, for any number of jobs, in every output
//! format. DuckDB and pyarrow read the files back. `PYTHON` names a Python interpreter that has both packages.

#[path = "../common/mod.rs"]
mod common;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use common::left_out::left_out;
use common::program::{PGQ, command, run, stderr, stdout_of, write};
use common::project::project_file;
use serde_json::Value;

/// An output file for each format.
const FORMATS: &[&str] = &["rows.json", "rows.csv", "rows.tsv", "rows.arrow", "rows.parquet"];

/// Returns all columns, as an argument of `--columns`.
fn all_columns() -> String {
    let list = stdout_of(&["export", "--columns", "help"]);
    let names: Vec<&str> = list.lines().take_while(|line| !line.is_empty()).filter_map(first_word).collect();
    assert!(names.len() > 25, "{list}");
    names.join(",")
}

fn first_word(line: &str) -> Option<&str> {
    line.split_whitespace().next()
}

/// Returns logs in three formats, then scripts. Some statements do not parse.
fn inputs() -> Vec<String> {
    let mut inputs: Vec<String> =
        ["log.log", "log.csv", "log.json"].map(|name| project_file(&format!("fixtures/log/{name}"))).to_vec();
    let scripts = walkdir::WalkDir::new(project_file("fixtures")).sort_by_file_name();
    let scripts = scripts.into_iter().map(|entry| entry.unwrap().into_path());
    let is_script = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "sql");
    inputs.extend(scripts.filter(is_script).map(|path| path.to_string_lossy().into_owned()));
    inputs
}

/// Exports all inputs to a file. Returns its bytes.
fn export(folder: &Path, name: &str, more: &[&str], inputs: &[String]) -> Vec<u8> {
    let path = folder.join(name).to_string_lossy().into_owned();
    let columns = all_columns();
    let mut args = vec!["export", "--output", &path, "--columns", &columns];
    args.extend(more);
    args.extend(inputs.iter().map(String::as_str));
    let output = run(&args, b"");
    assert_eq!(output.status.code(), Some(1), "some statements do not parse: {}", stderr(&output));
    std::fs::read(path).unwrap()
}

#[test]
fn the_three_log_formats_give_the_same_rows() {
    // Columns that differ between the formats: the record's position, and fields that the prefix of the stderr log
    // lacks.
    const OTHERS: [&str; 12] = [
        "file",
        "line",
        "offset",
        "start_time",
        "session_line",
        "remote_host",
        "command_tag",
        "sqlstate",
        "query_id",
        "vxid",
        "txid",
        "error",
    ];
    let rows = |format: &str, name: &str| {
        let columns = all_columns();
        let columns: Vec<&str> = columns.split(',').filter(|name| !OTHERS.contains(name)).collect();
        let file = project_file(&format!("fixtures/log/{name}"));
        let columns = columns.join(",");
        let mut args = vec!["export", "--from", format, "--columns", &columns, &file];
        if format == "stderr" {
            args.extend(["--log-line-prefix", "%m [%p] %q%u@%d %a %c "]);
        }
        let mut rows: Vec<Value> =
            String::from_utf8(run(&args, b"").stdout).unwrap().lines().map(|row| row.parse().unwrap()).collect();
        rows.sort_by_key(|row| row["pid"].as_u64()); // processes may write in any order
        rows
    };
    let csvlog = rows("csvlog", "log.csv");
    assert!(csvlog.len() > 100, "{}", csvlog.len());
    assert!(csvlog.iter().all(|row| row["time"].is_string() && row["user"].is_string()));
    assert!(csvlog == rows("jsonlog", "log.json"), "csvlog and jsonlog differ");
    assert!(csvlog == rows("stderr", "log.log"), "csvlog and stderr differ");
}

#[test]
fn csvlog_and_jsonlog_give_all_columns() {
    let rows = |name: &str| {
        let columns = all_columns();
        let columns: Vec<&str> = columns.split(',').filter(|name| !["file", "line", "offset"].contains(name)).collect();
        let file = project_file(&format!("fixtures/log/{name}"));
        let args = ["export", "--columns", &columns.join(","), &file];
        let mut rows: Vec<String> =
            String::from_utf8(run(&args, b"").stdout).unwrap().lines().map(String::from).collect();
        rows.sort();
        rows
    };
    assert!(rows("log.csv") == rows("log.json"));
}

#[test]
fn bytes_do_not_depend_on_jobs_and_caches() {
    let folder = tempfile::tempdir().unwrap();
    // Enough rows for several batches.
    let log = std::fs::read(project_file("fixtures/log/log.csv")).unwrap();
    let mut inputs = inputs();
    inputs.push(write(folder.path(), "long.csv", log.repeat(60)));
    for format in FORMATS {
        let one = export(folder.path(), format, &["--jobs", "1"], &inputs);
        for more in [&["--jobs", "8"][..], &["--no-cache", "--jobs", "3"], &["--no-shape-cache"]] {
            assert!(export(folder.path(), format, more, &inputs) == one, "{format} {more:?}");
        }
    }
}

/// Returns the command of a Python interpreter that has pyarrow and DuckDB. If there is none, prints the reason and
/// returns `None`.
fn python_with_readers() -> Option<String> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let has_readers = Command::new(&python).args(["-c", "import duckdb, pyarrow, pytz"]).output();
    if has_readers.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    left_out("rows read back", "no Python with duckdb, pyarrow and pytz");
    None
}

/// Runs a script of this folder. Fails if the script fails.
fn run_python(python: &str, script: &str, argument: &Path) {
    let script = project_file(&format!("tests/export/{script}"));
    let output = Command::new(python).arg(script).arg(argument).env("PGQ", PGQ).output().unwrap();
    assert!(output.status.success(), "{}{}", String::from_utf8_lossy(&output.stdout), stderr(&output));
    println!("{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn tables_of_tokens_nodes_and_groups_equal_the_texts() {
    let Some(python) = python_with_readers() else { return };
    let folder = tempfile::tempdir().unwrap();
    let scripts: Vec<String> = inputs().into_iter().filter(|input| input.ends_with(".sql")).collect();
    let log = vec![project_file("fixtures/log/log.csv")];
    let write = |command: &str, name: &str, format: &str, inputs: &[String]| {
        let path = folder.path().join(name).to_string_lossy().into_owned();
        let mut args = vec![command, "--format", format, "--output", &path];
        args.extend(inputs.iter().map(String::as_str));
        let output = run(&args, b"");
        assert!(output.status.code().is_some_and(|code| code < 2), "{args:?}: {}", stderr(&output));
    };
    for (command, table, inputs) in
        [("scan", "tokens", &scripts), ("parse", "nodes", &scripts), ("digest", "groups", &log)]
    {
        for format in ["parquet", "arrow"] {
            write(command, &format!("{table}.{format}"), format, inputs);
        }
        let text = if command == "digest" { "csv" } else { "json" };
        write(command, &format!("{table}.{text}"), text, inputs);
    }
    run_python(&python, "tables.py", folder.path());
}

#[test]
fn values_of_all_types_are_kept() {
    let Some(python) = python_with_readers() else { return };
    run_python(&python, "kept_types.py", tempfile::tempdir().unwrap().path());
}

#[test]
fn types_that_parquet_lacks_are_errors() {
    use arrow_schema::DataType::{self, *};
    use arrow_schema::{Field, IntervalUnit, Schema, TimeUnit, UnionFields, UnionMode};
    let member = |of: &DataType| Arc::new(Field::new("member", of.clone(), true));
    let union = Union(UnionFields::from_fields([Field::new("a", Int64, true)]), UnionMode::Sparse);
    let empty = Struct(Vec::<Field>::new().into());
    let months = Interval(IntervalUnit::MonthDayNano);
    let seconds = Timestamp(TimeUnit::Second, None);
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("kept.parquet").to_string_lossy().into_owned();
    for lacking in [union, empty, months, seconds, FixedSizeBinary(0), Decimal128(5, -2)] {
        for data_type in [
            List(member(&lacking)),
            Struct(vec![member(&lacking)].into()),
            Dictionary(Box::new(Int8), Box::new(lacking.clone())),
            RunEndEncoded(Arc::new(Field::new("run_ends", Int32, false)), member(&lacking)),
            lacking,
        ] {
            let schema = Schema::new(vec![Field::new("a", data_type, true), Field::new("query", Utf8, true)]);
            let mut table = Vec::new();
            arrow_ipc::writer::StreamWriter::try_new(&mut table, &schema).and_then(|mut it| it.finish()).unwrap();
            let input = write(folder.path(), "table.arrow", table);
            for command in ["fingerprint", "export"] {
                let refused = run(&[command, "--keep-columns", "-o", &output, &input], b"");
                assert_eq!(refused.status.code(), Some(2), "{schema:?}: {}", stderr(&refused));
                assert!(stderr(&refused).contains("Parquet has no type for the column"), "{}", stderr(&refused));
            }
        }
    }
    assert!(!Path::new(&output).exists());
}

#[test]
fn bytes_that_are_not_utf8_are_kept_or_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let kept = |command: &str, output: &str, more: &[&str], table: &[u8]| {
        let result = run(&[&[command, "--from=csv", "--keep-columns", "-o", &path(output)][..], more].concat(), table);
        (result.status.code().unwrap(), stderr(&result))
    };
    let table = b"query,a\nSELECT 1,b\nSELECT 1,caf\xe9\n";
    for command in ["fingerprint", "export"] {
        for output in ["rows.json", "rows.arrow", "rows.parquet"] {
            for (table, problem) in [
                (&table[..], "the column a is not UTF-8 in line 3: name the encoding (--encoding)"),
                (b"query,a\nSELECT '\xe9',b\n", "the column query is not UTF-8 in line 2"),
                (b"query,caf\xe9\nSELECT 1,b\n", "is not UTF-8 in the header"),
            ] {
                let (code, errors) = kept(command, output, &[], table);
                assert!(code == 2 && errors.contains(problem), "{command} {output}: {errors}");
            }
            assert_eq!(kept(command, output, &["--encoding=latin1"], table).0, 0, "{command} {output}");
        }
        assert_eq!(kept(command, "rows.csv", &[], table).0, 0);
        let rows = std::fs::read(path("rows.csv")).unwrap();
        assert!(rows.windows(6).any(|bytes| bytes == b",caf\xe9,"), "{command}");
        assert_eq!(kept(command, "rows.csv", &[], b"query,caf\xe9\nSELECT 1,b\n").0, 2, "{command}");
    }
    // Without `--keep-columns`, invalid bytes in other columns are not an error.
    assert_eq!(run(&["fingerprint", "--from=csv"], table).status.code(), Some(0));
}

#[test]
fn duckdb_and_pyarrow_read_equal_values_from_every_format() {
    let Some(python) = python_with_readers() else { return };
    let folder = tempfile::tempdir().unwrap();
    for format in FORMATS {
        export(folder.path(), format, &[], &inputs());
    }
    run_python(&python, "read_back.py", &folder.path().join("rows"));
}

#[test]
fn no_half_file_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let files = || std::fs::read_dir(folder.path()).unwrap().count();
    let path = folder.path().join("rows.csv").to_string_lossy().into_owned();
    // The input does not end before the signal.
    let mut run = command(&["export", "--from", "lines", "--output", &path, "-"]).spawn().unwrap();
    let _open = run.stdin.take(); // otherwise waiting for the program would close its input
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while files() == 0 && std::time::Instant::now() < deadline {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(files(), 1, "the temporary file");
    assert!(!Path::new(&path).exists());
    Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(130));
    assert_eq!(files(), 0);
}

#[test]
fn outputs_that_cannot_be_written_are_errors() {
    let log = project_file("fixtures/log/log.csv");
    for (output, message) in [("/dev/full", "No space left"), ("/no/such/folder/rows.csv", "No such file")] {
        let failed = run(&["export", "--format", "csv", "--output", output, &log], b"");
        assert_eq!(failed.status.code(), Some(2));
        assert!(stderr(&failed).contains(output) && stderr(&failed).contains(message), "{}", stderr(&failed));
    }
    // A closed pipe is not an error, because its reader may stop early.
    let closed = common::program::shell(
        "set -o pipefail; pgq export --from lines --columns sql | head -1 > /dev/null; echo ${PIPESTATUS[0]}",
        Path::new("."),
    );
    let mut closed = closed;
    closed.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = closed.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let _ = std::io::Write::write_all(&mut stdin, "SELECT 1\n".repeat(200_000).as_bytes());
    drop(stdin);
    assert_eq!(String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap(), "0\n");
}

/// TSV is COPY's text format, which pgq reads too.
#[test]
fn tsv_is_read_back() {
    let args = ["export", "--format", "tsv", "--columns", "sql,user"];
    let tsv = run(&[&args[..], &["-0"]].concat(), b"SELECT E'a\\nb'\0SELECT\r\n\t'\"'\0SELECT '\\.'\0").stdout;
    let lines = "sql\tuser\nSELECT E'a\\\\nb'\t\\N\nSELECT\\r\\n\\t'\"'\t\\N\nSELECT '\\\\.'\t\\N\n";
    assert_eq!(String::from_utf8_lossy(&tsv), lines);
    let again = run(&[&args[..], &["--from", "tsv", "--column", "sql"]].concat(), &tsv).stdout;
    assert_eq!(String::from_utf8_lossy(&again), lines);
}
