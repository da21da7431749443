//! Long statements: work that grows with the square of their length, and parentheses nested
//! deeper than the parser can read.

use super::{Edit, Fix};

pub const FIXES: &[Fix] = &[
    Fix {
        name: "long-list",
        why: "joining the items of a long list into lines takes time that grows with the square of their number",
        edits: &[
            Edit::Put {
                of: "deparseStateDecreaseNestingLevel",
                times: 1,
                anchor: "/* Merge parts */",
                with: "List\t   *kept = NIL;",
            },
            Edit::Put {
                of: "deparseStateDecreaseNestingLevel",
                times: 1,
                anchor: "for_each_from (lc2, part_group->parts, 1)",
                with: "kept = list_make1(target);\n\t\t\tfor_each_from (lc2, part_group->parts, 1)",
            },
            Edit::Put {
                of: "deparseStateDecreaseNestingLevel",
                times: 1,
                anchor: "part_group->parts = foreach_delete_current(part_group->parts, lc2);",
                with: "",
            },
            Edit::Put {
                of: "deparseStateDecreaseNestingLevel",
                times: 1,
                anchor: "\ttarget = part;",
                with: "\ttarget = part;\n\t\t\t\t\tkept = lappend(kept, part);",
            },
            Edit::Put {
                of: "deparseStateDecreaseNestingLevel",
                times: 1,
                anchor: "if (part_group->keyword != NULL)",
                with: "if (kept != NIL)\n\t\t\tpart_group->parts = kept;\n\n\t\tif (part_group->keyword != NULL)",
            },
        ],
    },
    Fix {
        name: "long-union",
        why: "each operand of a chain of UNION is put in parentheses that it does not need: the time grows with the \
              square of the length, and the parser cannot read thousands of parentheses",
        edits: &[
            Edit::Outside {
                anchor: "PostgresDeparseOpts *opts;",
                with: "PostgresDeparseOpts *opts;\n\n\t/* A link of a long chain of set operations, and how far ahead it is known to go on. */\n\tSelectStmt *chain;\n\tSelectStmt *chain_ahead;",
            },
            Edit::After {
                of: "deparseSelectStmt",
                mark: "deparseSelectStmt(state, stmt->larg, ",
                anchor: "DEPARSE_NODE_CONTEXT_SELECT_SETOP",
                with: "stands_without_parens(state, stmt) ? DEPARSE_NODE_CONTEXT_INSERT_SELECT : DEPARSE_NODE_CONTEXT_SELECT_SETOP",
            },
        ],
    },
    Fix {
        name: "long-is-chain",
        why: "each step of a chain of IS NULL and the like is put in parentheses that it does not need",
        edits: &[Edit::Put {
            of: "needsParensForPrecedence",
            times: 1,
            anchor: "if (side == DEPARSE_OPERAND_LEFT &&",
            with: "if (side == DEPARSE_OPERAND_LEFT && parent_prec == DEPARSE_PREC_IS && is_long_chain(node))\n\t\treturn false;\n\tif (side == DEPARSE_OPERAND_LEFT &&",
        }],
    },
    Fix {
        name: "many-comments",
        why: "every node looks at every comment, those that are written included",
        edits: &[
            Edit::Outside {
                anchor: "Bitmapset *emitted_comments;",
                with: "Bitmapset *emitted_comments;\n\n\t/* Those before this one are written; those behind it stand in order. */\n\tint first_comment;\n\tbool comments_in_order;",
            },
            Edit::Put {
                of: "deparseRawStmtOpts",
                times: 1,
                anchor: "state->opts = opts;",
                with: "state->opts = opts;\n\tstate->comments_in_order = comments_in_order(opts);",
            },
            Edit::Put {
                of: "deparseAppendCommentsIfNeeded",
                times: 1,
                anchor: "for (int i = 0; i < state",
                with: "for (int i = first_comment(state); i < state",
            },
            Edit::After {
                of: "deparseAppendCommentsIfNeeded",
                mark: "if (comment->match_location > location)",
                anchor: "continue;",
                with: "{\n\t\t\tif (state->comments_in_order)\n\t\t\t\tbreak;\n\t\t\tcontinue;\n\t\t}",
            },
        ],
    },
];
