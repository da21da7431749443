/*
 * memcmp and memmove for the program on musl.
 *
 * musl compares byte by byte. It copies with `rep movsq`, whose start-up takes longer than the whole copy of a typical
 * name or statement. Together, these functions of musl take a quarter of the time of reading a log.
 */
#include <stddef.h>
#include <stdint.h>

typedef uint16_t unaligned16 __attribute__((may_alias, aligned(1)));
typedef uint32_t unaligned32 __attribute__((may_alias, aligned(1)));
typedef uint64_t unaligned64 __attribute__((may_alias, aligned(1)));
typedef uint64_t unaligned128 __attribute__((vector_size(16), may_alias, aligned(1)));

#define AT(type, address) (*(type *) (address))

/* Minimum size for which the instruction `rep movsb` is faster than the loop below. */
#define LARGE_COPY 2048

/* Compares two different words by their first different byte in memory. */
static int order(uint64_t a, uint64_t b)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	a = __builtin_bswap64(a);
	b = __builtin_bswap64(b);
#endif
	return a < b ? -1 : 1;
}

int memcmp(const void *first, const void *second, size_t size)
{
	const unsigned char *a = first, *b = second;
	if (size >= 8) {
		/* The last word may overlap the previous word. This is harmless, because all previous bytes are equal. */
		for (size_t i = 0;; i = i + 16 <= size ? i + 8 : size - 8) {
			uint64_t x = AT(const unaligned64, a + i), y = AT(const unaligned64, b + i);
			if (x != y)
				return order(x, y);
			if (i + 8 == size)
				return 0;
		}
	}
	for (; size > 0; size--, a++, b++)
		if (*a != *b)
			return *a - *b;
	return 0;
}

int bcmp(const void *first, const void *second, size_t size)
{
	return memcmp(first, second, size);
}

void *memmove(void *to, const void *from, size_t size)
{
	unsigned char *d = to;
	const unsigned char *s = from;
/* Copies the first and the last bytes, which may overlap. Reads both before it writes. */
#define COPY_ENDS(type) \
	do { \
		type start = AT(const type, s), end = AT(const type, s + size - sizeof(type)); \
		AT(type, d) = start; \
		AT(type, d + size - sizeof(type)) = end; \
	} while (0)
	if (size <= 16) {
		if (size >= 8)
			COPY_ENDS(unaligned64);
		else if (size >= 4)
			COPY_ENDS(unaligned32);
		else if (size >= 2)
			COPY_ENDS(unaligned16);
		else if (size == 1)
			*d = *s;
	} else if (size <= 32) {
		COPY_ENDS(unaligned128);
	} else if ((uintptr_t) d - (uintptr_t) s >= size) {
		/* Forward: `to` is before `from`, or does not overlap it. */
#if defined(__x86_64__)
		if (size >= LARGE_COPY) {
			__asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(size) : : "memory");
			return to;
		}
#endif
		unaligned128 end = AT(const unaligned128, s + size - 16);
		size_t i = 0;
		for (; i + 16 < size; i += 16)
			AT(unaligned128, d + i) = AT(const unaligned128, s + i);
		AT(unaligned128, d + size - 16) = end;
	} else {
		unaligned128 start = AT(const unaligned128, s);
		for (size_t i = size; i > 16; i -= 16)
			AT(unaligned128, d + i - 16) = AT(const unaligned128, s + i - 16);
		AT(unaligned128, d) = start;
	}
	return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
	return memmove(to, from, size);
}
