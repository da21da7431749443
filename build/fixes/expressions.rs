//! Fixes for expressions, function calls and FROM items.

use super::{Edit, Fix};

pub const FIXES: &[Fix] = &[
    Fix {
        name: "operator-qualified",
        why: "the deparser drops the name of an operator that has more than one qualifier",
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
        why: "the deparser writes a prefix operator without OPERATOR(), even if the grammar requires OPERATOR(). A \
              minus operator before a number then becomes the number's sign",
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
        why: "if the value of a storage option is an operator, the deparser writes no space before it. The parser may \
              then read the equals sign and the value as one operator",
        edits: &[Edit::Put {
            of: "deparseRelOptions",
            times: 1,
            anchor: "deparseAppendStringInfoChar(state, '=');",
            with: "deparseAppendStringInfoString(state, joins_equals(def_elem->arg) ? \"= \" : \"=\");",
        }],
    },
    Fix {
        name: "overlay-call",
        why: "the deparser writes a plain call of pg_catalog.overlay with four arguments as OVERLAY(… PLACING …)",
        edits: &[Edit::Put {
            of: "deparseFuncCall",
            times: 1,
            anchor: "if (list_length(func_call->funcname) == 2 &&",
            with: "if (func_call->funcformat == COERCE_SQL_SYNTAX &&\n\t\tlist_length(func_call->funcname) == 2 &&",
        }],
    },
    Fix {
        name: "trim-list",
        why: "the deparser keeps two arguments of TRIM and drops all further ones",
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
        why: "in XMLEXISTS and XMLTABLE, the deparser writes a negative number without the parentheses that the \
              grammar requires",
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
        why: "the deparser does not quote a column that is named unbounded and is the offset of a window frame. The \
              parser then reads this name as the keyword UNBOUNDED",
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
        why: "in FROM, the deparser drops some expressions that look like function calls, such as JSON_SCALAR(1) and \
              NULLIF(a, b)",
        edits: &[Edit::Put {
            of: "deparseFuncExprWindowless",
            times: 1,
            anchor: "Assert(false);",
            with: "write_function_like(state, node);",
        }],
    },
    Fix {
        name: "index-on-window-call",
        why: "in CREATE INDEX, the deparser writes a call with FILTER, WITHIN GROUP or OVER without the parentheses \
              that the grammar requires",
        edits: &[Edit::Put {
            of: "deparseIndexElem",
            times: 1,
            anchor: "if (is_func_expr && ",
            with: "if (is_func_expr && !has_window_clauses(index_elem->expr) && ",
        }],
    },
    Fix {
        name: "fetch-null-with-ties",
        why: "the deparser writes FETCH FIRST NULL ROWS WITH TIES as FETCH FIRST ALL ROWS WITH TIES",
        edits: &[Edit::Put {
            of: "deparseSelectStmt",
            times: 1,
            anchor: "if (IsA(stmt->limitCount, A_Const)",
            with: "if (stmt->limitOption != LIMIT_OPTION_WITH_TIES && IsA(stmt->limitCount, A_Const)",
        }],
    },
    Fix {
        name: "xmlparse-whitespace",
        why: "the deparser drops PRESERVE WHITESPACE of XMLPARSE",
        edits: &[Edit::After {
            of: "deparseXmlExpr",
            mark: "content ",
            anchor: "deparseAppendStringInfoChar(state, ')');",
            with: "write_whitespace_option(state, xml_expr);\n\t\t\tdeparseAppendStringInfoChar(state, ')');",
        }],
    },
    Fix {
        name: "xmlroot-version",
        why: "the deparser refuses XMLROOT if the version is not a constant",
        edits: &[Edit::Put {
            of: "deparseXmlExpr",
            times: 1,
            anchor: "castNode(A_Const, lsecond(xml_expr->args))->isnull",
            with: "is_null_constant(lsecond(xml_expr->args))",
        }],
    },
    Fix {
        name: "json-table-lateral",
        why: "the deparser drops LATERAL before JSON_TABLE",
        edits: &[Edit::Put {
            of: "deparseJsonTable",
            times: 1,
            anchor: "\"JSON_TABLE(\"",
            with: "json_table->lateral ? \"LATERAL JSON_TABLE(\" : \"JSON_TABLE(\"",
        }],
    },
];
