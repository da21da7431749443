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
/// `AND`.
pub const AND: u16 = 292;
/// `ARRAY`.
pub const ARRAY: u16 = 294;
/// `AS`.
pub const AS: u16 = 295;
/// `AUTHORIZATION`.
pub const AUTHORIZATION: u16 = 305;
/// `BETWEEN`.
pub const BETWEEN: u16 = 309;
/// `BY`.
pub const BY: u16 = 316;
/// `CASE`.
pub const CASE: u16 = 322;
/// `CONSTRAINT`.
pub const CONSTRAINT: u16 = 349;
/// `CREATE`.
pub const CREATE: u16 = 356;
/// `CROSS`.
pub const CROSS: u16 = 357;
/// `DAY_P`.
pub const DAY: u16 = 372;
/// `DELETE_P`.
pub const DELETE: u16 = 382;
/// `DISTINCT`.
pub const DISTINCT: u16 = 392;
/// `ELSE`.
pub const ELSE: u16 = 399;
/// `EVENT`.
pub const EVENT: u16 = 409;
/// `EXECUTE`.
pub const EXECUTE: u16 = 414;
/// `EXPLAIN`.
pub const EXPLAIN: u16 = 416;
/// `EXTRACT`.
pub const EXTRACT: u16 = 420;
/// `FALSE_P`.
pub const FALSE: u16 = 421;
/// `FIRST_P`.
pub const FIRST: u16 = 426;
/// `FOREIGN`.
pub const FOREIGN: u16 = 431;
/// `FORMAT`.
pub const FORMAT: u16 = 432;
/// `FORMAT_LA`.
pub const FORMAT_LA: u16 = 771;
/// `FROM`.
pub const FROM: u16 = 435;
/// `FULL`.
pub const FULL: u16 = 436;
/// `FUNCTION`.
pub const FUNCTION: u16 = 437;
/// `GROUP_P`.
pub const GROUP: u16 = 444;
/// `HAVING`.
pub const HAVING: u16 = 448;
/// `HOUR_P`.
pub const HOUR: u16 = 451;
/// `ILIKE`.
pub const ILIKE: u16 = 454;
/// `INDEX`.
pub const INDEX: u16 = 464;
/// `INNER_P`.
pub const INNER: u16 = 470;
/// `INSERT`.
pub const INSERT: u16 = 474;
/// `INTEGER`.
pub const INTEGER: u16 = 477;
/// `INTERVAL`.
pub const INTERVAL: u16 = 479;
/// `INTO`.
pub const INTO: u16 = 480;
/// `INT_P`.
pub const INT: u16 = 476;
/// `IN_P`.
pub const IN: u16 = 459;
/// `JOIN`.
pub const JOIN: u16 = 485;
/// `JSON`.
pub const JSON: u16 = 486;
/// `LAST_P`.
pub const LAST: u16 = 503;
/// `LATERAL_P`.
pub const LATERAL: u16 = 504;
/// `LEFT`.
pub const LEFT: u16 = 508;
/// `LIKE`.
pub const LIKE: u16 = 510;
/// `LIMIT`.
pub const LIMIT: u16 = 511;
/// `LOCAL`.
pub const LOCAL: u16 = 514;
/// `MERGE`.
pub const MERGE: u16 = 526;
/// `MINUTE_P`.
pub const MINUTE: u16 = 529;
/// `MONTH_P`.
pub const MONTH: u16 = 532;
/// `NATURAL`.
pub const NATURAL: u16 = 537;
/// `NOT`.
pub const NOT: u16 = 550;
/// `NOT_LA`.
pub const NOT_LA: u16 = 772;
/// `NULLS_LA`.
pub const NULLS_LA: u16 = 773;
/// `NULLS_P`.
pub const NULLS: u16 = 557;
/// `NULL_P`.
pub const NULL: u16 = 555;
/// `ON`.
pub const ON: u16 = 567;
/// `OR`.
pub const OR: u16 = 572;
/// `ORDER`.
pub const ORDER: u16 = 573;
/// `ORDINALITY`.
pub const ORDINALITY: u16 = 574;
/// `OUTER_P`.
pub const OUTER: u16 = 577;
/// `PASSING`.
pub const PASSING: u16 = 589;
/// `PROCEDURE`.
pub const PROCEDURE: u16 = 607;
/// `REPLACE`.
pub const REPLACE: u16 = 627;
/// `RESET`.
pub const RESET: u16 = 629;
/// `RETURNING`.
pub const RETURNING: u16 = 633;
/// `RIGHT`.
pub const RIGHT: u16 = 636;
/// `ROW`.
pub const ROW: u16 = 642;
/// `SECOND_P`.
pub const SECOND: u16 = 651;
/// `SELECT`.
pub const SELECT: u16 = 653;
/// `SESSION`.
pub const SESSION: u16 = 658;
/// `SET`.
pub const SET: u16 = 660;
/// `SETOF`.
pub const SETOF: u16 = 662;
/// `SIMILAR`.
pub const SIMILAR: u16 = 665;
/// `STATEMENT`.
pub const STATEMENT: u16 = 676;
/// `TABLE`.
pub const TABLE: u16 = 692;
/// `TEMP`.
pub const TEMP: u16 = 697;
/// `TEMPORARY`.
pub const TEMPORARY: u16 = 699;
/// `TEXT_P`.
pub const TEXT: u16 = 700;
/// `THEN`.
pub const THEN: u16 = 701;
/// `TIME`.
pub const TIME: u16 = 703;
/// `TIMESTAMP`.
pub const TIMESTAMP: u16 = 704;
/// `TO`.
pub const TO: u16 = 705;
/// `TRIGGER`.
pub const TRIGGER: u16 = 710;
/// `TRUE_P`.
pub const TRUE: u16 = 712;
/// `UESCAPE`.
pub const UESCAPE: u16 = 717;
/// `UNIQUE`.
pub const UNIQUE: u16 = 723;
/// `UNLOGGED`.
pub const UNLOGGED: u16 = 726;
/// `UPDATE`.
pub const UPDATE: u16 = 728;
/// `USING`.
pub const USING: u16 = 730;
/// `VALUES`.
pub const VALUES: u16 = 736;
/// `VALUE_P`.
pub const VALUE: u16 = 735;
/// `WHEN`.
pub const WHEN: u16 = 746;
/// `WHERE`.
pub const WHERE: u16 = 747;
/// `WINDOW`.
pub const WINDOW: u16 = 749;
/// `WITH`.
pub const WITH: u16 = 750;
/// `WITHOUT`.
pub const WITHOUT: u16 = 752;
/// `WITHOUT_LA`.
pub const WITHOUT_LA: u16 = 775;
/// `WITH_LA`.
pub const WITH_LA: u16 = 774;
/// `YEAR_P`.
pub const YEAR: u16 = 768;
