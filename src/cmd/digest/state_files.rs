//! Reads digests from files: states, which can be merged, and baselines, which a report compares with the log. Also
//! writes states.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use pgq_digest::baseline::Baseline;
use pgq_digest::state::{decode_each, encode, encode_line};
use pgq_digest::{DescribeQuery, Digest, Limit};

use super::redact::Disclosure;
use crate::run::input::{STDIN_NAME, path_name};
use crate::run::report::{print, write_file};

/// Prefixes of the two forms of a state (a digest that `--merge` can read): binary data, and a line of text.
const STATE_STARTS: [&[u8]; 2] = [b"pgqstate", b"cGdxc3Rh"];

/// Maximum bytes of a file. The state of a digest that uses 64 MB of memory (`--max-memory`) has a size of a few
/// megabytes.
const MAX_FILE: u64 = 256 << 20;

/// Possible first keys of a digest's JSON: in pgq's order, in alphabetical order, and in shortened JSON. JSON with a
/// different first key is not treated as a digest, because it may be a log.
const FIRST_MEMBERS: [&[u8]; 3] = [b"\"statements\"", b"\"alarms\"", b"\"groups\""];

/// Merges the states in `paths`. `limit` is the maximum size of the merged digest.
///
/// # Errors
/// A file cannot be read or is not a state.
pub fn merge(paths: &[PathBuf], limit: Limit) -> Result<Digest> {
    let mut merged = Digest::new(limit);
    for path in paths {
        let bytes = read(path)?;
        let add = |digest| {
            merged.merge(digest);
            merged.keep_limit();
        };
        if let Err(problem) = decode_each(&bytes, limit, add) {
            bail!("{} {problem}", display_name(path));
        }
    }
    Ok(merged)
}

/// Creates a baseline from `bytes`, the content of the file `path`. The content is JSON or a state. A state is first
/// redacted with `with`.
///
/// # Errors
/// The bytes are not a digest.
pub fn baseline(path: &Path, bytes: &[u8], describer: &impl DescribeQuery, with: &Disclosure) -> Result<Baseline> {
    Baseline::read(bytes, describer, with).map_err(|problem| {
        let name = display_name(path);
        anyhow::anyhow!("{name} {problem}: write the earlier digest again (pgq digest -o old.json OLD.log)")
    })
}

/// Whether a file is a digest (JSON or state), judged by its first bytes. Any other file may be a log.
///
/// # Errors
/// The file cannot be read, or is not a regular file. (A pipe could not be read again after this check.)
pub fn is_digest(path: &Path) -> Result<bool> {
    let mut start = [0; 64];
    let failed = || format!("could not read {}", path.display());
    // Opening a pipe would wait for a writer.
    if !std::fs::metadata(path).with_context(failed)?.is_file() {
        bail!("{} is not a regular file, which --baseline needs", path.display());
    }
    let len = File::open(path).and_then(|mut file| file.read(&mut start)).with_context(failed)?;
    let start = start[..len].trim_ascii_start();
    let member = start.strip_prefix(b"{").map(<[u8]>::trim_ascii_start);
    let is_json = member.is_some_and(|member| FIRST_MEMBERS.iter().any(|first| member.starts_with(first)));
    // An empty file is treated as a digest and not as a log.
    Ok(len == 0 || is_json || begins_as_state(start))
}

fn begins_as_state(start: &[u8]) -> bool {
    STATE_STARTS.iter().any(|first| start.starts_with(first))
}

/// Writes a state to a file. For `-`, writes it to standard output as a line of text.
///
/// # Errors
/// The state is longer than [`MAX_FILE`], or the file cannot be written.
pub fn write(digest: &Digest, path: &Path) -> Result<()> {
    if path == Path::new("-") {
        let line = encode_line(digest)?;
        return print(|out| {
            out.extend_from_slice(line.as_bytes());
            out.push(b'\n');
        });
    }
    let state = encode(digest)?;
    if state.len() as u64 > MAX_FILE {
        bail!("the state would have more than 256 MB, which no run reads: lower --max-memory");
    }
    write_file(path, &state)
}

/// Reads a file. If it begins neither as a state nor as JSON, reads only its first 4096 bytes, because it may be very
/// long.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let failed = || format!("could not read {}", display_name(path));
    let mut file: Box<dyn Read> = if path == Path::new("-") {
        Box::new(std::io::stdin())
    } else {
        Box::new(File::open(path).with_context(failed)?)
    };
    let mut bytes = Vec::new();
    file.by_ref().take(4096).read_to_end(&mut bytes).with_context(failed)?;
    let start = bytes.trim_ascii_start();
    if start.starts_with(b"{") || begins_as_state(start) {
        file.take(MAX_FILE).read_to_end(&mut bytes).with_context(failed)?;
        if bytes.len() as u64 > MAX_FILE {
            bail!("{} has more than 256 MB: write states to several files", display_name(path));
        }
    }
    Ok(bytes)
}

/// Returns a file's name for messages.
fn display_name(path: &Path) -> String {
    if path == Path::new("-") { STDIN_NAME.into() } else { path_name(path) }
}
