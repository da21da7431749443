//! Converts parse trees in JSON to SQL.

use pgq::{Error, JsonTree};
use pgq_frames::flag;

use super::super::options::TextOptions;
use super::Form;
use super::write_sql;

/// Deparses a tree that is given in libpg_query's JSON. Appends the SQL.
pub fn from_json(form: Form, text: &[u8], options: &TextOptions, out: &mut Vec<u8>) -> Result<u8, Error> {
    let document = pgq::check_utf8(text)?;
    write_sql(&JsonTree::read(document)?.deparse(&options.deparse)?, form, out);
    Ok(flag::NONE)
}
