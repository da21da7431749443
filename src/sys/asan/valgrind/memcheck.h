/*
 * memcheck.h - replaces valgrind's header in builds with AddressSanitizer.
 *
 * PostgreSQL's memory contexts report to valgrind which bytes of their blocks
 * are in use (utils/memdebug.h). This header reports them to the sanitizer,
 * which otherwise knows only whole blocks.
 */
#ifndef PGQ_ASAN_MEMCHECK_H
#define PGQ_ASAN_MEMCHECK_H

#include <sanitizer/asan_interface.h>

#define VALGRIND_MAKE_MEM_NOACCESS(addr, size) ASAN_POISON_MEMORY_REGION(addr, size)
#define VALGRIND_MAKE_MEM_DEFINED(addr, size) ASAN_UNPOISON_MEMORY_REGION(addr, size)
#define VALGRIND_MAKE_MEM_UNDEFINED(addr, size) ASAN_UNPOISON_MEMORY_REGION(addr, size)
#define VALGRIND_MEMPOOL_ALLOC(context, addr, size) ASAN_UNPOISON_MEMORY_REGION(addr, size)
#define VALGRIND_MEMPOOL_CHANGE(context, old, addr, size) ASAN_UNPOISON_MEMORY_REGION(addr, size)

/* Empty, because wipe_mem already makes freed memory inaccessible. */
#define VALGRIND_MEMPOOL_FREE(context, addr) do {} while (0)
#define VALGRIND_CREATE_MEMPOOL(context, redzones, zeroed) do {} while (0)
#define VALGRIND_DESTROY_MEMPOOL(context) do {} while (0)
#define VALGRIND_CHECK_MEM_IS_DEFINED(addr, size) do {} while (0)

#endif
