//! Fixes for statements other than queries.

use super::{Edit, Fix};

pub const FIXES: &[Fix] = &[
    Fix {
        name: "sequence-logged",
        why: "the deparser drops LOGGED and UNLOGGED among the options of a sequence",
        edits: &[Edit::Put {
            of: "deparseSeqOptElem",
            times: 1,
            anchor: "Assert(false);",
            with: "write_logged_option(state, def_elem->defname);",
        }],
    },
    Fix {
        name: "database-option-number",
        why: "the deparser drops the value of an option of CREATE DATABASE if the value is a number with a fraction",
        edits: &[Edit::Put {
            of: "deparseCreatedbOptList",
            times: 1,
            anchor: "if (IsA(def_elem->arg, Integer))",
            with: "if (IsA(def_elem->arg, Float))\n\t\t\tdeparseNumericOnly(state, (union ValUnion *) def_elem->arg);\n\t\telse if (IsA(def_elem->arg, Integer))",
        }],
    },
    Fix {
        name: "time-zone-string",
        why: "in SET TIME ZONE, the deparser writes a string that is a keyword without quotes. Without quotes, the \
              grammar allows only identifiers there, not such keywords",
        edits: &[Edit::After {
            of: "deparseVariableSetStmt",
            mark: "\"TIME ZONE \"",
            anchor: "deparseVarList(",
            with: "write_time_zone(",
        }],
    },
    Fix {
        name: "grant-parameter",
        why: "the deparser drops the parameters of GRANT … ON PARAMETER",
        edits: &[Edit::Put {
            of: "deparsePrivilegeTarget",
            times: 1,
            anchor: "case OBJECT_LARGEOBJECT:\n\t\t\t\t\tdeparseAppendStringInfoString(state, \"LARGE OBJECT \")",
            with: "case OBJECT_PARAMETER_ACL:\n\t\t\t\t\tdeparseAppendStringInfoString(state, \"PARAMETER \");\n\t\t\t\t\twrite_setting_names(state, objs);\n\t\t\t\t\tbreak;\n\t\t\t\tcase OBJECT_LARGEOBJECT:\n\t\t\t\t\tdeparseAppendStringInfoString(state, \"LARGE OBJECT \")",
        }],
    },
    Fix {
        name: "revoke-granted-by",
        why: "the deparser writes CASCADE of REVOKE before GRANTED BY. The grammar requires CASCADE after GRANTED BY",
        edits: &[
            Edit::Put {
                of: "deparseGrantStmt",
                times: 1,
                anchor: "deparseOptDropBehavior(state, grant_stmt->behavior);",
                with: "",
            },
            Edit::After {
                of: "deparseGrantStmt",
                mark: "GRANTED BY ",
                anchor: ");\n\t}",
                with: ");\n\t\tdeparseAppendStringInfoChar(state, ' ');\n\t}\n\tdeparseOptDropBehavior(state, grant_stmt->behavior);",
            },
        ],
    },
    Fix {
        name: "revoke-role-cascade",
        why: "in REVOKE of a role, the deparser writes no space before CASCADE if the statement has GRANTED BY",
        edits: &[Edit::Put {
            of: "deparseGrantRoleStmt",
            times: 1,
            anchor: "deparseRoleSpec(state, castNode(RoleSpec, grant_role_stmt->grantor));",
            with: "deparseRoleSpec(state, castNode(RoleSpec, grant_role_stmt->grantor));\n\t\twrite_gap(state);",
        }],
    },
    Fix {
        name: "grant-role-option",
        why: "the deparser drops the names of role options in GRANT and REVOKE, except ADMIN, INHERIT and SET",
        edits: &[
            Edit::After {
                of: "deparseGrantRoleStmt",
                mark: "!castNode(Boolean, defelem->arg)->boolval);",
                anchor: "if (strcmp(",
                with: "if (write_other_role_option(state, defelem, false)) {}\n\t\telse if (strcmp(",
            },
            Edit::Put {
                of: "deparseGrantRoleStmt",
                times: 1,
                anchor: "if (lnext(grant_role_stmt->opt, lc)) {",
                with: "write_other_role_option(state, defelem, true);\n\t\t\tif (lnext(grant_role_stmt->opt, lc)) {",
            },
        ],
    },
    Fix {
        name: "alter-role-users",
        why: "the deparser drops USER of ALTER ROLE if the statement also has other options",
        edits: &[Edit::Put {
            of: "deparseAlterRoleElem",
            times: 1,
            anchor: "else if (strcmp(def_elem->defname, \"connectionlimit\") == 0)",
            with: "else if (strcmp(def_elem->defname, \"rolemembers\") == 0)\n\t{\n\t\tdeparseAppendStringInfoString(state, \"USER \");\n\t\tdeparseRoleList(state, castNode(List, def_elem->arg));\n\t}\n\telse if (strcmp(def_elem->defname, \"connectionlimit\") == 0)",
        }],
    },
    Fix {
        name: "cursor-asensitive",
        why: "the deparser drops ASENSITIVE of DECLARE CURSOR",
        edits: &[Edit::Put {
            of: "deparseDeclareCursorStmt",
            times: 1,
            anchor: "deparseAppendStringInfoString(state, \"CURSOR \");",
            with: "if (declare_cursor_stmt->options & CURSOR_OPT_ASENSITIVE)\n\t\tdeparseAppendStringInfoString(state, \"ASENSITIVE \");\n\n\tdeparseAppendStringInfoString(state, \"CURSOR \");",
        }],
    },
    Fix {
        name: "alter-database-refresh-collation",
        why: "the deparser refuses ALTER DATABASE … REFRESH COLLATION VERSION",
        edits: &[Edit::Put {
            of: "deparseStmt",
            times: 1,
            anchor: "case T_AlterDatabaseStmt:",
            with: "case T_AlterDatabaseRefreshCollStmt:\n\t\t\tdeparseAppendStringInfoString(state, \"ALTER DATABASE \");\n\t\t\tdeparseColId(state, castNode(AlterDatabaseRefreshCollStmt, node)->dbname);\n\t\t\tdeparseAppendStringInfoString(state, \" REFRESH COLLATION VERSION\");\n\t\t\tbreak;\n\t\tcase T_AlterDatabaseStmt:",
        }],
    },
    Fix {
        name: "object-types",
        why: "in COMMENT, SECURITY LABEL and ALTER EXTENSION, the deparser drops the names of objects of some types, \
              such as indexes and collations",
        edits: &[
            Edit::After {
                of: "deparseAlterExtensionContentsStmt",
                mark: "\"TYPE \"",
                anchor: "Assert(false);",
                with: "write_object_words(state, alter_extension_contents_stmt->objtype);",
            },
            Edit::After {
                of: "deparseAlterExtensionContentsStmt",
                mark: "case OBJECT_TRANSFORM:\n\t\t\tl =",
                anchor: "Assert(false);",
                with: "write_object_name(state, alter_extension_contents_stmt->object);",
            },
            Edit::Put {
                of: "deparseSecLabelStmt",
                times: 1,
                anchor: "Assert(false);",
                with: "write_object_words(state, sec_label_stmt->objtype);\n\t\t\twrite_object_name(state, sec_label_stmt->object);",
            },
        ],
    },
    Fix {
        name: "copy-options",
        why: "the deparser writes some options of COPY wrongly. It drops values of an unexpected kind, or crashes. It \
              drops an unknown FORMAT. It writes FREEZE ON as FREEZE. It writes no space after the columns of FORCE \
              QUOTE",
        edits: &[
            Edit::Put {
                of: "deparseCopyStmt",
                times: 1,
                anchor: "bool old_fmt = true;",
                with: "bool old_fmt = copy_options_can_be_old(copy_stmt->options);",
            },
            Edit::Put { of: "deparseCopyStmt", times: 1, anchor: "old_fmt = false;", with: "" },
            // The original loop assumes the type of each option's value without checking it. The function call in the
            // first edit makes the loop superfluous. Therefore let it iterate over an empty list (`NIL`).
            Edit::After {
                of: "deparseCopyStmt",
                mark: "Loop over the options to see",
                anchor: "foreach(lc, copy_stmt->options)",
                with: "foreach(lc, NIL)",
            },
            Edit::After {
                of: "deparseCopyStmt",
                mark: "FORCE QUOTE ",
                anchor: "deparseColumnList(state, castNode(List, def_elem->arg));",
                with: "deparseColumnList(state, castNode(List, def_elem->arg));\n\t\t\t\t\twrite_gap(state);",
            },
            Edit::Put {
                of: "deparseCopyStmt",
                times: 1,
                anchor: "if (strcmp(def_elem->defname, \"format\") == 0)\n",
                with: "if (write_copy_option(state, def_elem)) {}\n\t\t\t\telse if (strcmp(def_elem->defname, \"format\") == 0)\n",
            },
        ],
    },
    Fix {
        name: "drop-subscription-cascade",
        why: "the deparser drops CASCADE of DROP SUBSCRIPTION",
        edits: &[Edit::Put {
            of: "deparseDropSubscriptionStmt",
            times: 1,
            anchor: "drop_subscription_stmt->subname));",
            with: "drop_subscription_stmt->subname));\n\tdeparseAppendStringInfoChar(state, ' ');\n\tdeparseOptDropBehavior(state, drop_subscription_stmt->behavior);\n\tremoveTrailingSpace(state);",
        }],
    },
    Fix {
        name: "copy-old-options",
        why: "for some statements in the old COPY syntax, the deparser writes the new syntax, because of an option \
              such as DELIMITER. FREEZE and HEADER of these statements then become strings",
        edits: &[Edit::Put {
            of: "deparseCopyStmt",
            times: 1,
            anchor: "if (list_length(copy_stmt->options) > 0)",
            with: "if (write_old_copy_options(state, copy_stmt->options)) {}\n\telse if (list_length(copy_stmt->options) > 0)",
        }],
    },
    Fix {
        name: "setting-name-long",
        why: "the deparser writes the name of a setting that has several parts as one identifier. If this identifier \
              is too long, the parser truncates it",
        edits: &[
            Edit::Put {
                of: "deparseVarName",
                times: 1,
                anchor: "deparseColId(state, s)",
                with: "write_setting_name(state, s)",
            },
            Edit::Put {
                of: "deparseVariableShowStmt",
                times: 1,
                anchor: "deparseAppendStringInfoString(state, quote_identifier(variable_show_stmt->name))",
                with: "write_setting_name(state, variable_show_stmt->name)",
            },
        ],
    },
    Fix {
        name: "collation-from",
        why: "the deparser refuses an option of CREATE COLLATION that is named from",
        edits: &[Edit::Put {
            of: "deparseDefineStmt",
            times: 1,
            anchor: "if (define_stmt->kind == OBJECT_COLLATION &&",
            with: "if (define_stmt->kind == OBJECT_COLLATION && has_list_argument(define_stmt->definition) &&",
        }],
    },
];
