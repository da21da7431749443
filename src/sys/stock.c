/*
 * stock.c - libpg_query's deparser without pgq's fixes, to compare deparse.c
 * with. Only the checks are added, because it would otherwise dereference
 * missing pointers. libpg_query's own functions (for Protobuf) call this
 * deparser.
 */
#include "checks.h"

#include "postgres_deparse.c"
