/*
 * grammar.c - PostgreSQL's grammar for the tokens of pgq's own lexer.
 *
 * Compiles the pinned grammar a second time, together with the functions that
 * create nodes and lists, so that the compiler can inline these functions. These
 * functions take memory from blocks and never free individual allocations. The
 * stock grammar and scanner are compiled as well, because libpg_query's own
 * functions use them and tests compare this file with them.
 *
 * This file produces no error messages. If the grammar reports an error or a
 * warning, pgq_parse_tokens returns false. The caller then parses the SQL with
 * the stock parser, which produces the message.
 */
#include <limits.h>

#include "postgres.h"

#include "zeroed.h"

/*
 * Memory for the tree: the unused end of a block of the memory context. The
 * allocations have no headers and are freed when the context is reset. Code
 * outside this file must not free or resize them.
 */
static __thread char *room = NULL;
static __thread size_t room_left = 0;

/* Size of a block. The first block of a small context (context.rs) has room for one such block. */
#define BLOCK 4096

/* Maximum size of an allocation in the block. A larger allocation could waste much of the block. */
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

static pg_noinline void *
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
/* No code writes to the strings of a tree, therefore keywords and names may be shared. */
#define pstrdup(string) ((char *) (string))

/*
 * Local copies of the functions that the grammar calls most. The macro `extern`
 * makes the headers declare these functions static, like the definitions that
 * are included below.
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

/* Whether the grammar reported a warning or a notice. */
static __thread bool remarked = false;

/*
 * Whether the tree may contain a node twice. Such nodes are the source in
 * SET (a, b) = ..., which is in each column; the argument types of a function,
 * which are in two lists; and the column names of a recursive view, which are
 * also in two lists.
 */
static __thread bool repeats = false;

#undef makeNode
#define makeNode(type) ((type *) made_node(sizeof(type), T_##type))

static pg_attribute_always_inline Node *
made_node(size_t size, NodeTag tag)
{
	Node	   *node = pgq_clear(piece(size), size);

	if (tag == T_MultiAssignRef || tag == T_ObjectWithArgs || tag == T_ViewStmt)
		repeats = true;
	node->type = tag;
	return node;
}

/* repalloc is called only for lists, and a list stores its old size. */
#define MemoryContextAlloc(context, size) piece(size)
#define GetMemoryChunkContext(pointer) NULL
#define repalloc(pointer, size) larger_piece(pointer, list->max_length * sizeof(ListCell), size)

#include "src_backend_nodes_list.c"
#include "src_backend_nodes_value.c"
#include "src_backend_nodes_makefuncs.c"

/* For errors and warnings, the stock parser produces the messages and positions. */
#define scanner_yyerror(message, scanner) pg_re_throw()
#undef ereport
#define ereport(level, ...) \
	do { \
		if ((level) >= ERROR) \
			pg_re_throw(); \
		remarked = true; \
	} while (0)

/* The location of the next token, for actions. */
#define LOOKAHEAD_LOCATION next->location

#include "grammar_before.c"

/* The grammar's actions store their result in yyval. */
#define yyval value

/* The actions receive this struct instead of the scanner, and store the tree in it. */
typedef struct Parsing
{
	base_yy_extra_type *extra;	/* read by the actions; points to `own` */
	base_yy_extra_type own;
} Parsing;

/* A symbol on the parser's stack, and the state after it. */
typedef struct Slot
{
	YYSTYPE		value;
	int			location;
	uint16		state;
} Slot;

/*
 * The action for a symbol in a state:
 *
 * - 1 to STATES - 1: go to the state with this number.
 * - STATES or more: go to a state that reduces rule number (value - STATES)
 *   without a lookahead.
 * - 0 down to 1 - CHAINS: reduce rule number -value.
 * - -CHAINS or less: apply chain number (-value - CHAINS).
 *
 * An entry of a state is valid only if `symbol` is the current token. An entry
 * of a rule's left-hand side (see Symbol) is valid only if `symbol` is the
 * state below the left-hand side on the stack.
 */
typedef struct Entry
{
	uint16		symbol;
	int16		action;
} Entry;

/*
 * The entries of a state, and the default if no entry is valid. `entries` is
 * the position of the entries, or negative if the state has no entries. `rule`
 * is the rule to reduce by default. If `rule` is CHAINS or more, it is a chain
 * to apply.
 */
typedef struct State
{
	int32		entries;
	uint16		rule;
} State;

/*
 * Empty rules that are reduced one after another at the same token. `symbols`
 * and `length` are the position and the number of the symbols of these rules.
 * `then` is the next action at this token, encoded as in an entry.
 */
typedef struct Chain
{
	int32		symbols;
	int16		length;
	int16		then;
} Chain;

/* The value of an omitted GROUP BY. */
static const GroupClause no_group_clause = {false, NIL};

/*
 * The entries of a rule's left-hand side, and the default if no entry applies.
 * `entries` is the position of the entries. If `otherwise` is not negative, it
 * is the next state by default. If it is negative, the search continues in the
 * entries of symbol number -otherwise.
 */
typedef struct Symbol
{
	uint32		entries;
	int32		otherwise;
} Symbol;

#include "grammar_tables.c"

/* Returns the value of a token. */
static pg_attribute_always_inline YYSTYPE
value_of(const PgqToken *token, const char *strings)
{
	YYSTYPE		value;

	if (token->kind >= ABORT_P)
		value.keyword = GetScanKeyword(token->value, &ScanKeywords);
	else if (token->kind == ICONST || token->kind == PARAM)
		value.ival = (int) token->value;
	else
		value.str = (char *) strings + token->value;
	return value;
}

