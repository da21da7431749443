/*
 * absent.c - stubs of libpg_query's Protobuf and JSON code for builds without
 * the feature `reference`. Other C files refer to these functions, but never
 * call them in such a build.
 */
#include "pg_query.h"
#include "pg_query_internal.h"

#include "postgres.h"
#include "lib/stringinfo.h"
#include "nodes/parsenodes.h"
#include "utils/elog.h"

#include "pg_query_outfuncs.h"
#include "postgres_deparse.h"

static pg_noinline pg_noreturn void
absent(void)
{
	elog(ERROR, "pgq was built without the feature `reference`");
}

PgQueryProtobuf
pg_query_nodes_to_protobuf(const void *obj)
{
	absent();
}

char *
pg_query_nodes_to_json(const void *obj)
{
	absent();
}

void
deparseRawStmtOpts(StringInfo str, struct RawStmt *raw_stmt, PostgresDeparseOpts *opts)
{
	absent();
}
