/* Compares src/sys/musl.c with the C library's functions. Prints the first difference. */
#include <stdio.h>
#include <string.h>

#define memcmp own_memcmp
#define bcmp own_bcmp
#define memmove own_memmove
#define memcpy own_memcpy
#include "../../src/sys/musl.c"
#undef memcmp
#undef bcmp
#undef memmove
#undef memcpy

#define ROOM 10000

static unsigned char own[ROOM], theirs[ROOM];

static int sign(int number)
{
	return (number > 0) - (number < 0);
}

static int moves(size_t to, size_t from, size_t size)
{
	for (size_t i = 0; i < ROOM; i++)
		own[i] = theirs[i] = (unsigned char) (i * 7 + i / 251);
	void *returned = own_memmove(own + to, own + from, size);
	memmove(theirs + to, theirs + from, size);
	if (returned == own + to && memcmp(own, theirs, ROOM) == 0)
		return 1;
	printf("memmove(%zu, %zu, %zu)\n", to, from, size);
	return 0;
}

static int compares(size_t size, size_t different)
{
	static const unsigned char bytes[] = {0, 1, 127, 128, 255};
	memset(own, 7, size);
	memset(theirs, 7, size);
	for (size_t i = 0; i < sizeof bytes; i++) {
		/* After the first difference, the last byte differs in the opposite direction. It must not count. */
		own[different] = bytes[i];
		theirs[different] = 100;
		if (different + 1 < size) {
			own[size - 1] = 100;
			theirs[size - 1] = bytes[i];
		}
		int found = own_memcmp(own, theirs, size), equal = own_bcmp(own, theirs, size) == 0;
		if (sign(found) != sign(memcmp(own, theirs, size)) || equal != (found == 0)) {
			printf("memcmp of %zu bytes, different at %zu\n", size, different);
			return 0;
		}
	}
	return own_memcmp(own, own, size) == 0;
}

int main(void)
{
	static const size_t large[] = {255, 256, 257, 2046, 2047, 2048, 2049, 4000};
	for (size_t size = 0; size < 100; size++) {
		for (size_t distance = 0; distance < 110; distance++)
			if (!moves(200, 200 + distance, size) || !moves(200 + distance, 200, size))
				return 1;
		for (size_t different = 0; different < size; different++)
			if (!compares(size, different))
				return 1;
	}
	for (size_t i = 0; i < sizeof large / sizeof *large; i++)
		for (size_t distance = 0; distance < 5000; distance = distance * 2 + 1)
			if (!moves(9, 9 + distance, large[i]) || !moves(9 + distance, 9, large[i]) || !compares(large[i], distance % large[i]))
				return 1;
	return 0;
}
