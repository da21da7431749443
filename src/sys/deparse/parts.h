/*
 * parts.h - declares functions of pgq that libpg_query's deparser calls. The
 * edits of build/fixes add these calls. The other files of this directory
 * define the functions, and themselves call functions of the deparser. Therefore
 * deparse.c includes those files after the deparser.
 */
#ifndef PGQ_DEPARSE_PARTS_H
#define PGQ_DEPARSE_PARTS_H

#include "postgres_deparse.h"

typedef struct DeparseState DeparseState;

/* Long statements. */
static bool stands_without_parens(DeparseState *state, SelectStmt *stmt);
static bool is_long_chain(Node *node);
static bool comments_in_order(PostgresDeparseOpts *opts);
static int	first_comment(DeparseState *state);

/* Names. */
static inline void quote_before_lookahead(StringInfo str, const char *next);
static void write_gap(DeparseState *state);
static void write_call_name(DeparseState *state, const void *node, List *name);
static const char *quoted_if_one_of(const char *name, const char *words);
static const char *as_column(const char *name);
static const char *as_type_or_function(const char *name);
static const char *as_column_or_default(const char *name);
static void write_utility_option_name(DeparseState *state, const char *name);
static void write_database_option_name(DeparseState *state, const char *name);
static void write_define_options(DeparseState *state, DefineStmt *stmt);
static void write_target_table(DeparseState *state, RangeVar *table);
static void write_setting_name(DeparseState *state, const char *name);
static void write_setting_names(DeparseState *state, List *names);
static void write_operator_name(DeparseState *state, List *name);
static void write_operator_behind_with(DeparseState *state, List *name);

/* Types and constants. */
static void write_type_name(DeparseState *state, TypeName *type);
static bool write_interval_fields(DeparseState *state, List *modifiers);
static void write_interval_constant(DeparseState *state, TypeCast *cast);
static void write_typed_constant(DeparseState *state, TypeCast *cast);
static void write_bits(DeparseState *state, const char *digits);
static bool is_plain_type(TypeName *type);
static bool is_string(Node *node);
static bool is_null_constant(Node *node);
static bool fits_dollar_quotes(const char *text, const char *delimiter);
static const char *write_do_body(DeparseState *state, const char *text);

/* Expressions. */
static bool is_spelled_out(A_Expr *expr);
static bool joins_equals(Node *value);
static void write_group_by_item(DeparseState *state, Node *item);
static void write_closed_expr(DeparseState *state, Node *node);
static void write_frame_offset(DeparseState *state, Node *offset);
static void write_function_like(DeparseState *state, Node *node);
static void write_whitespace_option(DeparseState *state, XmlExpr *parse);
static bool write_trim_list(DeparseState *state, List *args);
static bool has_window_clauses(Node *node);

/* Statements. */
static void write_logged_option(DeparseState *state, const char *name);
static void write_time_zone(DeparseState *state, List *args);
static bool write_other_role_option(DeparseState *state, DefElem *option, bool with_value);
static void write_object_words(DeparseState *state, ObjectType type);
static void write_object_name(DeparseState *state, Node *object);
static bool write_like_all_but(DeparseState *state, bits32 options);
static bool write_old_copy_options(DeparseState *state, List *options);
static bool copy_options_can_be_old(List *options);
static bool write_copy_option(DeparseState *state, DefElem *option);
static bool has_list_argument(List *definition);

#endif
