/*
 * deparse.c - libpg_query's deparser with pgq's fixes, checks and faster
 * strings.
 *
 * Compiles postgres_deparse.c of the pinned sources with the edits of
 * build/fixes, where each fix is explained. stock.c compiles the unedited file
 * for comparison.
 *
 * libpg_query's deparser appends strings character by character and allocates a
 * buffer of one kilobyte per list item. Here, appending a character needs a
 * function call only if the buffer is full, and each buffer starts small.
 */
#include "checks.h"

/* The functions of this file need other names, because the stock deparser (stock.c) has the original names. */
#define deparseRawStmt pgq_write_statement_plain
#define deparseRawStmtOpts pgq_write_parts
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

/* The deparser's assertions are active in every build, because an invalid tree must cause an error. */
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
#include "deparse/choice.c"
