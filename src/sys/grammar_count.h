/*
 * grammar_count.h - counts how often the parser encounters each state, terminal
 * and rule.
 *
 * Used only by the program that `cargo xtask regenerate grammar-order` builds
 * (build/grammar_order.rs). Other C code of pgq must not write to files.
 */
#ifndef PGQ_GRAMMAR_COUNT_H
#define PGQ_GRAMMAR_COUNT_H

#ifdef PGQ_COUNT_GRAMMAR

#include <stdio.h>
#include <stdlib.h>

enum
{
	OF_STATES, OF_TERMINALS, OF_RULES, KINDS_COUNTED
};

static uint64 counted[KINDS_COUNTED][UINT16_MAX + 1];

/* At program exit, writes lines of kind, number and count. */
__attribute__((destructor)) static void
write_counts(void)
{
	const char *path = getenv("PGQ_GRAMMAR_COUNTS");
	FILE	   *file = path ? fopen(path, "w") : NULL;

	if (file == NULL)
		return;
	fprintf(file, "states of %zu\nterminals of %d\nrules of %zu\n",
			lengthof(states), YYNTOKENS, lengthof(made_by));
	for (int kind = 0; kind < KINDS_COUNTED; kind++)
		for (int number = 0; number <= UINT16_MAX; number++)
			if (counted[kind][number] > 0)
				fprintf(file, "%d %d %llu\n", kind, number, (unsigned long long) counted[kind][number]);
	fclose(file);
}

#define pgq_count(kind, number) (counted[kind][number]++)
#else
#define pgq_count(kind, number) ((void) 0)
#endif

#endif
