//! Fixes for types, casts and constants.

use super::{Edit, Fix};

pub const FIXES: &[Fix] = &[
    Fix {
        name: "type-name",
        why: "the deparser writes types of pg_catalog wrongly. It drops modifiers that are expressions. It writes \
              modifiers after keywords that allow no modifiers, as in int(5). It writes pg_catalog.bpchar without a \
              length as char, which means char(1). It does not quote names. It replaces pg_catalog.real, and names \
              before %TYPE, with keywords, although these names must not change",
        edits: &[Edit::Body { of: "deparseTypeName", with: "\n\twrite_type_name(state, type_name);\n" }],
    },
    Fix {
        name: "interval-in-set",
        why: "the deparser refuses SET TIME ZONE INTERVAL without fields. It writes a precision after the string \
              instead of before it",
        edits: &[
            Edit::After {
                of: "deparseTypeCast",
                mark: "\"interval \"",
                anchor: "deparseAConst(state, a_const);",
                with: "write_interval_constant(state, type_cast);",
            },
            Edit::Put {
                of: "deparseTypeCast",
                times: 1,
                anchor: "deparseAppendStringInfoString(state, \"interval \");",
                with: "",
            },
            Edit::Put {
                of: "deparseTypeCast",
                times: 1,
                anchor: "deparseIntervalTypmods(state, type_cast->typeName);",
                with: "",
            },
            Edit::Body {
                of: "deparseIntervalTypmods",
                with: "\n\twrite_interval_fields(state, type_name->typmods);\n",
            },
        ],
    },
    Fix {
        name: "char-constant",
        why: "the deparser writes every cast to pg_catalog.bpchar in the form char '…', even if the operand is not a \
              string. The grammar allows this form only for strings. The deparser also drops the array bounds of the \
              type",
        edits: &[Edit::Put {
            of: "deparseTypeCast",
            times: 1,
            anchor: "type_cast->typeName->typmods == NULL)",
            with: "is_plain_type(type_cast->typeName) && is_string(type_cast->arg))",
        }],
    },
    Fix {
        name: "bool-string",
        why: "if the strings 't' and 'f' are cast to pg_catalog.bool, the deparser writes them as the constants true \
              and false",
        edits: &[Edit::Put {
            of: "deparseTypeCast",
            times: 1,
            anchor: "strcmp(typename, \"bool\") == 0 &&",
            with: "false &&",
        }],
    },
    Fix {
        name: "point-constant",
        why: "the deparser writes every cast to point in the form point '…', even if the operand is not a string. The \
              grammar allows this form only for strings. The deparser also drops the modifiers and array bounds of \
              the type",
        edits: &[Edit::Put {
            of: "deparseTypeCast",
            times: 1,
            anchor: "a_const->location > type_cast",
            with: "is_plain_type(type_cast->typeName) && is_string(type_cast->arg) && a_const->location > type_cast",
        }],
    },
    Fix {
        name: "cycle-mark-cast",
        why: "the deparser writes a typed constant that is a mark value of CYCLE as a cast. The grammar allows no \
              cast there",
        edits: &[Edit::Put {
            of: "deparseAexprConst",
            times: 1,
            anchor: "deparseTypeCast(state, castNode(TypeCast, node), DEPARSE_NODE_CONTEXT_NONE)",
            with: "write_typed_constant(state, castNode(TypeCast, node))",
        }],
    },
    Fix {
        name: "bit-string-backslash",
        why: "if a bit string contains a backslash, the deparser writes an escape string (E) after the x or b",
        edits: &[Edit::Put {
            of: "deparseValue",
            times: 2,
            anchor: "deparseStringLiteral(state, value->sval.sval + 1)",
            with: "write_bits(state, value->sval.sval + 1)",
        }],
    },
    Fix {
        name: "parameter-zero",
        why: "the deparser writes $0 as a question mark",
        edits: &[Edit::Put { of: "deparseParamRef", times: 1, anchor: "param_ref->number == 0", with: "false" }],
    },
    Fix {
        name: "dollar-quotes",
        why: "the deparser writes a body in dollar quotes, even if the body contains their delimiter or ends in a \
              dollar sign. The dollar quotes then end too early",
        edits: &[
            Edit::Put {
                of: "deparseFuncAs",
                times: 1,
                anchor: "strstr(strval, \"$$\") == NULL",
                with: "fits_dollar_quotes(strval, \"$$\")",
            },
            Edit::Put {
                of: "deparseDoStmt",
                times: 1,
                anchor: "const char *delim = \"$$\";",
                with: "const char *delim = write_do_body(state, strval);\n\t\t\tif (delim == NULL)\n\t\t\t\tcontinue;",
            },
            Edit::Put { of: "deparseDoStmt", times: 1, anchor: "strstr(strval, \"$$\") != NULL", with: "false" },
        ],
    },
];
