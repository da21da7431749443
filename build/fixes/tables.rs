//! Fixes for tables, columns and constraints.

use super::{Edit, Fix};

pub const FIXES: &[Fix] = &[
    Fix {
        name: "create-table-using",
        why: "in CREATE TABLE … USING method, the deparser writes no space between the access method and the next \
              clause",
        edits: &[Edit::Put {
            of: "deparseCreateStmt",
            times: 1,
            anchor: "quote_identifier(create_stmt->accessMethod));",
            with: "quote_identifier(create_stmt->accessMethod));\n\t\twrite_gap(state);",
        }],
    },
    Fix {
        name: "like-all-excluding",
        why: "the deparser writes LIKE … INCLUDING ALL EXCLUDING … as a list of INCLUDING clauses, which parses to a \
              different tree",
        edits: &[Edit::Put {
            of: "deparseTableLikeClause",
            times: 1,
            anchor: "if (table_like_clause->options == CREATE_TABLE_LIKE_ALL)",
            with: "if (write_like_all_but(state, table_like_clause->options)) {}\n\telse if (table_like_clause->options == CREATE_TABLE_LIKE_ALL)",
        }],
    },
    Fix {
        name: "alter-type-collate-using",
        why: "in ALTER COLUMN … TYPE, the deparser writes COLLATE after the expression of USING. The parser then \
              reads COLLATE as a part of this expression",
        edits: &[
            Edit::Put {
                of: "deparseColumnDef",
                times: 1,
                anchor: "deparseAppendStringInfoString(state, \"USING \");",
                with: "if (column_def->collClause != NULL)\n\t\t{\n\t\t\tdeparseCollateClause(state, column_def->collClause);\n\t\t\tdeparseAppendStringInfoChar(state, ' ');\n\t\t}\n\t\tdeparseAppendStringInfoString(state, \"USING \");",
            },
            Edit::Put {
                of: "deparseColumnDef",
                times: 1,
                anchor: "if (column_def->collClause != NULL)\n\t{\n\t\tdeparseCollateClause(state, column_def->collClause);\n\t}",
                with: "if (column_def->collClause != NULL && column_def->raw_default == NULL)\n\t\tdeparseCollateClause(state, column_def->collClause);",
            },
        ],
    },
    Fix {
        name: "exclude-where",
        why: "the deparser writes the WHERE of an exclusion constraint before INCLUDE, WITH and USING INDEX \
              TABLESPACE. The grammar requires WHERE after them",
        edits: &[
            Edit::Put {
                of: "deparseConstraint",
                times: 1,
                anchor: "if (constraint->where_clause != NULL)",
                with: "if (false)",
            },
            Edit::Put {
                of: "deparseConstraint",
                times: 1,
                anchor: "if (constraint->deferrable)",
                with: "if (constraint->where_clause != NULL)\n\t{\n\t\tdeparseAppendStringInfoString(state, \"WHERE (\");\n\t\tdeparseExpr(state, constraint->where_clause, DEPARSE_NODE_CONTEXT_A_EXPR);\n\t\tdeparseAppendStringInfoString(state, \") \");\n\t}\n\n\tif (constraint->deferrable)",
            },
        ],
    },
    Fix {
        name: "table-of-type",
        why: "after ALTER TABLE … OF and COMMENT ON CONSTRAINT … ON DOMAIN, the deparser writes a type of pg_catalog \
              as an SQL keyword, such as boolean instead of pg_catalog.bool. The grammar allows only names there, not \
              keywords",
        edits: &[
            Edit::Put {
                of: "deparseAlterTableCmd",
                times: 1,
                anchor: "deparseTypeName(state, castNode(TypeName, alter_table_cmd->def))",
                with: "deparseAnyName(state, castNode(TypeName, alter_table_cmd->def)->names)",
            },
            Edit::Put {
                of: "deparseCommentStmt",
                times: 1,
                anchor: "deparseTypeName(state, linitial(l))",
                with: "deparseAnyName(state, castNode(TypeName, linitial(l))->names)",
            },
        ],
    },
];
