/*
 * checks.h - checked casts and dereferences for libpg_query's deparser.
 *
 * A tree that was built in memory or read from JSON may be invalid. For
 * example, a string is missing, a node has the wrong type, or a list is too
 * short. Without these macros the deparser would dereference a NULL or wrong
 * pointer. With these macros the deparser raises an error, which the shim
 * returns. The SQL of valid trees is unchanged.
 */
#ifndef PGQ_CHECKS_H
#define PGQ_CHECKS_H

#include <string.h>

#include "postgres.h"
#include "lib/stringinfo.h"
#include "nodes/nodes.h"
#include "nodes/parsenodes.h"
#include "nodes/pg_list.h"
#include "nodes/value.h"
#include "utils/builtins.h"

/* Turns off the deparser's own checks, because the messages of these checks contain line numbers. */
#define PG_QUERY_DEPARSE_NO_STRICT_CHECKS

static pg_noinline pg_noreturn pg_attribute_cold void
not_a_tree(const char *what)
{
	elog(ERROR, "no SQL has this tree: %s", what);
}

/* Checks a string before the deparser reads it. */
static pg_attribute_always_inline char *
present(const char *text)
{
	if (text == NULL)
		not_a_tree("a text is missing");
	return (char *) text;
}

/* Checks a node before the deparser reads its tag. */
static pg_attribute_always_inline const Node *
a_node(const void *node)
{
	if (node == NULL)
		not_a_tree("a node is missing");
	return node;
}

/* build/fixes/guards.rs inserts these checks for node parameters, and for node members that are dereferenced. */
#define PGQ_PRESENT(node) ((void) a_node(node))
#define PGQ_AT(node) ((__typeof__(node)) a_node(node))

/* Checks a node before the deparser casts it to the type of `tag`. A list may be NIL, which is NULL. */
static pg_attribute_always_inline void *
of_type(NodeTag tag, const void *node)
{
	if (node == NULL && tag != T_List)
		not_a_tree("a node is missing");
	if (node != NULL && ((const Node *) node)->type != tag)
		not_a_tree("a node has a type that its field does not take");
	return (void *) node;
}

/* Checks a value node before the deparser reads its value. */
static pg_attribute_always_inline void *
value_of_type(NodeTag tag, const void *node)
{
	if (node == NULL)
		not_a_tree("a value is missing");
	return of_type(tag, node);
}

/* Checks a list before the deparser iterates over it. */
static pg_attribute_always_inline List *
a_list(const void *list)
{
	return of_type(T_List, list);
}

static pg_attribute_always_inline int
length_of(const void *list)
{
	return list == NULL ? 0 : a_list(list)->length;
}

static pg_attribute_always_inline void *
item(const void *list, int n)
{
	if (n < 0 || n >= length_of(list))
		not_a_tree("a list is too short");
	return a_list(list)->elements[n].ptr_value;
}

#undef nodeTag
#define nodeTag(node) (a_node(node)->type)
#undef castNode
#define castNode(_type_, node) ((_type_ *) of_type(T_##_type_, node))
#undef strVal
#define strVal(v) present(((String *) value_of_type(T_String, v))->sval)
#undef intVal
#define intVal(v) (((Integer *) value_of_type(T_Integer, v))->ival)
#undef boolVal
#define boolVal(v) (((Boolean *) value_of_type(T_Boolean, v))->boolval)
#define list_length(l) length_of(l)
#undef linitial
#define linitial(l) item(l, 0)
#undef lsecond
#define lsecond(l) item(l, 1)
#undef lthird
#define lthird(l) item(l, 2)
#undef lfourth
#define lfourth(l) item(l, 3)
#undef llast
#define llast(l) item(l, length_of(l) - 1)
#undef foreach
#define foreach(cell, l) for_each_from(cell, a_list(l), 0)

#undef strchr
#define strchr(s, c) (strchr)(present(s), c)
#undef strstr
#define strstr(s, t) (strstr)(present(s), t)
#undef strlen
#define strlen(s) (strlen)(present(s))
#undef strcmp
#define strcmp(a, b) compare_texts(a, b)

/*
 * Some of the macros call these functions, which call the original functions.
 * The last two must be defined before the #undef lines below. These lines
 * remove macros that add a prefix to the original names (build/symbols.rs).
 */
static pg_attribute_always_inline int
compare_texts(const char *a, const char *b)
{
	int			difference = (unsigned char) *present(a) - (unsigned char) *present(b);

	/* Most compared strings differ in the first byte. */
	return difference != 0 ? difference : (strcmp) (a, b);
}

static inline const char *
quoted(const char *identifier)
{
	return quote_identifier(present(identifier));
}

static inline void
append_present(StringInfo str, const char *text)
{
	appendStringInfoString(str, present(text));
}

#undef quote_identifier
#define quote_identifier(s) quoted(s)
#undef appendStringInfoString
#define appendStringInfoString(str, s) append_present(str, s)

#endif
