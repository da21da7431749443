/*
 * stock.c - libpg_query's deparser without pgq's fixes. Tests compare this
 * deparser with deparse.c. It includes pgq's checks, because without them it
 * would dereference NULL pointers. libpg_query's own functions (for
 * Protobuf) call this deparser.
 */
#include "checks.h"

#include "postgres_deparse.c"
