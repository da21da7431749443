/*
 * shim.c - traps PostgreSQL's errors and returns them as values.
 *
 * PostgreSQL raises errors by longjmp. A longjmp across a Rust frame is
 * undefined behaviour. Therefore each call that can raise an error is inside
 * PG_TRY, and the functions of this file return plain structs. During a call a
 * log hook collects warnings, which are also returned as values.
 */
#include <limits.h>

#include "pg_query.h"
#include "pg_query_internal.h"

#include "postgres.h"
#include "common/keywords.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "parser/parser.h"
#include "parser/scanner.h"
#include "utils/elog.h"
#include "utils/guc_hooks.h"
#include "utils/memutils.h"

#include "shim.h"
#include "stack_end.h"

/* The deparser (deparse.c). */
void		pgq_write_statement(StringInfo str, struct RawStmt *stmt, PostgresDeparseOpts *opts);

/* PL/pgSQL's compiler (plpgsql.c). */
char	   *pgq_compile_function(Node *stmt, StringInfo hidden);

/* During a call on this thread, the log hook appends warnings to this context. */
static __thread MemoryContext warning_context = NULL;
static __thread PgqMessage **warning_tail = NULL;

/*
 * Limits the time for computing the positions of warnings. For each warning,
 * PostgreSQL counts the characters from the start of the SQL to the position.
 * After MOST_COUNTED characters in one call, further warnings are omitted, and
 * a last notice reports the omission.
 */
#define MOST_COUNTED 100000000
static __thread size_t counted = 0;

static char *
copied(const char *s)
{
	return s ? pstrdup(s) : NULL;
}

static void
fill_message(PgqMessage *m, const ErrorData *e)
{
	m->level = e->elevel;
	m->sqlstate = e->sqlerrcode;
	m->cursor = e->cursorpos;
	m->message = copied(e->message);
	m->detail = copied(e->detail);
	m->hint = copied(e->hint);
	m->next = NULL;
}

static PgqMessage *
add_warning(const ErrorData *e)
{
	PgqMessage *m = palloc(sizeof(PgqMessage));

	fill_message(m, e);
	*warning_tail = m;
	warning_tail = &m->next;
	return m;
}

static void
collect_warning(ErrorData *e)
{
	MemoryContext caller = MemoryContextSwitchTo(warning_context);

	add_warning(e);
	counted += e->cursorpos;
	if (counted > MOST_COUNTED)
	{
		PgqMessage *last = add_warning(e);

		last->level = NOTICE;
		last->message = pstrdup("further warnings about this statement are left out");
		last->detail = last->hint = NULL;
		log_min_messages = ERROR;
	}
	MemoryContextSwitchTo(caller);
}

/*
 * Whether `$n` is accepted at all positions where normalized SQL contains it, as
 * in libpg_query (build/fixes/parameters.rs). PostgreSQL accepts it at fewer
 * positions. libpg_query's own functions require true.
 */
__thread bool pgq_accepts_normalized = true;

static void
default_settings(void)
{
	pgq_accepts_normalized = true;
	backslash_quote = BACKSLASH_QUOTE_SAFE_ENCODING;
	standard_conforming_strings = true;
	escape_string_warning = true;
}

__thread const char *pgq_stack_end = (const char *) UINTPTR_MAX;

/* Maximum distance between PostgreSQL's stack base and the stack base in this file. */
#define STACK_END_SLOP 1024

static void
allow_stack(size_t stack)
{
	size_t		kb = stack / 1024;
	const char *here = PGQ_STACK_POINTER;

	pgq_stack_end = here - Min(kb * 1024, (uintptr_t) here) + STACK_END_SLOP;

	(void) set_stack_base();
	assign_max_stack_depth(kb > INT_MAX ? INT_MAX : (int) kb, NULL);
}

static void
begin_call(MemoryContext context, size_t stack, PgqOutcome *outcome)
{
	memset(outcome, 0, sizeof(*outcome));
	warning_context = context;
	warning_tail = &outcome->warnings;
	counted = 0;
	emit_log_hook = collect_warning;
	log_min_messages = NOTICE;
	allow_stack(stack);
	MemoryContextSwitchTo(context);
}

