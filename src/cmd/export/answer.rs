//! The answer for a statement (its fingerprint, normalized SQL and names), encoded as bytes for a
//! cache.

use pgq::{Error, FilterColumn, Fingerprint, FingerprintOptions, ParseOptions, Statement, Tree};
use pgq_columns::{TextList, TextListBuilder};
use xxhash_rust::xxh3::xxh3_64;

use crate::run::input::Granularity;
use crate::run::report::one_line;

/// Results of parsing a statement, or all statements of a record.
pub struct Answer<'a> {
    /// 16 hex digits.
    pub fingerprint: &'a str,
    pub normalized: &'a str,
    pub tables: TextList<'a>,
    pub functions: TextList<'a>,
    pub filter_columns: TextList<'a>,
    pub ctes: TextList<'a>,
}

/// Number of lists in an answer.
const LISTS: usize = 4;

/// Returns the fingerprint of a masked statement. If the masked SQL does not parse, returns a hash of the masked SQL.
pub fn fingerprint_of_masked(masked: &[u8], parse: &ParseOptions) -> Fingerprint {
    let tree = pgq::check_utf8(masked).and_then(|sql| Tree::parse(sql, parse));
    let result = tree.and_then(|tree| tree.fingerprint(&FingerprintOptions::default()));
    result.map_or_else(|_| Fingerprint(xxh3_64(masked)), |result| result.fingerprint)
}

/// Appends an encoded answer. `common` is the part of the answer that depends only on normalized SQL.
pub fn write(fingerprint: Fingerprint, common: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&fingerprint.digits());
    out.extend_from_slice(common);
}

/// Appends the part of a statement's cached answer that depends only on the normalized SQL: the normalized SQL
/// itself, and the names in it.
///
/// # Errors
/// The tree is deeper than the stack limit.
pub fn write_common(normalized: &str, tree: &Tree, granularity: Granularity, out: &mut Vec<u8>) -> Result<(), Error> {
    let mut lists: [Vec<String>; LISTS] = Default::default();
    match granularity {
        Granularity::Record => tree.statements().try_for_each(|statement| add_lists(statement, &mut lists))?,
        Granularity::Statement => add_lists(tree.statement(0), &mut lists)?,
    }
    write_part(one_line(normalized).as_bytes(), out);
    for mut names in lists {
        names.sort_unstable();
        names.dedup();
        let mut list = TextListBuilder::default();
        names.iter().for_each(|name| list.push(Some(name)));
        write_part(list.bytes(), out);
    }
    Ok(())
}

fn add_lists(statement: Statement<'_>, lists: &mut [Vec<String>; LISTS]) -> Result<(), Error> {
    let summary = statement.summary()?;
    let [tables, functions, filter_columns, ctes] = lists;
    tables.extend(summary.table_names());
    functions.extend(summary.function_names());
    filter_columns.extend(summary.filter_columns.iter().map(column_name));
    ctes.extend(summary.ctes);
    Ok(())
}

/// Returns the name of a column. The name includes the schema and the table if the statement contains them.
pub fn column_name(column: &FilterColumn) -> String {
    let table = [column.schema.as_deref(), column.table.as_deref()];
    let parts: Vec<&str> = table.into_iter().flatten().chain([column.column.as_str()]).collect();
    parts.join(".")
}

fn write_part(bytes: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    out.extend_from_slice(bytes);
}

impl<'a> Answer<'a> {
    /// Decodes an answer that [`write`] encoded. Returns `None` for other bytes.
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        let (fingerprint, mut rest) = bytes.split_first_chunk::<16>()?;
        let mut part = || {
            let (len, after) = rest.split_first_chunk::<4>()?;
            let part;
            (part, rest) = after.split_at_checked(u32::from_le_bytes(*len) as usize)?;
            Some(part)
        };
        let normalized = std::str::from_utf8(part()?).ok()?;
        let mut list = || part().map(TextList::from_bytes);
        Some(Self {
            fingerprint: std::str::from_utf8(fingerprint).ok()?,
            normalized,
            tables: list()?,
            functions: list()?,
            filter_columns: list()?,
            ctes: list()?,
        })
    }
}
