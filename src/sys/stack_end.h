/*
 * stack_end.h - a check of the stack's depth that needs no call.
 *
 * shim.c notes the end of the stack that a call may use; where a function is
 * still above it, PostgreSQL's own check would find nothing.
 */
#ifndef PGQ_STACK_END_H
#define PGQ_STACK_END_H

#if defined(__GNUC__)
#define PGQ_STACK_POINTER ((const char *) __builtin_frame_address(0))
#else
#include <intrin.h>
#define PGQ_STACK_POINTER ((const char *) _AddressOfReturnAddress())
#endif

/* Above this address there is stack left; below it, PostgreSQL's own check says. */
extern __thread const char *pgq_stack_end;

#endif
