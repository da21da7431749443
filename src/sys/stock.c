/*
 * stock.c - libpg_query's deparser as it is, but for the checks that keep it
 * from following pointers that are not there. Its own functions call this one:
 * the Protobuf path, which is the reference for ours.
 */
#include "checks.h"

#include "postgres_deparse.c"
