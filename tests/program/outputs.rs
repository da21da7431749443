//! Tests output files. An output file is complete or untouched, and has the mode and owner of the file that it
//! replaces. It cannot also be an input, with one exception: `--state` may name an input of `--merge`.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use super::faults::log;
use crate::common::program::{PGQ, command, run, stderr, write};
use tempfile::tempdir;

/// Runs a shell command in a folder. `$0` is the program.
fn run_line(line: &str, folder: &std::path::Path) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", line, PGQ]).current_dir(folder).stdin(Stdio::null()).output().unwrap()
}

fn names(folder: &std::path::Path) -> Vec<String> {
    let mut names: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_full_disk_keeps_what_there_was() {
    let folder = tempdir().unwrap();
    let statements: String = (0..2000).map(|i| format!("SELECT a{i} FROM t{i} WHERE b{i} = 1;\n")).collect();
    write(folder.path(), "a.sql", &statements);
    write(
        folder.path(),
        "a.log",
        (0..2000).map(|i| log(1).replace("SELECT 0", &format!("SELECT a{i}"))).collect::<String>(),
    );
    // A limit on the file size has the effect of a full disk for one file.
    let limited = "trap '' XFSZ; ulimit -f 8; exec \"$0\"";
    for args in [
        "digest --from stderr --partial old a.log",
        "normalize --output old a.sql",
        "export --columns fingerprint,sql --format csv --output old a.sql",
        "replay --trust-log --plan old a.log",
    ] {
        write(folder.path(), "old", "precious");
        let output = run_line(&format!("{limited} {args}"), folder.path());
        assert_eq!(output.status.code(), Some(2), "{args}: {}", stderr(&output));
        assert_eq!(std::fs::read_to_string(folder.path().join("old")).unwrap(), "precious", "{args}");
        assert_eq!(names(folder.path()), ["a.log", "a.sql", "old"], "{args}");
    }
}

#[test]
fn a_file_that_is_replaced_keeps_its_mode_and_owner_and_its_links() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    let folder = tempdir().unwrap();
    write(folder.path(), "a.sql", "SELECT 1;\n");
    write(folder.path(), "a.log", log(3));
    let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    for args in [
        "normalize --output old a.sql",
        "digest --from stderr --partial old a.log",
        "normalize --output link a.sql",
        "format old",
        "format link",
    ] {
        let old = write(folder.path(), "old", "select 1 ;");
        std::fs::set_permissions(&old, PermissionsExt::from_mode(0o600)).unwrap();
        if is_root {
            std::os::unix::fs::chown(&old, Some(12_345), Some(54_321)).unwrap();
        }
        let link = folder.path().join("link");
        let _ = std::fs::remove_file(&link);
        symlink("old", &link).unwrap();
        let before = std::fs::metadata(&old).unwrap();
        let output = run_line(&format!("umask 022; exec \"$0\" {args}"), folder.path());
        assert!(output.status.success(), "{args}: {}", stderr(&output));
        let after = std::fs::metadata(&old).unwrap();
        assert_ne!(std::fs::read(&old).unwrap(), b"select 1 ;", "{args}");
        assert_eq!(
            (after.mode(), after.uid(), after.gid()),
            (before.mode(), before.uid(), before.gid()),
            "{args}: mode {:o}",
            after.mode()
        );
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink(), "{args}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_replaced_keeps_its_access_control_list() {
    use rustix::fs::{XattrFlags, getxattr, setxattr};
    let folder = tempdir().unwrap();
    // The version, and five entries of kind, permissions and ID: the owner, user 65534, the group, the mask, others.
    let entries: [(u16, u16, u32); 5] = [(1, 6, !0), (2, 4, 65534), (4, 0, !0), (16, 6, !0), (32, 0, !0)];
    let entries =
        entries.map(|(kind, rights, id)| [&kind.to_le_bytes()[..], &rights.to_le_bytes(), &id.to_le_bytes()].concat());
    let list = [&2_u32.to_le_bytes()[..], &entries.concat()].concat();
    let old = write(folder.path(), "old.sql", "select 1 ;");
    if let Err(problem) = setxattr(&old, "system.posix_acl_access", &list, XattrFlags::empty()) {
        println!("skipped: {} has no access control lists: {problem}", folder.path().display());
        return;
    }
    let output = run_line("exec \"$0\" format old.sql", folder.path());
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(std::fs::read(&old).unwrap(), b"select 1;");
    let mut kept = [0; 100];
    let len = getxattr(&old, "system.posix_acl_access", &mut kept[..]).unwrap();
    assert_eq!(kept[..len], list);
}

/// The new file gets the mode that the old file has when it is replaced.
#[test]
fn a_file_whose_mode_changes_during_the_run_keeps_the_new_mode() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempdir().unwrap();
    let script = "echo old > old; mkfifo in; \"$0\" normalize -o old in & exec 7> in; echo 'SELECT 1' >&7; \
                  until ls -A | grep -q part; do sleep 0.01; done; chmod 600 old; exec 7>&-; wait $!";
    let output = run_line(script, folder.path());
    assert!(output.status.success(), "{}", stderr(&output));
    let old = folder.path().join("old");
    assert_eq!(std::fs::read_to_string(&old).unwrap(), "SELECT $1\n");
    assert_eq!(std::fs::metadata(&old).unwrap().permissions().mode() & 0o777, 0o600);
}

