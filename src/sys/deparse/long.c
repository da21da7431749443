/*
 * long.c - long chains (a UNION b UNION c ..., or a IS NULL IS NULL ...) without
 * unnecessary parentheses, and statements with many comments.
 *
 * The edits of build/fixes call these functions from libpg_query's deparser. If
 * libpg_query's SQL is correct, these functions write the same SQL.
 * src/sys/deparse.c includes this file.
 */

/*
 * Minimum length of a chain that is written without unnecessary parentheses.
 * libpg_query nests one pair of parentheses per link of a chain, but the parser
 * accepts only a few thousand nested pairs. Shorter chains keep libpg_query's
 * parentheses.
 */
#define LONG_CHAIN 1000

static bool
is_bare_set_operation(SelectStmt *stmt)
{
	return stmt != NULL && stmt->op != SETOP_NONE && stmt->sortClause == NIL && stmt->limitOffset == NULL &&
		stmt->limitCount == NULL && stmt->lockingClause == NIL && stmt->withClause == NULL;
}

/* Returns the left operand, or NULL if it needs parentheses. */
static SelectStmt *
bare_left_operand(SelectStmt *stmt)
{
	bool		bare = is_bare_set_operation(stmt->larg) &&
		(stmt->op != SETOP_INTERSECT || stmt->larg->op == SETOP_INTERSECT);

	return bare ? stmt->larg : NULL;
}

/*
 * Returns whether the left operand of a set operation is part of a long chain
 * and needs no parentheses. `state` caches the part of the chain that is
 * already checked. Without this cache, the calls for all links of the chain
 * would take quadratic time.
 */
static bool
stands_without_parens(DeparseState *state, SelectStmt *stmt)
{
	SelectStmt *ahead = stmt;

	if (state->chain == stmt)
		ahead = state->chain_ahead;
	else
		for (int i = 0; i < LONG_CHAIN && ahead != NULL; i++)
			ahead = bare_left_operand(ahead);
	if (ahead == NULL || (ahead = bare_left_operand(ahead)) == NULL)
		return false;
	state->chain = stmt->larg;
	state->chain_ahead = ahead;
	return true;
}

/* Returns the operand of IS NULL or a similar postfix test; NULL for any other expression. */
static Node *
tested_by_is(Node *node)
{
	if (node == NULL)
		return NULL;
	switch (nodeTag(node))
	{
		case T_NullTest:
			return (Node *) ((NullTest *) node)->arg;
		case T_BooleanTest:
			return (Node *) ((BooleanTest *) node)->arg;
		case T_JsonIsPredicate:
			return ((JsonIsPredicate *) node)->expr;
		case T_XmlExpr:
			return ((XmlExpr *) node)->op == IS_DOCUMENT ? linitial(((XmlExpr *) node)->args) : NULL;
		case T_FuncCall:
			return isSqlSyntaxFuncCall((FuncCall *) node, "is_normalized") ? linitial(((FuncCall *) node)->args) : NULL;
		default:
			return NULL;
	}
}

static bool
is_long_chain(Node *node)
{
	for (int length = 0; length < LONG_CHAIN; length++)
		if ((node = tested_by_is(node)) == NULL)
			return false;
	return true;
}

static bool
comments_in_order(PostgresDeparseOpts *opts)
{
	for (int i = 1; i < opts->comment_count; i++)
		if (opts->comments[i]->match_location < opts->comments[i - 1]->match_location)
			return false;
	return true;
}

/* Returns the index of the first unwritten comment. */
static int
first_comment(DeparseState *state)
{
	while (state->first_comment < state->opts->comment_count &&
		   bms_is_member(state->first_comment, state->emitted_comments))
		state->first_comment++;
	return state->first_comment;
}