static void
end_call(void)
{
	MemoryContextSwitchTo(TopMemoryContext);
	emit_log_hook = NULL;
	log_min_messages = WARNING;
	warning_context = NULL;
	warning_tail = NULL;
	restore_stack_base(NULL);
}

/* In PG_CATCH: copies the error and resets PostgreSQL's error state. */
static void
keep_error(MemoryContext context, PgqOutcome *outcome)
{
	outcome->failed = true;
	if (geterrcode() == ERRCODE_OUT_OF_MEMORY)
	{
		/* Copying the report would need memory. */
		outcome->error.level = ERROR;
		outcome->error.sqlstate = ERRCODE_OUT_OF_MEMORY;
		outcome->error.message = "out of memory";
	}
	else
	{
		ErrorData  *e;

		MemoryContextSwitchTo(context);
		e = CopyErrorData();
		fill_message(&outcome->error, e);
	}
	FlushErrorState();
}

struct MemoryContextData *
pgq_context_new(size_t first_block)
{
	volatile MemoryContext context = NULL;

	pg_query_init();
	PG_TRY();
	{
		/* Without a parent, the context may outlive the thread that created it. */
		context = AllocSetContextCreateInternal(NULL, "pgq",
												first_block,
												first_block,
												ALLOCSET_DEFAULT_MAXSIZE);
	}
	PG_CATCH();
	{
		FlushErrorState();
		MemoryContextSwitchTo(TopMemoryContext);
	}
	PG_END_TRY();
	return context;
}

void
pgq_context_reset(struct MemoryContextData *context)
{
	MemoryContextReset(context);
}

void
pgq_context_delete(struct MemoryContextData *context)
{
	MemoryContextDelete(context);
}

size_t
pgq_context_bytes(const struct MemoryContextData *context)
{
	return context->mem_allocated;
}

static RawParseMode
parse_mode(int options)
{
	switch (options & PG_QUERY_PARSE_MODE_BITMASK)
	{
		case PG_QUERY_PARSE_TYPE_NAME:
			return RAW_PARSE_TYPE_NAME;
		case PG_QUERY_PARSE_PLPGSQL_EXPR:
			return RAW_PARSE_PLPGSQL_EXPR;
		case PG_QUERY_PARSE_PLPGSQL_ASSIGN1:
			return RAW_PARSE_PLPGSQL_ASSIGN1;
		case PG_QUERY_PARSE_PLPGSQL_ASSIGN2:
			return RAW_PARSE_PLPGSQL_ASSIGN2;
		case PG_QUERY_PARSE_PLPGSQL_ASSIGN3:
			return RAW_PARSE_PLPGSQL_ASSIGN3;
		default:
			return RAW_PARSE_DEFAULT;
	}
}

struct List *
pgq_parse(struct MemoryContextData *context, const char *sql, int options,
		  size_t stack, PgqOutcome *outcome)
{
	List	   *volatile tree = NULL;

	begin_call(context, stack, outcome);
	PG_TRY();
	{
		backslash_quote = (options & PG_QUERY_DISABLE_BACKSLASH_QUOTE) ?
			BACKSLASH_QUOTE_OFF : BACKSLASH_QUOTE_SAFE_ENCODING;
		standard_conforming_strings = !(options & PG_QUERY_DISABLE_STANDARD_CONFORMING_STRINGS);
		escape_string_warning = !(options & PG_QUERY_DISABLE_ESCAPE_STRING_WARNING);
		pgq_accepts_normalized = (options & PGQ_PARSE_NORMALIZED) != 0;
		tree = raw_parser(sql, parse_mode(options));
	}
	PG_CATCH();
	{
		keep_error(context, outcome);
		tree = NULL;
	}
	PG_END_TRY();
	default_settings();
	end_call();
	return tree;
}

