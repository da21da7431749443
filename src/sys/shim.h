/*
 * shim.h - the whole of what Rust calls in C, besides libpg_query's public functions.
 *
 * Every function here returns normally: a PostgreSQL error (a longjmp) is
 * trapped inside and handed back as a PgqOutcome. Nothing here writes to a
 * file descriptor, and nothing here keeps a pointer that Rust gave it.
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

/* An error or a warning, as PostgreSQL reported it. Strings may be NULL. */
typedef struct PgqMessage
{
	int			level;			/* elog.h: NOTICE, WARNING, ERROR */
	int			sqlstate;		/* packed, five characters of six bits */
	int			cursor;			/* 1-based character index, 0 if unknown */
	const char *message;
	const char *detail;
	const char *hint;
	struct PgqMessage *next;
} PgqMessage;

/* What came of a call. All of it lives in the memory context of the call. */
typedef struct PgqOutcome
{
	bool		failed;
	PgqMessage	error;			/* meaningful when failed */
	PgqMessage *warnings;		/* in the order they were raised */
} PgqOutcome;

/* Bytes of text in the memory context of the call, not NUL-terminated for Rust's purposes. */
typedef struct PgqText
{
	const char *data;
	size_t		len;
} PgqText;

/* A memory context for one statement at a time; NULL when memory is out. */
struct MemoryContextData *pgq_context_new(void);
void		pgq_context_reset(struct MemoryContextData *context);

/*
 * Parse `sql` with libpg_query's parser options. The list of RawStmt (NULL when
 * there is no statement) lives until the context is reset. `stack` is how many
 * bytes of the calling stack PostgreSQL may use.
 */
struct List *pgq_parse(struct MemoryContextData *context, const char *sql, int options,
					   size_t stack, PgqOutcome *outcome);

/* A token for the grammar. Behind the last comes one of kind 0. */
typedef struct PgqToken
{
	int32_t		location;		/* bytes into the text */
	uint32_t	value;			/* a number; of a keyword its place in the list; or where in `strings` the text is */
	uint16_t	kind;			/* the grammar's number */
} PgqToken;

/*
 * Parse tokens instead of a text. False when the grammar refused them or had a
 * remark: pgq_parse then knows what to say, once the context has been reset.
 * The tree points into `strings`, whose texts are NUL-terminated.
 */
bool		pgq_parse_tokens(struct MemoryContextData *context, const PgqToken *tokens,
							 const char *strings, size_t stack, struct List **tree);

/* How often this thread has called pgq_parse_tokens. */
size_t		pgq_token_parses(void);

/* Write one statement back as SQL. The tree is only read. */
PgqText		pgq_deparse(struct MemoryContextData *context, struct RawStmt *stmt,
						PostgresDeparseOpts *opts, size_t stack, PgqOutcome *outcome);

/*
 * Called before libpg_query's own functions: default scanner settings, and a
 * stack limit that fits this thread. (A failed parse leaves settings behind.)
 */
void		pgq_before_library_call(size_t stack);

/*
 * The floor of every measurement: raw_parser between libpg_query's own entering
 * and leaving of a memory context, nothing else. False if the text does not parse.
 */
bool		pgq_floor_parse(const char *sql);

/*
 * The same for scanning: PostgreSQL's scanner run once over the text. How many
 * tokens there are, comments included, or -1 if the text does not scan.
 */
int64_t		pgq_floor_scan(const char *sql);

#endif
