/*
 * types.c - types and constants.
 *
 * The edits of build/fixes call these functions from libpg_query's deparser. If
 * libpg_query's SQL is correct, these functions write the same SQL.
 * src/sys/deparse.c includes this file.
 */

/* Returns whether a type consists only of a name, without modifiers, bounds, SETOF or %TYPE. */
static bool
is_plain_type(TypeName *type)
{
	return type->typmods == NIL && type->arrayBounds == NIL && !type->setof && !type->pct_type;
}

static bool
is_string(Node *node)
{
	return node != NULL && IsA(node, A_Const) && !((A_Const *) node)->isnull && IsA(&((A_Const *) node)->val, String);
}

static bool
is_null_constant(Node *node)
{
	return node != NULL && IsA(node, A_Const) && ((A_Const *) node)->isnull;
}

/* Returns the value of an integer constant; -1 for any other node. */
static int
plain_integer(Node *node)
{
	A_Const    *constant = (A_Const *) node;

	if (node == NULL || !IsA(node, A_Const) || constant->isnull || !IsA(&constant->val, Integer))
		return -1;
	return constant->val.ival.ival;
}

/* Returns the keywords for an interval's fields (as in intervaltypmodout), or NULL for a mask without fields. */
static const char *
interval_words(int mask)
{
	switch (mask)
	{
		case INTERVAL_MASK(YEAR):
			return " year";
		case INTERVAL_MASK(MONTH):
			return " month";
		case INTERVAL_MASK(DAY):
			return " day";
		case INTERVAL_MASK(HOUR):
			return " hour";
		case INTERVAL_MASK(MINUTE):
			return " minute";
		case INTERVAL_MASK(SECOND):
			return " second";
		case INTERVAL_MASK(YEAR) | INTERVAL_MASK(MONTH):
			return " year to month";
		case INTERVAL_MASK(DAY) | INTERVAL_MASK(HOUR):
			return " day to hour";
		case INTERVAL_MASK(DAY) | INTERVAL_MASK(HOUR) | INTERVAL_MASK(MINUTE):
			return " day to minute";
		case INTERVAL_MASK(DAY) | INTERVAL_MASK(HOUR) | INTERVAL_MASK(MINUTE) | INTERVAL_MASK(SECOND):
			return " day to second";
		case INTERVAL_MASK(HOUR) | INTERVAL_MASK(MINUTE):
			return " hour to minute";
		case INTERVAL_MASK(HOUR) | INTERVAL_MASK(MINUTE) | INTERVAL_MASK(SECOND):
			return " hour to second";
		case INTERVAL_MASK(MINUTE) | INTERVAL_MASK(SECOND):
			return " minute to second";
		default:
			return NULL;
	}
}

/*
 * Writes the fields and the precision that follow the keyword of an interval
 * type. Writes nothing and returns false for modifiers that the keyword
 * INTERVAL cannot have.
 */
static bool
write_interval_fields(DeparseState *state, List *modifiers)
{
	int			count = list_length(modifiers);
	int			mask = count > 0 ? plain_integer(linitial(modifiers)) : 0;
	int			precision = count > 1 ? plain_integer(lsecond(modifiers)) : 0;
	const char *words = interval_words(mask);

	if (count == 0)
		return true;
	if (count > 2 || precision < 0)
		return false;
	if (count == 1 && words != NULL)
		deparseAppendStringInfoString(state, words);
	else if (count == 2 && mask == INTERVAL_FULL_RANGE)
		deparseAppendStringInfo(state, "(%d)", precision);
	else if (count == 2 && words != NULL && (mask & INTERVAL_MASK(SECOND)))
	{
		deparseAppendStringInfoString(state, words);
		deparseAppendStringInfo(state, "(%d)", precision);
	}
	else
		return false;
	return true;
}

/* Writes an interval constant, such as interval '1' day. */
static void
write_interval_constant(DeparseState *state, TypeCast *cast)
{
	List	   *modifiers = cast->typeName->typmods;
	bool		only_precision = list_length(modifiers) == 2 &&
		plain_integer(linitial(modifiers)) == INTERVAL_FULL_RANGE;

	deparseAppendStringInfoString(state, "interval");
	if (only_precision && !write_interval_fields(state, modifiers))
		not_a_tree("an interval with such modifiers");
	deparseAppendStringInfoChar(state, ' ');
	deparseExpr(state, cast->arg, DEPARSE_NODE_CONTEXT_NONE);
	if (!only_precision && !write_interval_fields(state, modifiers))
		not_a_tree("an interval with such modifiers");
}

/* Writes an AexprConst with a type: the type's name, followed by the string or parameter. */
static void
write_typed_constant(DeparseState *state, TypeCast *cast)
{
	TypeName   *type = cast->typeName;

	PGQ_PRESENT(type);
	if (!is_string(cast->arg) && !(cast->arg != NULL && IsA(cast->arg, ParamRef)))
		not_a_tree("a constant has a kind that its field does not take");
	if (list_length(type->names) == 2 && type->arrayBounds == NIL && !type->setof && !type->pct_type &&
		strcmp(strVal(linitial(type->names)), "pg_catalog") == 0 &&
		strcmp(strVal(lsecond(type->names)), "interval") == 0)
	{
		write_interval_constant(state, cast);
		return;
	}
	/* As in libpg_query, writes the type char without a length, and a space before the type point. */
	if (is_plain_type(type) && list_length(type->names) == 2 &&
		strcmp(strVal(linitial(type->names)), "pg_catalog") == 0 && strcmp(strVal(lsecond(type->names)), "bpchar") == 0)
		deparseAppendStringInfoString(state, "char");
	else
	{
		if (is_plain_type(type) && list_length(type->names) == 1 && strcmp(strVal(linitial(type->names)), "point") == 0)
			deparseAppendStringInfoChar(state, ' ');
		write_type_name(state, type);
	}
	deparseAppendStringInfoChar(state, ' ');
	deparseExpr(state, cast->arg, DEPARSE_NODE_CONTEXT_NONE);
}