/// pgq opens the input after the output, so the temporary file exists when the shell has opened the pipe.
#[test]
fn while_a_file_is_replaced_nobody_else_can_open_the_new_one() {
    let folder = tempdir().unwrap();
    let script = "umask 022; echo old > old; chmod 666 old; mkfifo in; \"$0\" normalize -o old in & exec 7> in; \
                  echo 'SELECT 1' >&7; find . -name '.pgq-*' -perm 600; rm old; exec 7>&-; wait $!";
    let output = run_line(script, folder.path());
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(output.stdout.starts_with(b"./.pgq-"), "{output:?}");
    // The old file was removed during the run. The new file has the old file's mode nevertheless.
    let new = std::fs::metadata(folder.path().join("old")).unwrap();
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&new.permissions()) & 0o777, 0o666);
}

/// Like the shell's `>`, `--output` creates the missing target of a link.
#[test]
fn a_link_without_a_target_gets_one() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::os::unix::fs::symlink("middle", path("link")).unwrap();
    std::os::unix::fs::symlink(path("target.json"), path("middle")).unwrap();
    std::os::unix::fs::symlink("loop", path("loop")).unwrap();
    assert!(run(&["normalize", "-o", path("link").to_str().unwrap()], b"SELECT 1").status.success());
    assert_eq!(std::fs::read_to_string(path("target.json")).unwrap(), "SELECT $1\n");
    assert_eq!(names(folder.path()), ["link", "loop", "middle", "target.json"]);
    assert_eq!(run(&["normalize", "-o", path("loop").to_str().unwrap()], b"SELECT 1").status.code(), Some(2));
}

#[test]
fn the_extension_of_the_output_is_its_format() {
    let folder = tempdir().unwrap();
    for (command, name, start) in [
        ("normalize", "x.json", "{\"file\":"),
        ("fingerprint", "x.jsonl", "{\"file\":"),
        ("tables", "x.csv", "file,line"),
        ("split", "x.tsv", "file\tline"),
        ("scan", "x.json", "{\"file\":"),
        ("deparse", "x.json", "{\"file\":"),
        ("check", "x.json", "{\"statements\":"),
        ("parse", "x.json", "{\"file\":"),
        ("parse", "x.jsonl", "{\"file\":"),
        ("normalize", "x.txt", "SELECT"),
        ("normalize", "x", "SELECT"),
    ] {
        let path = folder.path().join(name);
        let output = run(&[command, "-o", path.to_str().unwrap()], b"SELECT 1");
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.starts_with(start), "{command} {name}: {text}{}", stderr(&output));
    }
    let commands = ["normalize", "fingerprint", "tables", "split", "scan", "deparse", "check"];
    for command in commands.into_iter().chain(["parse", "parse --plpgsql", "parse --syntax"]) {
        let path = folder.path().join("same.json");
        let args: Vec<&str> = command.split(' ').collect();
        let run_with = |more: &[&str]| run(&[&args, more].concat(), b"SELECT 1;\nselec;\nDO 'BEGIN END'").stdout;
        let expected = run_with(&["--format", "json"]);
        assert!(run_with(&["-o", path.to_str().unwrap()]).is_empty() && !expected.is_empty(), "{command}");
        assert_eq!(std::fs::read_to_string(path).unwrap(), String::from_utf8(expected).unwrap(), "{command}");
    }
}

