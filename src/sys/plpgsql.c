/*
 * plpgsql.c - PL/pgSQL's compiler on one statement, for shim.c, which traps its errors.
 *
 * This compiles libpg_query's file, whose own entry point it replaces: that one
 * writes the JSON outside of PG_TRY, so that an error there ends the process,
 * and copies the text of all functions for each function.
 */
#include "pg_query_parse_plpgsql.c"

#include "plpgsql.h"

char	   *pgq_compile_function(Node *stmt, StringInfo hidden);

/*
 * PostgreSQL looks for parameters of one name with each parameter. No function
 * that can be created has more than this many.
 */
#define MOST_PARAMETERS 10000

static void
check_parameters(const CreateFunctionStmt *stmt)
{
	int			inputs = 0;

	foreach_node(FunctionParameter, parameter, stmt->parameters)
	{
		if (parameter->mode != FUNC_PARAM_OUT && parameter->mode != FUNC_PARAM_TABLE)
			inputs++;
	}

	/* What PostgreSQL checks before it compiles; the compiler has room for no more. */
	if (inputs > FUNC_MAX_ARGS)
		ereport(ERROR,
				(errcode(ERRCODE_TOO_MANY_ARGUMENTS),
				 errmsg("functions cannot have more than %d arguments", FUNC_MAX_ARGS)));
	if (list_length(stmt->parameters) > MOST_PARAMETERS)
		ereport(ERROR,
				(errcode(ERRCODE_TOO_MANY_ARGUMENTS),
				 errmsg("functions cannot have more than %d parameters", MOST_PARAMETERS)));
}

/* Whether the body is in SQL's own syntax and no language is named: it is SQL. */
static bool
is_sql_by_default(const CreateFunctionStmt *stmt)
{
	if (stmt->sql_body == NULL)
		return false;
	foreach_node(DefElem, option, stmt->options)
	{
		if (strcmp(option->defname, "language") == 0)
			return false;
	}
	return true;
}

static PLpgSQL_function *
compiled(Node *stmt)
{
	if (IsA(stmt, DoStmt))
		return compile_do_stmt((DoStmt *) stmt);
	if (!IsA(stmt, CreateFunctionStmt))
		elog(ERROR, "the statement defines no function");
	check_parameters((CreateFunctionStmt *) stmt);
	if (is_sql_by_default((CreateFunctionStmt *) stmt))
		return (PLpgSQL_function *) palloc0(sizeof(PLpgSQL_function));
	return compile_create_function_stmt_via_callback((CreateFunctionStmt *) stmt);
}

/*
 * The JSON of a function. `hidden` gets what libpg_query's JSON leaves out: the
 * defaults of records.
 */
char *
pgq_compile_function(Node *stmt, StringInfo hidden)
{
	MemoryContext caller = CurrentMemoryContext;
	PLpgSQL_function *function;

	/* The compiler resolves types in the tree that it is given. */
	function = compiled(copyObject(stmt));

	/* A compiled function outlives its call; here it ends with the caller's context. */
	if (function->fn_cxt)
		MemoryContextSetParent(function->fn_cxt, caller);
	for (int i = 0; i < function->ndatums; i++)
	{
		PLpgSQL_rec *rec = (PLpgSQL_rec *) function->datums[i];

		if (rec->dtype == PLPGSQL_DTYPE_REC && rec->default_val)
		{
			appendStringInfo(hidden, "%d%s", (int) rec->default_val->parseMode, rec->default_val->query);
			appendStringInfoChar(hidden, '\0');
		}
	}
	return plpgsqlToJSON(function);
}