/* Writes the digits of a bit string. Raises an error for a quote. */
static void
write_bits(DeparseState *state, const char *digits)
{
	if (strchr(digits, '\'') != NULL)
		not_a_tree("a bit string with a quote");
	deparseAppendStringInfoChar(state, '\'');
	deparseAppendStringInfoString(state, digits);
	deparseAppendStringInfoChar(state, '\'');
}

/*
 * Writes a type of pg_catalog and its modifiers as an SQL keyword, such as int
 * for int4. Writes nothing and returns false if no keyword means exactly this
 * type.
 */
static bool
write_type_keyword(DeparseState *state, const char *name, List *modifiers)
{
	int			count = list_length(modifiers);
	bool		no_length = count == 0;
	bool		length = count == 1 && plain_integer(linitial(modifiers)) >= 0;
	const char *with_zone = NULL;
	const char *word = NULL;

	if (strcmp(name, "bpchar") == 0)
		word = length ? "char" : NULL;	/* CHAR without a length means CHAR(1) */
	else if (strcmp(name, "varchar") == 0 || strcmp(name, "time") == 0 || strcmp(name, "timestamp") == 0)
		word = length || no_length ? name : NULL;
	else if (strcmp(name, "numeric") == 0)
		word = name;
	else if (strcmp(name, "timetz") == 0)
		with_zone = length || no_length ? "time " : NULL;
	else if (strcmp(name, "timestamptz") == 0)
		with_zone = length || no_length ? "timestamp " : NULL;
	else if (strcmp(name, "interval") == 0)
	{
		int			before = part_length(state);

		deparseAppendStringInfoString(state, "interval");
		if (write_interval_fields(state, modifiers))
			return true;
		shorten_part(state, before);
		return false;
	}
	else if (!no_length)
		return false;
	else if (strcmp(name, "bool") == 0)
		word = "boolean";
	else if (strcmp(name, "int2") == 0)
		word = "smallint";
	else if (strcmp(name, "int4") == 0)
		word = "int";
	else if (strcmp(name, "int8") == 0)
		word = "bigint";
	else if (strcmp(name, "float4") == 0)
		word = "real";
	else if (strcmp(name, "float8") == 0)
		word = "double precision";

	if (with_zone != NULL)
	{
		deparseAppendStringInfoString(state, with_zone);
		if (length)
			deparseAppendStringInfo(state, "(%d) ", plain_integer(linitial(modifiers)));
		deparseAppendStringInfoString(state, "with time zone");
		return true;
	}
	if (word == NULL)
		return false;
	deparseAppendStringInfoString(state, word);
	if (!no_length)
	{
		deparseAppendStringInfoChar(state, '(');
		deparseExprList(state, modifiers);
		deparseAppendStringInfoChar(state, ')');
	}
	return true;
}

static void
write_type_name(DeparseState *state, TypeName *type)
{
	ListCell   *lc;
	bool		system;

	if (type == NULL)
		not_a_tree("a type is missing");
	system = list_length(type->names) == 2 && strcmp(strVal(linitial(type->names)), "pg_catalog") == 0;

	if (type->setof)
		deparseAppendStringInfoString(state, "SETOF ");

	if (type->pct_type)
	{
		deparseAnyName(state, type->names);
		deparseAppendStringInfoString(state, "%type");
		return;
	}
	if (!system || !write_type_keyword(state, strVal(lsecond(type->names)), type->typmods))
	{
		if (system)
		{
			const char *name = strVal(lsecond(type->names));

			/* After a dot, keywords need no quotes. */
			deparseAppendStringInfoString(state, "pg_catalog.");
			deparseAppendStringInfoString(state, is_plain_word(name) ? name : quote_identifier(name));
		}
		else if (type->typmods != NIL)
			write_call_name(state, type, type->names);
		else
			deparseAnyName(state, type->names);
		if (type->typmods != NIL)
		{
			deparseAppendStringInfoChar(state, '(');
			deparseExprList(state, type->typmods);
			deparseAppendStringInfoChar(state, ')');
		}
	}

	foreach(lc, type->arrayBounds)
	{
		deparseAppendStringInfoChar(state, '[');
		if (intVal(lfirst(lc)) != -1)
			deparseSignedIconst(state, lfirst(lc));
		deparseAppendStringInfoChar(state, ']');
	}
}

/* Returns whether `delimiter` can quote `text`. In `text` followed by the
 * delimiter, the first occurrence of the delimiter must be the last one, too. */
static bool
fits_dollar_quotes(const char *text, const char *delimiter)
{
	StringInfoData behind;

	initStringInfo(&behind);
	appendStringInfoString(&behind, text);
	appendStringInfoString(&behind, delimiter);
	return strstr(behind.data, delimiter) == behind.data + strlen(text);
}

/* Returns a delimiter for the body of DO. If no delimiter is possible, writes the body as a string and returns NULL. */
static const char *
write_do_body(DeparseState *state, const char *text)
{
	if (fits_dollar_quotes(text, "$$"))
		return "$$";
	if (fits_dollar_quotes(text, "$outer$"))
		return "$outer$";
	deparseStringLiteral(state, text);
	deparseAppendStringInfoChar(state, ' ');
	return NULL;
}
