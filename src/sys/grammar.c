/*
 * grammar.c - PostgreSQL's grammar, reading tokens that pgq's own lexer made.
 *
 * This compiles the pinned grammar a second time, together with the functions
 * that make its nodes and lists, so that they can be inlined, and with memory
 * that is cut from blocks and never given back piece by piece. The stock
 * grammar and the stock scanner stay as they are beside it: they are what
 * libpg_query's own functions use, and what everything here is compared with.
 *
 * Nothing here words an error. Whatever the grammar refuses or remarks on is
 * given up (pgq_parse_tokens returns false), and the stock parser, which knows
 * the text, is asked.
 */
#include <limits.h>

#include "postgres.h"

/*
 * Memory for the tree: what is left of a block that the memory context gave.
 * Pieces have no headers; they go when the context is reset. Anything outside
 * this file only reads them.
 */
static __thread char *room = NULL;
static __thread size_t room_left = 0;

/* The largest block that a context cuts from its own (aset.c). */
#define BLOCK 8192

/* Pieces above this size would waste too much of a block. */
#define LARGE (BLOCK / 4)

static pg_noinline void *
piece_of_new_block(size_t size)
{
	char	   *block;

	if (size > LARGE)
		return palloc(size);
	block = palloc(BLOCK);
	room = block + size;
	room_left = BLOCK - size;
	return block;
}

static inline void *
piece(size_t size)
{
	char	   *start = room;

	size = MAXALIGN(size);
	if (unlikely(size > room_left))
		return piece_of_new_block(size);
	room = start + size;
	room_left -= size;
	return start;
}

static inline void *
zeroed_piece(size_t size)
{
	return memset(piece(size), 0, size);
}

static void *
larger_piece(void *old, size_t old_size, size_t size)
{
	return memcpy(piece(size), old, old_size);
}

#define palloc(size) piece(size)
#define palloc0(size) zeroed_piece(size)
#define pfree(pointer) ((void) (pointer))
/* Nothing writes to a string of the tree: keywords and names may be shared. */
#define pstrdup(string) ((char *) (string))

/*
 * The functions that the grammar calls all the time become this file's own:
 * declared static, the definitions below are static too.
 */
#include "nodes/nodes.h"
#define extern static
#include "nodes/pg_list.h"
#include "nodes/value.h"
#undef extern
#include "miscadmin.h"
#include "nodes/execnodes.h"
#include "nodes/parsenodes.h"
#include "parser/scanner.h"
#include "utils/guc_hooks.h"
#include "utils/memutils.h"
#include "gram.h"
#define extern static
#include "nodes/makefuncs.h"
#include "gramparse.h"
#include "parser/parser.h"
#undef extern

#include "shim.h"

/* Only lists grow, and they know how large they were. */
#define MemoryContextAlloc(context, size) piece(size)
#define GetMemoryChunkContext(pointer) NULL
#define repalloc(pointer, size) larger_piece(pointer, list->max_length * sizeof(ListCell), size)

#include "src_backend_nodes_list.c"
#include "src_backend_nodes_value.c"
#include "src_backend_nodes_makefuncs.c"

/* What the grammar is given for a scanner. The first field is where it looks for the second. */
typedef struct Feed
{
	base_yy_extra_type *extra;
	base_yy_extra_type own;
	const PgqToken *next;
	const char *strings;
} Feed;

static inline int
next_token(YYSTYPE *value, YYLTYPE *location, core_yyscan_t scanner)
{
	Feed	   *feed = (Feed *) scanner;
	const PgqToken *token = feed->next++;

	*location = token->location;
	if (token->kind >= ABORT_P)
		value->keyword = GetScanKeyword(token->value, &ScanKeywords);
	else if (token->kind == ICONST || token->kind == PARAM)
		value->ival = (int) token->value;
	else
		value->str = (char *) feed->strings + token->value;
	return token->kind;
}

/* Errors and positions are the stock parser's business: it will be asked. */
#define base_yylex next_token
#define scanner_yyerror(message, scanner) pg_re_throw()
#define scanner_errposition(location, scanner) 0

#include "src_backend_parser_gram.c"

/* How often this thread came here: for the test that says who does. */
static __thread size_t calls = 0;

/* Whether the grammar remarked on something during this call. */
static __thread bool remarked = false;

static void
note_remark(ErrorData *e)
{
	remarked = true;
}

bool
pgq_parse_tokens(struct MemoryContextData *context, const PgqToken *tokens,
				 const char *strings, size_t stack, struct List **tree)
{
	/* volatile: written under PG_TRY, read after a possible longjmp */
	volatile bool parsed = false;
	size_t		kb = stack / 1024;
	Feed		feed;

	calls++;
	feed.extra = &feed.own;
	feed.next = tokens;
	feed.strings = strings;
	parser_init(&feed.own);
	room = NULL;
	room_left = 0;
	remarked = false;
	emit_log_hook = note_remark;
	log_min_messages = NOTICE;
	(void) set_stack_base();
	assign_max_stack_depth(kb > INT_MAX ? INT_MAX : (int) kb, NULL);
	MemoryContextSwitchTo(context);
	PG_TRY();
	{
		parsed = base_yyparse((core_yyscan_t) &feed) == 0;
	}
	PG_CATCH();
	{
		FlushErrorState();
	}
	PG_END_TRY();
	MemoryContextSwitchTo(TopMemoryContext);
	emit_log_hook = NULL;
	log_min_messages = WARNING;
	restore_stack_base(NULL);
	if (!parsed || remarked)
		return false;
	*tree = feed.own.parsetree;
	return true;
}

size_t
pgq_token_parses(void)
{
	return calls;
}