PgqText
pgq_deparse(struct MemoryContextData *context, struct RawStmt *stmt,
			PostgresDeparseOpts *opts, char *buffer, size_t size, size_t stack,
			PgqOutcome *outcome)
{
	/* volatile, because it is written inside PG_TRY and read after a possible longjmp */
	volatile PgqText text = {NULL, 0};

	begin_call(context, stack, outcome);
	PG_TRY();
	{
		StringInfoData str = {.data = buffer,.maxlen = (int) size};

		pgq_write_statement(&str, stmt, opts);
		text.data = str.data;
		text.len = str.len;
	}
	PG_CATCH();
	{
		keep_error(context, outcome);
	}
	PG_END_TRY();
	end_call();
	return text;
}

/* In PG_CATCH: stores the position of the error in a function's body. */
static void
keep_body_place(MemoryContext context, PgqBodyPlace *place)
{
	static const char near_line[] = " near line ";
	const char *end = NULL;
	ErrorData  *e;

	if (geterrcode() == ERRCODE_OUT_OF_MEMORY)
		return;
	MemoryContextSwitchTo(context);
	e = CopyErrorData();
	place->cursor = e->internalpos;
	/* The function's name may also contain " near line ", so the last occurrence
	 * is used. The line number follows this occurrence. */
	for (const char *at = e->context; at && (at = strstr(at, near_line)) != NULL;)
		end = at += sizeof(near_line) - 1;
	if (end)
		place->line = atoi(end);
}

PgqText
pgq_plpgsql(struct MemoryContextData *context, const struct RawStmt *stmt,
			size_t stack, PgqText *hidden, PgqBodyPlace *place, PgqOutcome *outcome)
{
	/* volatile, because it is written inside PG_TRY and read after a possible longjmp */
	volatile PgqText text = {NULL, 0};

	memset(hidden, 0, sizeof(*hidden));
	memset(place, 0, sizeof(*place));
	begin_call(context, stack, outcome);
	PG_TRY();
	{
		StringInfoData rest;
		char	   *json;

		pgq_accepts_normalized = false;
		initStringInfo(&rest);
		json = pgq_compile_function(stmt->stmt, &rest);
		hidden->data = rest.data;
		hidden->len = rest.len;
		text.data = json;
		text.len = strlen(json);
	}
	PG_CATCH();
	{
		keep_body_place(context, place);
		keep_error(context, outcome);
	}
	PG_END_TRY();
	default_settings();
	end_call();
	return text;
}

void
pgq_before_library_call(size_t stack)
{
	default_settings();
	/* Suppresses warnings, because for each of them PostgreSQL would count the characters from the start of the SQL. */
	log_min_messages = ERROR;
	allow_stack(stack);
	restore_stack_base(NULL);
}

bool
pgq_floor_parse(const char *sql)
{
	MemoryContext context = pg_query_enter_memory_context();
	PgQueryInternalParsetreeAndError result = pg_query_raw_parse(sql, PG_QUERY_PARSE_DEFAULT);
	bool		parsed = result.error == NULL;

	if (result.error)
		pg_query_free_error(result.error);
	free(result.stderr_buffer);
	pg_query_exit_memory_context(context);
	return parsed;
}

int64_t
pgq_floor_scan(const char *sql)
{
	/* volatile, because it is written inside PG_TRY and read after a possible longjmp */
	volatile int64_t count = 0;
	MemoryContext context = pg_query_enter_memory_context();

	PG_TRY();
	{
		core_yy_extra_type extra;
		core_YYSTYPE value;
		YYLTYPE		location;
		core_yyscan_t scanner = scanner_init(sql, &extra, &ScanKeywords, ScanKeywordTokens);

		extra.return_comments = true;
		while (core_yylex(&value, &location, scanner) != 0)
			count++;
		scanner_finish(scanner);
	}
	PG_CATCH();
	{
		FlushErrorState();
		count = -1;
	}
	PG_END_TRY();
	pg_query_exit_memory_context(context);
	return count;
}

#if HAVE_DECL_STRLCPY
/* In libpg_query, build/symbols.rs renames the C library's strlcpy to this name. */
size_t
pgq_strlcpy(char *to, const char *from, size_t size)
{
	size_t		length = strlen(from);

	if (size > 0)
	{
		size_t		copied = length < size ? length : size - 1;

		memcpy(to, from, copied);
		to[copied] = '\0';
	}
	return length;
}
#endif
