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

/* Errors and positions are the stock parser's business: it will be asked. */
#define scanner_yyerror(message, scanner) pg_re_throw()
#define scanner_errposition(location, scanner) 0

#include "grammar_before.c"

/* What the actions call the value that they make. */
#define yyval value

/* What the actions are given for a scanner: a place to leave the tree. */
typedef struct Parsing
{
	base_yy_extra_type *extra;	/* where they look for the next */
	base_yy_extra_type own;
} Parsing;

/* A symbol on the parser's stack, and the state that it led to. */
typedef struct Slot
{
	YYSTYPE		value;
	int			location;
	int16		state;
} Slot;

/*
 * What to do on a symbol: a state to go to, a rule to apply (below 0), or
 * nothing (0: an error). Only if the entry is for that symbol; of what a rule
 * made, for the state below it.
 */
typedef struct Entry
{
	int16		symbol;
	int16		action;
} Entry;

/* Where the entries of a state are, if it has any, and the rule that applies without one. */
typedef struct State
{
	int32		entries;
	uint16		rule;
} State;

/*
 * Where the entries of a symbol are that a rule made. Without one: the symbol
 * that it becomes at once, or else (0) the state to go to.
 */
typedef struct Symbol
{
	int32		entries;
	int16		state;
	int16		becomes;
} Symbol;

/* The symbol that a rule makes, its action, and where its first symbol is, seen from the last. */
typedef struct Rule
{
	Symbol		made;
	int16		action;
	int16		first;
} Rule;

#include "grammar_tables.c"

/* The token as the tables number it. */
static inline int
read_token(const PgqToken *token, const char *strings, YYSTYPE *value)
{
	if (token->kind >= ABORT_P)
		value->keyword = GetScanKeyword(token->value, &ScanKeywords);
	else if (token->kind == ICONST || token->kind == PARAM)
		value->ival = (int) token->value;
	else
		value->str = (char *) strings + token->value;
	return yytranslate[token->kind];
}

/* The state that a symbol leads to above another. */
static inline int
state_after(const Symbol *made, int below)
{
	for (;;)
	{
		const Entry *entry = &entries[made->entries + below];

		if (entry->symbol == below)
			return entry->action;
		if (made->becomes == 0)
			return made->state;
		made = &symbols[made->becomes];
	}
}

/*
 * Twice the stack, up to what the stock parser allows: beyond that it has
 * something to say. False when that is reached.
 */
static bool
grow(Slot **stack, Slot **top, Slot **last)
{
	size_t		used = *top - *stack + 1;
	size_t		size = *last - *stack + 1;
	Slot	   *larger;

	if (size >= YYMAXDEPTH)
		return false;
	size = Min(size * 2, YYMAXDEPTH);
	larger = palloc(size * sizeof(Slot));
	memcpy(larger, *stack, used * sizeof(Slot));
	*stack = larger;
	*top = larger + used - 1;
	*last = larger + size - 1;
	return true;
}

/* Runs the tables over the tokens. False when the grammar refuses them. */
static bool
parse(const PgqToken *next, const char *strings, Parsing *result)
{
	core_yyscan_t yyscanner = (core_yyscan_t) result;
	const int	yynerrs = 0;	/* an action names it */
	Slot		first[YYINITDEPTH];
	Slot	   *stack = first;
	Slot	   *top = first;
	Slot	   *last = first + YYINITDEPTH - 1;
	int			state = 0;
	YYSTYPE		token_value;
	int			token = read_token(next, strings, &token_value);

	top->state = 0;
	for (;;)
	{
		int			number = states[state].rule;
		const Rule *rule;
		Slot	   *made;
		YYSTYPE		value;

		if (states[state].entries >= 0)
		{
			const Entry *entry = &entries[states[state].entries + token];

			if (entry->symbol == token)
			{
				state = entry->action;
				if (state > 0)
				{
					if (state == YYFINAL)
						return true;
					top++;
					top->value = token_value;
					top->location = next->location;
					top->state = state;
					if (unlikely(top >= last) && !grow(&stack, &top, &last))
						return false;
					token = read_token(++next, strings, &token_value);
					continue;
				}
				number = -state;
			}
		}
		if (number == 0)
			return false;
		rule = &rules[number];
		/* Where the symbol goes that the rule makes: where its first one is, or behind the last. */
		made = top + rule->first;
		value = made->value;
		switch (rule->action)
		{
			case 0:				/* the value of the first symbol */
				break;
#include "grammar_actions.c"
			default:
				__builtin_unreachable();
		}
		if (made > top)
		{
			/* Made of nothing, it stands nowhere; the stack is one larger. */
			made->location = -1;
			if (unlikely(made >= last) && !grow(&stack, &made, &last))
				return false;
		}
		else
		{
			/* It stands where its first symbol does that stands anywhere. */
			for (Slot *slot = made; made->location < 0 && slot < top;)
				made->location = (++slot)->location;
		}
		state = state_after(&rule->made, made[-1].state);
		made->value = value;
		made->state = state;
		top = made;
	}
}

#include "grammar_after.c"

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
	Parsing		result;

	calls++;
	result.extra = &result.own;
	parser_init(&result.own);
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
		parsed = parse(tokens, strings, &result);
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
	*tree = result.own.parsetree;
	return true;
}

size_t
pgq_token_parses(void)
{
	return calls;
}
