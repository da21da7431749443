//! Fixes for expressions, function calls and FROM items.

use super::{Edit, Fix};

pub const FIXES: &[Fix] = &[
    Fix {
        name: "operator-qualified",
        why: "an operator name with more than one qualifier is dropped",
        edits: &[
            Edit::Body { of: "deparseAnyOperator", with: "\n\twrite_operator_name(state, op);\n" },
            Edit::Put {
                of: "deparseDefArg",
                times: 1,
                anchor: "Assert(list_length(l) == 1 || list_length(l) == 2);",
                with: "",
            },
            Edit::Put {
                of: "deparseDefArg",
                times: 1,
                anchor: "if (list_length(l) == 2)",
                with: "if (list_length(l) > 1)",
            },
        ],
    },
    Fix {
        name: "operator-prefix",
        why: "prefix operators that need OPERATOR() are written without it, and a minus operator before a number \
              becomes its sign",
        edits: &[
            Edit::Put {
                of: "deparseAExpr",
                times: 1,
                anchor: "deparseQualOp(state, a_expr->name);",
                with: "if (is_spelled_out(a_expr))\n\t\t\t\t{\n\t\t\t\t\tdeparseAppendStringInfoString(state, \"OPERATOR(\");\n\t\t\t\t\tdeparseAnyOperator(state, a_expr->name);\n\t\t\t\t\tdeparseAppendStringInfoChar(state, ')');\n\t\t\t\t}\n\t\t\t\telse\n\t\t\t\t\tdeparseQualOp(state, a_expr->name);",
            },
            Edit::Put {
                of: "getExprPrecedence",
                times: 1,
                anchor: "if (a_expr->lexpr == NULL)",
                with: "if (is_spelled_out(a_expr))\n\t\t\t\t\t\t\treturn DEPARSE_PREC_OP;\n\t\t\t\t\t\tif (a_expr->lexpr == NULL)",
            },
        ],
    },
    Fix {
        name: "option-operator",
        why: "an operator as the value of a storage option runs into the equals sign",
        edits: &[Edit::Put {
            of: "deparseRelOptions",
            times: 1,
            anchor: "deparseAppendStringInfoChar(state, '=');",
            with: "deparseAppendStringInfoString(state, joins_equals(def_elem->arg) ? \"= \" : \"=\");",
        }],
    },
    Fix {
        name: "overlay-call",
        why: "a plain call of pg_catalog.overlay with four arguments becomes OVERLAY(… PLACING …)",
        edits: &[Edit::Put {
            of: "deparseFuncCall",
            times: 1,
            anchor: "if (list_length(func_call->funcname) == 2 &&",
            with: "if (func_call->funcformat == COERCE_SQL_SYNTAX &&\n\t\tlist_length(func_call->funcname) == 2 &&",
        }],
    },
    Fix {
        name: "trim-list",
        why: "TRIM keeps two of its arguments and drops the rest",
        edits: &[
            Edit::After {
                of: "deparseFuncCall",
                mark: "rtrim\") == 0\n",
                anchor: "Assert(list_length(func_call->args) == 1 || list_length(func_call->args) == 2);",
                with: "",
            },
            Edit::After {
                of: "deparseFuncCall",
                mark: "TRAILING ",
                anchor: "if (list_length(func_call->args) == 2)",
                with: "if (write_trim_list(state, func_call->args))\n\t\t\treturn;\n\t\tif (list_length(func_call->args) == 2)",
            },
        ],
    },
    Fix {
        name: "negative-operand",
        why: "a negative number lacks the parentheses that the grammar requires (XMLEXISTS, XMLTABLE)",
        edits: &[
            Edit::Put {
                of: "deparseFuncCall",
                times: 2,
                anchor: "deparseCExpr(state, ",
                with: "write_closed_expr(state, ",
            },
            Edit::Put {
                of: "deparseRangeTableFunc",
                times: 1,
                anchor: "deparseCExpr(state, ",
                with: "write_closed_expr(state, ",
            },
        ],
    },
    Fix {
        name: "frame-unbounded",
        why: "a column named unbounded as the offset of a frame is read back as the keyword UNBOUNDED",
        edits: &[
            Edit::Put {
                of: "deparseWindowDef",
                times: 2,
                anchor: "deparseExpr(state, window_def->startOffset, DEPARSE_NODE_CONTEXT_A_EXPR)",
                with: "write_frame_offset(state, window_def->startOffset)",
            },
            Edit::Put {
                of: "deparseWindowDef",
                times: 2,
                anchor: "deparseExpr(state, window_def->endOffset, DEPARSE_NODE_CONTEXT_A_EXPR)",
                with: "write_frame_offset(state, window_def->endOffset)",
            },
        ],
    },
    Fix {
        name: "function-in-from",
        why: "some expressions that look like function calls are dropped in FROM (JSON_SCALAR(1), NULLIF(a, b), …)",
        edits: &[Edit::Put {
            of: "deparseFuncExprWindowless",
            times: 1,
            anchor: "Assert(false);",
            with: "write_function_like(state, node);",
        }],
    },
    Fix {
        name: "index-on-window-call",
        why: "a call with FILTER, WITHIN GROUP or OVER lacks the parentheses that it needs in an index",
        edits: &[Edit::Put {
            of: "deparseIndexElem",
            times: 1,
            anchor: "if (is_func_expr && ",
            with: "if (is_func_expr && !has_window_clauses(index_elem->expr) && ",
        }],
    },
    Fix {
        name: "fetch-null-with-ties",
        why: "FETCH FIRST NULL ROWS WITH TIES becomes FETCH FIRST ALL",
        edits: &[Edit::Put {
            of: "deparseSelectStmt",
            times: 1,
            anchor: "if (IsA(stmt->limitCount, A_Const)",
            with: "if (stmt->limitOption != LIMIT_OPTION_WITH_TIES && IsA(stmt->limitCount, A_Const)",
        }],
    },
    Fix {
        name: "xmlparse-whitespace",
        why: "PRESERVE WHITESPACE of XMLPARSE is dropped",
        edits: &[Edit::After {
            of: "deparseXmlExpr",
            mark: "content ",
            anchor: "deparseAppendStringInfoChar(state, ')');",
            with: "write_whitespace_option(state, xml_expr);\n\t\t\tdeparseAppendStringInfoChar(state, ')');",
        }],
    },
    Fix {
        name: "xmlroot-version",
        why: "a version of XMLROOT that is not a constant is refused",
        edits: &[Edit::Put {
            of: "deparseXmlExpr",
            times: 1,
            anchor: "castNode(A_Const, lsecond(xml_expr->args))->isnull",
            with: "is_null_constant(lsecond(xml_expr->args))",
        }],
    },
    Fix {
        name: "json-table-lateral",
        why: "LATERAL before JSON_TABLE is dropped",
        edits: &[Edit::Put {
            of: "deparseJsonTable",
            times: 1,
            anchor: "\"JSON_TABLE(\"",
            with: "json_table->lateral ? \"LATERAL JSON_TABLE(\" : \"JSON_TABLE(\"",
        }],
    },
];
