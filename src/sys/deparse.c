/*
 * deparse.c - libpg_query's deparser, compiled with checks and cheaper strings.
 *
 * A tree that was built or read back, not parsed, may be one that SQL never
 * gives: a text that is not there, a node of another type. The deparser would
 * follow the pointer. Here the few ways in which it looks at a text or casts a
 * node raise an error instead, which the shim hands back.
 *
 * The deparser also adds text character by character, and keeps every list
 * item in a string buffer of its own, of a kilobyte each: here a character
 * goes in without a call where there is room, and buffers start small.
 *
 * What it writes for trees of SQL is the same to the byte.
 */
#include <string.h>

#include "postgres.h"
#include "lib/stringinfo.h"
#include "nodes/nodes.h"
#include "nodes/value.h"
#include "utils/builtins.h"

static pg_noinline pg_noreturn void
not_a_tree(const char *what)
{
	elog(ERROR, "the tree is not one that SQL gives: %s", what);
}

/* A text that the deparser is about to read. */
static inline const char *
present(const char *text)
{
	if (text == NULL)
		not_a_tree("a text is missing");
	return text;
}

/* A node that the deparser is about to treat as one of `tag`. NULL passes, as in PostgreSQL's castNode. */
static inline void *
of_type(NodeTag tag, const void *node)
{
	if (node != NULL && nodeTag(node) != tag)
		not_a_tree("a node is of another type than its place allows");
	return (void *) node;
}

/* The same for a value node, which is read at once. */
static inline void *
value_of_type(NodeTag tag, const void *node)
{
	if (node == NULL)
		not_a_tree("a value is missing");
	return of_type(tag, node);
}

#undef castNode
#define castNode(_type_, node) ((_type_ *) of_type(T_##_type_, node))
#undef strVal
#define strVal(v) (((String *) value_of_type(T_String, v))->sval)
#undef intVal
#define intVal(v) (((Integer *) value_of_type(T_Integer, v))->ival)
#undef boolVal
#define boolVal(v) (((Boolean *) value_of_type(T_Boolean, v))->boolval)

#undef strchr
#define strchr(s, c) (strchr)(present(s), c)
#undef strlen
#define strlen(s) (strlen)(present(s))
#undef strcmp
#define strcmp(a, b) (strcmp)(present(a), present(b))
#define quote_identifier(s) (quote_identifier)(present(s))
#define appendStringInfoString(str, s) (appendStringInfoString)(str, present(s))

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
