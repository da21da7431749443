/*
 * expressions.c - expressions that libpg_query deparses incorrectly.
 *
 * The edits of build/fixes call these functions from libpg_query's deparser. If
 * libpg_query's SQL is correct, these functions write the same SQL.
 * src/sys/deparse.c includes this file.
 */

/*
 * Returns whether a prefix operator must be written with OPERATOR(). This
 * applies to operators with their own token in the grammar, except + and -.
 * (All other operators have the token Op.) Also returns true for - before a
 * number, because the minus would otherwise belong to the number.
 */
static bool
is_spelled_out(A_Expr *expr)
{
	const char *name;
	A_Const    *number = (A_Const *) expr->rexpr;

	if (expr->kind != AEXPR_OP || expr->lexpr != NULL || list_length(expr->name) != 1)
		return false;
	name = strVal(linitial(expr->name));
	if (strcmp(name, "-") == 0)
		return number != NULL && IsA(number, A_Const) && !number->isnull &&
			(IsA(&number->val, Integer) || IsA(&number->val, Float));
	return is_one_of(name, "* / % ^ < > = <= >= <>");
}

/* Returns whether an option's value is an operator that would merge with the preceding equals sign. */
static bool
joins_equals(Node *value)
{
	return IsA(value, List) && list_length(value) == 1 && !is_one_of(strVal(linitial(value)), "+ -");
}

/* Returns whether an expression starts with a call of a function named cube or rollup. */
static bool
starts_as_grouping_set(Node *node)
{
	while (node != NULL)
	{
		switch (nodeTag(node))
		{
			case T_FuncCall:
				{
					FuncCall   *call = (FuncCall *) node;

					if (isSqlSyntaxFuncCall(call, "timezone"))
						node = llast(call->args);
					else if (isSqlSyntaxFuncCall(call, "is_normalized"))
						node = linitial(call->args);
					else
						return list_length(call->funcname) == 1 &&
							is_one_of(strVal(linitial(call->funcname)), "cube rollup");
					break;
				}
			case T_A_Expr:
				if (((A_Expr *) node)->kind == AEXPR_NULLIF)
					return false;
				node = ((A_Expr *) node)->lexpr;
				break;
			case T_BoolExpr:
				if (((BoolExpr *) node)->boolop == NOT_EXPR)
					return false;
				node = linitial(((BoolExpr *) node)->args);
				break;
			case T_TypeCast:
				node = ((TypeCast *) node)->arg;
				break;
			case T_CollateClause:
				node = ((CollateClause *) node)->arg;
				break;
			case T_NullTest:
				node = (Node *) ((NullTest *) node)->arg;
				break;
			case T_BooleanTest:
				node = (Node *) ((BooleanTest *) node)->arg;
				break;
			case T_JsonIsPredicate:
				node = ((JsonIsPredicate *) node)->expr;
				break;
			case T_SubLink:
				node = ((SubLink *) node)->testexpr;
				break;
			case T_XmlExpr:
				if (((XmlExpr *) node)->op != IS_DOCUMENT)
					return false;
				node = linitial(((XmlExpr *) node)->args);
				break;
			default:
				return false;
		}
	}
	return false;
}

static void
write_group_by_item(DeparseState *state, Node *item)
{
	bool		parens = starts_as_grouping_set(item);

	if (parens)
		deparseAppendStringInfoChar(state, '(');
	deparseExpr(state, item, DEPARSE_NODE_CONTEXT_A_EXPR);
	if (parens)
		deparseAppendStringInfoChar(state, ')');
}

/* Writes an expression where the grammar requires a c_expr. A negative number needs parentheses there. */
static void
write_closed_expr(DeparseState *state, Node *node)
{
	A_Const    *constant = (A_Const *) node;
	bool		negative = node != NULL && IsA(node, A_Const) && !constant->isnull &&
		((IsA(&constant->val, Integer) && constant->val.ival.ival < 0) ||
		 (IsA(&constant->val, Float) && present(constant->val.fval.fval)[0] == '-'));

	if (negative)
		deparseAppendStringInfoChar(state, '(');
	deparseCExpr(state, node);
	if (negative)
		deparseAppendStringInfoChar(state, ')');
}

static void
write_frame_offset(DeparseState *state, Node *offset)
{
	bool		keyword = offset != NULL && IsA(offset, ColumnRef) &&
		list_length(((ColumnRef *) offset)->fields) == 1 &&
		IsA(linitial(((ColumnRef *) offset)->fields), String) &&
		strcmp(strVal(linitial(((ColumnRef *) offset)->fields)), "unbounded") == 0;

	if (keyword)
		deparseAppendStringInfoString(state, "\"unbounded\"");
	else
		deparseExpr(state, offset, DEPARSE_NODE_CONTEXT_A_EXPR);
}

/* Writes the alternatives of func_expr_windowless that look like function calls but are not a FuncCall. */
static void
write_function_like(DeparseState *state, Node *node)
{
	switch (nodeTag(node))
	{
		case T_JsonObjectAgg:
		case T_JsonArrayAgg:
		case T_JsonObjectConstructor:
		case T_JsonArrayConstructor:
		case T_JsonArrayQueryConstructor:
		case T_JsonParseExpr:
		case T_JsonScalarExpr:
		case T_JsonSerializeExpr:
		case T_JsonFuncExpr:
		case T_MergeSupportFunc:
			break;
		case T_A_Expr:
			if (((A_Expr *) node)->kind == AEXPR_NULLIF)
				break;
			/* FALLTHROUGH */
		default:
			not_a_tree("an expression where a function is called");
	}
	deparseExpr(state, node, DEPARSE_NODE_CONTEXT_A_EXPR);
}

static void
write_whitespace_option(DeparseState *state, XmlExpr *parse)
{
	A_Const    *preserve = castNode(A_Const, lsecond(parse->args));

	if (boolVal(&preserve->val))
		deparseAppendStringInfoString(state, " preserve whitespace");
}

/* Writes TRIM with more than two arguments. The last argument is the set of characters to trim. */
static bool
write_trim_list(DeparseState *state, List *args)
{
	if (list_length(args) < 3)
		return false;
	deparseExprList(state, args);
	deparseAppendStringInfoChar(state, ')');
	return true;
}

static bool
has_window_clauses(Node *node)
{
	FuncCall   *call = (FuncCall *) node;

	return IsA(node, FuncCall) && (call->agg_filter != NULL || call->over != NULL || call->agg_within_group);
}
