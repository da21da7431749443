//! Fixes for names that libpg_query writes without the necessary quotes.

use super::{Edit, Fix};

pub const FIXES: &[Fix] = &[
    Fix {
        name: "named-argument",
        why: "the deparser does not quote the name of a named argument",
        edits: &[Edit::Put {
            of: "deparseFuncArgExpr",
            times: 1,
            anchor: "named_arg_expr->name);",
            with: "as_type_or_function(named_arg_expr->name));",
        }],
    },
    Fix {
        name: "window-name",
        why: "the deparser does not quote the name of a window in WINDOW and OVER",
        edits: &[
            Edit::Put {
                of: "deparseSelectStmt",
                times: 1,
                anchor: "window_def->name);",
                with: "as_column(window_def->name));",
            },
            Edit::Put {
                of: "deparseFuncCall",
                times: 1,
                anchor: "func_call->over->name);",
                with: "as_column(func_call->over->name));",
            },
            Edit::Put { of: "deparseJsonObjectAgg", times: 1, anchor: "over->name);", with: "as_column(over->name));" },
            Edit::Put { of: "deparseJsonArrayAgg", times: 1, anchor: "over->name);", with: "as_column(over->name));" },
        ],
    },
    Fix {
        name: "window-refname-keyword",
        why: "the deparser does not quote the base window of a window definition if its name is rows, range, groups \
              or partition. The parser then reads this name as a keyword",
        edits: &[Edit::Put {
            of: "deparseWindowDef",
            times: 1,
            anchor: "quote_identifier(window_def->refname)",
            with: r#"quoted_if_one_of(window_def->refname, "partition range rows groups")"#,
        }],
    },
    Fix {
        name: "join-using-alias",
        why: "the deparser does not quote the alias of JOIN … USING",
        edits: &[Edit::Put {
            of: "deparseJoinExpr",
            times: 1,
            anchor: "join_expr->join_using_alias->aliasname)",
            with: "as_column(join_expr->join_using_alias->aliasname))",
        }],
    },
    Fix {
        name: "target-alias-set",
        why: "the deparser does not quote the alias \"set\" of the target table of UPDATE, DELETE or MERGE. The \
              parser then reads this alias as the keyword SET",
        edits: &[
            Edit::Put {
                of: "deparseUpdateStmt",
                times: 1,
                anchor: "deparseRangeVar(state, update_stmt->relation, DEPARSE_NODE_CONTEXT_NONE)",
                with: "write_target_table(state, update_stmt->relation)",
            },
            Edit::Put {
                of: "deparseDeleteStmt",
                times: 1,
                anchor: "deparseRangeVar(state, delete_stmt->relation, DEPARSE_NODE_CONTEXT_NONE)",
                with: "write_target_table(state, delete_stmt->relation)",
            },
            Edit::Put {
                of: "deparseMergeStmt",
                times: 1,
                anchor: "deparseRangeVar(state, merge_stmt->relation, DEPARSE_NODE_CONTEXT_NONE)",
                with: "write_target_table(state, merge_stmt->relation)",
            },
        ],
    },
    Fix {
        name: "function-parameter",
        why: "the deparser does not quote the names of parameters in CREATE FUNCTION",
        edits: &[Edit::Put {
            of: "deparseFunctionParameter",
            times: 1,
            anchor: "function_parameter->name);",
            with: "as_type_or_function(function_parameter->name));",
        }],
    },
    Fix {
        name: "on-delete-set-columns",
        why: "the deparser does not quote the columns of ON DELETE SET NULL (…)",
        edits: &[Edit::Put {
            of: "deparseConstraint",
            times: 1,
            anchor: "deparseAppendStringInfoString(state, strVal(lfirst(lc)))",
            with: "deparseAppendStringInfoString(state, as_column(strVal(lfirst(lc))))",
        }],
    },
    Fix {
        name: "import-foreign-schema",
        why: "the deparser does not quote the remote schema of IMPORT FOREIGN SCHEMA",
        edits: &[Edit::Put {
            of: "deparseImportForeignSchemaStmt",
            times: 1,
            anchor: "import_foreign_schema_stmt->remote_schema)",
            with: "as_column(import_foreign_schema_stmt->remote_schema))",
        }],
    },
    Fix {
        name: "drop-tablespace",
        why: "the deparser does not quote the name in DROP TABLESPACE",
        edits: &[Edit::Put {
            of: "deparseDropTableSpaceStmt",
            times: 1,
            anchor: "drop_table_space_stmt->tablespacename)",
            with: "as_column(drop_table_space_stmt->tablespacename))",
        }],
    },
    Fix {
        name: "drop-subscription",
        why: "the deparser does not quote the name in DROP SUBSCRIPTION",
        edits: &[Edit::Put {
            of: "deparseDropSubscriptionStmt",
            times: 1,
            anchor: "drop_subscription_stmt->subname)",
            with: "as_column(drop_subscription_stmt->subname))",
        }],
    },
    Fix {
        name: "depends-on-extension",
        why: "the deparser does not quote the name of the extension in DEPENDS ON EXTENSION",
        edits: &[Edit::Put {
            of: "deparseAlterObjectDependsStmt",
            times: 1,
            anchor: "alter_object_depends_stmt->extname->sval",
            with: "as_column(strVal(alter_object_depends_stmt->extname))",
        }],
    },
    Fix {
        name: "all-in-tablespace",
        why: "the deparser does not quote the tablespaces of ALTER TABLE ALL IN TABLESPACE",
        edits: &[
            Edit::Put {
                of: "deparseAlterTableMoveAllStmt",
                times: 1,
                anchor: "move_all_stmt->orig_tablespacename)",
                with: "as_column(move_all_stmt->orig_tablespacename))",
            },
            Edit::Put {
                of: "deparseAlterTableMoveAllStmt",
                times: 1,
                anchor: "move_all_stmt->new_tablespacename)",
                with: "as_column(move_all_stmt->new_tablespacename))",
            },
        ],
    },
    Fix {
        name: "statistics-column",
        why: "the deparser does not quote the columns of CREATE STATISTICS",
        edits: &[Edit::Put {
            of: "deparseStatsElem",
            times: 1,
            anchor: "stats_elem->name);",
            with: "as_column(stats_elem->name));",
        }],
    },
    Fix {
        name: "column-storage",
        why: "the deparser does not quote the names after STORAGE and COMPRESSION of a column",
        edits: &[
            Edit::Put {
                of: "deparseColumnDef",
                times: 1,
                anchor: "column_def->storage_name);",
                with: "as_column_or_default(column_def->storage_name));",
            },
            Edit::Put {
                of: "deparseColumnDef",
                times: 1,
                anchor: "column_def->compression);",
                with: "as_column_or_default(column_def->compression));",
            },
        ],
    },
    Fix {
        name: "utility-option-name",
        why: "the deparser writes the names of options in capitals and without quotes. This affects VACUUM, EXPLAIN, \
              REINDEX, CLUSTER and CREATE DATABASE",
        edits: &[
            Edit::Put {
                of: "deparseUtilityOptionList",
                times: 1,
                anchor: "deparseGenericDefElemName(state, def_elem->defname)",
                with: "write_utility_option_name(state, def_elem->defname)",
            },
            Edit::Put {
                of: "deparseCreatedbOptList",
                times: 1,
                anchor: "deparseGenericDefElemName(state, def_elem->defname)",
                with: "write_database_option_name(state, def_elem->defname)",
            },
        ],
    },
    Fix {
        name: "old-aggregate-option",
        why: "the deparser does not quote option names of an old-style CREATE AGGREGATE that are keywords",
        edits: &[Edit::Put {
            of: "deparseDefineStmt",
            times: 1,
            anchor: "deparseDefinition(state, define_stmt->definition)",
            with: "write_define_options(state, define_stmt)",
        }],
    },
    Fix {
        name: "lookahead-name",
        why: "the deparser writes two adjacent words without quotes, although at least one of them is a name. The \
              parser then reads the words as a pair of keywords, such as NULLS FIRST. The pairs are NULLS before \
              FIRST or LAST, WITHOUT before the type time, and WITH before ORDINALITY",
        edits: &[
            Edit::Put {
                of: "deparseAppendStringInfoString",
                times: 1,
                anchor: "appendStringInfoString(str, s);",
                with: "quote_before_lookahead(str, s);\n\tappendStringInfoString(str, s);",
            },
            Edit::Put {
                of: "deparseConstraint",
                times: 1,
                anchor: "deparseAnyOperator(",
                with: "write_operator_behind_with(",
            },
        ],
    },
    Fix {
        name: "operator-call",
        why: "the deparser does not quote the name of a function or type that is called `operator`. Before a \
              parenthesis, the parser reads this word as the keyword of the syntax OPERATOR(…). The error affects \
              every call of such a function. It affects such a type if the type has modifiers and is the value of an \
              option",
        edits: &[
            Edit::Outside {
                anchor: "PostgresDeparseOpts *opts;",
                with: "PostgresDeparseOpts *opts;\n\n\t/* The call or type whose name must be quoted if it would be read as a keyword. */\n\tconst void *as_name;",
            },
            Edit::After {
                of: "deparseFuncExpr",
                mark: "case T_FuncCall:",
                anchor: "deparseFuncCall(",
                with: "state->as_name = node;\n\t\t\tdeparseFuncCall(",
            },
            Edit::Put {
                of: "deparseFuncCall",
                times: 1,
                anchor: "deparseFuncName(state, func_call->funcname);",
                with: "write_call_name(state, func_call, func_call->funcname);",
            },
            Edit::Put {
                of: "deparseDefArg",
                times: 1,
                anchor: "deparseTypeName(",
                with: "state->as_name = arg;\n\t\tdeparseTypeName(",
            },
        ],
    },
    Fix {
        name: "group-by-function",
        why: "in GROUP BY, the deparser writes a call of a function that is named cube or rollup without quotes or \
              parentheses. The parser then reads this call as a grouping set",
        edits: &[Edit::Put {
            of: "deparseGroupByList",
            times: 1,
            anchor: "deparseExpr(state, lfirst(lc), DEPARSE_NODE_CONTEXT_A_EXPR)",
            with: "write_group_by_item(state, lfirst(lc))",
        }],
    },
    Fix {
        name: "provider-string",
        why: "the deparser writes the provider of SECURITY LABEL and the language of DO as identifiers, although the \
              grammar allows any string. If the string is empty, the identifier does not parse. If the string is \
              long, the identifier is truncated",
        edits: &[
            Edit::Put {
                of: "deparseSecLabelStmt",
                times: 1,
                anchor: "deparseAppendStringInfoString(state, quote_identifier(sec_label_stmt->provider))",
                with: "deparseNonReservedWordOrSconst(state, sec_label_stmt->provider)",
            },
            Edit::Put {
                of: "deparseDoStmt",
                times: 1,
                anchor: "deparseAppendStringInfoString(state, quote_identifier(strVal(defel->arg)))",
                with: "deparseNonReservedWordOrSconst(state, strVal(defel->arg))",
            },
        ],
    },
];
