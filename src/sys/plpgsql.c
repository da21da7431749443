/*
 * plpgsql.c - runs PL/pgSQL's compiler on one statement. shim.c traps its
 * errors.
 *
 * Compiles libpg_query's file and replaces its entry point. libpg_query's entry
 * point writes the JSON outside of PG_TRY, therefore an error there ends the
 * process. It also copies the whole SQL once per function.
 */
#include "pg_query_parse_plpgsql.c"

#include "plpgsql.h"

char	   *pgq_compile_function(Node *stmt, StringInfo hidden);

/*
 * Maximum number of parameters. For each parameter, PostgreSQL searches for
 * other parameters with the same name, which takes quadratic time in total.
 * PostgreSQL cannot create a function with more parameters.
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

	/*
	 * The compiler's arrays have no room for more arguments. The compiler itself
	 * does not check this limit, because a server checks it earlier.
	 */
	if (inputs > FUNC_MAX_ARGS)
		ereport(ERROR,
				(errcode(ERRCODE_TOO_MANY_ARGUMENTS),
				 errmsg("functions cannot have more than %d arguments", FUNC_MAX_ARGS)));
	if (list_length(stmt->parameters) > MOST_PARAMETERS)
		ereport(ERROR,
				(errcode(ERRCODE_TOO_MANY_ARGUMENTS),
				 errmsg("functions cannot have more than %d parameters", MOST_PARAMETERS)));
}

/* Returns whether the body is in SQL's own syntax and no language is specified. In this case, the language is SQL. */
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
 * Returns the JSON of a function. Appends to `hidden` the expressions that
 * libpg_query's JSON omits: the default values of records.
 */
char *
pgq_compile_function(Node *stmt, StringInfo hidden)
{
	MemoryContext caller = CurrentMemoryContext;
	PLpgSQL_function *function;

	/* The compiler resolves types in its argument and therefore needs a copy. */
	function = compiled(copyObject(stmt));

	/* Attach the function's memory to the caller's context. Otherwise it would outlive the call. */
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
