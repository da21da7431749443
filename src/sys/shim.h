/*
 * shim.h - every C function that Rust calls, apart from libpg_query's public
 * functions.
 *
 * All of them return normally: a PostgreSQL error (a longjmp) is trapped inside
 * and returned as a PgqOutcome. None of them may write to a file descriptor or
 * keep a pointer that Rust passed in.
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

/* Text in the memory context of the call. Rust must use `len`, not a terminating NUL. */
typedef struct PgqText
{
	const char *data;
	size_t		len;
} PgqText;

/* Creates a memory context for one statement at a time; NULL if memory is exhausted. */
struct MemoryContextData *pgq_context_new(void);
void		pgq_context_reset(struct MemoryContextData *context);

/* Frees a context, on any thread. */
void		pgq_context_delete(struct MemoryContextData *context);

/*
 * Returns the number of bytes from `context` on that include all allocations in
 * it; 0 if they are not contiguous.
 */
size_t		pgq_context_extent(const struct MemoryContextData *context);

/* Returns the number of bytes of memory that the context has. */
size_t		pgq_context_bytes(const struct MemoryContextData *context);

/*
 * An option in addition to libpg_query's: accepts parameters wherever
 * normalized text has them, not only where PostgreSQL's grammar does.
 */
#define PGQ_PARSE_NORMALIZED 0x100

/*
 * Parses `sql` with libpg_query's parser options and the one above. The list of
 * RawStmt (NULL if there is no statement) lives until the context is reset.
 * PostgreSQL may use `stack` bytes of the calling stack.
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
 * Parses tokens instead of text. Returns false if the grammar reports an error
 * or a warning. The caller must then reset the context and call pgq_parse,
 * which produces the message. The tree points into `strings`, whose values are
 * NUL-terminated. Its nodes are in the `size` bytes of `memory`, aligned as by
 * malloc, if they fit, and otherwise in the context. `size` becomes the number
 * of bytes used, or 0 if the context is used. `repeats` becomes whether a node
 * may occur in the tree twice, `refused` whether there is an error.
 * `normalized` is PGQ_PARSE_NORMALIZED.
 */
bool		pgq_parse_tokens(struct MemoryContextData *context, const PgqToken *tokens,
							 const char *strings, bool normalized, size_t stack,
							 char *memory, size_t *size, struct List **tree,
							 bool *repeats, bool *refused);

/* The number of calls of pgq_parse_tokens on this thread. */
size_t		pgq_token_parses(void);

/*
 * Writes one statement as SQL: to the `size` bytes of `buffer` if it fits,
 * otherwise to the context. Only reads the tree.
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
 * Runs PL/pgSQL's compiler on a parsed CREATE FUNCTION, CREATE PROCEDURE or DO,
 * which it only reads. Returns libpg_query's JSON of the function. `hidden`
 * receives the expressions that the JSON omits, each as the digit of its
 * RawParseMode, its text and a NUL.
 */
PgqText		pgq_plpgsql(struct MemoryContextData *context, const struct RawStmt *stmt,
						size_t stack, PgqText *hidden, PgqBodyPlace *place, PgqOutcome *outcome);

/*
 * Must be called before libpg_query's own functions. Sets the default scanner
 * settings (a failed parse leaves others) and this thread's stack limit.
 */
void		pgq_before_library_call(size_t stack);

/*
 * The baseline of parsing: only raw_parser, between libpg_query's functions
 * that enter and leave a memory context. Returns false if the text does not
 * parse.
 */
bool		pgq_floor_parse(const char *sql);

/*
 * The baseline of scanning: PostgreSQL's scanner over the text. Returns the
 * number of tokens and comments, or -1 if the text does not scan.
 */
int64_t		pgq_floor_scan(const char *sql);

#endif
