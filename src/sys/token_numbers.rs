//! The token numbers of the crate pgq-lexer are those of libpg_query's headers. (With fresh
//! bindings, a test that regenerates the crate's tables says so instead.)

use super::bindings as pg;
use pgq_lexer::kinds;

macro_rules! equal {
    ($($kind:ident = $token:ident;)*) => {
        $(const _: () = assert!(kinds::$kind as u32 == pg::$token);)*
    };
}

equal! {
    END = PG_QUERY_TOKEN_NUL;
    IDENT = PG_QUERY_TOKEN_IDENT;
    UIDENT = PG_QUERY_TOKEN_UIDENT;
    FCONST = PG_QUERY_TOKEN_FCONST;
    SCONST = PG_QUERY_TOKEN_SCONST;
    USCONST = PG_QUERY_TOKEN_USCONST;
    BCONST = PG_QUERY_TOKEN_BCONST;
    XCONST = PG_QUERY_TOKEN_XCONST;
    OP = PG_QUERY_TOKEN_Op;
    ICONST = PG_QUERY_TOKEN_ICONST;
    PARAM = PG_QUERY_TOKEN_PARAM;
    TYPECAST = PG_QUERY_TOKEN_TYPECAST;
    DOT_DOT = PG_QUERY_TOKEN_DOT_DOT;
    COLON_EQUALS = PG_QUERY_TOKEN_COLON_EQUALS;
    EQUALS_GREATER = PG_QUERY_TOKEN_EQUALS_GREATER;
    LESS_EQUALS = PG_QUERY_TOKEN_LESS_EQUALS;
    GREATER_EQUALS = PG_QUERY_TOKEN_GREATER_EQUALS;
    NOT_EQUALS = PG_QUERY_TOKEN_NOT_EQUALS;
    SQL_COMMENT = PG_QUERY_TOKEN_SQL_COMMENT;
    C_COMMENT = PG_QUERY_TOKEN_C_COMMENT;
    ALL = PG_QUERY_TOKEN_ALL;
    FALSE = PG_QUERY_TOKEN_FALSE_P;
    NULL = PG_QUERY_TOKEN_NULL_P;
    TRUE = PG_QUERY_TOKEN_TRUE_P;
    UESCAPE = PG_QUERY_TOKEN_UESCAPE;
}
