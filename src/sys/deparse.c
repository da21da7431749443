/*
 * deparse.c - libpg_query's deparser, compiled with cheaper string building.
 *
 * The deparser adds text character by character, and keeps every list item in
 * a string buffer of its own, of a kilobyte each. Nothing it writes changes:
 * the character goes in without a call where there is room, and a buffer
 * starts small and grows.
 */
#include "postgres.h"
#include "lib/stringinfo.h"

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

#include "postgres_deparse.c"
