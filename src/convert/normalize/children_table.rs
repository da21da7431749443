//! The children that PostgreSQL's raw_expression_tree_walker visits, in its order.
//!
//! Generated from src/postgres/src_backend_nodes_nodeFuncs.c of the pinned sources. Written by
//! `cargo xtask regenerate`.
//!
//! A row is a tag, its C struct and the visited fields. For example, `each args CaseWhen { expr; }`
//! visits the field `expr` of each member of the list `args`, but not the members themselves.
//! For a node without a row, raw_expression_tree_walker raises an error.

#[rustfmt::skip]
macro_rules! children {
    ($walk:ident) => {
        $walk! {
            T_JsonFormat JsonFormat { }
            T_SetToDefault SetToDefault { }
            T_CurrentOfExpr CurrentOfExpr { }
            T_SQLValueFunction SQLValueFunction { }
            T_Integer Integer { }
            T_Float Float { }
            T_Boolean Boolean { }
            T_String String { }
            T_BitString BitString { }
            T_ParamRef ParamRef { }
            T_A_Const A_Const { }
            T_A_Star A_Star { }
            T_MergeSupportFunc MergeSupportFunc { }
            T_ReturningOption ReturningOption { }
            T_Alias Alias { }
            T_RangeVar RangeVar { alias; }
            T_GroupingFunc GroupingFunc { args; }
            T_SubLink SubLink { testexpr; subselect; }
            T_CaseExpr CaseExpr { arg; each args CaseWhen { expr; result; }; defresult; }
            T_RowExpr RowExpr { args; }
            T_CoalesceExpr CoalesceExpr { args; }
            T_MinMaxExpr MinMaxExpr { args; }
            T_XmlExpr XmlExpr { named_args; args; }
            T_JsonReturning JsonReturning { format; }
            T_JsonValueExpr JsonValueExpr { raw_expr; formatted_expr; format; }
            T_JsonParseExpr JsonParseExpr { expr; output; }
            T_JsonScalarExpr JsonScalarExpr { expr; output; }
            T_JsonSerializeExpr JsonSerializeExpr { expr; output; }
            T_JsonConstructorExpr JsonConstructorExpr { args; func; coercion; returning; }
            T_JsonIsPredicate JsonIsPredicate { expr; }
            T_JsonArgument JsonArgument { val; }
            T_JsonFuncExpr JsonFuncExpr { context_item; pathspec; passing; output; on_empty; on_error; }
            T_JsonBehavior JsonBehavior { expr; }
            T_JsonTable JsonTable { context_item; pathspec; passing; columns; on_error; }
            T_JsonTableColumn JsonTableColumn { typeName; on_empty; on_error; columns; }
            T_JsonTablePathSpec JsonTablePathSpec { string; }
            T_NullTest NullTest { arg; }
            T_BooleanTest BooleanTest { arg; }
            T_JoinExpr JoinExpr { larg; rarg; quals; alias; }
            T_IntoClause IntoClause { rel; viewQuery; }
            T_InsertStmt InsertStmt { relation; cols; selectStmt; onConflictClause; returningClause; withClause; }
            T_DeleteStmt DeleteStmt { relation; usingClause; whereClause; returningClause; withClause; }
            T_UpdateStmt UpdateStmt { relation; targetList; whereClause; fromClause; returningClause; withClause; }
            T_MergeStmt MergeStmt { relation; sourceRelation; joinCondition; mergeWhenClauses; returningClause; withClause; }
            T_MergeWhenClause MergeWhenClause { condition; targetList; values; }
            T_ReturningClause ReturningClause { options; exprs; }
            T_SelectStmt SelectStmt { distinctClause; intoClause; targetList; fromClause; whereClause; groupClause; havingClause; windowClause; valuesLists; sortClause; limitOffset; limitCount; lockingClause; withClause; larg; rarg; }
            T_PLAssignStmt PLAssignStmt { indirection; val; }
            T_A_Expr A_Expr { lexpr; rexpr; }
            T_BoolExpr BoolExpr { args; }
            T_ColumnRef ColumnRef { }
            T_FuncCall FuncCall { args; agg_order; agg_filter; over; }
            T_NamedArgExpr NamedArgExpr { arg; }
            T_A_Indices A_Indices { lidx; uidx; }
            T_A_Indirection A_Indirection { arg; indirection; }
            T_A_ArrayExpr A_ArrayExpr { elements; }
            T_ResTarget ResTarget { indirection; val; }
            T_MultiAssignRef MultiAssignRef { source; }
            T_TypeCast TypeCast { arg; typeName; }
            T_CollateClause CollateClause { arg; }
            T_SortBy SortBy { node; }
            T_WindowDef WindowDef { partitionClause; orderClause; startOffset; endOffset; }
            T_RangeSubselect RangeSubselect { subquery; alias; }
            T_RangeFunction RangeFunction { functions; alias; coldeflist; }
            T_RangeTableSample RangeTableSample { relation; args; repeatable; }
            T_RangeTableFunc RangeTableFunc { docexpr; rowexpr; namespaces; columns; alias; }
            T_RangeTableFuncCol RangeTableFuncCol { colexpr; coldefexpr; }
            T_TypeName TypeName { typmods; arrayBounds; }
            T_ColumnDef ColumnDef { typeName; raw_default; collClause; }
            T_IndexElem IndexElem { expr; }
            T_GroupingSet GroupingSet { content; }
            T_LockingClause LockingClause { lockedRels; }
            T_XmlSerialize XmlSerialize { expr; typeName; }
            T_WithClause WithClause { ctes; }
            T_InferClause InferClause { indexElems; whereClause; }
            T_OnConflictClause OnConflictClause { infer; targetList; whereClause; }
            T_CommonTableExpr CommonTableExpr { ctequery; }
            T_JsonOutput JsonOutput { typeName; returning; }
            T_JsonKeyValue JsonKeyValue { key; value; }
            T_JsonObjectConstructor JsonObjectConstructor { output; exprs; }
            T_JsonArrayConstructor JsonArrayConstructor { output; exprs; }
            T_JsonAggConstructor JsonAggConstructor { output; agg_order; agg_filter; over; }
            T_JsonObjectAgg JsonObjectAgg { constructor; arg; }
            T_JsonArrayAgg JsonArrayAgg { constructor; arg; }
            T_JsonArrayQueryConstructor JsonArrayQueryConstructor { output; query; }
        }
    };
}
pub(crate) use children;
