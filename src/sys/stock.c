/*
 * stock.c - libpg_query's deparser without pgq's fixes, but with pgq's checks.
 * Without the checks, the deparser would dereference NULL pointers. Tests
 * compare this deparser with deparse.c. libpg_query's own functions (for
 * Protobuf) call this deparser.
 */
#include "checks.h"

#include "postgres_deparse.c"