#[test]
fn what_a_killed_run_left_is_removed_and_what_a_living_one_writes_is_not() {
    let folder = tempdir().unwrap();
    let start = |name: &str| {
        let path = folder.path().join(name).to_string_lossy().into_owned();
        let mut child = command(&["normalize", "--output", &path]).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"SELECT 1;\n").unwrap();
        (child, stdin)
    };
    let temporary = || names(folder.path()).iter().filter(|name| name.starts_with(".pgq-")).count();
    let await_files = |count: usize| {
        while temporary() != count {
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    let (mut killed, _open) = start("killed");
    await_files(1);
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(temporary(), 1);
    let (mut living, stdin) = start("living");
    await_files(1);
    let other = run(&["normalize", "--output", &folder.path().join("other").to_string_lossy()], b"SELECT 2;\n");
    assert!(other.status.success(), "{}", stderr(&other));
    drop(stdin);
    assert!(living.wait().unwrap().success());
    assert_eq!(names(folder.path()), ["living", "other"]);
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let folder = tempdir().unwrap();
    write(folder.path(), "a.sql", "SELECT 1;\n");
    write(folder.path(), "a.log", log(3));
    std::fs::create_dir(folder.path().join("scripts")).unwrap();
    write(&folder.path().join("scripts"), "b.sql", "SELECT 2;\n");
    std::os::unix::fs::symlink("a.log", folder.path().join("link")).unwrap();
    assert!(run_line("mkfifo pipe", folder.path()).status.success());
    let read = run_line("exec \"$0\" replay --trust-log --plan a.plan a.log", folder.path());
    assert!(read.status.success(), "{}", stderr(&read));
    let read = run_line("exec \"$0\" digest --state a.state a.log", folder.path());
    assert!(read.status.success(), "{}", stderr(&read));
    let files = ["a.sql", "a.log", "a.plan", "a.state", "scripts/b.sql"];
    let contents = || files.map(|name| std::fs::read(folder.path().join(name)).unwrap());
    let before = contents();
    for (args, named) in [
        ("digest -o a.log a.log", "a.log"),
        ("digest --state a.log a.log", "a.log"),
        ("digest -o ./a.log a.log", "./a.log"),
        ("digest -o link a.log", "link"),
        ("digest -o a.log link", "a.log"),
        ("digest -o a.log < a.log", "a.log"),
        ("digest --format text -o a.state --merge a.state", "a.state"),
        ("digest --format text -o a.state --merge - < a.state", "a.state"),
        ("digest --format text --merge - < a.state >> a.state", "standard output"),
        ("digest --format text --baseline a.state a.log >> a.state", "standard output"),
        ("export --format csv -o a.log a.log", "a.log"),
        ("replay --trust-log --plan a.log a.log", "a.log"),
        ("replay --plan a.plan a.plan", "a.plan"),
        ("replay --dry-run -o a.plan --format text a.plan", "a.plan"),
        ("normalize -o scripts/b.sql a.sql scripts", "scripts/b.sql"),
        ("split -o a.sql a.sql", "a.sql"),
        ("parse -o a.sql --format text a.sql", "a.sql"),
        ("scan -o a.sql --format text a.sql", "a.sql"),
        ("check -o a.sql a.sql", "a.sql"),
        ("deparse -o a.sql a.sql", "a.sql"),
        ("bench --format text -o a.sql a.sql", "a.sql"),
        ("normalize -o pipe pipe", "pipe"),
        ("digest --state pipe pipe", "pipe"),
        ("normalize a.sql >> a.sql", "standard output"),
        ("normalize < a.sql >> a.sql", "standard output"),
        ("scan scripts >> scripts/b.sql", "standard output"),
        ("format --diff scripts >> scripts/b.sql", "standard output"),
        ("format < a.sql >> a.sql", "standard output"),
        ("digest link >> a.log", "standard output"),
        ("serve --stdio < a.sql >> a.sql", "standard output"),
        ("digest --format text --merge a.state >> a.state", "standard output"),
    ] {
        let output = run_line(&format!("exec \"$0\" {args}"), folder.path());
        let message =
            format!("pgq: error: {named} is an input, which the output would replace: write to another file\n");
        assert_eq!((output.status.code(), stderr(&output)), (Some(2), message), "{args}");
        assert!(contents() == before, "{args}");
    }
    assert_eq!(names(folder.path()), ["a.log", "a.plan", "a.sql", "a.state", "link", "pipe", "scripts"]);
    // `--state` may name an input of `--merge`, because the merged state contains that input.
    let merged = run_line("exec \"$0\" digest --state a.state --merge a.state a.state", folder.path());
    assert!(merged.status.success(), "{}", stderr(&merged));
}

#[test]
fn a_pipe_gets_the_output_even_if_it_is_empty() {
    let folder = tempdir().unwrap();
    let line = |sql| format!("rm -f pipe; mkfifo pipe; cat pipe & echo '{sql}' | \"$0\" normalize -o pipe; wait");
    for (sql, normalized) in [("SELECT 1;", "SELECT $1\n"), ("", "")] {
        let output = run_line(&line(sql), folder.path());
        assert_eq!((String::from_utf8_lossy(&output.stdout), stderr(&output)), (normalized.into(), String::new()));
    }
}

#[test]
fn pipes_that_must_be_files_are_refused_at_once() {
    let folder = tempdir().unwrap();
    write(folder.path(), "a.log", log(3));
    assert!(run_line("mkfifo pipe.sql", folder.path()).status.success());
    for args in ["digest --baseline pipe.sql a.log", "format pipe.sql", "format /dev/stdin <> pipe.sql"] {
        let output = run_line(&format!("exec timeout 9 \"$0\" {args}"), folder.path());
        assert_eq!(output.status.code(), Some(2), "{args}: {}", stderr(&output));
    }
}

#[test]
fn the_file_of_standard_output_is_not_replaced() {
    let folder = tempdir().unwrap();
    write(folder.path(), "a.log", log(3));
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/fd/3"] {
        let line = format!("echo first > all; {PGQ} digest -o {name} --format text a.log >> all 3>> all");
        let output = run_line(&line, folder.path());
        assert!(output.status.code() == Some(2) && stderr(&output).contains("is an open file"), "{name}: {output:?}");
        assert_eq!(std::fs::read_to_string(folder.path().join("all")).unwrap(), "first\n", "{name}");
    }
}

