//! Numbers of tokens in the grammar, as libpg_query publishes them, in the width of a token.
//! src/sys/layout.c proves them on every build.

use crate::sys::bindings as pg;

macro_rules! kinds {
    ($($name:ident = $number:ident;)*) => {
        $(pub(crate) const $name: u16 = pg::$number as u16;)*
    };
}

kinds! {
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
}
