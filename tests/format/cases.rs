//! Runs the cases in tests/format/cases.

use std::fs;
use std::path::{Path, PathBuf};

use pgq::{FormatOptions, KeptReason, KeywordCase, format_script};

const FOLDER: &str = "tests/format/cases";

/// Delimiter between input and output.
const SEPARATOR: &str = "\n================\n";

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = walkdir::WalkDir::new(folder)
        .into_iter()
        .map(|entry| entry.expect("the folder is readable").into_path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "sql"))
        .collect();
    files.sort();
    files
}

/// Parses the options of a case: `width=40 keyword-case=upper comma=first bodies`.
fn options(words: &str) -> FormatOptions {
    let mut options = FormatOptions::default();
    for word in words.split_whitespace() {
        match word.split_once('=').unwrap_or((word, "")) {
            ("width", number) => options.width = number.parse().expect("a width"),
            ("indent", number) => options.indent = number.parse().expect("an indent"),
            ("keyword-case", "upper") => options.keyword_case = KeywordCase::Upper,
            ("keyword-case", "lower") => options.keyword_case = KeywordCase::Lower,
            ("comma", "first") => options.comma_first = true,
            ("align-types", "") => options.align_types = true,
            ("bodies", "") => options.bodies = true,
            ("lines", lines) => {
                let (first, last) = lines.split_once(':').expect("a range of lines");
                options.lines = Some(first.parse().expect("a line")..last.parse::<usize>().expect("a line") + 1);
            }
            _ => panic!("unknown option {word}"),
        }
    }
    options
}

#[test]
fn every_case_has_its_output() {
    let overwrite = std::env::var_os("PGQ_OVERWRITE").is_some();
    let (mut problems, mut count) = (Vec::new(), 0);
    for path in files(Path::new(FOLDER)) {
        count += 1;
        let case = fs::read_to_string(&path).expect("a case is UTF-8");
        let (mut head, mut rest) = (String::new(), case.as_str());
        while let Some(line) =
            rest.lines().next().filter(|line| line.starts_with("-- reason:") || line.starts_with("-- options:"))
        {
            head += line;
            head.push('\n');
            rest = &rest[line.len() + 1..];
        }
        assert!(head.starts_with("-- reason: "), "{}: a case begins with its reason", path.display());
        let words: Vec<&str> = head.lines().filter_map(|line| line.strip_prefix("-- options: ")).collect();
        let options = options(&words.join(" "));
        let (input, output) = rest.split_once(SEPARATOR).unwrap_or((rest.trim_end_matches('\n'), ""));
        let formatted = format_script(&format!("{input}\n"), &options);
        for kept in &formatted.kept {
            assert!(!matches!(kept.reason, KeptReason::Unsafe(_)), "{}: {:?}", path.display(), kept.reason);
        }
        if overwrite {
            fs::write(&path, format!("{head}{input}{SEPARATOR}{}", formatted.text)).expect("a case is writable");
        } else if formatted.text != output {
            problems.push(format!("{}: expected\n{output}\nbut got\n{}", path.display(), formatted.text));
        }
        let again = format_script(&formatted.text, &options).text;
        if options.lines.is_none() && again != formatted.text {
            problems.push(format!("{}: formatted again it is\n{again}", path.display()));
        }
    }
    assert!(count >= 150, "there are {count} cases");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
