//! The fields that count in a fingerprint, for every node and in the order of their tokens.
//!
//! Generated from src/include/pg_query_fingerprint_*.c of the pinned sources. Written by
//! `cargo xtask regenerate`.
//!
//! A row looks like this:
//!
//! ```text
//! T_SelectStmt SelectStmt "SelectStmt" always {
//!     list distinctClause "distinctClause";
//! ```
//!
//! The first line has the tag, the C struct, the token that opens the node, and the condition under
//! which the node counts: `always`, `never`, or `unless_of_constant`. Each other line has a field's kind, its name
//! in C, its token, and its type if the kind needs one. The kinds are the kinds of the node table
//! (src/convert/nodes.rs) and five more: `same_level`, a struct inside the node that does not add
//! to the depth; `inside`, a node inside the node; `text_of`, the text of a String node;
//! `expression_kind` and `result_name`, whose rules are in fields.rs.

#[rustfmt::skip]
macro_rules! fingerprints {
    ($walk:ident) => {
        $walk! {
            T_Alias Alias "Alias" never {
            }
            T_TableFunc TableFunc "TableFunc" always {
                list colcollations "colcollations";
                list coldefexprs "coldefexprs";
                list colexprs "colexprs";
                list colnames "colnames";
                list coltypes "coltypes";
                list coltypmods "coltypmods";
                list colvalexprs "colvalexprs";
                node docexpr "docexpr";
                enum_ functype "functype": TableFuncType;
                bitmapset notnulls "notnulls";
                list ns_names "ns_names";
                list ns_uris "ns_uris";
                int ordinalitycol "ordinalitycol";
                list passingvalexprs "passingvalexprs";
                node plan "plan";
                node rowexpr "rowexpr";
            }
            T_IntoClause IntoClause "IntoClause" always {
                string accessMethod "accessMethod";
                list colNames "colNames";
                enum_ onCommit "onCommit": OnCommitAction;
                list options "options";
                message rel "rel": RangeVar;
                bool skipData "skipData";
                string tableSpaceName "tableSpaceName";
                message viewQuery "viewQuery": Query;
            }
            T_Var Var "Var" always {
                int varattno "varattno";
                int varcollid "varcollid";
                int varlevelsup "varlevelsup";
                int varno "varno";
                bitmapset varnullingrels "varnullingrels";
                enum_ varreturningtype "varreturningtype": VarReturningType;
                int vartype "vartype";
                int vartypmod "vartypmod";
            }
            T_Const Const "Const" always {
                bool constbyval "constbyval";
                int constcollid "constcollid";
                bool constisnull "constisnull";
                int constlen "constlen";
                int consttype "consttype";
                int consttypmod "consttypmod";
            }
            T_Param Param "Param" always {
                int paramcollid "paramcollid";
                int paramid "paramid";
                enum_ paramkind "paramkind": ParamKind;
                int paramtype "paramtype";
                int paramtypmod "paramtypmod";
            }
            T_Aggref Aggref "Aggref" always {
                list aggargtypes "aggargtypes";
                int aggcollid "aggcollid";
                list aggdirectargs "aggdirectargs";
                list aggdistinct "aggdistinct";
                node aggfilter "aggfilter";
                int aggfnoid "aggfnoid";
                char aggkind "aggkind";
                int agglevelsup "agglevelsup";
                int aggno "aggno";
                list aggorder "aggorder";
                enum_ aggsplit "aggsplit": AggSplit;
                bool aggstar "aggstar";
                int aggtransno "aggtransno";
                int aggtype "aggtype";
                bool aggvariadic "aggvariadic";
                list args "args";
                int inputcollid "inputcollid";
            }
            T_GroupingFunc GroupingFunc "GroupingFunc" always {
                int agglevelsup "agglevelsup";
                list args "args";
                list refs "refs";
            }
            T_WindowFunc WindowFunc "WindowFunc" always {
                node aggfilter "aggfilter";
                list args "args";
                int inputcollid "inputcollid";
                list runCondition "runCondition";
                bool winagg "winagg";
                int wincollid "wincollid";
                int winfnoid "winfnoid";
                int winref "winref";
                bool winstar "winstar";
                int wintype "wintype";
            }
            T_WindowFuncRunCondition WindowFuncRunCondition "WindowFuncRunCondition" always {
                node arg "arg";
                int inputcollid "inputcollid";
                int opno "opno";
                bool wfunc_left "wfunc_left";
            }
            T_MergeSupportFunc MergeSupportFunc "MergeSupportFunc" always {
                int msfcollid "msfcollid";
                int msftype "msftype";
            }
            T_SubscriptingRef SubscriptingRef "SubscriptingRef" always {
                node refassgnexpr "refassgnexpr";
                int refcollid "refcollid";
                int refcontainertype "refcontainertype";
                int refelemtype "refelemtype";
                node refexpr "refexpr";
                list reflowerindexpr "reflowerindexpr";
                int refrestype "refrestype";
                int reftypmod "reftypmod";
                list refupperindexpr "refupperindexpr";
            }
            T_FuncExpr FuncExpr "FuncExpr" always {
                list args "args";
                int funccollid "funccollid";
                enum_ funcformat "funcformat": CoercionForm;
                int funcid "funcid";
                int funcresulttype "funcresulttype";
                bool funcretset "funcretset";
                bool funcvariadic "funcvariadic";
                int inputcollid "inputcollid";
            }
            T_NamedArgExpr NamedArgExpr "NamedArgExpr" always {
                node arg "arg";
                int argnumber "argnumber";
                string name "name";
            }
            T_OpExpr OpExpr "OpExpr" always {
                list args "args";
                int inputcollid "inputcollid";
                int opcollid "opcollid";
                int opno "opno";
                int opresulttype "opresulttype";
                bool opretset "opretset";
            }
            T_ScalarArrayOpExpr ScalarArrayOpExpr "ScalarArrayOpExpr" always {
                list args "args";
                int inputcollid "inputcollid";
                int opno "opno";
                bool useOr "useOr";
            }
            T_BoolExpr BoolExpr "BoolExpr" always {
                list args "args";
                enum_ boolop "boolop": BoolExprType;
            }
            T_SubLink SubLink "SubLink" always {
                list operName "operName";
                int subLinkId "subLinkId";
                enum_ subLinkType "subLinkType": SubLinkType;
                node subselect "subselect";
                node testexpr "testexpr";
            }
            T_SubPlan SubPlan "SubPlan" always {
                list args "args";
                int firstColCollation "firstColCollation";
                int firstColType "firstColType";
                int firstColTypmod "firstColTypmod";
                list parParam "parParam";
                bool parallel_safe "parallel_safe";
                list paramIds "paramIds";
                float per_call_cost "per_call_cost";
                int plan_id "plan_id";
                string plan_name "plan_name";
                list setParam "setParam";
                float startup_cost "startup_cost";
                enum_ subLinkType "subLinkType": SubLinkType;
                node testexpr "testexpr";
                bool unknownEqFalse "unknownEqFalse";
                bool useHashTable "useHashTable";
            }
            T_AlternativeSubPlan AlternativeSubPlan "AlternativeSubPlan" always {
                list subplans "subplans";
            }
            T_FieldSelect FieldSelect "FieldSelect" always {
                node arg "arg";
                int fieldnum "fieldnum";
                int resultcollid "resultcollid";
                int resulttype "resulttype";
                int resulttypmod "resulttypmod";
            }
            T_FieldStore FieldStore "FieldStore" always {
                node arg "arg";
                list fieldnums "fieldnums";
                list newvals "newvals";
                int resulttype "resulttype";
            }
            T_RelabelType RelabelType "RelabelType" always {
                node arg "arg";
                enum_ relabelformat "relabelformat": CoercionForm;
                int resultcollid "resultcollid";
                int resulttype "resulttype";
                int resulttypmod "resulttypmod";
            }
            T_CoerceViaIO CoerceViaIO "CoerceViaIO" always {
                node arg "arg";
                enum_ coerceformat "coerceformat": CoercionForm;
                int resultcollid "resultcollid";
                int resulttype "resulttype";
            }
            T_ArrayCoerceExpr ArrayCoerceExpr "ArrayCoerceExpr" always {
                node arg "arg";
                enum_ coerceformat "coerceformat": CoercionForm;
                node elemexpr "elemexpr";
                int resultcollid "resultcollid";
                int resulttype "resulttype";
                int resulttypmod "resulttypmod";
            }
            T_ConvertRowtypeExpr ConvertRowtypeExpr "ConvertRowtypeExpr" always {
                node arg "arg";
                enum_ convertformat "convertformat": CoercionForm;
                int resulttype "resulttype";
            }
            T_CollateExpr CollateExpr "CollateExpr" always {
                node arg "arg";
                int collOid "collOid";
            }
            T_CaseExpr CaseExpr "CaseExpr" always {
                node arg "arg";
                list args "args";
                int casecollid "casecollid";
                int casetype "casetype";
                node defresult "defresult";
            }
            T_CaseWhen CaseWhen "CaseWhen" always {
                node expr "expr";
                node result "result";
            }
            T_CaseTestExpr CaseTestExpr "CaseTestExpr" always {
                int collation "collation";
                int typeId "typeId";
                int typeMod "typeMod";
            }
            T_ArrayExpr ArrayExpr "ArrayExpr" always {
                int array_collid "array_collid";
                int array_typeid "array_typeid";
                int element_typeid "element_typeid";
                list elements "elements";
                bool multidims "multidims";
            }
            T_RowExpr RowExpr "RowExpr" always {
                list args "args";
                list colnames "colnames";
                enum_ row_format "row_format": CoercionForm;
                int row_typeid "row_typeid";
            }
            T_RowCompareExpr RowCompareExpr "RowCompareExpr" always {
                enum_ cmptype "cmptype": CompareType;
                list inputcollids "inputcollids";
                list largs "largs";
                list opfamilies "opfamilies";
                list opnos "opnos";
                list rargs "rargs";
            }
            T_CoalesceExpr CoalesceExpr "CoalesceExpr" always {
                list args "args";
                int coalescecollid "coalescecollid";
                int coalescetype "coalescetype";
            }
            T_MinMaxExpr MinMaxExpr "MinMaxExpr" always {
                list args "args";
                int inputcollid "inputcollid";
                int minmaxcollid "minmaxcollid";
                int minmaxtype "minmaxtype";
                enum_ op "op": MinMaxOp;
            }
            T_SQLValueFunction SQLValueFunction "SQLValueFunction" always {
                enum_ op "op": SQLValueFunctionOp;
                int type_ "type";
                int typmod "typmod";
            }
            T_XmlExpr XmlExpr "XmlExpr" always {
                list arg_names "arg_names";
                list args "args";
                bool indent "indent";
                string name "name";
                list named_args "named_args";
                enum_ op "op": XmlExprOp;
                int type_ "type";
                int typmod "typmod";
                enum_ xmloption "xmloption": XmlOptionType;
            }
            T_JsonFormat JsonFormat "JsonFormat" always {
                enum_ encoding "encoding": JsonEncoding;
                enum_ format_type "format_type": JsonFormatType;
            }
            T_JsonReturning JsonReturning "JsonReturning" always {
                message format "format": JsonFormat;
                int typid "typid";
                int typmod "typmod";
            }
            T_JsonValueExpr JsonValueExpr "JsonValueExpr" always {
                message format "format": JsonFormat;
                node formatted_expr "formatted_expr";
                node raw_expr "raw_expr";
            }
            T_JsonConstructorExpr JsonConstructorExpr "JsonConstructorExpr" always {
                bool absent_on_null "absent_on_null";
                list args "args";
                node coercion "coercion";
                node func "func";
                message returning "returning": JsonReturning;
                enum_ type_ "type": JsonConstructorType;
                bool unique "unique";
            }
            T_JsonIsPredicate JsonIsPredicate "JsonIsPredicate" always {
                node expr "expr";
                message format "format": JsonFormat;
                enum_ item_type "item_type": JsonValueType;
                bool unique_keys "unique_keys";
            }
            T_JsonBehavior JsonBehavior "JsonBehavior" always {
                enum_ btype "btype": JsonBehaviorType;
                bool coerce "coerce";
                node expr "expr";
            }
            T_JsonExpr JsonExpr "JsonExpr" always {
                int collation "collation";
                string column_name "column_name";
                message format "format": JsonFormat;
                node formatted_expr "formatted_expr";
                bool omit_quotes "omit_quotes";
                message on_empty "on_empty": JsonBehavior;
                message on_error "on_error": JsonBehavior;
                enum_ op "op": JsonExprOp;
                list passing_names "passing_names";
                list passing_values "passing_values";
                node path_spec "path_spec";
                message returning "returning": JsonReturning;
                bool use_io_coercion "use_io_coercion";
                bool use_json_coercion "use_json_coercion";
                enum_ wrapper "wrapper": JsonWrapper;
            }
            T_JsonTablePath JsonTablePath "JsonTablePath" always {
                string name "name";
            }
            T_JsonTablePathScan JsonTablePathScan "JsonTablePathScan" always {
                node child "child";
                int colMax "colMax";
                int colMin "colMin";
                bool errorOnError "errorOnError";
                message path "path": JsonTablePath;
                inside plan "plan";
            }
            T_JsonTableSiblingJoin JsonTableSiblingJoin "JsonTableSiblingJoin" always {
                node lplan "lplan";
                inside plan "plan";
                node rplan "rplan";
            }
            T_NullTest NullTest "NullTest" always {
                node arg "arg";
                bool argisrow "argisrow";
                enum_ nulltesttype "nulltesttype": NullTestType;
            }
            T_BooleanTest BooleanTest "BooleanTest" always {
                node arg "arg";
                enum_ booltesttype "booltesttype": BoolTestType;
            }
            T_MergeAction MergeAction "MergeAction" always {
                enum_ commandType "commandType": CmdType;
                enum_ matchKind "matchKind": MergeMatchKind;
                enum_ override_ "override": OverridingKind;
                node qual "qual";
                list targetList "targetList";
                list updateColnos "updateColnos";
            }
            T_CoerceToDomain CoerceToDomain "CoerceToDomain" always {
                node arg "arg";
                enum_ coercionformat "coercionformat": CoercionForm;
                int resultcollid "resultcollid";
                int resulttype "resulttype";
                int resulttypmod "resulttypmod";
            }
            T_CoerceToDomainValue CoerceToDomainValue "CoerceToDomainValue" always {
                int collation "collation";
                int typeId "typeId";
                int typeMod "typeMod";
            }
            T_SetToDefault SetToDefault "SetToDefault" never {
            }
            T_CurrentOfExpr CurrentOfExpr "CurrentOfExpr" always {
                string cursor_name "cursor_name";
                int cursor_param "cursor_param";
                int cvarno "cvarno";
            }
            T_NextValueExpr NextValueExpr "NextValueExpr" always {
                int seqid "seqid";
                int typeId "typeId";
            }
            T_InferenceElem InferenceElem "InferenceElem" always {
                node expr "expr";
                int infercollid "infercollid";
                int inferopclass "inferopclass";
            }
            T_ReturningExpr ReturningExpr "ReturningExpr" always {
                node retexpr "retexpr";
                int retlevelsup "retlevelsup";
                bool retold "retold";
            }
            T_TargetEntry TargetEntry "TargetEntry" always {
                node expr "expr";
                bool resjunk "resjunk";
                string resname "resname";
                int resno "resno";
                int resorigcol "resorigcol";
                int resorigtbl "resorigtbl";
                int ressortgroupref "ressortgroupref";
            }
            T_RangeTblRef RangeTblRef "RangeTblRef" always {
                int rtindex "rtindex";
            }
            T_JoinExpr JoinExpr "JoinExpr" always {
                message alias "alias": Alias;
                bool isNatural "isNatural";
                message join_using_alias "join_using_alias": Alias;
                enum_ jointype "jointype": JoinType;
                node larg "larg";
                node quals "quals";
                node rarg "rarg";
                int rtindex "rtindex";
                list usingClause "usingClause";
            }
            T_FromExpr FromExpr "FromExpr" always {
                list fromlist "fromlist";
                node quals "quals";
            }
            T_OnConflictExpr OnConflictExpr "OnConflictExpr" always {
                enum_ action "action": OnConflictAction;
                list arbiterElems "arbiterElems";
                node arbiterWhere "arbiterWhere";
                int constraint "constraint";
                int exclRelIndex "exclRelIndex";
                list exclRelTlist "exclRelTlist";
                list onConflictSet "onConflictSet";
                node onConflictWhere "onConflictWhere";
            }
            T_Query Query "Query" always {
                bool canSetTag "canSetTag";
                enum_ commandType "commandType": CmdType;
                list constraintDeps "constraintDeps";
                list cteList "cteList";
                list distinctClause "distinctClause";
                list groupClause "groupClause";
                bool groupDistinct "groupDistinct";
                list groupingSets "groupingSets";
                bool hasAggs "hasAggs";
                bool hasDistinctOn "hasDistinctOn";
                bool hasForUpdate "hasForUpdate";
                bool hasGroupRTE "hasGroupRTE";
                bool hasModifyingCTE "hasModifyingCTE";
                bool hasRecursive "hasRecursive";
                bool hasRowSecurity "hasRowSecurity";
                bool hasSubLinks "hasSubLinks";
                bool hasTargetSRFs "hasTargetSRFs";
                bool hasWindowFuncs "hasWindowFuncs";
                node havingQual "havingQual";
                bool isReturn "isReturn";
                message jointree "jointree": FromExpr;
                node limitCount "limitCount";
                node limitOffset "limitOffset";
                enum_ limitOption "limitOption": LimitOption;
                list mergeActionList "mergeActionList";
                node mergeJoinCondition "mergeJoinCondition";
                int mergeTargetRelation "mergeTargetRelation";
                message onConflict "onConflict": OnConflictExpr;
                enum_ override_ "override": OverridingKind;
                enum_ querySource "querySource": QuerySource;
                int resultRelation "resultRelation";
                list returningList "returningList";
                string returningNewAlias "returningNewAlias";
                string returningOldAlias "returningOldAlias";
                list rowMarks "rowMarks";
                list rtable "rtable";
                list rteperminfos "rteperminfos";
                node setOperations "setOperations";
                list sortClause "sortClause";
                int stmt_len "stmt_len";
                int stmt_location "stmt_location";
                list targetList "targetList";
                node utilityStmt "utilityStmt";
                list windowClause "windowClause";
                list withCheckOptions "withCheckOptions";
            }
            T_TypeName TypeName "TypeName" always {
                list arrayBounds "arrayBounds";
                list names "names";
                bool pct_type "pct_type";
                bool setof "setof";
                int typeOid "typeOid";
                int typemod "typemod";
                list typmods "typmods";
            }
            T_ColumnRef ColumnRef "ColumnRef" always {
                list fields "fields";
            }
            T_ParamRef ParamRef "ParamRef" never {
            }
            T_A_Expr A_Expr "A_Expr" always {
                expression_kind kind "kind";
                node lexpr "lexpr";
                list name "name";
                node rexpr "rexpr";
            }
            T_TypeCast TypeCast "TypeCast" unless_of_constant {
                node arg "arg";
                message typeName "typeName": TypeName;
            }
            T_CollateClause CollateClause "CollateClause" always {
                node arg "arg";
                list collname "collname";
            }
            T_RoleSpec RoleSpec "RoleSpec" always {
                enum_ roletype "roletype": RoleSpecType;
            }
            T_FuncCall FuncCall "FuncCall" always {
                bool agg_distinct "agg_distinct";
                node agg_filter "agg_filter";
                list agg_order "agg_order";
                bool agg_star "agg_star";
                bool agg_within_group "agg_within_group";
                list args "args";
                bool func_variadic "func_variadic";
                enum_ funcformat "funcformat": CoercionForm;
                list funcname "funcname";
                message over "over": WindowDef;
            }
            T_A_Star A_Star "A_Star" always {
            }
            T_A_Indices A_Indices "A_Indices" always {
                bool is_slice "is_slice";
                node lidx "lidx";
                node uidx "uidx";
            }
            T_A_Indirection A_Indirection "A_Indirection" always {
                node arg "arg";
                list indirection "indirection";
            }
            T_A_ArrayExpr A_ArrayExpr "A_ArrayExpr" always {
                list elements "elements";
            }
            T_ResTarget ResTarget "ResTarget" always {
                list indirection "indirection";
                result_name name "name";
                node val "val";
            }
            T_MultiAssignRef MultiAssignRef "MultiAssignRef" always {
                int colno "colno";
                int ncolumns "ncolumns";
                node source "source";
            }
            T_SortBy SortBy "SortBy" always {
                node node "node";
                enum_ sortby_dir "sortby_dir": SortByDir;
                enum_ sortby_nulls "sortby_nulls": SortByNulls;
                list useOp "useOp";
            }
            T_WindowDef WindowDef "WindowDef" always {
                node endOffset "endOffset";
                int frameOptions "frameOptions";
                string name "name";
                list orderClause "orderClause";
                list partitionClause "partitionClause";
                string refname "refname";
                node startOffset "startOffset";
            }
            T_RangeSubselect RangeSubselect "RangeSubselect" always {
                message alias "alias": Alias;
                bool lateral "lateral";
                node subquery "subquery";
            }
            T_RangeFunction RangeFunction "RangeFunction" always {
                message alias "alias": Alias;
                list coldeflist "coldeflist";
                list functions "functions";
                bool is_rowsfrom "is_rowsfrom";
                bool lateral "lateral";
                bool ordinality "ordinality";
            }
            T_RangeTableFunc RangeTableFunc "RangeTableFunc" always {
                message alias "alias": Alias;
                list columns "columns";
                node docexpr "docexpr";
                bool lateral "lateral";
                list namespaces "namespaces";
                node rowexpr "rowexpr";
            }
            T_RangeTableFuncCol RangeTableFuncCol "RangeTableFuncCol" always {
                node coldefexpr "coldefexpr";
                node colexpr "colexpr";
                string colname "colname";
                bool for_ordinality "for_ordinality";
                bool is_not_null "is_not_null";
                message typeName "typeName": TypeName;
            }
            T_RangeTableSample RangeTableSample "RangeTableSample" always {
                list args "args";
                list method "method";
                node relation "relation";
                node repeatable "repeatable";
            }
            T_ColumnDef ColumnDef "ColumnDef" always {
                message collClause "collClause": CollateClause;
                int collOid "collOid";
                string colname "colname";
                string compression "compression";
                list constraints "constraints";
                node cooked_default "cooked_default";
                list fdwoptions "fdwoptions";
                char generated "generated";
                char identity "identity";
                message identitySequence "identitySequence": RangeVar;
                int inhcount "inhcount";
                bool is_from_type "is_from_type";
                bool is_local "is_local";
                bool is_not_null "is_not_null";
                node raw_default "raw_default";
                char storage "storage";
                string storage_name "storage_name";
                message typeName "typeName": TypeName;
            }
            T_TableLikeClause TableLikeClause "TableLikeClause" always {
                int options "options";
                message relation "relation": RangeVar;
                int relationOid "relationOid";
            }
            T_IndexElem IndexElem "IndexElem" always {
                list collation "collation";
                node expr "expr";
                string indexcolname "indexcolname";
                string name "name";
                enum_ nulls_ordering "nulls_ordering": SortByNulls;
                list opclass "opclass";
                list opclassopts "opclassopts";
                enum_ ordering "ordering": SortByDir;
            }
            T_DefElem DefElem "DefElem" always {
                node arg "arg";
                enum_ defaction "defaction": DefElemAction;
                string defname "defname";
                string defnamespace "defnamespace";
            }
            T_LockingClause LockingClause "LockingClause" always {
                list lockedRels "lockedRels";
                enum_ strength "strength": LockClauseStrength;
                enum_ waitPolicy "waitPolicy": LockWaitPolicy;
            }
            T_XmlSerialize XmlSerialize "XmlSerialize" always {
                node expr "expr";
                bool indent "indent";
                message typeName "typeName": TypeName;
                enum_ xmloption "xmloption": XmlOptionType;
            }
            T_PartitionElem PartitionElem "PartitionElem" always {
                list collation "collation";
                node expr "expr";
                string name "name";
                list opclass "opclass";
            }
            T_PartitionSpec PartitionSpec "PartitionSpec" always {
                list partParams "partParams";
                enum_ strategy "strategy": PartitionStrategy;
            }
            T_PartitionBoundSpec PartitionBoundSpec "PartitionBoundSpec" always {
                bool is_default "is_default";
                list listdatums "listdatums";
                list lowerdatums "lowerdatums";
                int modulus "modulus";
                int remainder "remainder";
                char strategy "strategy";
                list upperdatums "upperdatums";
            }
            T_PartitionRangeDatum PartitionRangeDatum "PartitionRangeDatum" always {
                enum_ kind "kind": PartitionRangeDatumKind;
                node value "value";
            }
            T_PartitionCmd PartitionCmd "PartitionCmd" always {
                message bound "bound": PartitionBoundSpec;
                bool concurrent "concurrent";
                message name "name": RangeVar;
            }
            T_RangeTblEntry RangeTblEntry "RangeTblEntry" always {
                message alias "alias": Alias;
                list colcollations "colcollations";
                list coltypes "coltypes";
                list coltypmods "coltypmods";
                int ctelevelsup "ctelevelsup";
                string ctename "ctename";
                string enrname "enrname";
                float enrtuples "enrtuples";
                message eref "eref": Alias;
                bool funcordinality "funcordinality";
                list functions "functions";
                list groupexprs "groupexprs";
                bool inFromCl "inFromCl";
                bool inh "inh";
                message join_using_alias "join_using_alias": Alias;
                list joinaliasvars "joinaliasvars";
                list joinleftcols "joinleftcols";
                int joinmergedcols "joinmergedcols";
                list joinrightcols "joinrightcols";
                enum_ jointype "jointype": JoinType;
                bool lateral "lateral";
                int perminfoindex "perminfoindex";
                int relid "relid";
                char relkind "relkind";
                int rellockmode "rellockmode";
                enum_ rtekind "rtekind": RTEKind;
                list securityQuals "securityQuals";
                bool security_barrier "security_barrier";
                bool self_reference "self_reference";
                message subquery "subquery": Query;
                message tablefunc "tablefunc": TableFunc;
                message tablesample "tablesample": TableSampleClause;
                list values_lists "values_lists";
            }
            T_RTEPermissionInfo RTEPermissionInfo "RTEPermissionInfo" always {
                int checkAsUser "checkAsUser";
                bool inh "inh";
                bitmapset insertedCols "insertedCols";
                int relid "relid";
                uint64 requiredPerms "requiredPerms";
                bitmapset selectedCols "selectedCols";
                bitmapset updatedCols "updatedCols";
            }
            T_RangeTblFunction RangeTblFunction "RangeTblFunction" always {
                list funccolcollations "funccolcollations";
                int funccolcount "funccolcount";
                list funccolnames "funccolnames";
                list funccoltypes "funccoltypes";
                list funccoltypmods "funccoltypmods";
                node funcexpr "funcexpr";
                bitmapset funcparams "funcparams";
            }
            T_TableSampleClause TableSampleClause "TableSampleClause" always {
                list args "args";
                node repeatable "repeatable";
                int tsmhandler "tsmhandler";
            }
            T_WithCheckOption WithCheckOption "WithCheckOption" always {
                bool cascaded "cascaded";
                enum_ kind "kind": WCOKind;
                string polname "polname";
                node qual "qual";
                string relname "relname";
            }
            T_SortGroupClause SortGroupClause "SortGroupClause" always {
                int eqop "eqop";
                bool hashable "hashable";
                bool nulls_first "nulls_first";
                bool reverse_sort "reverse_sort";
                int sortop "sortop";
                int tleSortGroupRef "tleSortGroupRef";
            }
            T_GroupingSet GroupingSet "GroupingSet" always {
                list content "content";
                enum_ kind "kind": GroupingSetKind;
            }
            T_WindowClause WindowClause "WindowClause" always {
                bool copiedOrder "copiedOrder";
                int endInRangeFunc "endInRangeFunc";
                node endOffset "endOffset";
                int frameOptions "frameOptions";
                bool inRangeAsc "inRangeAsc";
                int inRangeColl "inRangeColl";
                bool inRangeNullsFirst "inRangeNullsFirst";
                string name "name";
                list orderClause "orderClause";
                list partitionClause "partitionClause";
                string refname "refname";
                int startInRangeFunc "startInRangeFunc";
                node startOffset "startOffset";
                int winref "winref";
            }
            T_RowMarkClause RowMarkClause "RowMarkClause" always {
                bool pushedDown "pushedDown";
                int rti "rti";
                enum_ strength "strength": LockClauseStrength;
                enum_ waitPolicy "waitPolicy": LockWaitPolicy;
            }
            T_WithClause WithClause "WithClause" always {
                list ctes "ctes";
                bool recursive "recursive";
            }
            T_InferClause InferClause "InferClause" always {
                string conname "conname";
                list indexElems "indexElems";
                node whereClause "whereClause";
            }
            T_OnConflictClause OnConflictClause "OnConflictClause" always {
                enum_ action "action": OnConflictAction;
                message infer "infer": InferClause;
                list targetList "targetList";
                node whereClause "whereClause";
            }
            T_CTESearchClause CTESearchClause "CTESearchClause" always {
                bool search_breadth_first "search_breadth_first";
                list search_col_list "search_col_list";
                string search_seq_column "search_seq_column";
            }
            T_CTECycleClause CTECycleClause "CTECycleClause" always {
                list cycle_col_list "cycle_col_list";
                int cycle_mark_collation "cycle_mark_collation";
                string cycle_mark_column "cycle_mark_column";
                node cycle_mark_default "cycle_mark_default";
                int cycle_mark_neop "cycle_mark_neop";
                int cycle_mark_type "cycle_mark_type";
                int cycle_mark_typmod "cycle_mark_typmod";
                node cycle_mark_value "cycle_mark_value";
                string cycle_path_column "cycle_path_column";
            }
            T_CommonTableExpr CommonTableExpr "CommonTableExpr" always {
                list aliascolnames "aliascolnames";
                list ctecolcollations "ctecolcollations";
                list ctecolnames "ctecolnames";
                list ctecoltypes "ctecoltypes";
                list ctecoltypmods "ctecoltypmods";
                enum_ ctematerialized "ctematerialized": CTEMaterialize;
                string ctename "ctename";
                node ctequery "ctequery";
                bool cterecursive "cterecursive";
                int cterefcount "cterefcount";
                message cycle_clause "cycle_clause": CTECycleClause;
                message search_clause "search_clause": CTESearchClause;
            }
            T_MergeWhenClause MergeWhenClause "MergeWhenClause" always {
                enum_ commandType "commandType": CmdType;
                node condition "condition";
                enum_ matchKind "matchKind": MergeMatchKind;
                enum_ override_ "override": OverridingKind;
                list targetList "targetList";
                list values "values";
            }
            T_ReturningOption ReturningOption "ReturningOption" always {
                enum_ option "option": ReturningOptionKind;
                string value "value";
            }
            T_ReturningClause ReturningClause "ReturningClause" always {
                list exprs "exprs";
                list options "options";
            }
            T_TriggerTransition TriggerTransition "TriggerTransition" always {
                bool isNew "isNew";
                bool isTable "isTable";
                string name "name";
            }
            T_JsonOutput JsonOutput "JsonOutput" always {
                message returning "returning": JsonReturning;
                message typeName "typeName": TypeName;
            }
            T_JsonArgument JsonArgument "JsonArgument" always {
                string name "name";
                message val "val": JsonValueExpr;
            }
            T_JsonFuncExpr JsonFuncExpr "JsonFuncExpr" always {
                string column_name "column_name";
                message context_item "context_item": JsonValueExpr;
                message on_empty "on_empty": JsonBehavior;
                message on_error "on_error": JsonBehavior;
                enum_ op "op": JsonExprOp;
                message output "output": JsonOutput;
                list passing "passing";
                node pathspec "pathspec";
                enum_ quotes "quotes": JsonQuotes;
                enum_ wrapper "wrapper": JsonWrapper;
            }
            T_JsonTablePathSpec JsonTablePathSpec "JsonTablePathSpec" always {
                string name "name";
                node string "string";
            }
            T_JsonTable JsonTable "JsonTable" always {
                message alias "alias": Alias;
                list columns "columns";
                message context_item "context_item": JsonValueExpr;
                bool lateral "lateral";
                message on_error "on_error": JsonBehavior;
                list passing "passing";
                message pathspec "pathspec": JsonTablePathSpec;
            }
            T_JsonTableColumn JsonTableColumn "JsonTableColumn" always {
                enum_ coltype "coltype": JsonTableColumnType;
                list columns "columns";
                message format "format": JsonFormat;
                string name "name";
                message on_empty "on_empty": JsonBehavior;
                message on_error "on_error": JsonBehavior;
                message pathspec "pathspec": JsonTablePathSpec;
                enum_ quotes "quotes": JsonQuotes;
                message typeName "typeName": TypeName;
                enum_ wrapper "wrapper": JsonWrapper;
            }
            T_JsonKeyValue JsonKeyValue "JsonKeyValue" always {
                node key "key";
                message value "value": JsonValueExpr;
            }
            T_JsonParseExpr JsonParseExpr "JsonParseExpr" always {
                message expr "expr": JsonValueExpr;
                message output "output": JsonOutput;
                bool unique_keys "unique_keys";
            }
            T_JsonScalarExpr JsonScalarExpr "JsonScalarExpr" always {
                node expr "expr";
                message output "output": JsonOutput;
            }
            T_JsonSerializeExpr JsonSerializeExpr "JsonSerializeExpr" always {
                message expr "expr": JsonValueExpr;
                message output "output": JsonOutput;
            }
            T_JsonObjectConstructor JsonObjectConstructor "JsonObjectConstructor" always {
                bool absent_on_null "absent_on_null";
                list exprs "exprs";
                message output "output": JsonOutput;
                bool unique "unique";
            }
            T_JsonArrayConstructor JsonArrayConstructor "JsonArrayConstructor" always {
                bool absent_on_null "absent_on_null";
                list exprs "exprs";
                message output "output": JsonOutput;
            }
            T_JsonArrayQueryConstructor JsonArrayQueryConstructor "JsonArrayQueryConstructor" always {
                bool absent_on_null "absent_on_null";
                message format "format": JsonFormat;
                message output "output": JsonOutput;
                node query "query";
            }
            T_JsonAggConstructor JsonAggConstructor "JsonAggConstructor" always {
                node agg_filter "agg_filter";
                list agg_order "agg_order";
                message output "output": JsonOutput;
                message over "over": WindowDef;
            }
            T_JsonObjectAgg JsonObjectAgg "JsonObjectAgg" always {
                bool absent_on_null "absent_on_null";
                message arg "arg": JsonKeyValue;
                message constructor "constructor": JsonAggConstructor;
                bool unique "unique";
            }
            T_JsonArrayAgg JsonArrayAgg "JsonArrayAgg" always {
                bool absent_on_null "absent_on_null";
                message arg "arg": JsonValueExpr;
                message constructor "constructor": JsonAggConstructor;
            }
            T_RawStmt RawStmt "RawStmt" always {
                node stmt "stmt";
            }
            T_InsertStmt InsertStmt "InsertStmt" always {
                list cols "cols";
                message onConflictClause "onConflictClause": OnConflictClause;
                enum_ override_ "override": OverridingKind;
                message relation "relation": RangeVar;
                message returningClause "returningClause": ReturningClause;
                node selectStmt "selectStmt";
                message withClause "withClause": WithClause;
            }
            T_DeleteStmt DeleteStmt "DeleteStmt" always {
                message relation "relation": RangeVar;
                message returningClause "returningClause": ReturningClause;
                list usingClause "usingClause";
                node whereClause "whereClause";
                message withClause "withClause": WithClause;
            }
            T_UpdateStmt UpdateStmt "UpdateStmt" always {
                list fromClause "fromClause";
                message relation "relation": RangeVar;
                message returningClause "returningClause": ReturningClause;
                list targetList "targetList";
                node whereClause "whereClause";
                message withClause "withClause": WithClause;
            }
            T_MergeStmt MergeStmt "MergeStmt" always {
                node joinCondition "joinCondition";
                list mergeWhenClauses "mergeWhenClauses";
                message relation "relation": RangeVar;
                message returningClause "returningClause": ReturningClause;
                node sourceRelation "sourceRelation";
                message withClause "withClause": WithClause;
            }
            T_SelectStmt SelectStmt "SelectStmt" always {
                bool all "all";
                list distinctClause "distinctClause";
                list fromClause "fromClause";
                list groupClause "groupClause";
                bool groupDistinct "groupDistinct";
                node havingClause "havingClause";
                message intoClause "intoClause": IntoClause;
                message larg "larg": SelectStmt;
                node limitCount "limitCount";
                node limitOffset "limitOffset";
                enum_ limitOption "limitOption": LimitOption;
                list lockingClause "lockingClause";
                enum_ op "op": SetOperation;
                message rarg "rarg": SelectStmt;
                list sortClause "sortClause";
                list targetList "targetList";
                list valuesLists "valuesLists";
                node whereClause "whereClause";
                list windowClause "windowClause";
                message withClause "withClause": WithClause;
            }
            T_SetOperationStmt SetOperationStmt "SetOperationStmt" always {
                bool all "all";
                list colCollations "colCollations";
                list colTypes "colTypes";
                list colTypmods "colTypmods";
                list groupClauses "groupClauses";
                node larg "larg";
                enum_ op "op": SetOperation;
                node rarg "rarg";
            }
            T_ReturnStmt ReturnStmt "ReturnStmt" always {
                node returnval "returnval";
            }
            T_PLAssignStmt PLAssignStmt "PLAssignStmt" always {
                list indirection "indirection";
                string name "name";
                int nnames "nnames";
                message val "val": SelectStmt;
            }
            T_CreateSchemaStmt CreateSchemaStmt "CreateSchemaStmt" always {
                message authrole "authrole": RoleSpec;
                bool if_not_exists "if_not_exists";
                list schemaElts "schemaElts";
                string schemaname "schemaname";
            }
            T_AlterTableStmt AlterTableStmt "AlterTableStmt" always {
                list cmds "cmds";
                bool missing_ok "missing_ok";
                enum_ objtype "objtype": ObjectType;
                message relation "relation": RangeVar;
            }
            T_AlterTableCmd AlterTableCmd "AlterTableCmd" always {
                enum_ behavior "behavior": DropBehavior;
                node def "def";
                bool missing_ok "missing_ok";
                string name "name";
                message newowner "newowner": RoleSpec;
                int num "num";
                bool recurse "recurse";
                enum_ subtype "subtype": AlterTableType;
            }
            T_ATAlterConstraint ATAlterConstraint "ATAlterConstraint" always {
                bool alterDeferrability "alterDeferrability";
                bool alterEnforceability "alterEnforceability";
                bool alterInheritability "alterInheritability";
                string conname "conname";
                bool deferrable "deferrable";
                bool initdeferred "initdeferred";
                bool is_enforced "is_enforced";
                bool noinherit "noinherit";
            }
            T_ReplicaIdentityStmt ReplicaIdentityStmt "ReplicaIdentityStmt" always {
                char identity_type "identity_type";
                string name "name";
            }
            T_AlterCollationStmt AlterCollationStmt "AlterCollationStmt" always {
                list collname "collname";
            }
            T_AlterDomainStmt AlterDomainStmt "AlterDomainStmt" always {
                enum_ behavior "behavior": DropBehavior;
                node def "def";
                bool missing_ok "missing_ok";
                string name "name";
                char subtype "subtype";
                list typeName "typeName";
            }
            T_GrantStmt GrantStmt "GrantStmt" always {
                enum_ behavior "behavior": DropBehavior;
                bool grant_option "grant_option";
                list grantees "grantees";
                message grantor "grantor": RoleSpec;
                bool is_grant "is_grant";
                list objects "objects";
                enum_ objtype "objtype": ObjectType;
                list privileges "privileges";
                enum_ targtype "targtype": GrantTargetType;
            }
            T_ObjectWithArgs ObjectWithArgs "ObjectWithArgs" always {
                bool args_unspecified "args_unspecified";
                list objargs "objargs";
                list objfuncargs "objfuncargs";
                list objname "objname";
            }
            T_AccessPriv AccessPriv "AccessPriv" always {
                list cols "cols";
                string priv_name "priv_name";
            }
            T_GrantRoleStmt GrantRoleStmt "GrantRoleStmt" always {
                enum_ behavior "behavior": DropBehavior;
                list granted_roles "granted_roles";
                list grantee_roles "grantee_roles";
                message grantor "grantor": RoleSpec;
                bool is_grant "is_grant";
                list opt "opt";
            }
            T_AlterDefaultPrivilegesStmt AlterDefaultPrivilegesStmt "AlterDefaultPrivilegesStmt" always {
                message action "action": GrantStmt;
                list options "options";
            }
            T_CopyStmt CopyStmt "CopyStmt" always {
                list attlist "attlist";
                string filename "filename";
                bool is_from "is_from";
                bool is_program "is_program";
                list options "options";
                node query "query";
                message relation "relation": RangeVar;
                node whereClause "whereClause";
            }
            T_VariableSetStmt VariableSetStmt "VariableSetStmt" always {
                list args "args";
                bool is_local "is_local";
                enum_ kind "kind": VariableSetKind;
                string name "name";
            }
            T_VariableShowStmt VariableShowStmt "VariableShowStmt" always {
                string name "name";
            }
            T_CreateStmt CreateStmt "CreateStmt" always {
                string accessMethod "accessMethod";
                list constraints "constraints";
                bool if_not_exists "if_not_exists";
                list inhRelations "inhRelations";
                list nnconstraints "nnconstraints";
                message ofTypename "ofTypename": TypeName;
                enum_ oncommit "oncommit": OnCommitAction;
                list options "options";
                message partbound "partbound": PartitionBoundSpec;
                message partspec "partspec": PartitionSpec;
                message relation "relation": RangeVar;
                list tableElts "tableElts";
                string tablespacename "tablespacename";
            }
            T_Constraint Constraint "Constraint" always {
                string access_method "access_method";
                string conname "conname";
                enum_ contype "contype": ConstrType;
                string cooked_expr "cooked_expr";
                bool deferrable "deferrable";
                list exclusions "exclusions";
                list fk_attrs "fk_attrs";
                char fk_del_action "fk_del_action";
                list fk_del_set_cols "fk_del_set_cols";
                char fk_matchtype "fk_matchtype";
                char fk_upd_action "fk_upd_action";
                bool fk_with_period "fk_with_period";
                char generated_kind "generated_kind";
                char generated_when "generated_when";
                list including "including";
                string indexname "indexname";
                string indexspace "indexspace";
                bool initdeferred "initdeferred";
                bool initially_valid "initially_valid";
                bool is_enforced "is_enforced";
                bool is_no_inherit "is_no_inherit";
                list keys "keys";
                bool nulls_not_distinct "nulls_not_distinct";
                list old_conpfeqop "old_conpfeqop";
                int old_pktable_oid "old_pktable_oid";
                list options "options";
                list pk_attrs "pk_attrs";
                bool pk_with_period "pk_with_period";
                message pktable "pktable": RangeVar;
                node raw_expr "raw_expr";
                bool reset_default_tblspc "reset_default_tblspc";
                bool skip_validation "skip_validation";
                node where_clause "where_clause";
                bool without_overlaps "without_overlaps";
            }
            T_CreateTableSpaceStmt CreateTableSpaceStmt "CreateTableSpaceStmt" always {
                list options "options";
                message owner "owner": RoleSpec;
                string tablespacename "tablespacename";
            }
            T_DropTableSpaceStmt DropTableSpaceStmt "DropTableSpaceStmt" always {
                bool missing_ok "missing_ok";
                string tablespacename "tablespacename";
            }
            T_AlterTableSpaceOptionsStmt AlterTableSpaceOptionsStmt "AlterTableSpaceOptionsStmt" always {
                bool isReset "isReset";
                list options "options";
                string tablespacename "tablespacename";
            }
            T_AlterTableMoveAllStmt AlterTableMoveAllStmt "AlterTableMoveAllStmt" always {
                string new_tablespacename "new_tablespacename";
                bool nowait "nowait";
                enum_ objtype "objtype": ObjectType;
                string orig_tablespacename "orig_tablespacename";
                list roles "roles";
            }
            T_CreateExtensionStmt CreateExtensionStmt "CreateExtensionStmt" always {
                string extname "extname";
                bool if_not_exists "if_not_exists";
                list options "options";
            }
            T_AlterExtensionStmt AlterExtensionStmt "AlterExtensionStmt" always {
                string extname "extname";
                list options "options";
            }
            T_AlterExtensionContentsStmt AlterExtensionContentsStmt "AlterExtensionContentsStmt" always {
                int action "action";
                string extname "extname";
                node object "object";
                enum_ objtype "objtype": ObjectType;
            }
            T_CreateFdwStmt CreateFdwStmt "CreateFdwStmt" always {
                string fdwname "fdwname";
                list func_options "func_options";
                list options "options";
            }
            T_AlterFdwStmt AlterFdwStmt "AlterFdwStmt" always {
                string fdwname "fdwname";
                list func_options "func_options";
                list options "options";
            }
            T_CreateForeignServerStmt CreateForeignServerStmt "CreateForeignServerStmt" always {
                string fdwname "fdwname";
                bool if_not_exists "if_not_exists";
                list options "options";
                string servername "servername";
                string servertype "servertype";
                string version "version";
            }
            T_AlterForeignServerStmt AlterForeignServerStmt "AlterForeignServerStmt" always {
                bool has_version "has_version";
                list options "options";
                string servername "servername";
                string version "version";
            }
            T_CreateForeignTableStmt CreateForeignTableStmt "CreateForeignTableStmt" always {
                same_level base "base": CreateStmt;
                list options "options";
                string servername "servername";
            }
            T_CreateUserMappingStmt CreateUserMappingStmt "CreateUserMappingStmt" always {
                bool if_not_exists "if_not_exists";
                list options "options";
                string servername "servername";
                message user "user": RoleSpec;
            }
            T_AlterUserMappingStmt AlterUserMappingStmt "AlterUserMappingStmt" always {
                list options "options";
                string servername "servername";
                message user "user": RoleSpec;
            }
            T_DropUserMappingStmt DropUserMappingStmt "DropUserMappingStmt" always {
                bool missing_ok "missing_ok";
                string servername "servername";
                message user "user": RoleSpec;
            }
            T_ImportForeignSchemaStmt ImportForeignSchemaStmt "ImportForeignSchemaStmt" always {
                enum_ list_type "list_type": ImportForeignSchemaType;
                string local_schema "local_schema";
                list options "options";
                string remote_schema "remote_schema";
                string server_name "server_name";
                list table_list "table_list";
            }
            T_CreatePolicyStmt CreatePolicyStmt "CreatePolicyStmt" always {
                string cmd_name "cmd_name";
                bool permissive "permissive";
                string policy_name "policy_name";
                node qual "qual";
                list roles "roles";
                message table "table": RangeVar;
                node with_check "with_check";
            }
            T_AlterPolicyStmt AlterPolicyStmt "AlterPolicyStmt" always {
                string policy_name "policy_name";
                node qual "qual";
                list roles "roles";
                message table "table": RangeVar;
                node with_check "with_check";
            }
            T_CreateAmStmt CreateAmStmt "CreateAmStmt" always {
                string amname "amname";
                char amtype "amtype";
                list handler_name "handler_name";
            }
            T_CreateTrigStmt CreateTrigStmt "CreateTrigStmt" always {
                list args "args";
                list columns "columns";
                message constrrel "constrrel": RangeVar;
                bool deferrable "deferrable";
                int events "events";
                list funcname "funcname";
                bool initdeferred "initdeferred";
                bool isconstraint "isconstraint";
                message relation "relation": RangeVar;
                bool replace "replace";
                bool row "row";
                int timing "timing";
                list transitionRels "transitionRels";
                string trigname "trigname";
                node whenClause "whenClause";
            }
            T_CreateEventTrigStmt CreateEventTrigStmt "CreateEventTrigStmt" always {
                string eventname "eventname";
                list funcname "funcname";
                string trigname "trigname";
                list whenclause "whenclause";
            }
            T_AlterEventTrigStmt AlterEventTrigStmt "AlterEventTrigStmt" always {
                char tgenabled "tgenabled";
                string trigname "trigname";
            }
            T_CreatePLangStmt CreatePLangStmt "CreatePLangStmt" always {
                list plhandler "plhandler";
                list plinline "plinline";
                string plname "plname";
                bool pltrusted "pltrusted";
                list plvalidator "plvalidator";
                bool replace "replace";
            }
            T_CreateRoleStmt CreateRoleStmt "CreateRoleStmt" always {
                list options "options";
                enum_ stmt_type "stmt_type": RoleStmtType;
            }
            T_AlterRoleStmt AlterRoleStmt "AlterRoleStmt" always {
                int action "action";
                list options "options";
                message role "role": RoleSpec;
            }
            T_AlterRoleSetStmt AlterRoleSetStmt "AlterRoleSetStmt" always {
                string database "database";
                message role "role": RoleSpec;
                message setstmt "setstmt": VariableSetStmt;
            }
            T_DropRoleStmt DropRoleStmt "DropRoleStmt" always {
                bool missing_ok "missing_ok";
                list roles "roles";
            }
            T_CreateSeqStmt CreateSeqStmt "CreateSeqStmt" always {
                bool for_identity "for_identity";
                bool if_not_exists "if_not_exists";
                list options "options";
                int ownerId "ownerId";
                message sequence "sequence": RangeVar;
            }
            T_AlterSeqStmt AlterSeqStmt "AlterSeqStmt" always {
                bool for_identity "for_identity";
                bool missing_ok "missing_ok";
                list options "options";
                message sequence "sequence": RangeVar;
            }
            T_DefineStmt DefineStmt "DefineStmt" always {
                list args "args";
                list definition "definition";
                list defnames "defnames";
                bool if_not_exists "if_not_exists";
                enum_ kind "kind": ObjectType;
                bool oldstyle "oldstyle";
                bool replace "replace";
            }
            T_CreateDomainStmt CreateDomainStmt "CreateDomainStmt" always {
                message collClause "collClause": CollateClause;
                list constraints "constraints";
                list domainname "domainname";
                message typeName "typeName": TypeName;
            }
            T_CreateOpClassStmt CreateOpClassStmt "CreateOpClassStmt" always {
                string amname "amname";
                message datatype "datatype": TypeName;
                bool isDefault "isDefault";
                list items "items";
                list opclassname "opclassname";
                list opfamilyname "opfamilyname";
            }
            T_CreateOpClassItem CreateOpClassItem "CreateOpClassItem" always {
                list class_args "class_args";
                int itemtype "itemtype";
                message name "name": ObjectWithArgs;
                int number "number";
                list order_family "order_family";
                message storedtype "storedtype": TypeName;
            }
            T_CreateOpFamilyStmt CreateOpFamilyStmt "CreateOpFamilyStmt" always {
                string amname "amname";
                list opfamilyname "opfamilyname";
            }
            T_AlterOpFamilyStmt AlterOpFamilyStmt "AlterOpFamilyStmt" always {
                string amname "amname";
                bool isDrop "isDrop";
                list items "items";
                list opfamilyname "opfamilyname";
            }
            T_DropStmt DropStmt "DropStmt" always {
                enum_ behavior "behavior": DropBehavior;
                bool concurrent "concurrent";
                bool missing_ok "missing_ok";
                list objects "objects";
                enum_ removeType "removeType": ObjectType;
            }
            T_TruncateStmt TruncateStmt "TruncateStmt" always {
                enum_ behavior "behavior": DropBehavior;
                list relations "relations";
                bool restart_seqs "restart_seqs";
            }
            T_CommentStmt CommentStmt "CommentStmt" always {
                string comment "comment";
                node object "object";
                enum_ objtype "objtype": ObjectType;
            }
            T_SecLabelStmt SecLabelStmt "SecLabelStmt" always {
                string label "label";
                node object "object";
                enum_ objtype "objtype": ObjectType;
                string provider "provider";
            }
            T_DeclareCursorStmt DeclareCursorStmt "DeclareCursorStmt" always {
                int options "options";
                node query "query";
            }
            T_ClosePortalStmt ClosePortalStmt "ClosePortalStmt" always {
            }
            T_FetchStmt FetchStmt "FetchStmt" always {
                enum_ direction "direction": FetchDirection;
                long howMany "howMany";
                bool ismove "ismove";
            }
            T_IndexStmt IndexStmt "IndexStmt" always {
                string accessMethod "accessMethod";
                bool concurrent "concurrent";
                bool deferrable "deferrable";
                list excludeOpNames "excludeOpNames";
                string idxcomment "idxcomment";
                string idxname "idxname";
                bool if_not_exists "if_not_exists";
                list indexIncludingParams "indexIncludingParams";
                int indexOid "indexOid";
                list indexParams "indexParams";
                bool initdeferred "initdeferred";
                bool isconstraint "isconstraint";
                bool iswithoutoverlaps "iswithoutoverlaps";
                bool nulls_not_distinct "nulls_not_distinct";
                int oldCreateSubid "oldCreateSubid";
                int oldFirstRelfilelocatorSubid "oldFirstRelfilelocatorSubid";
                int oldNumber "oldNumber";
                list options "options";
                bool primary "primary";
                message relation "relation": RangeVar;
                bool reset_default_tblspc "reset_default_tblspc";
                string tableSpace "tableSpace";
                bool transformed "transformed";
                bool unique "unique";
                node whereClause "whereClause";
            }
            T_CreateStatsStmt CreateStatsStmt "CreateStatsStmt" always {
                list defnames "defnames";
                list exprs "exprs";
                bool if_not_exists "if_not_exists";
                list relations "relations";
                list stat_types "stat_types";
                string stxcomment "stxcomment";
                bool transformed "transformed";
            }
            T_StatsElem StatsElem "StatsElem" always {
                node expr "expr";
                string name "name";
            }
            T_AlterStatsStmt AlterStatsStmt "AlterStatsStmt" always {
                list defnames "defnames";
                bool missing_ok "missing_ok";
                node stxstattarget "stxstattarget";
            }
            T_CreateFunctionStmt CreateFunctionStmt "CreateFunctionStmt" always {
                list funcname "funcname";
                bool is_procedure "is_procedure";
                list parameters "parameters";
                bool replace "replace";
                message returnType "returnType": TypeName;
                node sql_body "sql_body";
            }
            T_FunctionParameter FunctionParameter "FunctionParameter" always {
                message argType "argType": TypeName;
                node defexpr "defexpr";
                enum_ mode "mode": FunctionParameterMode;
            }
            T_AlterFunctionStmt AlterFunctionStmt "AlterFunctionStmt" always {
                list actions "actions";
                message func "func": ObjectWithArgs;
                enum_ objtype "objtype": ObjectType;
            }
            T_DoStmt DoStmt "DoStmt" always {
            }
            T_InlineCodeBlock InlineCodeBlock "InlineCodeBlock" always {
                bool atomic "atomic";
                bool langIsTrusted "langIsTrusted";
                int langOid "langOid";
                string source_text "source_text";
            }
            T_CallStmt CallStmt "CallStmt" always {
                message funccall "funccall": FuncCall;
                message funcexpr "funcexpr": FuncExpr;
                list outargs "outargs";
            }
            T_CallContext CallContext "CallContext" always {
                bool atomic "atomic";
            }
            T_RenameStmt RenameStmt "RenameStmt" always {
                enum_ behavior "behavior": DropBehavior;
                bool missing_ok "missing_ok";
                node object "object";
                message relation "relation": RangeVar;
                enum_ relationType "relationType": ObjectType;
                enum_ renameType "renameType": ObjectType;
            }
            T_AlterObjectDependsStmt AlterObjectDependsStmt "AlterObjectDependsStmt" always {
                text_of extname "extname";
                node object "object";
                enum_ objectType "objectType": ObjectType;
                message relation "relation": RangeVar;
                bool remove "remove";
            }
            T_AlterObjectSchemaStmt AlterObjectSchemaStmt "AlterObjectSchemaStmt" always {
                bool missing_ok "missing_ok";
                string newschema "newschema";
                node object "object";
                enum_ objectType "objectType": ObjectType;
                message relation "relation": RangeVar;
            }
            T_AlterOwnerStmt AlterOwnerStmt "AlterOwnerStmt" always {
                message newowner "newowner": RoleSpec;
                node object "object";
                enum_ objectType "objectType": ObjectType;
                message relation "relation": RangeVar;
            }
            T_AlterOperatorStmt AlterOperatorStmt "AlterOperatorStmt" always {
                message opername "opername": ObjectWithArgs;
                list options "options";
            }
            T_AlterTypeStmt AlterTypeStmt "AlterTypeStmt" always {
                list options "options";
                list typeName "typeName";
            }
            T_RuleStmt RuleStmt "RuleStmt" always {
                list actions "actions";
                enum_ event "event": CmdType;
                bool instead "instead";
                message relation "relation": RangeVar;
                bool replace "replace";
                string rulename "rulename";
                node whereClause "whereClause";
            }
            T_NotifyStmt NotifyStmt "NotifyStmt" always {
            }
            T_ListenStmt ListenStmt "ListenStmt" always {
            }
            T_UnlistenStmt UnlistenStmt "UnlistenStmt" always {
            }
            T_TransactionStmt TransactionStmt "TransactionStmt" always {
                bool chain "chain";
                enum_ kind "kind": TransactionStmtKind;
                list options "options";
            }
            T_CompositeTypeStmt CompositeTypeStmt "CompositeTypeStmt" always {
                list coldeflist "coldeflist";
                message typevar "typevar": RangeVar;
            }
            T_CreateEnumStmt CreateEnumStmt "CreateEnumStmt" always {
                list typeName "typeName";
                list vals "vals";
            }
            T_CreateRangeStmt CreateRangeStmt "CreateRangeStmt" always {
                list params "params";
                list typeName "typeName";
            }
            T_AlterEnumStmt AlterEnumStmt "AlterEnumStmt" always {
                string newVal "newVal";
                bool newValIsAfter "newValIsAfter";
                string newValNeighbor "newValNeighbor";
                string oldVal "oldVal";
                bool skipIfNewValExists "skipIfNewValExists";
                list typeName "typeName";
            }
            T_ViewStmt ViewStmt "ViewStmt" always {
                list aliases "aliases";
                list options "options";
                node query "query";
                bool replace "replace";
                message view "view": RangeVar;
                enum_ withCheckOption "withCheckOption": ViewCheckOption;
            }
            T_LoadStmt LoadStmt "LoadStmt" always {
                string filename "filename";
            }
            T_CreatedbStmt CreatedbStmt "CreatedbStmt" always {
                string dbname "dbname";
                list options "options";
            }
            T_AlterDatabaseStmt AlterDatabaseStmt "AlterDatabaseStmt" always {
                string dbname "dbname";
                list options "options";
            }
            T_AlterDatabaseRefreshCollStmt AlterDatabaseRefreshCollStmt "AlterDatabaseRefreshCollStmt" always {
                string dbname "dbname";
            }
            T_AlterDatabaseSetStmt AlterDatabaseSetStmt "AlterDatabaseSetStmt" always {
                string dbname "dbname";
                message setstmt "setstmt": VariableSetStmt;
            }
            T_DropdbStmt DropdbStmt "DropdbStmt" always {
                string dbname "dbname";
                bool missing_ok "missing_ok";
                list options "options";
            }
            T_AlterSystemStmt AlterSystemStmt "AlterSystemStmt" always {
                message setstmt "setstmt": VariableSetStmt;
            }
            T_ClusterStmt ClusterStmt "ClusterStmt" always {
                string indexname "indexname";
                list params "params";
                message relation "relation": RangeVar;
            }
            T_VacuumStmt VacuumStmt "VacuumStmt" always {
                bool is_vacuumcmd "is_vacuumcmd";
                list options "options";
                list rels "rels";
            }
            T_VacuumRelation VacuumRelation "VacuumRelation" always {
                int oid "oid";
                message relation "relation": RangeVar;
                list va_cols "va_cols";
            }
            T_ExplainStmt ExplainStmt "ExplainStmt" always {
                list options "options";
                node query "query";
            }
            T_CreateTableAsStmt CreateTableAsStmt "CreateTableAsStmt" always {
                bool if_not_exists "if_not_exists";
                message into "into": IntoClause;
                bool is_select_into "is_select_into";
                enum_ objtype "objtype": ObjectType;
                node query "query";
            }
            T_RefreshMatViewStmt RefreshMatViewStmt "RefreshMatViewStmt" always {
                bool concurrent "concurrent";
                message relation "relation": RangeVar;
                bool skipData "skipData";
            }
            T_CheckPointStmt CheckPointStmt "CheckPointStmt" always {
            }
            T_DiscardStmt DiscardStmt "DiscardStmt" always {
                enum_ target "target": DiscardMode;
            }
            T_LockStmt LockStmt "LockStmt" always {
                int mode "mode";
                bool nowait "nowait";
                list relations "relations";
            }
            T_ConstraintsSetStmt ConstraintsSetStmt "ConstraintsSetStmt" always {
                list constraints "constraints";
                bool deferred "deferred";
            }
            T_ReindexStmt ReindexStmt "ReindexStmt" always {
                enum_ kind "kind": ReindexObjectType;
                string name "name";
                list params "params";
                message relation "relation": RangeVar;
            }
            T_CreateConversionStmt CreateConversionStmt "CreateConversionStmt" always {
                list conversion_name "conversion_name";
                bool def "def";
                string for_encoding_name "for_encoding_name";
                list func_name "func_name";
                string to_encoding_name "to_encoding_name";
            }
            T_CreateCastStmt CreateCastStmt "CreateCastStmt" always {
                enum_ context "context": CoercionContext;
                message func "func": ObjectWithArgs;
                bool inout "inout";
                message sourcetype "sourcetype": TypeName;
                message targettype "targettype": TypeName;
            }
            T_CreateTransformStmt CreateTransformStmt "CreateTransformStmt" always {
                message fromsql "fromsql": ObjectWithArgs;
                string lang "lang";
                bool replace "replace";
                message tosql "tosql": ObjectWithArgs;
                message type_name "type_name": TypeName;
            }
            T_PrepareStmt PrepareStmt "PrepareStmt" always {
                list argtypes "argtypes";
                node query "query";
            }
            T_ExecuteStmt ExecuteStmt "ExecuteStmt" always {
                list params "params";
            }
            T_DeallocateStmt DeallocateStmt "DeallocateStmt" always {
                bool isall "isall";
            }
            T_DropOwnedStmt DropOwnedStmt "DropOwnedStmt" always {
                enum_ behavior "behavior": DropBehavior;
                list roles "roles";
            }
            T_ReassignOwnedStmt ReassignOwnedStmt "ReassignOwnedStmt" always {
                message newrole "newrole": RoleSpec;
                list roles "roles";
            }
            T_AlterTSDictionaryStmt AlterTSDictionaryStmt "AlterTSDictionaryStmt" always {
                list dictname "dictname";
                list options "options";
            }
            T_AlterTSConfigurationStmt AlterTSConfigurationStmt "AlterTSConfigurationStmt" always {
                list cfgname "cfgname";
                list dicts "dicts";
                enum_ kind "kind": AlterTSConfigType;
                bool missing_ok "missing_ok";
                bool override_ "override";
                bool replace "replace";
                list tokentype "tokentype";
            }
            T_PublicationTable PublicationTable "PublicationTable" always {
                list columns "columns";
                message relation "relation": RangeVar;
                node whereClause "whereClause";
            }
            T_PublicationObjSpec PublicationObjSpec "PublicationObjSpec" always {
                string name "name";
                enum_ pubobjtype "pubobjtype": PublicationObjSpecType;
                message pubtable "pubtable": PublicationTable;
            }
            T_CreatePublicationStmt CreatePublicationStmt "CreatePublicationStmt" always {
                bool for_all_tables "for_all_tables";
                list options "options";
                string pubname "pubname";
                list pubobjects "pubobjects";
            }
            T_AlterPublicationStmt AlterPublicationStmt "AlterPublicationStmt" always {
                enum_ action "action": AlterPublicationAction;
                bool for_all_tables "for_all_tables";
                list options "options";
                string pubname "pubname";
                list pubobjects "pubobjects";
            }
            T_CreateSubscriptionStmt CreateSubscriptionStmt "CreateSubscriptionStmt" always {
                string conninfo "conninfo";
                list options "options";
                list publication "publication";
                string subname "subname";
            }
            T_AlterSubscriptionStmt AlterSubscriptionStmt "AlterSubscriptionStmt" always {
                string conninfo "conninfo";
                enum_ kind "kind": AlterSubscriptionType;
                list options "options";
                list publication "publication";
                string subname "subname";
            }
            T_DropSubscriptionStmt DropSubscriptionStmt "DropSubscriptionStmt" always {
                enum_ behavior "behavior": DropBehavior;
                bool missing_ok "missing_ok";
                string subname "subname";
            }
        }
    };
}
pub(crate) use fingerprints;
