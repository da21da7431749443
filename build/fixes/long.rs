//! Fixes for long statements: quadratic time, and too many nested parentheses for the parser.

use super::{Edit, Fix};

pub const FIXES: &[Fix] = &[
    Fix {
        name: "long-list",
        why: "the deparser takes quadratic time to join the items of a list into lines",
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
        why: "the deparser writes needless parentheses around each operand of a chain of UNION. This takes quadratic \
              time. If the parentheses are nested thousands of levels deep, the parser cannot read them",
        edits: &[
            Edit::Outside {
                anchor: "PostgresDeparseOpts *opts;",
                with: "PostgresDeparseOpts *opts;\n\n\t/* A link of a long chain of set operations, and the link up to which the chain is known. */\n\tSelectStmt *chain;\n\tSelectStmt *chain_ahead;",
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
        why: "the deparser writes needless parentheses around each operand of a chain of IS NULL or similar tests",
        edits: &[Edit::Put {
            of: "needsParensForPrecedence",
            times: 1,
            anchor: "if (side == DEPARSE_OPERAND_LEFT &&",
            with: "if (side == DEPARSE_OPERAND_LEFT && parent_prec == DEPARSE_PREC_IS && is_long_chain(node))\n\t\treturn false;\n\tif (side == DEPARSE_OPERAND_LEFT &&",
        }],
    },
    Fix {
        name: "many-comments",
        why: "at every node, the deparser checks every comment, even the comments that it has already written. \
              Therefore the time grows with the number of nodes times the number of comments",
        edits: &[
            Edit::Outside {
                anchor: "Bitmapset *emitted_comments;",
                with: "Bitmapset *emitted_comments;\n\n\t/* All comments before this one are written. */\n\tint first_comment;\n\t/* Whether the comments are sorted by location. */\n\tbool comments_in_order;",
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
