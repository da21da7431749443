/*
 * deparse.c - libpg_query's deparser with our fixes, checks and cheaper strings.
 *
 * What is compiled here is postgres_deparse.c of the pinned sources as
 * build/fixes leaves it: what the fixes are for, and what each changes, is
 * said there. stock.c compiles the file as it is, for comparison.
 *
 * The deparser adds text character by character, and keeps every list item in
 * a string buffer of its own, of a kilobyte each: here a character goes in
 * without a call where there is room, and buffers start small.
 */
#include "checks.h"

/* libpg_query's own functions call the stock deparser by these names. */
#define deparseRawStmt pgq_write_statement_plain
#define deparseRawStmtOpts pgq_write_statement
#define optBooleanValue pgq_opt_boolean_value

#define SMALL_BUFFER 64

static StringInfo
small_string_info(void)
{
	StringInfo	str = palloc(sizeof(StringInfoData));

	str->data = palloc(SMALL_BUFFER);
	str->data[0] = '\0';
	str->len = 0;
	str->maxlen = SMALL_BUFFER;
	str->cursor = 0;
	return str;
}

static inline void
append_char(StringInfo str, char ch)
{
	if (str->len + 1 >= str->maxlen)
		enlargeStringInfo(str, 1);
	str->data[str->len++] = ch;
	str->data[str->len] = '\0';
}

#define makeStringInfo small_string_info
#define appendStringInfoChar append_char

/* What the deparser holds for certain is looked at: the rest of a tree that it cannot write is an error. */
#undef Assert
#define Assert(condition) \
	do { \
		if (!(condition)) \
			not_a_tree("its parts do not go together"); \
	} while (0)

#include "deparse/parts.h"
#include "postgres_deparse_fixed.c"
#include "deparse/long.c"
#include "deparse/names.c"
#include "deparse/types.c"
#include "deparse/expressions.c"
#include "deparse/statements.c"
