//! Rejects parameters at positions where PostgreSQL does not allow them. libpg_query accepts them there, because it
//! also parses normalized SQL, such as `SET ROLE $1`. It also accepts a word directly after a parameter, such as
//! `$1OR`. The fixed files report a syntax error, like PostgreSQL, unless the variable `pgq_accepts_normalized`
//! (src/sys/shim.c) is true. It is true while libpg_query's own functions run.

use super::{Edit, Fix};

/// Fixes of the grammar, in src/postgres/src_backend_parser_gram.c.
pub const OF_GRAMMAR: &[Fix] = &[Fix {
    name: "parameters-of-normalized-text",
    why: "the grammar of libpg_query accepts $n where PostgreSQL's grammar has a syntax error: WHERE id $1, SET ROLE \
          $1, interval $1",
    edits: &[
        Edit::Outside {
            anchor: "static Node *makeParamRef(int number, int location);\n\
                     static Node *makeParamRefCast(int number, int location, TypeName *typename);\n",
            with: "extern __thread bool pgq_accepts_normalized;\n\
                   static Node *added_param_ref(int number, int location, core_yyscan_t yyscanner);\n\
                   static Node *added_param_ref_cast(int number, int location, TypeName *typename, core_yyscan_t yyscanner);\n\
                   #define makeParamRef(number, location) added_param_ref(number, location, yyscanner)\n\
                   #define makeParamRefCast(number, location, type) added_param_ref_cast(number, location, type, yyscanner)\n",
        },
        Edit::Outside {
            anchor: "static Node* makeParamRef(int number, int location)\n{\n\tParamRef *p = makeNode(ParamRef);\n",
            with: "static Node *\n\
                   added_param_ref(int number, int location, core_yyscan_t yyscanner)\n\
                   {\n\
                   \tParamRef *p = makeNode(ParamRef);\n\n\
                   \tif (!pgq_accepts_normalized)\n\
                   \t\tereport(ERROR,\n\
                   \t\t\t\t(errcode(ERRCODE_SYNTAX_ERROR),\n\
                   \t\t\t\t errmsg(\"syntax error at or near \\\"$%d\\\"\", number),\n\
                   \t\t\t\t parser_errposition(location)));\n",
        },
        Edit::Outside {
            anchor: "makeParamRefCast(int number, int location, TypeName *typename)\n{\n",
            with: "added_param_ref_cast(int number, int location, TypeName *typename, core_yyscan_t yyscanner)\n{\n",
        },
    ],
}];

/// Fixes of the scanner, in src/postgres/src_backend_parser_scan.c.
pub const OF_SCANNER: &[Fix] = &[Fix {
    name: "junk-after-parameters",
    why: "the scanner of libpg_query accepts a word directly after a parameter, as in $1OR. PostgreSQL refuses such a \
          word as trailing junk",
    edits: &[Edit::Outside {
        anchor: "\t\t\t\t\tval = pg_strtoint32_safe(yytext + 1, (Node *) &escontext);\n",
        with: "\t\t\t\t\t{\n\
               \t\t\t\t\t\textern __thread bool pgq_accepts_normalized;\n\
               \t\t\t\t\t\tunsigned char next = (unsigned char) yyg->yy_hold_char;\n\n\
               \t\t\t\t\t\tif (!pgq_accepts_normalized && (isalpha(next) || next == '_' || next >= 0x80))\n\
               \t\t\t\t\t\t{\n\
               \t\t\t\t\t\t\tchar *end = yyg->yy_c_buf_p;\n\n\
               \t\t\t\t\t\t\t*end = yyg->yy_hold_char;\n\
               \t\t\t\t\t\t\twhile (isalnum((unsigned char) *end) || *end == '_' || *end == '$' || (unsigned char) *end >= 0x80)\n\
               \t\t\t\t\t\t\t\tend++;\n\
               \t\t\t\t\t\t\t*end = '\\0';\n\
               \t\t\t\t\t\t\tyyerror(\"trailing junk after parameter\");\n\
               \t\t\t\t\t\t}\n\
               \t\t\t\t\t}\n\
               \t\t\t\t\tval = pg_strtoint32_safe(yytext + 1, (Node *) &escontext);\n",
    }],
}];