#[test]
fn incomplete_outputs_are_not_counted_as_other_files() {
    let folder = tempdir().unwrap();
    write(folder.path(), "a.log", log(3));
    let output = run_line("exec \"$0\" digest --log-line-prefix '%m [%x] ' -o report.csv .", folder.path());
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    assert_eq!(names(folder.path()), ["a.log", "report.csv"]);
}

#[test]
fn what_a_killed_format_left_is_removed() {
    let folder = tempdir().unwrap();
    write(folder.path(), "a.sql", "select 1 ;\n");
    // pgq removes only the first file, because only this name has the form of pgq's temporary files: six letters or
    // digits between `.pgq-` and `.part`.
    for name in [".pgq-killed.part", ".pgq-notes.part", ".pgq-my-own.part", ".pgq-.part", ".pgq-part"] {
        write(folder.path(), name, "select");
    }
    let output = run_line("exec \"$0\" format a.sql", folder.path());
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(names(folder.path()), [".pgq-.part", ".pgq-my-own.part", ".pgq-notes.part", ".pgq-part", "a.sql"]);
}

#[test]
fn a_file_that_becomes_too_large_is_an_error_and_leaves_nothing() {
    let folder = tempdir().unwrap();
    let script = "select 1 ;\n".repeat(20_000);
    write(folder.path(), "a.sql", &script);
    write(folder.path(), "old", "old");
    for args in ["format a.sql", "normalize -o old a.sql", "export -o new.json a.sql", "normalize a.sql >> stdout"] {
        let output = run_line(&format!("ulimit -f 8; exec \"$0\" {args}"), folder.path());
        assert_eq!(output.status.code(), Some(2), "{args}: {}", stderr(&output));
        assert!(stderr(&output).contains("File too large"), "{args}: {}", stderr(&output));
        let _ = std::fs::remove_file(folder.path().join("stdout"));
        assert_eq!(names(folder.path()), ["a.sql", "old"], "{args}");
        assert_eq!(std::fs::read_to_string(folder.path().join("a.sql")).unwrap(), script, "{args}");
        assert_eq!(std::fs::read_to_string(folder.path().join("old")).unwrap(), "old", "{args}");
    }
}

