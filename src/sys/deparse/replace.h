/*
 * replace.h - replaces the deparser's functions for output with those of
 * flat.h, joins.h and words.h.
 *
 * An edit of build/fixes/flat.rs includes this file after the definitions of the
 * replaced functions.
 */
#ifndef PGQ_DEPARSE_REPLACE_H
#define PGQ_DEPARSE_REPLACE_H

#include "flat.h"
#include "joins.h"
#include "words.h"

#undef check_stack_depth
#define check_stack_depth check_stack
#define deparseAppendStringInfo append_formatted
#define deparseAppendStringInfoString append_text
#define deparseAppendStringInfoChar append_letter
#define deparseAppendPart flat_part
#define deparseAppendCommaAndPart comma_and_part
#define deparseAppendPartGroup flat_part_group
#define deparseMarkCurrentPartNonMergable flat_not_mergeable
#define deparseStateIncreaseNestingLevel flat_increase_level
#define deparseStateDecreaseNestingLevel flat_decrease_level
#define removeTrailingSpace flat_remove_space
#define deparseAppendCommentsIfNeeded(state, location) \
	do { \
		if (unlikely((state)->opts->comment_count > 0)) \
			deparseAppendCommentsIfNeeded(state, location); \
	} while (0)

#endif
