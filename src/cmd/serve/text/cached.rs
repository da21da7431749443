//! Fingerprints and normalized SQL, from the caches if possible.

use std::io::Write;
use std::sync::Arc;

use pgq::cache::{AnswerLookup, InputScope};
use pgq::secrets::mask_sql;
use pgq::{Error, Fingerprint, Normalized, Tree};
use pgq_frames::{Operation, flag};

use super::super::options::TextOptions;
use super::super::workers::Worker;
use super::Form;
use crate::run::report::{one_line, quote};

/// Appends a fingerprint, normalized SQL, or both.
pub fn answer(
    operation: Operation,
    form: Form,
    text: &[u8],
    options: &Arc<TextOptions>,
    worker: &mut Worker,
    out: &mut Vec<u8>,
) -> Result<u8, Error> {
    let start = out.len();
    let wants = |other| operation == other || operation == Operation::Both;
    let (wants_fingerprint, wants_normalized) = (wants(Operation::Fingerprint), wants(Operation::Normalize));
    let (cache, scratch) = worker.cache(operation, form, options);
    let keys = match cache.look_up(text, InputScope::Text) {
        AnswerLookup::Text(answer) => {
            out.extend_from_slice(answer);
            return Ok(flag::NONE);
        }
        AnswerLookup::Shape(known, keys) => {
            scratch.clear();
            // If the white space around a constant matters, `normalize` returns false. In this case, the SQL is parsed
            // below.
            if !wants_normalized || known.normalize(scratch) {
                let fingerprint = wants_fingerprint.then(|| known.fingerprint());
                let normalized = wants_normalized.then_some(scratch.as_str());
                write(form, fingerprint, normalized, options, out);
                cache.keep_text(&keys, text, &out[start..]);
                return Ok(flag::NONE);
            }
            keys
        }
        AnswerLookup::Miss(keys) => keys,
    };
    let sql = pgq::check_utf8(text)?;
    let replaced = options.placeholders.map(|style| pgq::placeholders(sql, style));
    let parsed = replaced.as_ref().map_or(sql, |replaced| &replaced.sql);
    let original =
        |error| replaced.as_ref().map_or_else(|| Error::clone(&error), |replaced| replaced.error(error.clone()));
    let tree = Tree::parse(parsed, &options.parse).map_err(original)?;
    let mut flags = if tree.warnings().is_empty() { flag::NONE } else { flag::WARNINGS };
    let fingerprint = match wants_fingerprint {
        true => Some(tree.fingerprint(&options.fingerprint).map_err(original)?),
        false => None,
    };
    let normalized = match wants_normalized {
        true => Some(tree.normalize(options.utility).map_err(original)?),
        false => None,
    };
    if fingerprint.is_some_and(|fingerprint| fingerprint.truncated) {
        flags |= flag::TRUNCATED;
    }
    if let Some(Normalized { kept, quoted, .. }) = normalized {
        flags |= if kept > 0 { flag::KEPT } else { flag::NONE } | if quoted > 0 { flag::QUOTED } else { flag::NONE };
    }
    let normalized = normalized.as_ref().map(|normalized| normalized.text.as_str());
    write(form, fingerprint.map(|fingerprint| fingerprint.fingerprint), normalized, options, out);
    if flags == flag::NONE {
        cache.keep(keys, text, &out[start..], &tree, None, fingerprint);
    }
    Ok(flags)
}

fn write(
    form: Form,
    fingerprint: Option<Fingerprint>,
    normalized: Option<&str>,
    options: &TextOptions,
    out: &mut Vec<u8>,
) {
    let masked = normalized.filter(|_| !options.show_secrets).map(mask_sql);
    let normalized = masked.as_deref().or(normalized);
    let laid_out = normalized.filter(|_| options.one_line).map(one_line);
    let normalized = laid_out.as_deref().or(normalized);
    match form {
        Form::Binary => {
            out.extend(fingerprint.iter().flat_map(|fingerprint| fingerprint.0.to_le_bytes()));
            out.extend_from_slice(normalized.unwrap_or_default().as_bytes());
        }
        Form::Json => {
            if let Some(fingerprint) = fingerprint {
                let _ = write!(out, "\"fingerprint\":\"{fingerprint}\"");
            }
            if let Some(normalized) = normalized {
                out.extend_from_slice(if fingerprint.is_some() { b",\"normalized\":" } else { b"\"normalized\":" });
                quote(normalized, out);
            }
        }
    }
}
