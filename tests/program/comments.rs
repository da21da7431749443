//! `pgq deparse --keep-comments` loses no comment of a script: comments in and between statements, and comments next to
//! errors, meta-commands, COPY data and empty statements.

use crate::common::program::{run, stderr};
use crate::common::setting::setting;
use fastrand::Rng;

/// Non-comment parts that may occur between the statements of a script.
const BETWEEN: [&str; 8] = [
    ";\n",
    "\\echo '-- no comment' /* nor this\n",
    "SELEC 1;\n",
    "SELECT (1;\n",
    "SELECT 1 \\r\n",
    "COPY t FROM stdin;\n-- no comment\n/* nor this\n\\.\n",
    "CREATE GLOBAL TEMP TABLE t (a int);\n",
    "SELECT 1 \\gset\n",
];

/// A script of statements from the corpus, and its comments.
struct Script {
    text: String,
    comments: Vec<String>,
}

impl Script {
    fn comment(&mut self, rng: &mut Rng) {
        let number = self.comments.len();
        let (comment, end) = match rng.u8(..4) {
            0 => (format!("-- c{number} it's; \\r"), "\n"),
            1 => (format!("/* c{number} */"), " "),
            2 => (format!("/* c{number}\n /* ; */ */"), "\n"),
            _ => (format!("--c{number}"), "\n\n"),
        };
        self.text += &comment;
        self.text += end;
        self.comments.push(comment);
    }

    /// Adds a statement with comments between its tokens.
    fn statement(&mut self, rng: &mut Rng, sql: &str) {
        let Ok(tokens) = pgq::scan(sql) else { return };
        let mut end = 0;
        for token in tokens.iter().filter(|token| !token.is_comment()) {
            let apart = token.start > end;
            self.text += if apart { " " } else { "" };
            if apart && rng.u8(..12) == 0 {
                self.comment(rng);
            }
            self.text += &sql[token.start..token.end];
            end = token.end;
        }
        self.text += if rng.bool() { ";" } else { "\n;" };
        self.text += if rng.bool() { " " } else { "\n" };
    }
}

fn script(rng: &mut Rng, statements: &[String]) -> Script {
    let mut script = Script { text: String::new(), comments: Vec::new() };
    for _ in 0..rng.usize(..40) {
        for _ in 0..rng.usize(..3) {
            script.comment(rng);
        }
        if rng.u8(..8) == 0 {
            script.text += "SELEC ";
            script.comment(rng);
            script.text += "1;\n";
        } else if rng.u8(..3) == 0 {
            script.text += BETWEEN[rng.usize(..BETWEEN.len())];
        } else {
            let statement = &statements[rng.usize(..statements.len())];
            script.statement(rng, statement);
        }
    }
    script
}

/// Returns the script's comments that `text` contains, in the script's order.
fn comments_in<'a>(text: &str, script: &'a Script) -> Vec<&'a str> {
    let found = pgq::script::comments(text.as_bytes());
    let found = found.into_iter().filter_map(|range| {
        let comment = text[range].trim_end();
        script.comments.iter().find(|own| *own == comment)
    });
    found.map(String::as_str).collect()
}

#[test]
fn no_comment_is_lost() {
    let statements: Vec<String> = pgq_corpus::all_statements()
        .into_iter()
        .filter(|sql| !sql.contains('\\') && sql.len() < 2000 && !sql.to_lowercase().contains("stdin"))
        .filter(|sql| pgq::parse(sql).is_ok())
        .collect();
    let mut rng = Rng::with_seed(setting("PGQ_SEED", 1) as u64);
    let (mut comments, mut beside_errors) = (0, 0);
    for _ in 0..100 * setting("PGQ_CASES", 1) {
        let script = script(&mut rng, &statements);
        for arguments in [&["--pretty"][..], &[]] {
            let output =
                run(&[&["deparse", "--from", "sql", "--keep-comments"], arguments].concat(), script.text.as_bytes());
            let (written, errors) = (String::from_utf8_lossy(&output.stdout).into_owned(), stderr(&output));
            let written = comments_in(&written, &script);
            let missing: Vec<&String> =
                script.comments.iter().filter(|comment| !written.contains(&comment.as_str())).collect();
            for comment in &missing {
                let first = comment.lines().next().unwrap();
                assert!(errors.contains(&format!("  comment: {first}")), "lost: {comment}\n{}\n{errors}", script.text);
            }
            let mut expected = script.comments.iter().filter(|comment| !missing.contains(comment));
            assert!(
                written.iter().all(|comment| expected.next().is_some_and(|next| next == comment)),
                "{}",
                script.text
            );
            comments += script.comments.len();
            beside_errors += missing.len();
        }
    }
    println!("{comments} comments, {beside_errors} of them with errors, 0 lost");
    assert!(comments > 1000 && beside_errors > 0);
}
