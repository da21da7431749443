/*
 * zeroed.h - clears structs of a few hundred bytes.
 *
 * For more than 96 bytes GCC compiles memset to `rep stos`. The start-up of
 * this instruction takes several times as long as plain stores.
 */
#ifndef PGQ_ZEROED_H
#define PGQ_ZEROED_H

#include <stddef.h>
#include <string.h>

#if defined(__GNUC__)

/* Two words at an unaligned address. */
typedef long long PgqTwoWords __attribute__((vector_size(16), aligned(1), may_alias));

/* Clears `size` bytes, at least 64. Not inlined, to keep its callers small. */
static __attribute__((noinline)) void
pgq_clear_large(char *memory, size_t size)
{
	const PgqTwoWords zero = {0, 0};
	char	   *last = memory + size - 64;

	for (; memory < last; memory += 64)
	{
		((PgqTwoWords *) memory)[0] = zero;
		((PgqTwoWords *) memory)[1] = zero;
		((PgqTwoWords *) memory)[2] = zero;
		((PgqTwoWords *) memory)[3] = zero;
		__asm__("" : "+r" (memory));	/* keeps the compiler from generating memset */
	}
	/* May clear some bytes twice. */
	((PgqTwoWords *) last)[0] = zero;
	((PgqTwoWords *) last)[1] = zero;
	((PgqTwoWords *) last)[2] = zero;
	((PgqTwoWords *) last)[3] = zero;
}

/* Same result as memset(memory, 0, size), but faster for a constant `size`. */
static inline __attribute__((always_inline)) void *
pgq_clear(void *memory, size_t size)
{
	if (!__builtin_constant_p(size) || size <= 96 || size > 512)
		return memset(memory, 0, size);
	pgq_clear_large(memory, size);
	return memory;
}

#else
#define pgq_clear(memory, size) memset(memory, 0, size)
#endif

#endif
