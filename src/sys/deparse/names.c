/*
 * names.c - names, quoted if their position in the grammar requires it.
 *
 * The edits of build/fixes call these functions from libpg_query's deparser. If
 * libpg_query's SQL is correct, these functions write the same SQL.
 * src/sys/deparse.c includes this file.
 */

/* Appends a space after a name, unless a quote at the name's end already separates it from the next word. */
static void
write_gap(DeparseState *state)
{
	char		last = last_char(state);

	if (last != '\0' && last != '"')
		deparseAppendStringInfoChar(state, ' ');
}

/*
 * Returns whether the scanner would return the same name without quotes. Does
 * not check whether the name is a keyword.
 */
static bool
is_plain_word(const char *name)
{
	const char *at = present(name);

	if (!(*at >= 'a' && *at <= 'z') && *at != '_' && !IS_HIGHBIT_SET(*at))
		return false;
	for (at++; *at; at++)
		if (!(*at >= 'a' && *at <= 'z') && !(*at >= '0' && *at <= '9') && *at != '_' && *at != '$' && !IS_HIGHBIT_SET(*at))
			return false;
	return true;
}

/* Returns the category of a keyword, or -1 for any other word. */
static int
keyword_category(const char *word)
{
	int			number = ScanKeywordLookup(word, &ScanKeywords);

	return number < 0 ? -1 : ScanKeywordCategories[number];
}

/*
 * The next three functions quote a name if the grammar would read the unquoted
 * name as a keyword. libpg_query's own deparser writes even such names without
 * quotes.
 */

/* Returns a name for a ColId, in quotes if necessary. */
static const char *
as_column(const char *name)
{
	int			category = keyword_category(present(name));
	bool		reads = is_plain_word(name) && category != RESERVED_KEYWORD && category != TYPE_FUNC_NAME_KEYWORD;

	return reads ? name : quote_identifier(name);
}

/* Returns a name for a type_function_name, in quotes if necessary. */
static const char *
as_type_or_function(const char *name)
{
	int			category = keyword_category(present(name));
	bool		reads = is_plain_word(name) && category != RESERVED_KEYWORD && category != COL_NAME_KEYWORD;

	return reads ? name : quote_identifier(name);
}

/* Returns a name for a ColId, or DEFAULT. The tree does not distinguish the keyword DEFAULT from the name default. */
static const char *
as_column_or_default(const char *name)
{
	return strcmp(name, "default") == 0 ? name : as_column(name);
}

/* Quotes the last word of the output if it is `word`. */
static void
quote_last_word(StringInfo str, const char *word)
{
	int			len = strlen(word);
	int			start = str->len - 1 - len;	/* a space follows it */

	if (start < 0 || pg_strncasecmp(str->data + start, word, len) != 0)
		return;
	if (start > 0 && str->data[start - 1] != ' ' && str->data[start - 1] != '(')
		return;
	str->len = start;
	appendStringInfo(str, "\"%s\" ", word);
}

/*
 * The parser's lookahead turns NULLS before FIRST or LAST, and WITHOUT before
 * TIME, into special tokens, even if the word is a name. The deparser appends
 * such a pair of keywords in one call. If the two words come from separate
 * calls, the first word is a name and must be quoted.
 */
static inline void
quote_before_lookahead(StringInfo str, const char *next)
{
	if (str->len == 0 || str->data[str->len - 1] != ' ' || (*next != 'f' && *next != 'l' && *next != 't'))
		return;
	if (strcmp(next, "first") == 0 || strcmp(next, "last") == 0)
		quote_last_word(str, "nulls");
	else if (strncmp(next, "time", 4) == 0)
		quote_last_word(str, "without");
}

/* Returns whether `word` is among `words`, which are separated by single spaces. */
static bool
is_one_of(const char *word, const char *words)
{
	size_t		len = strlen(word);
	const char *at = words;

	while (*at)
	{
		const char *end = strchr(at, ' ');
		size_t		here = end ? (size_t) (end - at) : strlen(at);

		if (here == len && strncmp(at, word, len) == 0)
			return true;
		at += here + (end ? 1 : 0);
	}
	return false;
}

static const char *
in_quotes(const char *name)
{
	StringInfoData quoted;

	initStringInfo(&quoted);
	appendStringInfoChar(&quoted, '"');
	for (const char *at = present(name); *at; at++)
	{
		if (*at == '"')
			appendStringInfoChar(&quoted, '"');
		appendStringInfoChar(&quoted, *at);
	}
	appendStringInfoChar(&quoted, '"');
	return quoted.data;
}

static const char *
quoted_if_one_of(const char *name, const char *words)
{
	return is_one_of(present(name), words) ? in_quotes(name) : quote_identifier(name);
}

