//! Token numbers of PostgreSQL's grammar, the same as in libpg_query's `Token` enum. Data only.
//!
//! Generated from src/postgres/include/gram.h of the pinned sources.
//! Written by `cargo xtask regenerate`.

/// The end of the text.
pub const END: u16 = 0;
/// `IDENT`.
pub const IDENT: u16 = 258;
/// `UIDENT`.
pub const UIDENT: u16 = 259;
/// `FCONST`.
pub const FCONST: u16 = 260;
/// `SCONST`.
pub const SCONST: u16 = 261;
/// `USCONST`.
pub const USCONST: u16 = 262;
/// `BCONST`.
pub const BCONST: u16 = 263;
/// `XCONST`.
pub const XCONST: u16 = 264;
/// `Op`.
pub const OP: u16 = 265;
/// `ICONST`.
pub const ICONST: u16 = 266;
/// `PARAM`.
pub const PARAM: u16 = 267;
/// `TYPECAST`.
pub const TYPECAST: u16 = 268;
/// `DOT_DOT`.
pub const DOT_DOT: u16 = 269;
/// `COLON_EQUALS`.
pub const COLON_EQUALS: u16 = 270;
/// `EQUALS_GREATER`.
pub const EQUALS_GREATER: u16 = 271;
/// `LESS_EQUALS`.
pub const LESS_EQUALS: u16 = 272;
/// `GREATER_EQUALS`.
pub const GREATER_EQUALS: u16 = 273;
/// `NOT_EQUALS`.
pub const NOT_EQUALS: u16 = 274;
/// `SQL_COMMENT`.
pub const SQL_COMMENT: u16 = 275;
/// `C_COMMENT`.
pub const C_COMMENT: u16 = 276;
/// `ALL`.
pub const ALL: u16 = 286;
/// `FALSE_P`.
pub const FALSE: u16 = 421;
/// `NULL_P`.
pub const NULL: u16 = 555;
/// `TRUE_P`.
pub const TRUE: u16 = 712;
/// `UESCAPE`.
pub const UESCAPE: u16 = 717;
