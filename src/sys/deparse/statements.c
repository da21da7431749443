/*
 * statements.c - options, object names and COPY.
 *
 * The edits of build/fixes call these functions from libpg_query's deparser. If
 * libpg_query's SQL is correct, these functions write the same SQL.
 * src/sys/deparse.c includes this file.
 */

static void
write_logged_option(DeparseState *state, const char *name)
{
	if (strcmp(name, "logged") == 0)
		deparseAppendStringInfoString(state, "LOGGED");
	else if (strcmp(name, "unlogged") == 0)
		deparseAppendStringInfoString(state, "UNLOGGED");
	else
		not_a_tree("a sequence with such an option");
}

/* Writes a zone_value, which is a string, an identifier that is not a keyword, a number or an interval. */
static void
write_time_zone(DeparseState *state, List *args)
{
	Node	   *zone = list_length(args) == 1 ? linitial(args) : NULL;

	if (is_string(zone))
	{
		const char *name = strVal(&((A_Const *) zone)->val);

		if (keyword_category(name) == UNRESERVED_KEYWORD || is_one_of(name, "true false on"))
		{
			deparseStringLiteral(state, name);
			return;
		}
	}
	deparseVarList(state, args);
}

/*
 * Writes a role membership option that libpg_query does not support. Writes
 * nothing and returns false for a supported option.
 */
static bool
write_other_role_option(DeparseState *state, DefElem *option, bool with_value)
{
	if (is_one_of(present(option->defname), "admin inherit set"))
		return false;
	/* Quotes ordinality, because the parser reads WITH ORDINALITY as a keyword pair. */
	deparseAppendStringInfoString(state, quoted_if_one_of(option->defname, "ordinality"));
	deparseAppendStringInfoChar(state, ' ');
	if (with_value)
		deparseAppendStringInfoString(state, boolVal(option->arg) ? "OPTION" : "FALSE");
	return true;
}

/* Returns the keywords of an object type, if libpg_query omits them in some statements. */
static const char *
object_words(ObjectType type)
{
	switch (type)
	{
		case OBJECT_INDEX:
			return "INDEX ";
		case OBJECT_STATISTIC_EXT:
			return "STATISTICS ";
		case OBJECT_COLLATION:
			return "COLLATION ";
		case OBJECT_CONVERSION:
			return "CONVERSION ";
		case OBJECT_TSPARSER:
			return "TEXT SEARCH PARSER ";
		case OBJECT_TSDICTIONARY:
			return "TEXT SEARCH DICTIONARY ";
		case OBJECT_TSTEMPLATE:
			return "TEXT SEARCH TEMPLATE ";
		case OBJECT_TSCONFIGURATION:
			return "TEXT SEARCH CONFIGURATION ";
		case OBJECT_ACCESS_METHOD:
			return "ACCESS METHOD ";
		case OBJECT_DATABASE:
			return "DATABASE ";
		case OBJECT_EXTENSION:
			return "EXTENSION ";
		case OBJECT_FDW:
			return "FOREIGN DATA WRAPPER ";
		case OBJECT_FOREIGN_SERVER:
			return "SERVER ";
		case OBJECT_PUBLICATION:
			return "PUBLICATION ";
		case OBJECT_ROLE:
			return "ROLE ";
		case OBJECT_SUBSCRIPTION:
			return "SUBSCRIPTION ";
		case OBJECT_TABLESPACE:
			return "TABLESPACE ";
		default:
			not_a_tree("an object of a type that its statement does not take");
	}
}

static void
write_object_words(DeparseState *state, ObjectType type)
{
	deparseAppendStringInfoString(state, object_words(type));
}

static void
write_object_name(DeparseState *state, Node *object)
{
	if (IsA(object, List))
		deparseAnyName(state, (List *) object);
	else
		deparseColId(state, strVal(object));
}

/* Writes LIKE … INCLUDING ALL EXCLUDING …, if a combination of INCLUDING clauses cannot set the option bits. */
static bool
write_like_all_but(DeparseState *state, bits32 options)
{
	static const struct
	{
		bits32		option;
		const char *words;
	}			each[] = {
		{CREATE_TABLE_LIKE_COMMENTS, "EXCLUDING COMMENTS "},
		{CREATE_TABLE_LIKE_COMPRESSION, "EXCLUDING COMPRESSION "},
		{CREATE_TABLE_LIKE_CONSTRAINTS, "EXCLUDING CONSTRAINTS "},
		{CREATE_TABLE_LIKE_DEFAULTS, "EXCLUDING DEFAULTS "},
		{CREATE_TABLE_LIKE_IDENTITY, "EXCLUDING IDENTITY "},
		{CREATE_TABLE_LIKE_GENERATED, "EXCLUDING GENERATED "},
		{CREATE_TABLE_LIKE_INDEXES, "EXCLUDING INDEXES "},
		{CREATE_TABLE_LIKE_STATISTICS, "EXCLUDING STATISTICS "},
		{CREATE_TABLE_LIKE_STORAGE, "EXCLUDING STORAGE "},
	};
	bits32		left = CREATE_TABLE_LIKE_ALL;

	for (int i = 0; i < lengthof(each); i++)
		left &= ~each[i].option;
	if (options == CREATE_TABLE_LIKE_ALL || (options & left) != left)
		return false;
	deparseAppendStringInfoString(state, "INCLUDING ALL ");
	for (int i = 0; i < lengthof(each); i++)
		if (!(options & each[i].option))
			deparseAppendStringInfoString(state, each[i].words);
	return true;
}

