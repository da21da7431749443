/*
 * flat.h - writes the deparser's output into one buffer, unless it is
 * pretty-printed.
 *
 * libpg_query's deparser keeps a list of parts and joins them into lines at the
 * end. Without line breaks the list is unnecessary, and each part is written
 * directly after the previous part. A space is written between two parts,
 * unless the first part ends with an opening parenthesis.
 *
 * In a few cases the join depends on the length of the parts: if a part ends
 * with two spaces, or if a part in a list begins with a closing parenthesis. In
 * these cases `unusual` is set, and the statement is written again as parts.
 *
 * libpg_query's functions still write pretty-printed output. For such output,
 * `limit` and `at` are NULL. Therefore one comparison detects both
 * pretty-printed output and a full buffer.
 */
#ifndef PGQ_DEPARSE_FLAT_H
#define PGQ_DEPARSE_FLAT_H

#include "utils/memutils.h"
#include "stack_end.h"
#include "zeroed.h"

#if defined(__GNUC__)
#define is_constant(value) __builtin_constant_p(value)
#else
#define is_constant(value) false
#endif

/*
 * Number of bytes that are always available after `limit`, for spaces and
 * quotes. Therefore `at` may be slightly greater than `limit`.
 */
#define FLAT_SLACK 32

static void
take_room(DeparseState *state)
{
	state->start = state->buffer->data;
	state->limit = state->buffer->data + state->buffer->maxlen - FLAT_SLACK;
}

static pg_noinline void
grow(DeparseState *state, size_t length)
{
	StringInfo	str = state->buffer;
	char	   *old = state->start;
	size_t		part = state->part - old,
				keyword_end = state->keyword_end - old;

	if (length > MaxAllocSize)
		length = MaxAllocSize;	/* too large, and therefore rejected */
	str->len = state->at - old;
	if (state->borrowed)
	{
		/* The caller's buffer is full. */
		str->data = palloc(str->maxlen);
		memcpy(str->data, old, str->len);
		state->borrowed = false;
	}
	enlargeStringInfo(str, (int) length + FLAT_SLACK);
	take_room(state);
	state->at = state->start + str->len;
	state->part = state->start + part;
	state->keyword_end = state->start + keyword_end;
}

/* Ensures room for `length` bytes. Without flat output, appends `text` to a part and returns false. */
static pg_noinline bool
room_or_part(DeparseState *state, const char *text, size_t length)
{
	if (state->start == NULL)
	{
		deparseAppendStringInfoString(state, text);
		return false;
	}
	grow(state, length);
	return true;
}

static pg_noinline bool
room_or_part_for_char(DeparseState *state, char ch)
{
	if (state->start == NULL)
	{
		deparseAppendStringInfoChar(state, ch);
		return false;
	}
	grow(state, 1);
	return true;
}

/* Calls quote_before_lookahead, which expects the part in a buffer. */
static pg_noinline void
flat_lookahead(DeparseState *state, const char *next)
{
	StringInfoData part = {.data = state->part, .len = state->at - state->part, .maxlen = MaxAllocSize};

	quote_before_lookahead(&part, next);
	state->at = part.data + part.len;
}

/*
 * Returns whether a string that begins with `first` may form a keyword pair
 * with the preceding word. Compares only the last letter of this word with the
 * last letters of NULLS and WITHOUT. See quote_before_lookahead.
 */
static pg_attribute_always_inline bool
may_pair(DeparseState *state, char first)
{
	return (first == 'f' || first == 'l' || first == 't') &&
		state->at - state->part > 5 && state->at[-1] == ' ' &&
		((state->at[-2] | 0x20) == 's' || (state->at[-2] | 0x20) == 't');
}

/* Appends bytes after checking for room. */
static pg_attribute_always_inline void
append_bytes(DeparseState *state, const char *text, size_t length)
{
	if (unlikely(state->limit - state->at <= (ptrdiff_t) length) && !room_or_part(state, text, length))
		return;
	if (may_pair(state, text[0]))
		flat_lookahead(state, text);
	memcpy(state->at, text, length);
	state->at += length;
}

static pg_noinline void
append_long(DeparseState *state, const char *text)
{
	append_bytes(state, text, strlen(text));
}

/* Strings of up to this many bytes are copied byte by byte. */
#define SHORT_TEXT 24

static pg_noinline void
append_any(DeparseState *state, const char *text)
{
	char	   *to = state->at;

	if (likely(state->limit - to > SHORT_TEXT) && !may_pair(state, present(text)[0]))
		for (int i = 0; i < SHORT_TEXT; i++)
			if ((to[i] = text[i]) == '\0')
			{
				state->at = to + i;
				return;
			}
	append_long(state, text);
}

static pg_attribute_always_inline void
append_text(DeparseState *state, const char *text)
{
	if (is_constant(__builtin_strlen(text)))
		append_bytes(state, text, __builtin_strlen(text));
	else
		append_any(state, text);
}

static pg_attribute_always_inline void
append_letter(DeparseState *state, char ch)
{
	if (unlikely(state->at >= state->limit) && !room_or_part_for_char(state, ch))
		return;
	*state->at++ = ch;
}

static pg_noinline void
append_formatted(DeparseState *state, const char *format,...)
{
	StringInfo	str = state->start != NULL ? state->buffer : deparseGetCurrentStringInfo(state);
	int			needed;

	do
	{
		va_list		args;

		if (state->start != NULL)
			str->len = state->at - state->start;
		va_start(args, format);
		needed = appendStringInfoVA(str, format, args);
		va_end(args);
		if (needed > 0 && state->start != NULL)
			grow(state, needed);
		else if (needed > 0)
			enlargeStringInfo(str, needed);
	} while (needed > 0);
	if (state->start != NULL)
	{
		state->at = state->start + str->len;
		if (state->at > state->limit)
			grow(state, 0);
	}
}

/* Appends a number as %d does. */
static void
append_integer(DeparseState *state, int value)
{
	char		digits[24];
	char	   *at = digits + 12;
	unsigned int rest = value < 0 ? 0U - (unsigned int) value : (unsigned int) value;

	*--at = '\0';
	do
		*--at = '0' + rest % 10;
	while ((rest /= 10) > 0);
	if (value < 0)
		*--at = '-';
	if (unlikely(state->at >= state->limit) && !room_or_part(state, at, 12))
		return;
	memcpy(state->at, at, 12);	/* copying all 12 bytes is cheaper than counting the digits */
	state->at += digits + 11 - at;
}

/* Returns whether an expression of this type never needs parentheses. */
static inline bool
is_atom(Node *node)
{
	return node != NULL && (node->type == T_ColumnRef || node->type == T_A_Const || node->type == T_ParamRef);
}

static pg_attribute_always_inline void
check_stack(void)
{
	if (unlikely(PGQ_STACK_POINTER < pgq_stack_end))
		check_stack_depth();
}

#endif
