//! Adds pointer checks that libpg_query's deparser lacks. Trees from JSON may be invalid and need these checks. The SQL
//! of parsed trees does not change.

use super::{Edit, Fix};

pub const FIXES: &[Fix] = &[
    Fix {
        name: "check-list-members",
        why: "the deparser casts the members of lists to a node type without checking that they have this type",
        edits: &[
            Edit::Put {
                of: "deparseInferClause",
                times: 1,
                anchor: "deparseIndexElem(state, lfirst(lc))",
                with: "deparseIndexElem(state, castNode(IndexElem, lfirst(lc)))",
            },
            Edit::Put {
                of: "deparseCreateStatsStmt",
                times: 1,
                anchor: "deparseStatsElem(state, lfirst(lc))",
                with: "deparseStatsElem(state, castNode(StatsElem, lfirst(lc)))",
            },
            Edit::Put {
                of: "deparseJsonValueExprList",
                times: 1,
                anchor: "deparseJsonValueExpr(state, lfirst(lc))",
                with: "deparseJsonValueExpr(state, castNode(JsonValueExpr, lfirst(lc)))",
            },
            Edit::Put {
                of: "deparseJsonKeyValueList",
                times: 1,
                anchor: "deparseJsonKeyValue(state, lfirst(lc))",
                with: "deparseJsonKeyValue(state, castNode(JsonKeyValue, lfirst(lc)))",
            },
            Edit::Put {
                of: "deparsePublicationObjectList",
                times: 1,
                anchor: "*obj = lfirst(lc)",
                with: "*obj = castNode(PublicationObjSpec, lfirst(lc))",
            },
            Edit::Put {
                of: "deparseFuncCall",
                times: 2,
                anchor: "*aconst = lsecond(func_call->args)",
                with: "*aconst = castNode(A_Const, lsecond(func_call->args))",
            },
        ],
    },
    Fix {
        name: "check-strings",
        why: "the deparser reads values as strings without checking that they are strings",
        edits: &[
            Edit::Put {
                of: "deparseAExpr",
                times: 4,
                anchor: "((union ValUnion *) linitial(a_expr->name))->sval.sval",
                with: "strVal(linitial(a_expr->name))",
            },
            Edit::Put {
                of: "deparseVariableSetStmt",
                times: 1,
                anchor: "linitial_node(A_Const, variable_set_stmt->args)->val.sval.sval",
                with: "strVal(&linitial_node(A_Const, variable_set_stmt->args)->val)",
            },
            Edit::Put {
                of: "deparseJsonTablePathSpec",
                times: 1,
                anchor: "castNode(A_Const, json_table_path_spec->string)->val.sval.sval",
                with: "strVal(&castNode(A_Const, json_table_path_spec->string)->val)",
            },
        ],
    },
];
