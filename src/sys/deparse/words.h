/*
 * words.h - appends names and string constants in one pass.
 */
#ifndef PGQ_DEPARSE_WORDS_H
#define PGQ_DEPARSE_WORDS_H

#include "flat.h"
#include "keyword_filter.h"

/* The bytes of a name that needs no quotes. 1: allowed anywhere. 2: not allowed as the first byte. */
static const unsigned char word_bytes[256] = {
	['_'] = 1,
	['a'] = 1, ['b'] = 1, ['c'] = 1, ['d'] = 1, ['e'] = 1, ['f'] = 1, ['g'] = 1, ['h'] = 1, ['i'] = 1,
	['j'] = 1, ['k'] = 1, ['l'] = 1, ['m'] = 1, ['n'] = 1, ['o'] = 1, ['p'] = 1, ['q'] = 1, ['r'] = 1,
	['s'] = 1, ['t'] = 1, ['u'] = 1, ['v'] = 1, ['w'] = 1, ['x'] = 1, ['y'] = 1, ['z'] = 1,
	['0'] = 2, ['1'] = 2, ['2'] = 2, ['3'] = 2, ['4'] = 2, ['5'] = 2, ['6'] = 2, ['7'] = 2, ['8'] = 2,
	['9'] = 2,
};

/*
 * Returns whether a word of these bytes may be a keyword that needs quotes.
 * Checks only the word's length and its first, second and last letter. If the
 * result is false, the word needs no quotes.
 */
static inline bool
may_need_quotes(const char *word, size_t length)
{
	const uint32 *letters;

	if (length < 2 || length > LONGEST_FILTERED)
		return false;
	letters = keyword_filter[word[0] - '_'][length];
	return (letters[0] >> (word[1] & 31)) & (letters[1] >> (word[length - 1] & 31)) & 1;
}

/* A name is copied in steps of this many bytes. Its length is checked before each step. */
#define NAME_STEP 4

/*
 * Returns the length of a name that certainly needs no quotes, otherwise 0.
 * Copies the name to `to`, which has room for NAMEDATALEN bytes.
 */
static inline size_t
copy_plain_name(char *to, const char *name)
{
	size_t		length = 0;

	if (word_bytes[(unsigned char) name[0]] != 1)
		return 0;

#define COPY_BYTE \
	if (word_bytes[(unsigned char) name[length]] == 0) \
		break; \
	to[length] = name[length]; \
	length++

	StaticAssertStmt(NAMEDATALEN % NAME_STEP == 0, "steps end at the longest name");
	while (length < NAMEDATALEN)
	{
		COPY_BYTE;
		COPY_BYTE;
		COPY_BYTE;
		COPY_BYTE;
	}
#undef COPY_BYTE
	return name[length] == '\0' && !may_need_quotes(name, length) ? length : 0;
}

/* Appends quote_identifier(name). */
static pg_noinline void
append_name(DeparseState *state, const char *name)
{
	size_t		length;

	if (likely(state->limit - state->at > NAMEDATALEN) && !may_pair(state, present(name)[0]) &&
		(length = copy_plain_name(state->at, name)) > 0)
		state->at += length;
	else
		append_any(state, quote_identifier(name));
}

/* Appends a string constant. If the string contains backslashes, writes E before it and doubles the backslashes. */
static pg_noinline void
append_string_constant(DeparseState *state, const char *text)
{
	size_t		length = strlen(text);
	char	   *to;

	if (memchr(text, '\\', length) != NULL)
		append_letter(state, ESCAPE_STRING_SYNTAX);
	append_letter(state, '\'');
	if (state->start != NULL)
	{
		/* With room for twice the length, the loop below needs no further checks. */
		if (state->limit - state->at <= (ptrdiff_t) (2 * length))
			grow(state, 2 * length);
		to = state->at;
		for (; *text; text++)
		{
			*to++ = *text;
			if (SQL_STR_DOUBLE(*text, true))
				*to++ = *text;
		}
		state->at = to;
	}
	else
		for (; *text; text++)
		{
			append_letter(state, *text);
			if (SQL_STR_DOUBLE(*text, true))
				append_letter(state, *text);
		}
	append_letter(state, '\'');
}

#endif
