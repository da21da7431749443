/*
 * stack_end.h - checks the stack depth without a function call.
 *
 * shim.c records the end of the stack that a call may use. A frame above this
 * end does not need PostgreSQL's own check, because the check would always
 * pass.
 */
#ifndef PGQ_STACK_END_H
#define PGQ_STACK_END_H

#if defined(__GNUC__)
#define PGQ_STACK_POINTER ((const char *) __builtin_frame_address(0))
#else
#include <intrin.h>
#define PGQ_STACK_POINTER ((const char *) _AddressOfReturnAddress())
#endif

/* Above this address there is enough stack. Below it, PostgreSQL's own check decides. */
extern __thread const char *pgq_stack_end;

#endif