#[test]
fn a_script_that_is_not_utf8_is_not_formatted() {
    let folder = tempdir().unwrap();
    // In Shift-JIS and GBK, the second byte of a character may be an ASCII character, such as `^` or `A`. The
    // formatter, which expects UTF-8, would read this byte as a separate character.
    for script in
        [&b"select  1;\nselect  \x83\x5e\x83C, b from  t;\n"[..], b"select  1;\nselect  \xd6\x41;\n", b"--\n-- \xe9\n"]
    {
        write(folder.path(), "a.sql", script);
        for (args, name) in [("format a.sql", "a.sql"), ("format --check a.sql", "a.sql"), ("format < a.sql", "-")] {
            let output = run_line(&format!("exec \"$0\" --quiet {args}"), folder.path());
            let message =
                format!("pgq: error: {name}: line 2 is not UTF-8: convert the file (iconv -f ENCODING -t UTF-8)\n");
            assert_eq!((output.status.code(), stderr(&output)), (Some(2), message), "{args}");
            assert!(output.stdout.is_empty(), "{args}");
            assert_eq!(std::fs::read(folder.path().join("a.sql")).unwrap(), script, "{args}");
        }
    }
}

#[test]
fn what_cannot_be_read_in_a_folder_does_not_lose_the_others() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempdir().unwrap();
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    write(folder.path(), "a.sql", "SELECT a;\n");
    let closed = folder.path().join("closed");
    std::fs::create_dir(&closed).unwrap();
    std::fs::set_permissions(&closed, PermissionsExt::from_mode(0o000)).unwrap();
    // The file name `messages` does not show whether the file is a log.
    write(folder.path(), "messages", log(1));
    std::fs::set_permissions(folder.path().join("messages"), PermissionsExt::from_mode(0o000)).unwrap();
    std::fs::create_dir(folder.path().join("open")).unwrap();
    write(&folder.path().join("open"), "b.sql", "SELECT b;\n");
    // If the current user is root, run as another user, because root can read all files.
    let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let mut shell = if is_root { Command::new("su") } else { Command::new("sh") };
    shell.args(if is_root { &["nobody", "-s", "/bin/sh", "-c"][..] } else { &["-c"] });
    let program = folder.path().join("pgq");
    std::fs::copy(PGQ, &program).unwrap();
    let output = shell.arg(format!("'{}' normalize '{}'", program.display(), folder.path().display()));
    let output = output.current_dir("/").stdin(Stdio::null()).output().unwrap();
    std::fs::set_permissions(&closed, PermissionsExt::from_mode(0o755)).unwrap();
    let message = stderr(&output);
    assert_eq!((&output.stdout[..], output.status.code()), (&b"SELECT a\nSELECT b\n"[..], Some(2)), "{message}");
    assert!(message.contains("/closed: permission denied"), "{message}");
    assert!(message.contains("/messages: Permission denied"), "{message}");
}

#[test]
fn errors_in_the_arguments_have_the_chosen_colors() {
    let has_colors =
        |when: &[&str]| run(&[&["check"], when, &["--no-such-option"]].concat(), b"").stderr.contains(&0x1b);
    assert!(has_colors(&["--color", "always"]) && has_colors(&["--color=always"]));
    assert!(!has_colors(&["--color", "never"]) && !has_colors(&[]));
}