/* Writes the name of a function call, or of a type with modifiers. A parenthesis follows the name. */
static void
write_call_name(DeparseState *state, const void *node, List *name)
{
	if (state->as_name == node && list_length(name) == 1 && strcmp(strVal(linitial(name)), "operator") == 0)
		deparseAppendStringInfoString(state, "\"operator\"");
	else
		deparseFuncName(state, name);
}

static void
write_in_capitals(DeparseState *state, const char *name)
{
	for (const char *at = name; *at; at++)
		deparseAppendStringInfoChar(state, pg_toupper((unsigned char) *at));
}

/* Writes a utility_option_name, which is ANALYZE or any word that is not reserved. */
static void
write_utility_option_name(DeparseState *state, const char *name)
{
	if (is_plain_word(name) && (keyword_category(name) != RESERVED_KEYWORD || strcmp(name, "analyze") == 0))
		write_in_capitals(state, name);
	else
		deparseAppendStringInfoString(state, quote_identifier(name));
}

/* Writes a createdb_opt_name, which is an identifier or one of a few keywords. */
static void
write_database_option_name(DeparseState *state, const char *name)
{
	if (is_plain_word(name) &&
		(keyword_category(name) < 0 || is_one_of(name, "encoding location owner tablespace template")))
		write_in_capitals(state, name);
	else
		deparseAppendStringInfoString(state, in_quotes(name));
}

/*
 * Writes a definition. The names of its options must be identifiers in the old
 * syntax (old_aggr_elem), and may be any labels in the new syntax.
 */
static void
write_define_options(DeparseState *state, DefineStmt *stmt)
{
	ListCell   *lc;

	if (!stmt->oldstyle)
	{
		deparseDefinition(state, stmt->definition);
		return;
	}
	deparseAppendStringInfoChar(state, '(');
	foreach(lc, stmt->definition)
	{
		DefElem    *option = castNode(DefElem, lfirst(lc));
		bool		keyword = keyword_category(present(option->defname)) >= 0;

		deparseAppendStringInfoString(state, keyword ? in_quotes(option->defname) : quote_identifier(option->defname));
		if (option->arg != NULL)
		{
			deparseAppendStringInfoString(state, " = ");
			deparseDefArg(state, option->arg, false);
		}
		if (lnext(stmt->definition, lc))
			deparseAppendStringInfoString(state, ", ");
	}
	deparseAppendStringInfoChar(state, ')');
}

static void
write_target_table(DeparseState *state, RangeVar *table)
{
	Alias	   *alias = table ? table->alias : NULL;

	if (alias != NULL && strcmp(alias->aliasname, "set") == 0)
	{
		RangeVar	without_alias = *table;

		without_alias.alias = NULL;
		deparseRangeVar(state, &without_alias, DEPARSE_NODE_CONTEXT_NONE);
		deparseAppendStringInfoString(state, " \"set\"");
	}
	else
		deparseRangeVar(state, table, DEPARSE_NODE_CONTEXT_NONE);
}

/*
 * Writes a setting's name, which is one string in the tree even if it contains
 * dots. Writes it as one identifier or, if it is too long for an identifier, as
 * one identifier per part.
 */
static void
write_setting_name(DeparseState *state, const char *name)
{
	bool		too_long = strlen(name) >= NAMEDATALEN;
	char	   *part = pstrdup(name);
	char	   *dot;

	while (too_long && (dot = strchr(part, '.')) != NULL)
	{
		*dot = '\0';
		deparseAppendStringInfoString(state, quote_identifier(part));
		deparseAppendStringInfoChar(state, '.');
		part = dot + 1;
	}
	deparseAppendStringInfoString(state, quote_identifier(part));
}

static void
write_setting_names(DeparseState *state, List *names)
{
	ListCell   *lc;

	foreach(lc, names)
	{
		write_setting_name(state, strVal(lfirst(lc)));
		if (lnext(names, lc))
			deparseAppendStringInfoString(state, ", ");
	}
}

static void
write_operator_name(DeparseState *state, List *name)
{
	ListCell   *lc;

	if (!isOp(strVal(llast(name))))
		not_a_tree("an operator has the name of something else");
	foreach(lc, name)
	{
		if (lnext(name, lc))
		{
			deparseAppendStringInfoString(state, quote_identifier(strVal(lfirst(lc))));
			deparseAppendStringInfoChar(state, '.');
		}
		else
			deparseAppendStringInfoString(state, strVal(lfirst(lc)));
	}
}

/*
 * Writes an operator after WITH. WITH ORDINALITY is a keyword pair, therefore
 * OPERATOR( is written between WITH and a schema named ordinality.
 */
static void
write_operator_behind_with(DeparseState *state, List *name)
{
	bool		apart = list_length(name) > 1 && strcmp(strVal(linitial(name)), "ordinality") == 0;

	if (apart)
		deparseAppendStringInfoString(state, "OPERATOR(");
	write_operator_name(state, name);
	if (apart)
		deparseAppendStringInfoChar(state, ')');
}