/*
 * Writes COPY options that only the old syntax can express. In the old syntax,
 * FREEZE and HEADER are written without a value, and their value in the tree is
 * a Boolean node. Writes nothing and returns false for other options, or if
 * libpg_query itself writes the old syntax.
 */
static bool
write_old_copy_options(DeparseState *state, List *options)
{
	bool		old = false;
	ListCell   *lc;

	foreach(lc, options)
	{
		DefElem    *option = castNode(DefElem, lfirst(lc));

		old |= option->arg != NULL && IsA(option->arg, Boolean);
	}
	if (!old || copy_options_can_be_old(options))
		return false;
	foreach(lc, options)
	{
		DefElem    *option = castNode(DefElem, lfirst(lc));
		const char *name = present(option->defname);

		if (strcmp(name, "format") == 0 && is_one_of(strVal(option->arg), "binary csv"))
			write_in_capitals(state, strVal(option->arg));
		else if (is_one_of(name, "freeze header") && boolVal(option->arg))
			write_in_capitals(state, name);
		else if (is_one_of(name, "delimiter null quote escape encoding"))
		{
			write_in_capitals(state, name);
			deparseAppendStringInfoChar(state, ' ');
			deparseStringLiteral(state, strVal(option->arg));
		}
		else if (is_one_of(name, "force_quote force_not_null force_null"))
		{
			deparseAppendStringInfoString(state, strcmp(name, "force_quote") == 0 ? "FORCE QUOTE " :
										  strcmp(name, "force_null") == 0 ? "FORCE NULL " : "FORCE NOT NULL ");
			if (IsA(option->arg, A_Star))
				deparseAppendStringInfoChar(state, '*');
			else
				deparseColumnList(state, castNode(List, option->arg));
		}
		else
			not_a_tree("options of COPY that do not go together");
		deparseAppendStringInfoChar(state, ' ');
	}
	return true;
}

/* Returns whether libpg_query may write COPY options in the old syntax.
 * libpg_query itself checks the remaining conditions. */
static bool
copy_options_can_be_old(List *options)
{
	ListCell   *lc;

	foreach(lc, options)
	{
		DefElem    *option = castNode(DefElem, lfirst(lc));
		Node	   *arg = option->arg;

		if (is_one_of(present(option->defname), "freeze header") && arg != NULL && IsA(arg, Boolean) && boolVal(arg))
			continue;
		if (strcmp(option->defname, "format") == 0 && arg != NULL && IsA(arg, String) && strcmp(strVal(arg), "csv") == 0)
			continue;
		if (strcmp(option->defname, "force_quote") == 0 && arg != NULL && IsA(arg, List))
			continue;
		return false;
	}
	return true;
}

/* Writes a value as copy_generic_opt_arg. */
static void
write_copy_value(DeparseState *state, Node *value)
{
	ListCell   *lc;

	switch (nodeTag(value))
	{
		case T_String:
			deparseOptBooleanOrString(state, strVal(value));
			break;
		case T_Integer:
		case T_Float:
			deparseNumericOnly(state, (union ValUnion *) value);
			break;
		case T_Boolean:
			deparseAppendStringInfoString(state, boolVal(value) ? "TRUE" : "FALSE");
			break;
		case T_A_Star:
			deparseAppendStringInfoChar(state, '*');
			break;
		case T_List:
			deparseAppendStringInfoChar(state, '(');
			foreach(lc, (List *) value)
			{
				deparseOptBooleanOrString(state, strVal(lfirst(lc)));
				if (lnext((List *) value, lc))
					deparseAppendStringInfoString(state, ", ");
			}
			deparseAppendStringInfoChar(state, ')');
			break;
		default:
			not_a_tree("an option of COPY with such a value");
	}
}

/*
 * Writes a COPY option with a value that libpg_query does not support. Writes
 * nothing and returns false for a supported value.
 */
static bool
write_copy_option(DeparseState *state, DefElem *option)
{
	const char *name = present(option->defname);
	Node	   *arg = option->arg;
	bool		expected;

	if (strcmp(name, "format") == 0)
		expected = arg != NULL && IsA(arg, String) && is_one_of(strVal(arg), "binary csv text");
	else if (is_one_of(name, "freeze header"))
		expected = arg == NULL || IsA(arg, Boolean) || IsA(arg, Integer) ||
			(IsA(arg, String) && is_plain_word(strVal(arg)) &&
			 (keyword_category(strVal(arg)) != RESERVED_KEYWORD || is_one_of(strVal(arg), "true false on")));
	else if (is_one_of(name, "delimiter null quote escape encoding"))
		expected = arg != NULL && IsA(arg, String);
	else if (is_one_of(name, "force_quote force_not_null force_null"))
		expected = arg != NULL && (IsA(arg, A_Star) || IsA(arg, List));
	else
		return false;
	if (expected)
		return false;

	deparseAppendStringInfoString(state, quote_identifier(name));
	if (arg != NULL)
	{
		deparseAppendStringInfoChar(state, ' ');
		write_copy_value(state, arg);
	}
	return true;
}

static bool
has_list_argument(List *definition)
{
	DefElem    *option = definition != NIL ? castNode(DefElem, linitial(definition)) : NULL;

	return option != NULL && option->arg != NULL && IsA(option->arg, List);
}
