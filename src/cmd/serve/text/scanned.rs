//! Operations that need no tree: tokens, and ranges of statements.

use std::io::Write;

use pgq::Error;
use pgq_frames::flag;

use super::super::options::TextOptions;
use super::Form;
use super::key;

/// Appends the tokens of SQL.
pub fn scan(form: Form, text: &[u8], options: &TextOptions, out: &mut Vec<u8>) -> Result<u8, Error> {
    let sql = pgq::check_utf8(text)?;
    let replaced = options.placeholders.map(|style| pgq::placeholders(sql, style));
    let tokens = match &replaced {
        Some(replaced) => pgq::scan(&replaced.sql).map_err(|error| replaced.error(error))?,
        None => pgq::scan(sql)?,
    };
    let place = |offset| replaced.as_ref().map_or(offset, |replaced| replaced.original(offset));
    key("tokens", form, out);
    out.push(b'[');
    for (index, token) in tokens.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        let (start, end) = (place(token.start), place(token.end));
        let (name, keyword) = (token.name(), token.keyword_name());
        // Writing to memory cannot fail.
        let _ =
            write!(out, "{comma}{{\"start\":{start},\"end\":{end},\"token\":\"{name}\",\"keyword\":\"{keyword}\"}}");
    }
    out.push(b']');
    Ok(flag::NONE)
}

/// Appends the ranges of statements.
pub fn split(form: Form, text: &[u8], options: &TextOptions, out: &mut Vec<u8>) -> Result<u8, Error> {
    let sql = pgq::check_utf8(text)?;
    let replaced = options.placeholders.map(|style| pgq::placeholders(sql, style));
    let ranges = match &replaced {
        Some(replaced) => pgq::split(&replaced.sql, options.split).map_err(|error| replaced.error(error))?,
        None => pgq::split(sql, options.split)?,
    };
    let place = |offset| replaced.as_ref().map_or(offset, |replaced| replaced.original(offset));
    let ranges = ranges.into_iter().map(|range| (place(range.start), place(range.end)));
    if form == Form::Binary {
        // SQL has at most 1 GiB, so an offset fits in 32 bits.
        out.extend(ranges.flat_map(|(start, end)| [start as u32, end as u32]).flat_map(u32::to_le_bytes));
        return Ok(flag::NONE);
    }
    key("statements", form, out);
    out.push(b'[');
    for (index, (start, end)) in ranges.enumerate() {
        let _ = write!(out, "{}[{start},{end}]", if index > 0 { "," } else { "" });
    }
    out.push(b']');
    Ok(flag::NONE)
}
