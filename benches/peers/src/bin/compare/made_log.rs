//! Generates a log in PostgreSQL's stderr format from the statements of a corpus. Every run generates the same log.

use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Result;
use fastrand::Rng;

/// The `log_line_prefix` of the log.
pub const PREFIX: &str = "%m [%p] %u@%d ";

/// Writes a log of at least `bytes` bytes and returns its number of statements. Some statements are much more frequent
/// than others. In each occurrence, numbers with four or more digits are different.
pub fn write(path: &Path, statements: &[String], bytes: usize) -> Result<usize> {
    let mut rng = Rng::with_seed(1);
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    let (mut written, mut count) = (0, 0);
    while written < bytes {
        // The product of two random numbers is usually small, so statements with small indexes are more frequent.
        let number = (rng.f64() * rng.f64() * statements.len() as f64) as usize;
        let mut sql = with_other_numbers(&statements[number], &mut rng);
        if pgq::fingerprint(&sql).is_err() {
            sql.clone_from(&statements[number]); // a number can encode a character, as in U&'\0061'
        }
        let sql = sql.replace('\n', "\n\t");
        let (seconds, pid, duration) = (count / 100, 4000 + rng.u32(..40), rng.f64() * 20.0);
        let entry = format!(
            "2026-01-31 {:02}:{:02}:{:02}.{:03} UTC [{pid}] app@shop LOG:  duration: {duration:.3} ms  statement: {sql}\n",
            seconds / 3600 % 24,
            seconds / 60 % 60,
            seconds % 60,
            count % 100 * 10,
        );
        file.write_all(entry.as_bytes())?;
        written += entry.len();
        count += 1;
    }
    file.flush()?;
    Ok(count)
}

/// Replaces each number of four or more digits with another number of the same length, unless it is part of a word.
fn with_other_numbers(sql: &str, rng: &mut Rng) -> String {
    let mut out = String::with_capacity(sql.len());
    let mut rest = sql;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits = rest[start..].bytes().take_while(u8::is_ascii_digit).count();
        let (before, after) = (rest[..start].chars().next_back(), rest[start + digits..].chars().next());
        out += &rest[..start];
        let in_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || "_.$-:".contains(c));
        if !(4..=9).contains(&digits) || in_word(before) || in_word(after) {
            out += &rest[start..start + digits];
        } else {
            let least = 10_u64.pow(digits as u32 - 1);
            out += &rng.u64(least..least * 10).to_string();
        }
        rest = &rest[start + digits..];
    }
    out + rest
}

#[test]
fn only_long_numbers_change() {
    let sql = "SELECT a1234, 12, 123456 FROM t_2000 WHERE b = 1.2345 AND c = '2026-01-31 1234:00'";
    let other = with_other_numbers(sql, &mut Rng::with_seed(1));
    assert_ne!(other, sql);
    assert_eq!(other.len(), sql.len());
    let (start, end) = (sql.find("123456").expect("it is there"), sql.find(" FROM").expect("it is there"));
    assert_eq!((&other[..start], &other[end..]), (&sql[..start], &sql[end..]));
}

#[test]
fn a_log_has_an_entry_for_each_statement() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log");
    let count = write(&path, &["SELECT 1\n+ 2".to_string()], 1000).expect("it is written");
    let log = std::fs::read_to_string(&path).expect("it is there");
    assert!(log.len() >= 1000);
    assert_eq!(log.matches(" LOG:  duration: ").count(), count);
    assert_eq!(log.matches(" statement: SELECT 1\n\t+ 2\n").count(), count);
}
