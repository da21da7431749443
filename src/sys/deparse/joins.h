/*
 * joins.h - ends a part of flat output and joins it with the next part.
 *
 * For pretty-printed output, these functions call libpg_query's functions.
 */
#ifndef PGQ_DEPARSE_JOINS_H
#define PGQ_DEPARSE_JOINS_H

#include "flat.h"

/* The nesting level to which `current` points in flat output. */
static DeparseStateNestingLevel flat_level;

/* Ends a part, and joins it with the next part as deparseEmit would. */
static void
end_part(DeparseState *state)
{
	char	   *at = state->at;

	if (at == state->part)
		return;					/* an empty part writes nothing */
	if (*state->part == ')' || *state->part == ';')
	{
		if (!state->after_level || state->part == state->keyword_end)
			state->unusual = true;
		if (state->part > state->start && state->part[-1] == ' ')
		{
			memmove(state->part - 1, state->part, at - state->part);
			at--;
			state->part--;
		}
	}
	if (at[-1] == ' ')
	{
		at--;
		if (at == state->part || at[-1] == ' ')
			state->unusual = true;
	}
	if (at == state->start || at[-1] != '(')
		*at++ = ' ';
	state->at = state->part = at;
	if (unlikely(at >= state->limit))
		grow(state, 1);
}

static void
flat_remove_space(DeparseState *state)
{
	if (state->start == NULL)
		removeTrailingSpace(state);
	else if (state->at > state->part && state->at[-1] == ' ')
		state->at--;
}

static void
flat_part(DeparseState *state, bool deduplicate)
{
	if (state->start == NULL)
		deparseAppendPart(state, deduplicate);
	else
	{
		end_part(state);
		state->after_level = false;
	}
}

static void
flat_comma_and_part(DeparseState *state)
{
	append_letter(state, ',');
	flat_part(state, true);
}

static void
comma_and_part(DeparseState *state)
{
	if (state->start == NULL)
		deparseAppendCommaAndPart(state);
	else
		flat_comma_and_part(state);
}

/* Begins a group in flat output. Without flat output, begins a group of parts and returns false. */
static pg_noinline bool
begin_group(DeparseState *state, const char *keyword, DeparsePartIndentMode indent_mode)
{
	if (state->start == NULL)
	{
		deparseAppendPartGroup(state, keyword, indent_mode);
		return false;
	}
	flat_remove_space(state);
	end_part(state);
	/* libpg_query writes a space for an empty part at the very start. */
	if (state->at == state->start && state->has_groups)
		state->unusual = true;
	state->has_groups = true;
	state->after_level = false;
	return true;
}

static pg_attribute_always_inline void
flat_part_group(DeparseState *state, const char *keyword, DeparsePartIndentMode indent_mode)
{
	if (!begin_group(state, keyword, indent_mode) || keyword == NULL)
		return;
	/* A keyword is a separate part. It needs no end_part, because no keyword ends with a space or a parenthesis. */
	append_text(state, keyword);
	append_letter(state, ' ');
	state->part = state->keyword_end = state->at;
}

static void
flat_not_mergeable(DeparseState *state)
{
	if (state->start == NULL)
		deparseMarkCurrentPartNonMergable(state);
}

static pg_noinline DeparseStateNestingLevel *
flat_increase_level(DeparseState *state)
{
	DeparseStateNestingLevel *parent = state->current;

	if (state->start == NULL)
		return deparseStateIncreaseNestingLevel(state);
	if (parent != NULL)
	{
		end_part(state);
		if (state->at == state->start)
			state->unusual = true;
	}
	state->current = &flat_level;
	return parent;
}

static pg_noinline void
flat_decrease_level(DeparseState *state, DeparseStateNestingLevel *parent)
{
	if (state->start == NULL)
	{
		deparseStateDecreaseNestingLevel(state, parent);
		return;
	}
	state->current = parent;
	if (parent != NULL)
	{
		end_part(state);
		state->after_level = true;
	}
}

/* Returns the last character of the current part, or 0. */
static char
last_char(DeparseState *state)
{
	StringInfo	str;

	if (state->start != NULL)
		return state->at > state->part ? state->at[-1] : '\0';
	str = deparseGetCurrentStringInfo(state);
	return str->len > 0 ? str->data[str->len - 1] : '\0';
}

/* Returns the length of the current part, for `shorten_part`. */
static int
part_length(DeparseState *state)
{
	return state->start != NULL ? state->at - state->part : deparseGetCurrentStringInfo(state)->len;
}

static void
shorten_part(DeparseState *state, int length)
{
	if (state->start != NULL)
		state->at = state->part + length;
	else
	{
		StringInfo	str = deparseGetCurrentStringInfo(state);

		str->len = length;
		str->data[length] = '\0';
	}
}

#endif