#[test]
fn a_line_break_in_the_name_of_a_file_starts_no_line() {
    let folder = tempfile::tempdir().unwrap();
    let name = "a\n::error file=README.md,line=1::forged\n.sql";
    let path = write(folder.path(), name, "\\d\nSELECT 1;\nSELECT 1 +;\n");
    for format in ["text", "github"] {
        let output = run(&["check", "--format", format, &path], b"");
        let printed = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
        assert!(printed.contains("forged") && !printed.contains("\n::error file=README"), "{printed}");
    }
}

#[test]
fn names_of_files_in_a_patch_are_quoted() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a\n--- other\t\"\\.sql", "select   1;\n");
    let output = command(&["format", "--diff", "."]).current_dir(folder.path()).output().unwrap();
    let head = r#"--- "./a\012--- other\011\"\\.sql""#;
    let patch = String::from_utf8(output.stdout).unwrap();
    assert_eq!(patch, format!("{head}\t\n+++{}\t\n@@ -1 +1 @@\n-select   1;\n+select 1;\n", &head[3..]));
}

#[cfg(target_os = "linux")]
#[test]
fn bytes_that_are_not_utf8_are_quoted_in_a_patch() {
    let folder = crate::folders::names_that_are_not_utf8("select   1;\n");
    let output = command(&["format", "--diff", "."]).current_dir(folder.path()).output().unwrap();
    let patch = String::from_utf8(output.stdout).unwrap();
    let files: Vec<&str> = patch.lines().filter_map(|line| line.strip_prefix("+++ ")).collect();
    assert_eq!(files, [r#""./caf\350.sql""#, r#""./caf\351.sql""#, "./caf\u{fffd}.sql"]);
}

/// If no tab follows a file name, GNU patch reads the name only up to its first blank. Without the tab, this patch
/// would change the file `a.sql` instead of `a.sql x.sql`.
#[test]
fn a_tab_follows_a_name_with_a_blank_in_a_patch() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.sql x.sql", "select   1;\n");
    let output = command(&["format", "--diff", "a.sql x.sql"]).current_dir(folder.path()).output().unwrap();
    let patch = String::from_utf8(output.stdout).unwrap();
    assert!(patch.starts_with("--- a.sql x.sql\t\n+++ a.sql x.sql\t\n@@"), "{patch}");
}

#[test]
fn settings_without_an_end_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.sql", "select 1;\n");
    write(folder.path(), "pgq.toml", "#".repeat((1 << 20) + 1));
    let output = command(&["format", "--check", "."]).current_dir(folder.path()).output().unwrap();
    assert!(output.status.code() == Some(2) && stderr(&output).contains("is longer than 1048576 bytes"), "{output:?}");
}

#[test]
fn excluded_files_are_those_that_git_would_ignore() {
    let folder = tempfile::tempdir().unwrap();
    for path in ["vendor/x/keep.sql", "vendor/keep.sql", "src/keep.sql", "top.sql"] {
        std::fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
        write(folder.path(), path, "select   1;\n");
    }
    for (exclude, checked) in [
        (r#"["vendor/", "!keep.sql"]"#, &["./src/keep.sql", "./top.sql"][..]),
        (r#"["/vendor/", "!/vendor/x/"]"#, &["./src/keep.sql", "./top.sql"]),
        (r#"["*/", "!src/"]"#, &["./src/keep.sql", "./top.sql"]),
        (r#"["*.sql", "!keep.sql"]"#, &["./src/keep.sql", "./vendor/keep.sql", "./vendor/x/keep.sql"]),
        (r#"["**/"]"#, &["./top.sql"]),
    ] {
        write(folder.path(), "pgq.toml", format!("[format]\nexclude = {exclude}\n"));
        let output = command(&["format", "--check", "."]).current_dir(folder.path()).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let mut files: Vec<&str> = printed.lines().map(|line| line.trim_start_matches("would reformat ")).collect();
        files.sort_unstable();
        assert_eq!(files, checked, "{exclude}: {printed}");
    }
}
