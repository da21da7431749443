/*
 * shim.h - every C function that Rust calls, apart from libpg_query's public
 * functions.
 *
 * All of them return normally. They trap PostgreSQL errors (longjmp) and return
 * them as a PgqOutcome. These functions must not write to a file descriptor,
 * and must not keep a pointer after they return.
 */
#ifndef PGQ_SHIM_H
#define PGQ_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "postgres_deparse.h"

struct List;
struct RawStmt;
struct MemoryContextData;

/* An error or a warning of PostgreSQL. Strings may be NULL. */
typedef struct PgqMessage
{
	int			level;			/* elog.h: NOTICE, WARNING, ERROR */
	int			sqlstate;		/* packed, five characters of six bits */
	int			cursor;			/* character number from 1, 0 if unknown */
	const char *message;
	const char *detail;
	const char *hint;
	struct PgqMessage *next;
} PgqMessage;

/* The result of a call. Its messages are in the memory context of the call. */
typedef struct PgqOutcome
{
	bool		failed;
	PgqMessage	error;			/* valid if `failed` */
	PgqMessage *warnings;		/* in the order of occurrence */
} PgqOutcome;

/* A string in the memory context of the call. Rust must use `len`, not a terminating NUL. */
typedef struct PgqText
{
	const char *data;
	size_t		len;
} PgqText;

/*
 * Creates a memory context for one statement at a time. The context and its
 * first block are one allocation of `first_block` bytes, which a reset keeps.
 * Returns NULL if memory is exhausted.
 */
struct MemoryContextData *pgq_context_new(size_t first_block);
void		pgq_context_reset(struct MemoryContextData *context);

/* Frees a context. Any thread may call this. */
void		pgq_context_delete(struct MemoryContextData *context);

/* Returns the number of bytes that the context has allocated. */
size_t		pgq_context_bytes(const struct MemoryContextData *context);

/*
 * pgq's own parser option: accepts parameters in every position where
 * normalized SQL can have them. PostgreSQL's grammar does not accept them
 * everywhere.
 */
#define PGQ_PARSE_NORMALIZED 0x100

/*
 * Parses `sql` with libpg_query's parser options and PGQ_PARSE_NORMALIZED. The
 * list of RawStmt (NULL if there is no statement) is valid until the context is
 * reset. PostgreSQL may use `stack` bytes of the caller's stack.
 */
struct List *pgq_parse(struct MemoryContextData *context, const char *sql, int options,
					   size_t stack, PgqOutcome *outcome);

/* A token for the grammar. A token of kind 0 ends the array. */
typedef struct PgqToken
{
	int32_t		location;		/* byte offset in the text */
	uint32_t	value;			/* an integer, an index in the keyword list, or an offset in `strings` */
	uint16_t	kind;			/* the grammar's token number */
} PgqToken;

/*
 * Parses tokens instead of SQL. Returns false if the grammar reports an error
 * or a warning. The caller must then reset the context and call pgq_parse,
 * which produces the message.
 *
 * The tree points to `strings`, whose values are NUL-terminated. The tree's
 * nodes are in the `size` bytes of `memory` if they fit, and otherwise in the
 * context. `memory` is aligned as by malloc. Sets `size` to the number of bytes
 * of `memory` that the tree uses, which is 0 if the nodes are in the context.
 * Sets `repeats` if a node may occur twice in the tree, and `refused` if there
 * is an error. `normalized` has the same effect as PGQ_PARSE_NORMALIZED.
 */
bool		pgq_parse_tokens(struct MemoryContextData *context, const PgqToken *tokens,
							 const char *strings, bool normalized, size_t stack,
							 char *memory, size_t *size, struct List **tree,
							 bool *repeats, bool *refused);

/* Returns the number of calls of pgq_parse_tokens on this thread. */
size_t		pgq_token_parses(void);

/*
 * Writes one statement as SQL, to the `size` bytes of `buffer` if the SQL fits,
 * and otherwise to the context. Does not change the tree.
 */
PgqText		pgq_deparse(struct MemoryContextData *context, struct RawStmt *stmt,
						PostgresDeparseOpts *opts, char *buffer, size_t size, size_t stack,
						PgqOutcome *outcome);

/* The position in a function's body at which PL/pgSQL's compiler found an error. */
typedef struct PgqBodyPlace
{
	int			cursor;			/* character number from 1, 0 if unknown */
	int			line;			/* number of the nearest line from 1, 0 if unknown */
} PgqBodyPlace;

/*
 * Runs PL/pgSQL's compiler on a parsed CREATE FUNCTION, CREATE PROCEDURE or DO.
 * Does not change `stmt`. Returns libpg_query's JSON of the function. Sets
 * `hidden` to the expressions that the JSON omits. Each expression is stored as
 * the digit of its RawParseMode, its SQL and a NUL.
 */
PgqText		pgq_plpgsql(struct MemoryContextData *context, const struct RawStmt *stmt,
						size_t stack, PgqText *hidden, PgqBodyPlace *place, PgqOutcome *outcome);

/*
 * Must be called before libpg_query's own functions. Sets this thread's stack
 * limit, and resets the scanner's settings, because a failed parse can change
 * them.
 */
void		pgq_before_library_call(size_t stack);

/*
 * The baseline for parsing. Runs only raw_parser, between libpg_query's
 * functions that enter and leave a memory context. Returns false for a syntax
 * error.
 */
bool		pgq_floor_parse(const char *sql);

/*
 * The baseline for scanning. Runs PostgreSQL's scanner. Returns the number of
 * tokens and comments, or -1 if the scanner reports an error.
 */
int64_t		pgq_floor_scan(const char *sql);

#endif
