//! Fixes for types, casts and constants.

use super::{Edit, Fix};

pub const FIXES: &[Fix] = &[
    Fix {
        name: "type-name",
        why: "types of pg_catalog are written wrongly. Modifiers that are expressions are dropped. Some keywords get \
              modifiers that the grammar does not allow. The type pg_catalog.bpchar without a length becomes char, \
              which means char(1). Names are not quoted. The name pg_catalog.real, and names before %TYPE, are \
              replaced with keywords, although these names must not change",
        edits: &[Edit::Body { of: "deparseTypeName", with: "\n\twrite_type_name(state, type_name);\n" }],
    },
    Fix {
        name: "interval-in-set",
        why: "SET TIME ZONE INTERVAL without fields is refused, and a precision is written after the string",
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
        why: "every cast to pg_catalog.bpchar is written in the form char '…', even if the operand is not a string. \
              The grammar allows this form only for strings. The array bounds of the type are dropped",
        edits: &[Edit::Put {
            of: "deparseTypeCast",
            times: 1,
            anchor: "type_cast->typeName->typmods == NULL)",
            with: "is_plain_type(type_cast->typeName) && is_string(type_cast->arg))",
        }],
    },
    Fix {
        name: "bool-string",
        why: "the strings 't' and 'f' cast to pg_catalog.bool become the constants true and false",
        edits: &[Edit::Put {
            of: "deparseTypeCast",
            times: 1,
            anchor: "strcmp(typename, \"bool\") == 0 &&",
            with: "false &&",
        }],
    },
    Fix {
        name: "point-constant",
        why: "every cast to point is written in the form point '…', even if the operand is not a string. The grammar \
              allows this form only for strings. The modifiers and array bounds of the type are dropped",
        edits: &[Edit::Put {
            of: "deparseTypeCast",
            times: 1,
            anchor: "a_const->location > type_cast",
            with: "is_plain_type(type_cast->typeName) && is_string(type_cast->arg) && a_const->location > type_cast",
        }],
    },
    Fix {
        name: "cycle-mark-cast",
        why: "a typed constant as the mark value of CYCLE is written as a cast, which the grammar does not allow there",
        edits: &[Edit::Put {
            of: "deparseAexprConst",
            times: 1,
            anchor: "deparseTypeCast(state, castNode(TypeCast, node), DEPARSE_NODE_CONTEXT_NONE)",
            with: "write_typed_constant(state, castNode(TypeCast, node))",
        }],
    },
    Fix {
        name: "bit-string-backslash",
        why: "a bit string with a backslash is written as an escape string after its x or b",
        edits: &[Edit::Put {
            of: "deparseValue",
            times: 2,
            anchor: "deparseStringLiteral(state, value->sval.sval + 1)",
            with: "write_bits(state, value->sval.sval + 1)",
        }],
    },
    Fix {
        name: "parameter-zero",
        why: "$0 is written as a question mark",
        edits: &[Edit::Put { of: "deparseParamRef", times: 1, anchor: "param_ref->number == 0", with: "false" }],
    },
    Fix {
        name: "dollar-quotes",
        why: "a dollar-quoted body that contains the delimiter or ends in a dollar sign ends too early",
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
