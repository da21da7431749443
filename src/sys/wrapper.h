/*
 * wrapper.h - input for bindgen: PostgreSQL's node structs, libpg_query's
 * public functions and the shim. Used only to regenerate the bindings.
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