/* Returns the state that follows the left-hand side of a rule. `below` is the state below the left-hand side. */
static pg_attribute_always_inline size_t
state_after(const Symbol *made, size_t below)
{
	for (;;)
	{
		const Entry *entry = &entries[made->entries + below];

		if (entry->symbol == below)
			return entry->action;
		if (made->otherwise >= 0)
			return made->otherwise;
		made = &symbols[-made->otherwise];
	}
}

/*
 * Doubles the stack. Returns false if the stack already has the stock parser's
 * maximum size, at which the stock parser reports an error, too.
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
	larger = palloc((size + AT_ONCE) * sizeof(Slot));
	memcpy(larger, *stack, used * sizeof(Slot));
	*stack = larger;
	*top = larger + used - 1;
	*last = larger + size - 1;
	return true;
}

#include "grammar_count.h"

/* Selects the code that follows the action of a rule with `length` symbols. The
 * arguments are constants, so no table lookup is needed. */
#define reduced(rule, length) \
	do { \
		symbol = &made_by[rule]; \
		made = top + 1 - (length); \
		if ((length) == 0) \
			goto made_of_none; \
		if ((length) > 1) \
			goto made_of_many; \
	} while (0)

/* Parses the tokens with the tables. Returns false if the grammar reports an error. */
static bool
parse(const PgqToken *next, const char *strings, Parsing *result)
{
	core_yyscan_t yyscanner = (core_yyscan_t) result;
	const int	yynerrs = 0;	/* used by an action */
	Slot		first[YYINITDEPTH + AT_ONCE];
	Slot	   *stack = first;
	Slot	   *top = first;
	Slot	   *last = first + YYINITDEPTH - 1;
	size_t		state = 0;
	size_t		token = terminals[next->kind];

	top->state = 0;
	for (;;)
	{
		const State *at = &states[state];
		size_t		rule = at->rule;
		int			action;
		const Symbol *symbol;
		Slot	   *made;
		YYSTYPE		value;

		pgq_count(OF_STATES, state);
		if (at->entries >= 0)
		{
			const Entry *entry = &entries[(uint32) at->entries + token];

			if (entry->symbol == token)
			{
				pgq_count(OF_TERMINALS, token);
				action = entry->action;
decided:
				if (action > 0)
				{
					state = action;
					top++;
					top->value = value_of(next, strings);
					top->location = next->location;
					top->state = state;
					if (unlikely(top >= last) && !grow(&stack, &top, &last))
						return false;
					token = terminals[(++next)->kind];
					if (state < STATES)
						continue;
					rule = state - STATES;
				}
				else
					rule = -action;
			}
		}
		if (rule >= CHAINS)
		{
			const Chain *chain = &chains[rule - CHAINS];
			const Slot *symbols_made = &chain_symbols[chain->symbols];

			if (unlikely(top + chain->length >= last) && !grow(&stack, &top, &last))
				return false;
			/* Copies a fixed number of symbols, possibly more than the chain has. The stack has room for them. */
			memcpy(top + 1, symbols_made, AT_ONCE * sizeof(Slot));
			for (int i = AT_ONCE; unlikely(i < chain->length); i++)
				top[1 + i] = symbols_made[i];
			top += chain->length;
			action = chain->then;
			goto decided;
		}
reduce:
		pgq_count(OF_RULES, rule);
		switch (rule)
		{
#include "grammar_actions.c"
			default:
				__builtin_unreachable();
		}
		goto made_of_one;

made_of_none:
		/* An empty rule has no location, and the stack grows by one. */
		made->location = -1;
		if (unlikely(made >= last) && !grow(&stack, &made, &last))
			return false;
		goto made_of_one;

made_of_many:
		/* Some symbols have no location. A rule has the location of the first symbol with a location. */
		for (Slot *slot = made; made->location < 0 && slot < top;)
			made->location = (++slot)->location;

made_of_one:
		state = state_after(symbol, made[-1].state);
		made->value = value;
		made->state = state;
		top = made;
		if (state >= STATES)
		{
			rule = state - STATES;
			goto reduce;
		}
	}
}

#include "grammar_after.c"

/* Number of calls on this thread. Tests use it to check whether this parser was used. */
static __thread size_t calls = 0;

bool
pgq_parse_tokens(struct MemoryContextData *context, const PgqToken *tokens,
				 const char *strings, bool normalized, size_t stack, char *memory,
				 size_t *size, struct List **tree, bool *may_repeat, bool *refused)
{
	/* volatile, because it is written inside PG_TRY and read after a possible longjmp */
	volatile bool parsed = false;
	size_t		kb = stack / 1024;
	Parsing		result;

	calls++;
	result.extra = &result.own;
	parser_init(&result.own);
	room = memory;
	room_left = *size;
	remarked = repeats = false;
	pgq_accepts_normalized = normalized;
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
	pgq_accepts_normalized = true;
	MemoryContextSwitchTo(TopMemoryContext);
	restore_stack_base(NULL);
	*refused = !parsed;
	if (!parsed || remarked)
		return false;
	/* If the context was used, it contains a part of the tree. In this case, sets the size to 0. */
	*size = context->isReset ? *size - room_left : 0;
	*tree = result.own.parsetree;
	*may_repeat = repeats;
	return true;
}

size_t
pgq_token_parses(void)
{
	return calls;
}
