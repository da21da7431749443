//! Fixes for rows that are assigned to several columns. In `SET (a, b) = (1, 2)`, the tree of each column contains the
//! whole row. Such rows can be nested: in `SET (a, b) = (WITH x AS (UPDATE …) …)`, the inner UPDATE may assign another
//! row. Each level at least doubles the size of the tree, so a short statement could have a huge tree. The fixed
//! grammar reports an error if rows repeat more than 16 MiB of SQL.

use super::{Edit, Fix};

/// Fixes of the grammar, in src/postgres/src_backend_parser_gram.c.
pub const OF_GRAMMAR: &[Fix] = &[Fix {
    name: "repeated-rows",
    why: "in the tree of SET (a, b, ...) = (...), the grammar repeats the row for each column. Therefore a tree can \
          be exponentially larger than its SQL if such rows are nested",
    edits: &[
        Edit::Outside {
            anchor: "static RawStmt *makeRawStmt(Node *stmt, int stmt_location);\n",
            with: "static RawStmt *makeRawStmt(Node *stmt, int stmt_location);\n\
                   static void count_repeated_row(int columns, int location, int row, int end, core_yyscan_t yyscanner);\n\
                   #ifndef LOOKAHEAD_LOCATION\n\
                   #define LOOKAHEAD_LOCATION yylloc\n\
                   #endif\n",
        },
        Edit::Outside {
            anchor: "/* Create a MultiAssignRef source for each target */\n",
            with: "count_repeated_row(ncolumns, (yylsp[(1) - (5)]), (yylsp[(5) - (5)]), LOOKAHEAD_LOCATION, yyscanner);\n",
        },
        Edit::Outside {
            anchor: "static RawStmt *\nmakeRawStmt(Node *stmt, int stmt_location)\n{\n",
            with: "\
/* An assignment of a row to several columns. */
typedef struct RepeatedRow
{
\tint\t\t\tlocation;
\tuint64\t\trepeated;\t\t/* the bytes of SQL that its tree contains again */
\tstruct RepeatedRow *before;
} RepeatedRow;

/* The assignments that are in no other row, last first. */
static __thread RepeatedRow *repeated_rows;
static __thread uint64 total_repeated;

/* Maximum number of repeated bytes of SQL. */
#define MAX_REPEATED (16 * 1024 * 1024)

static void
count_repeated_row(int columns, int location, int row, int end, core_yyscan_t yyscanner)
{
\tRepeatedRow *counted = palloc(sizeof(RepeatedRow));
\tuint64\t\tinner = 0;

\tfor (; repeated_rows != NULL && repeated_rows->location >= row; repeated_rows = repeated_rows->before)
\t\tinner += repeated_rows->repeated;
\tcounted->location = location;
\tcounted->repeated = columns * inner + (uint64) (columns - 1) * Max(end - row, 0);
\tcounted->before = repeated_rows;
\trepeated_rows = counted;
\ttotal_repeated += counted->repeated - inner;
\tif (total_repeated > MAX_REPEATED)
\t\tereport(ERROR,
\t\t\t\t(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
\t\t\t\t errmsg(\"the assignment of rows to several columns makes the parse tree too large\"),
\t\t\t\t parser_errposition(row)));
}

static RawStmt *
makeRawStmt(Node *stmt, int stmt_location)
{
",
        },
        Edit::Outside {
            anchor: "\tyyext->parsetree = NIL;",
            with: "\trepeated_rows = NULL;\n\ttotal_repeated = 0;\n\tyyext->parsetree = NIL;",
        },
    ],
}];
