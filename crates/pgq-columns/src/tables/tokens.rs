//! The table of PostgreSQL's tokens, with one row per token.

use crate::kinds::{BigInt, Text};
use crate::table::columns;

columns! {
    /// A column of the table of tokens.
    TokenColumn, TokenRow, TokenBuilders;
    file File: Text, "", "input", "Name of the file";
    line Line: BigInt, "", "input", "Line in the file where the statement, or its log record, starts, from 1";
    offset Offset: BigInt, "bytes", "input", "Offset in the file where the statement, or its log record, starts";
    start Start: BigInt, "bytes", "scanner", "Offset of the start of the token in the statement";
    end End: BigInt, "bytes", "scanner", "Offset of the end of the token in the statement";
    token Token: Text, "", "scanner", "Name of the token, such as IDENT, SELECT or ASCII_44";
    keyword Keyword: Text, "", "scanner", "Kind of keyword, such as RESERVED_KEYWORD; NO_KEYWORD if it is not a keyword";
    text Text: Text, "", "input", "The token, verbatim";
}
