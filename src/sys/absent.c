/*
 * absent.c - replaces libpg_query's Protobuf, JSON and fingerprint code in
 * builds without the feature `reference`. Other C files refer to the functions
 * that fail here, but never call them in such a build.
 */
#include "pg_query.h"
#include "pg_query_internal.h"

#include "postgres.h"
#include "lib/stringinfo.h"
#include "nodes/parsenodes.h"
#include "utils/elog.h"

#include "pg_query_fingerprint.h"
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

/* In src/convert/fingerprint/callback.rs. Does not raise errors. */
extern bool pgq_fingerprint_of_node(const void *node, uint64_t *hash);

uint64_t
pg_query_fingerprint_node(const void *node)
{
	uint64_t	hash;

	if (!pgq_fingerprint_of_node(node, &hash))
		elog(ERROR, "the tree contains an unknown node");
	return hash;
}

void
deparseRawStmtOpts(StringInfo str, struct RawStmt *raw_stmt, PostgresDeparseOpts *opts)
{
	absent();
}
