/*
 * wrapper.h - bindgen's input: PostgreSQL's node structs, libpg_query's public
 * functions and the shim. Used only when the bindings are regenerated.
 */
#include "pg_query.h"

#include "postgres.h"
#include "nodes/bitmapset.h"
#include "nodes/nodes.h"
#include "nodes/parsenodes.h"
#include "nodes/pg_list.h"
#include "nodes/primnodes.h"
#include "nodes/value.h"

#include "shim.h"
