/*
 * stock.c - libpg_query's deparser without pgq's fixes: the reference for
 * deparse.c. Only the checks are added, so that it does not follow missing
 * pointers. libpg_query's own functions (the Protobuf path) call this one.
 */
#include "checks.h"

#include "postgres_deparse.c"
