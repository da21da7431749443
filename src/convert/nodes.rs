//! THE TABLE: every node of PostgreSQL's parse tree, every field, its kind and its names.
//!
//! Generated from libpg_query's own field tables, src/include/pg_query_*_defs.c of the
//! pinned sources. Written by `cargo xtask regenerate`.
//!
//! A walk is a macro that `nodes!` calls with this table. It defines an action for each kind
//! of field, and needs no code for individual node types. A row looks like this:
//!
//! ```text
//! T_SelectStmt SelectStmt SelectStmt SelectStmt "SelectStmt" {
//!     list distinct_clause "distinctClause" distinctClause;
//! ```
//!
//! The first line has the tag, the C struct, the Protobuf message, the variant of `Node` and the
//! JSON name. Each other line has a field's kind, its names in Protobuf, JSON and C, and its type
//! if the kind needs one. The kinds are `node`, any node or NULL; `message`, a node of one type or
//! NULL; `embed`, a node inside the struct; `list`; `string`, which may be NULL; `char`; `bool`;
//! `int`; `uint`; `uint64`; `long`; `float`; `enum_`; `bitmapset`; `location`, a byte offset into
//! the text or -1; and `absent`, a field of the Protobuf schema that libpg_query never writes.

macro_rules! nodes {
    ($walk:ident) => {
        $walk! {
            T_Alias Alias Alias Alias "Alias" {
                string aliasname "aliasname" aliasname;
                list colnames "colnames" colnames;
            }
            T_RangeVar RangeVar RangeVar RangeVar "RangeVar" {
                string catalogname "catalogname" catalogname;
                string schemaname "schemaname" schemaname;
                string relname "relname" relname;
                bool inh "inh" inh;
                char relpersistence "relpersistence" relpersistence;
                message alias "alias" alias: Alias;
                location location "location" location;
            }
            T_TableFunc TableFunc TableFunc TableFunc "TableFunc" {
                enum_ functype "functype" functype: TableFuncType;
                list ns_uris "ns_uris" ns_uris;
                list ns_names "ns_names" ns_names;
                node docexpr "docexpr" docexpr;
                node rowexpr "rowexpr" rowexpr;
                list colnames "colnames" colnames;
                list coltypes "coltypes" coltypes;
                list coltypmods "coltypmods" coltypmods;
                list colcollations "colcollations" colcollations;
                list colexprs "colexprs" colexprs;
                list coldefexprs "coldefexprs" coldefexprs;
                list colvalexprs "colvalexprs" colvalexprs;
                list passingvalexprs "passingvalexprs" passingvalexprs;
                bitmapset notnulls "notnulls" notnulls;
                node plan "plan" plan;
                int ordinalitycol "ordinalitycol" ordinalitycol;
                location location "location" location;
            }
            T_IntoClause IntoClause IntoClause IntoClause "IntoClause" {
                message rel "rel" rel: RangeVar;
                list col_names "colNames" colNames;
                string access_method "accessMethod" accessMethod;
                list options "options" options;
                enum_ on_commit "onCommit" onCommit: OnCommitAction;
                string table_space_name "tableSpaceName" tableSpaceName;
                message view_query "viewQuery" viewQuery: Query;
                bool skip_data "skipData" skipData;
            }
            T_Var Var Var Var "Var" {
                absent xpr "xpr" xpr;
                int varno "varno" varno;
                int varattno "varattno" varattno;
                uint vartype "vartype" vartype;
                int vartypmod "vartypmod" vartypmod;
                uint varcollid "varcollid" varcollid;
                bitmapset varnullingrels "varnullingrels" varnullingrels;
                uint varlevelsup "varlevelsup" varlevelsup;
                enum_ varreturningtype "varreturningtype" varreturningtype: VarReturningType;
                location location "location" location;
            }
            T_Param Param Param Param "Param" {
                absent xpr "xpr" xpr;
                enum_ paramkind "paramkind" paramkind: ParamKind;
                int paramid "paramid" paramid;
                uint paramtype "paramtype" paramtype;
                int paramtypmod "paramtypmod" paramtypmod;
                uint paramcollid "paramcollid" paramcollid;
                location location "location" location;
            }
            T_Aggref Aggref Aggref Aggref "Aggref" {
                absent xpr "xpr" xpr;
                uint aggfnoid "aggfnoid" aggfnoid;
                uint aggtype "aggtype" aggtype;
                uint aggcollid "aggcollid" aggcollid;
                uint inputcollid "inputcollid" inputcollid;
                list aggargtypes "aggargtypes" aggargtypes;
                list aggdirectargs "aggdirectargs" aggdirectargs;
                list args "args" args;
                list aggorder "aggorder" aggorder;
                list aggdistinct "aggdistinct" aggdistinct;
                node aggfilter "aggfilter" aggfilter;
                bool aggstar "aggstar" aggstar;
                bool aggvariadic "aggvariadic" aggvariadic;
                char aggkind "aggkind" aggkind;
                uint agglevelsup "agglevelsup" agglevelsup;
                enum_ aggsplit "aggsplit" aggsplit: AggSplit;
                int aggno "aggno" aggno;
                int aggtransno "aggtransno" aggtransno;
                location location "location" location;
            }
            T_GroupingFunc GroupingFunc GroupingFunc GroupingFunc "GroupingFunc" {
                absent xpr "xpr" xpr;
                list args "args" args;
                list refs "refs" refs;
                uint agglevelsup "agglevelsup" agglevelsup;
                location location "location" location;
            }
            T_WindowFunc WindowFunc WindowFunc WindowFunc "WindowFunc" {
                absent xpr "xpr" xpr;
                uint winfnoid "winfnoid" winfnoid;
                uint wintype "wintype" wintype;
                uint wincollid "wincollid" wincollid;
                uint inputcollid "inputcollid" inputcollid;
                list args "args" args;
                node aggfilter "aggfilter" aggfilter;
                list run_condition "runCondition" runCondition;
                uint winref "winref" winref;
                bool winstar "winstar" winstar;
                bool winagg "winagg" winagg;
                location location "location" location;
            }
            T_WindowFuncRunCondition WindowFuncRunCondition WindowFuncRunCondition WindowFuncRunCondition "WindowFuncRunCondition" {
                absent xpr "xpr" xpr;
                uint opno "opno" opno;
                uint inputcollid "inputcollid" inputcollid;
                bool wfunc_left "wfunc_left" wfunc_left;
                node arg "arg" arg;
            }
            T_MergeSupportFunc MergeSupportFunc MergeSupportFunc MergeSupportFunc "MergeSupportFunc" {
                absent xpr "xpr" xpr;
                uint msftype "msftype" msftype;
                uint msfcollid "msfcollid" msfcollid;
                location location "location" location;
            }
            T_SubscriptingRef SubscriptingRef SubscriptingRef SubscriptingRef "SubscriptingRef" {
                absent xpr "xpr" xpr;
                uint refcontainertype "refcontainertype" refcontainertype;
                uint refelemtype "refelemtype" refelemtype;
                uint refrestype "refrestype" refrestype;
                int reftypmod "reftypmod" reftypmod;
                uint refcollid "refcollid" refcollid;
                list refupperindexpr "refupperindexpr" refupperindexpr;
                list reflowerindexpr "reflowerindexpr" reflowerindexpr;
                node refexpr "refexpr" refexpr;
                node refassgnexpr "refassgnexpr" refassgnexpr;
            }
            T_FuncExpr FuncExpr FuncExpr FuncExpr "FuncExpr" {
                absent xpr "xpr" xpr;
                uint funcid "funcid" funcid;
                uint funcresulttype "funcresulttype" funcresulttype;
                bool funcretset "funcretset" funcretset;
                bool funcvariadic "funcvariadic" funcvariadic;
                enum_ funcformat "funcformat" funcformat: CoercionForm;
                uint funccollid "funccollid" funccollid;
                uint inputcollid "inputcollid" inputcollid;
                list args "args" args;
                location location "location" location;
            }
            T_NamedArgExpr NamedArgExpr NamedArgExpr NamedArgExpr "NamedArgExpr" {
                absent xpr "xpr" xpr;
                node arg "arg" arg;
                string name "name" name;
                int argnumber "argnumber" argnumber;
                location location "location" location;
            }
            T_OpExpr OpExpr OpExpr OpExpr "OpExpr" {
                absent xpr "xpr" xpr;
                uint opno "opno" opno;
                uint opresulttype "opresulttype" opresulttype;
                bool opretset "opretset" opretset;
                uint opcollid "opcollid" opcollid;
                uint inputcollid "inputcollid" inputcollid;
                list args "args" args;
                location location "location" location;
            }
            T_DistinctExpr DistinctExpr DistinctExpr DistinctExpr "DistinctExpr" {
                absent xpr "xpr" xpr;
                uint opno "opno" opno;
                uint opresulttype "opresulttype" opresulttype;
                bool opretset "opretset" opretset;
                uint opcollid "opcollid" opcollid;
                uint inputcollid "inputcollid" inputcollid;
                list args "args" args;
                int location "location" location;
            }
            T_NullIfExpr NullIfExpr NullIfExpr NullIfExpr "NullIfExpr" {
                absent xpr "xpr" xpr;
                uint opno "opno" opno;
                uint opresulttype "opresulttype" opresulttype;
                bool opretset "opretset" opretset;
                uint opcollid "opcollid" opcollid;
                uint inputcollid "inputcollid" inputcollid;
                list args "args" args;
                int location "location" location;
            }
            T_ScalarArrayOpExpr ScalarArrayOpExpr ScalarArrayOpExpr ScalarArrayOpExpr "ScalarArrayOpExpr" {
                absent xpr "xpr" xpr;
                uint opno "opno" opno;
                bool use_or "useOr" useOr;
                uint inputcollid "inputcollid" inputcollid;
                list args "args" args;
                location location "location" location;
            }
            T_BoolExpr BoolExpr BoolExpr BoolExpr "BoolExpr" {
                absent xpr "xpr" xpr;
                enum_ boolop "boolop" boolop: BoolExprType;
                list args "args" args;
                location location "location" location;
            }
            T_SubLink SubLink SubLink SubLink "SubLink" {
                absent xpr "xpr" xpr;
                enum_ sub_link_type "subLinkType" subLinkType: SubLinkType;
                int sub_link_id "subLinkId" subLinkId;
                node testexpr "testexpr" testexpr;
                list oper_name "operName" operName;
                node subselect "subselect" subselect;
                location location "location" location;
            }
            T_SubPlan SubPlan SubPlan SubPlan "SubPlan" {
                absent xpr "xpr" xpr;
                enum_ sub_link_type "subLinkType" subLinkType: SubLinkType;
                node testexpr "testexpr" testexpr;
                list param_ids "paramIds" paramIds;
                int plan_id "plan_id" plan_id;
                string plan_name "plan_name" plan_name;
                uint first_col_type "firstColType" firstColType;
                int first_col_typmod "firstColTypmod" firstColTypmod;
                uint first_col_collation "firstColCollation" firstColCollation;
                bool use_hash_table "useHashTable" useHashTable;
                bool unknown_eq_false "unknownEqFalse" unknownEqFalse;
                bool parallel_safe "parallel_safe" parallel_safe;
                list set_param "setParam" setParam;
                list par_param "parParam" parParam;
                list args "args" args;
                float startup_cost "startup_cost" startup_cost;
                float per_call_cost "per_call_cost" per_call_cost;
            }
            T_AlternativeSubPlan AlternativeSubPlan AlternativeSubPlan AlternativeSubPlan "AlternativeSubPlan" {
                absent xpr "xpr" xpr;
                list subplans "subplans" subplans;
            }
            T_FieldSelect FieldSelect FieldSelect FieldSelect "FieldSelect" {
                absent xpr "xpr" xpr;
                node arg "arg" arg;
                int fieldnum "fieldnum" fieldnum;
                uint resulttype "resulttype" resulttype;
                int resulttypmod "resulttypmod" resulttypmod;
                uint resultcollid "resultcollid" resultcollid;
            }
            T_FieldStore FieldStore FieldStore FieldStore "FieldStore" {
                absent xpr "xpr" xpr;
                node arg "arg" arg;
                list newvals "newvals" newvals;
                list fieldnums "fieldnums" fieldnums;
                uint resulttype "resulttype" resulttype;
            }
            T_RelabelType RelabelType RelabelType RelabelType "RelabelType" {
                absent xpr "xpr" xpr;
                node arg "arg" arg;
                uint resulttype "resulttype" resulttype;
                int resulttypmod "resulttypmod" resulttypmod;
                uint resultcollid "resultcollid" resultcollid;
                enum_ relabelformat "relabelformat" relabelformat: CoercionForm;
                location location "location" location;
            }
            T_CoerceViaIO CoerceViaIO CoerceViaIo CoerceViaIo "CoerceViaIO" {
                absent xpr "xpr" xpr;
                node arg "arg" arg;
                uint resulttype "resulttype" resulttype;
                uint resultcollid "resultcollid" resultcollid;
                enum_ coerceformat "coerceformat" coerceformat: CoercionForm;
                location location "location" location;
            }
            T_ArrayCoerceExpr ArrayCoerceExpr ArrayCoerceExpr ArrayCoerceExpr "ArrayCoerceExpr" {
                absent xpr "xpr" xpr;
                node arg "arg" arg;
                node elemexpr "elemexpr" elemexpr;
                uint resulttype "resulttype" resulttype;
                int resulttypmod "resulttypmod" resulttypmod;
                uint resultcollid "resultcollid" resultcollid;
                enum_ coerceformat "coerceformat" coerceformat: CoercionForm;
                location location "location" location;
            }
            T_ConvertRowtypeExpr ConvertRowtypeExpr ConvertRowtypeExpr ConvertRowtypeExpr "ConvertRowtypeExpr" {
                absent xpr "xpr" xpr;
                node arg "arg" arg;
                uint resulttype "resulttype" resulttype;
                enum_ convertformat "convertformat" convertformat: CoercionForm;
                location location "location" location;
            }
            T_CollateExpr CollateExpr CollateExpr CollateExpr "CollateExpr" {
                absent xpr "xpr" xpr;
                node arg "arg" arg;
                uint coll_oid "collOid" collOid;
                location location "location" location;
            }
            T_CaseExpr CaseExpr CaseExpr CaseExpr "CaseExpr" {
                absent xpr "xpr" xpr;
                uint casetype "casetype" casetype;
                uint casecollid "casecollid" casecollid;
                node arg "arg" arg;
                list args "args" args;
                node defresult "defresult" defresult;
                location location "location" location;
            }
            T_CaseWhen CaseWhen CaseWhen CaseWhen "CaseWhen" {
                absent xpr "xpr" xpr;
                node expr "expr" expr;
                node result "result" result;
                location location "location" location;
            }
            T_CaseTestExpr CaseTestExpr CaseTestExpr CaseTestExpr "CaseTestExpr" {
                absent xpr "xpr" xpr;
                uint type_id "typeId" typeId;
                int type_mod "typeMod" typeMod;
                uint collation "collation" collation;
            }
            T_ArrayExpr ArrayExpr ArrayExpr ArrayExpr "ArrayExpr" {
                absent xpr "xpr" xpr;
                uint array_typeid "array_typeid" array_typeid;
                uint array_collid "array_collid" array_collid;
                uint element_typeid "element_typeid" element_typeid;
                list elements "elements" elements;
                bool multidims "multidims" multidims;
                location list_start "list_start" list_start;
                location list_end "list_end" list_end;
                location location "location" location;
            }
            T_RowExpr RowExpr RowExpr RowExpr "RowExpr" {
                absent xpr "xpr" xpr;
                list args "args" args;
                uint row_typeid "row_typeid" row_typeid;
                enum_ row_format "row_format" row_format: CoercionForm;
                list colnames "colnames" colnames;
                location location "location" location;
            }
            T_RowCompareExpr RowCompareExpr RowCompareExpr RowCompareExpr "RowCompareExpr" {
                absent xpr "xpr" xpr;
                enum_ cmptype "cmptype" cmptype: CompareType;
                list opnos "opnos" opnos;
                list opfamilies "opfamilies" opfamilies;
                list inputcollids "inputcollids" inputcollids;
                list largs "largs" largs;
                list rargs "rargs" rargs;
            }
            T_CoalesceExpr CoalesceExpr CoalesceExpr CoalesceExpr "CoalesceExpr" {
                absent xpr "xpr" xpr;
                uint coalescetype "coalescetype" coalescetype;
                uint coalescecollid "coalescecollid" coalescecollid;
                list args "args" args;
                location location "location" location;
            }
            T_MinMaxExpr MinMaxExpr MinMaxExpr MinMaxExpr "MinMaxExpr" {
                absent xpr "xpr" xpr;
                uint minmaxtype "minmaxtype" minmaxtype;
                uint minmaxcollid "minmaxcollid" minmaxcollid;
                uint inputcollid "inputcollid" inputcollid;
                enum_ op "op" op: MinMaxOp;
                list args "args" args;
                location location "location" location;
            }
            T_SQLValueFunction SQLValueFunction SqlValueFunction SqlvalueFunction "SQLValueFunction" {
                absent xpr "xpr" xpr;
                enum_ op "op" op: SQLValueFunctionOp;
                uint r#type "type" type_;
                int typmod "typmod" typmod;
                location location "location" location;
            }
            T_XmlExpr XmlExpr XmlExpr XmlExpr "XmlExpr" {
                absent xpr "xpr" xpr;
                enum_ op "op" op: XmlExprOp;
                string name "name" name;
                list named_args "named_args" named_args;
                list arg_names "arg_names" arg_names;
                list args "args" args;
                enum_ xmloption "xmloption" xmloption: XmlOptionType;
                bool indent "indent" indent;
                uint r#type "type" type_;
                int typmod "typmod" typmod;
                location location "location" location;
            }
            T_JsonFormat JsonFormat JsonFormat JsonFormat "JsonFormat" {
                enum_ format_type "format_type" format_type: JsonFormatType;
                enum_ encoding "encoding" encoding: JsonEncoding;
                location location "location" location;
            }
            T_JsonReturning JsonReturning JsonReturning JsonReturning "JsonReturning" {
                message format "format" format: JsonFormat;
                uint typid "typid" typid;
                int typmod "typmod" typmod;
            }
            T_JsonValueExpr JsonValueExpr JsonValueExpr JsonValueExpr "JsonValueExpr" {
                node raw_expr "raw_expr" raw_expr;
                node formatted_expr "formatted_expr" formatted_expr;
                message format "format" format: JsonFormat;
            }
            T_JsonConstructorExpr JsonConstructorExpr JsonConstructorExpr JsonConstructorExpr "JsonConstructorExpr" {
                absent xpr "xpr" xpr;
                enum_ r#type "type" type_: JsonConstructorType;
                list args "args" args;
                node func "func" func;
                node coercion "coercion" coercion;
                message returning "returning" returning: JsonReturning;
                bool absent_on_null "absent_on_null" absent_on_null;
                bool unique "unique" unique;
                location location "location" location;
            }
            T_JsonIsPredicate JsonIsPredicate JsonIsPredicate JsonIsPredicate "JsonIsPredicate" {
                node expr "expr" expr;
                message format "format" format: JsonFormat;
                enum_ item_type "item_type" item_type: JsonValueType;
                bool unique_keys "unique_keys" unique_keys;
                location location "location" location;
            }
            T_JsonBehavior JsonBehavior JsonBehavior JsonBehavior "JsonBehavior" {
                enum_ btype "btype" btype: JsonBehaviorType;
                node expr "expr" expr;
                bool coerce "coerce" coerce;
                location location "location" location;
            }
            T_JsonExpr JsonExpr JsonExpr JsonExpr "JsonExpr" {
                absent xpr "xpr" xpr;
                enum_ op "op" op: JsonExprOp;
                string column_name "column_name" column_name;
                node formatted_expr "formatted_expr" formatted_expr;
                message format "format" format: JsonFormat;
                node path_spec "path_spec" path_spec;
                message returning "returning" returning: JsonReturning;
                list passing_names "passing_names" passing_names;
                list passing_values "passing_values" passing_values;
                message on_empty "on_empty" on_empty: JsonBehavior;
                message on_error "on_error" on_error: JsonBehavior;
                bool use_io_coercion "use_io_coercion" use_io_coercion;
                bool use_json_coercion "use_json_coercion" use_json_coercion;
                enum_ wrapper "wrapper" wrapper: JsonWrapper;
                bool omit_quotes "omit_quotes" omit_quotes;
                uint collation "collation" collation;
                location location "location" location;
            }
            T_JsonTablePath JsonTablePath JsonTablePath JsonTablePath "JsonTablePath" {
                string name "name" name;
            }
            T_JsonTablePathScan JsonTablePathScan JsonTablePathScan JsonTablePathScan "JsonTablePathScan" {
                absent plan "plan" plan;
                message path "path" path: JsonTablePath;
                bool error_on_error "errorOnError" errorOnError;
                node child "child" child;
                int col_min "colMin" colMin;
                int col_max "colMax" colMax;
            }
            T_JsonTableSiblingJoin JsonTableSiblingJoin JsonTableSiblingJoin JsonTableSiblingJoin "JsonTableSiblingJoin" {
                absent plan "plan" plan;
                node lplan "lplan" lplan;
                node rplan "rplan" rplan;
            }
            T_NullTest NullTest NullTest NullTest "NullTest" {
                absent xpr "xpr" xpr;
                node arg "arg" arg;
                enum_ nulltesttype "nulltesttype" nulltesttype: NullTestType;
                bool argisrow "argisrow" argisrow;
                location location "location" location;
            }
            T_BooleanTest BooleanTest BooleanTest BooleanTest "BooleanTest" {
                absent xpr "xpr" xpr;
                node arg "arg" arg;
                enum_ booltesttype "booltesttype" booltesttype: BoolTestType;
                location location "location" location;
            }
            T_MergeAction MergeAction MergeAction MergeAction "MergeAction" {
                enum_ match_kind "matchKind" matchKind: MergeMatchKind;
                enum_ command_type "commandType" commandType: CmdType;
                enum_ r#override "override" override_: OverridingKind;
                node qual "qual" qual;
                list target_list "targetList" targetList;
                list update_colnos "updateColnos" updateColnos;
            }
            T_CoerceToDomain CoerceToDomain CoerceToDomain CoerceToDomain "CoerceToDomain" {
                absent xpr "xpr" xpr;
                node arg "arg" arg;
                uint resulttype "resulttype" resulttype;
                int resulttypmod "resulttypmod" resulttypmod;
                uint resultcollid "resultcollid" resultcollid;
                enum_ coercionformat "coercionformat" coercionformat: CoercionForm;
                location location "location" location;
            }
            T_CoerceToDomainValue CoerceToDomainValue CoerceToDomainValue CoerceToDomainValue "CoerceToDomainValue" {
                absent xpr "xpr" xpr;
                uint type_id "typeId" typeId;
                int type_mod "typeMod" typeMod;
                uint collation "collation" collation;
                location location "location" location;
            }
            T_SetToDefault SetToDefault SetToDefault SetToDefault "SetToDefault" {
                absent xpr "xpr" xpr;
                uint type_id "typeId" typeId;
                int type_mod "typeMod" typeMod;
                uint collation "collation" collation;
                location location "location" location;
            }
            T_CurrentOfExpr CurrentOfExpr CurrentOfExpr CurrentOfExpr "CurrentOfExpr" {
                absent xpr "xpr" xpr;
                uint cvarno "cvarno" cvarno;
                string cursor_name "cursor_name" cursor_name;
                int cursor_param "cursor_param" cursor_param;
            }
            T_NextValueExpr NextValueExpr NextValueExpr NextValueExpr "NextValueExpr" {
                absent xpr "xpr" xpr;
                uint seqid "seqid" seqid;
                uint type_id "typeId" typeId;
            }
            T_InferenceElem InferenceElem InferenceElem InferenceElem "InferenceElem" {
                absent xpr "xpr" xpr;
                node expr "expr" expr;
                uint infercollid "infercollid" infercollid;
                uint inferopclass "inferopclass" inferopclass;
            }
            T_ReturningExpr ReturningExpr ReturningExpr ReturningExpr "ReturningExpr" {
                absent xpr "xpr" xpr;
                int retlevelsup "retlevelsup" retlevelsup;
                bool retold "retold" retold;
                node retexpr "retexpr" retexpr;
            }
            T_TargetEntry TargetEntry TargetEntry TargetEntry "TargetEntry" {
                absent xpr "xpr" xpr;
                node expr "expr" expr;
                int resno "resno" resno;
                string resname "resname" resname;
                uint ressortgroupref "ressortgroupref" ressortgroupref;
                uint resorigtbl "resorigtbl" resorigtbl;
                int resorigcol "resorigcol" resorigcol;
                bool resjunk "resjunk" resjunk;
            }
            T_RangeTblRef RangeTblRef RangeTblRef RangeTblRef "RangeTblRef" {
                int rtindex "rtindex" rtindex;
            }
            T_JoinExpr JoinExpr JoinExpr JoinExpr "JoinExpr" {
                enum_ jointype "jointype" jointype: JoinType;
                bool is_natural "isNatural" isNatural;
                node larg "larg" larg;
                node rarg "rarg" rarg;
                list using_clause "usingClause" usingClause;
                message join_using_alias "join_using_alias" join_using_alias: Alias;
                node quals "quals" quals;
                message alias "alias" alias: Alias;
                int rtindex "rtindex" rtindex;
            }
            T_FromExpr FromExpr FromExpr FromExpr "FromExpr" {
                list fromlist "fromlist" fromlist;
                node quals "quals" quals;
            }
            T_OnConflictExpr OnConflictExpr OnConflictExpr OnConflictExpr "OnConflictExpr" {
                enum_ action "action" action: OnConflictAction;
                list arbiter_elems "arbiterElems" arbiterElems;
                node arbiter_where "arbiterWhere" arbiterWhere;
                uint constraint "constraint" constraint;
                list on_conflict_set "onConflictSet" onConflictSet;
                node on_conflict_where "onConflictWhere" onConflictWhere;
                int excl_rel_index "exclRelIndex" exclRelIndex;
                list excl_rel_tlist "exclRelTlist" exclRelTlist;
            }
            T_Query Query Query Query "Query" {
                enum_ command_type "commandType" commandType: CmdType;
                enum_ query_source "querySource" querySource: QuerySource;
                bool can_set_tag "canSetTag" canSetTag;
                node utility_stmt "utilityStmt" utilityStmt;
                int result_relation "resultRelation" resultRelation;
                bool has_aggs "hasAggs" hasAggs;
                bool has_window_funcs "hasWindowFuncs" hasWindowFuncs;
                bool has_target_srfs "hasTargetSRFs" hasTargetSRFs;
                bool has_sub_links "hasSubLinks" hasSubLinks;
                bool has_distinct_on "hasDistinctOn" hasDistinctOn;
                bool has_recursive "hasRecursive" hasRecursive;
                bool has_modifying_cte "hasModifyingCTE" hasModifyingCTE;
                bool has_for_update "hasForUpdate" hasForUpdate;
                bool has_row_security "hasRowSecurity" hasRowSecurity;
                bool has_group_rte "hasGroupRTE" hasGroupRTE;
                bool is_return "isReturn" isReturn;
                list cte_list "cteList" cteList;
                list rtable "rtable" rtable;
                list rteperminfos "rteperminfos" rteperminfos;
                message jointree "jointree" jointree: FromExpr;
                list merge_action_list "mergeActionList" mergeActionList;
                int merge_target_relation "mergeTargetRelation" mergeTargetRelation;
                node merge_join_condition "mergeJoinCondition" mergeJoinCondition;
                list target_list "targetList" targetList;
                enum_ r#override "override" override_: OverridingKind;
                message on_conflict "onConflict" onConflict: OnConflictExpr;
                string returning_old_alias "returningOldAlias" returningOldAlias;
                string returning_new_alias "returningNewAlias" returningNewAlias;
                list returning_list "returningList" returningList;
                list group_clause "groupClause" groupClause;
                bool group_distinct "groupDistinct" groupDistinct;
                list grouping_sets "groupingSets" groupingSets;
                node having_qual "havingQual" havingQual;
                list window_clause "windowClause" windowClause;
                list distinct_clause "distinctClause" distinctClause;
                list sort_clause "sortClause" sortClause;
                node limit_offset "limitOffset" limitOffset;
                node limit_count "limitCount" limitCount;
                enum_ limit_option "limitOption" limitOption: LimitOption;
                list row_marks "rowMarks" rowMarks;
                node set_operations "setOperations" setOperations;
                list constraint_deps "constraintDeps" constraintDeps;
                list with_check_options "withCheckOptions" withCheckOptions;
                location stmt_location "stmt_location" stmt_location;
                int stmt_len "stmt_len" stmt_len;
            }
            T_TypeName TypeName TypeName TypeName "TypeName" {
                list names "names" names;
                uint type_oid "typeOid" typeOid;
                bool setof "setof" setof;
                bool pct_type "pct_type" pct_type;
                list typmods "typmods" typmods;
                int typemod "typemod" typemod;
                list array_bounds "arrayBounds" arrayBounds;
                location location "location" location;
            }
            T_ColumnRef ColumnRef ColumnRef ColumnRef "ColumnRef" {
                list fields "fields" fields;
                location location "location" location;
            }
            T_ParamRef ParamRef ParamRef ParamRef "ParamRef" {
                int number "number" number;
                location location "location" location;
            }
            T_A_Expr A_Expr AExpr AExpr "A_Expr" {
                enum_ kind "kind" kind: A_Expr_Kind;
                list name "name" name;
                node lexpr "lexpr" lexpr;
                node rexpr "rexpr" rexpr;
                location rexpr_list_start "rexpr_list_start" rexpr_list_start;
                location rexpr_list_end "rexpr_list_end" rexpr_list_end;
                location location "location" location;
            }
            T_TypeCast TypeCast TypeCast TypeCast "TypeCast" {
                node arg "arg" arg;
                message type_name "typeName" typeName: TypeName;
                location location "location" location;
            }
            T_CollateClause CollateClause CollateClause CollateClause "CollateClause" {
                node arg "arg" arg;
                list collname "collname" collname;
                location location "location" location;
            }
            T_RoleSpec RoleSpec RoleSpec RoleSpec "RoleSpec" {
                enum_ roletype "roletype" roletype: RoleSpecType;
                string rolename "rolename" rolename;
                location location "location" location;
            }
            T_FuncCall FuncCall FuncCall FuncCall "FuncCall" {
                list funcname "funcname" funcname;
                list args "args" args;
                list agg_order "agg_order" agg_order;
                node agg_filter "agg_filter" agg_filter;
                message over "over" over: WindowDef;
                bool agg_within_group "agg_within_group" agg_within_group;
                bool agg_star "agg_star" agg_star;
                bool agg_distinct "agg_distinct" agg_distinct;
                bool func_variadic "func_variadic" func_variadic;
                enum_ funcformat "funcformat" funcformat: CoercionForm;
                location location "location" location;
            }
            T_A_Star A_Star AStar AStar "A_Star" {
            }
            T_A_Indices A_Indices AIndices AIndices "A_Indices" {
                bool is_slice "is_slice" is_slice;
                node lidx "lidx" lidx;
                node uidx "uidx" uidx;
            }
            T_A_Indirection A_Indirection AIndirection AIndirection "A_Indirection" {
                node arg "arg" arg;
                list indirection "indirection" indirection;
            }
            T_A_ArrayExpr A_ArrayExpr AArrayExpr AArrayExpr "A_ArrayExpr" {
                list elements "elements" elements;
                location list_start "list_start" list_start;
                location list_end "list_end" list_end;
                location location "location" location;
            }
            T_ResTarget ResTarget ResTarget ResTarget "ResTarget" {
                string name "name" name;
                list indirection "indirection" indirection;
                node val "val" val;
                location location "location" location;
            }
            T_MultiAssignRef MultiAssignRef MultiAssignRef MultiAssignRef "MultiAssignRef" {
                node source "source" source;
                int colno "colno" colno;
                int ncolumns "ncolumns" ncolumns;
            }
            T_SortBy SortBy SortBy SortBy "SortBy" {
                node node "node" node;
                enum_ sortby_dir "sortby_dir" sortby_dir: SortByDir;
                enum_ sortby_nulls "sortby_nulls" sortby_nulls: SortByNulls;
                list use_op "useOp" useOp;
                location location "location" location;
            }
            T_WindowDef WindowDef WindowDef WindowDef "WindowDef" {
                string name "name" name;
                string refname "refname" refname;
                list partition_clause "partitionClause" partitionClause;
                list order_clause "orderClause" orderClause;
                int frame_options "frameOptions" frameOptions;
                node start_offset "startOffset" startOffset;
                node end_offset "endOffset" endOffset;
                location location "location" location;
            }
            T_RangeSubselect RangeSubselect RangeSubselect RangeSubselect "RangeSubselect" {
                bool lateral "lateral" lateral;
                node subquery "subquery" subquery;
                message alias "alias" alias: Alias;
            }
            T_RangeFunction RangeFunction RangeFunction RangeFunction "RangeFunction" {
                bool lateral "lateral" lateral;
                bool ordinality "ordinality" ordinality;
                bool is_rowsfrom "is_rowsfrom" is_rowsfrom;
                list functions "functions" functions;
                message alias "alias" alias: Alias;
                list coldeflist "coldeflist" coldeflist;
            }
            T_RangeTableFunc RangeTableFunc RangeTableFunc RangeTableFunc "RangeTableFunc" {
                bool lateral "lateral" lateral;
                node docexpr "docexpr" docexpr;
                node rowexpr "rowexpr" rowexpr;
                list namespaces "namespaces" namespaces;
                list columns "columns" columns;
                message alias "alias" alias: Alias;
                location location "location" location;
            }
            T_RangeTableFuncCol RangeTableFuncCol RangeTableFuncCol RangeTableFuncCol "RangeTableFuncCol" {
                string colname "colname" colname;
                message type_name "typeName" typeName: TypeName;
                bool for_ordinality "for_ordinality" for_ordinality;
                bool is_not_null "is_not_null" is_not_null;
                node colexpr "colexpr" colexpr;
                node coldefexpr "coldefexpr" coldefexpr;
                location location "location" location;
            }
            T_RangeTableSample RangeTableSample RangeTableSample RangeTableSample "RangeTableSample" {
                node relation "relation" relation;
                list method "method" method;
                list args "args" args;
                node repeatable "repeatable" repeatable;
                location location "location" location;
            }
            T_ColumnDef ColumnDef ColumnDef ColumnDef "ColumnDef" {
                string colname "colname" colname;
                message type_name "typeName" typeName: TypeName;
                string compression "compression" compression;
                int inhcount "inhcount" inhcount;
                bool is_local "is_local" is_local;
                bool is_not_null "is_not_null" is_not_null;
                bool is_from_type "is_from_type" is_from_type;
                char storage "storage" storage;
                string storage_name "storage_name" storage_name;
                node raw_default "raw_default" raw_default;
                node cooked_default "cooked_default" cooked_default;
                char identity "identity" identity;
                message identity_sequence "identitySequence" identitySequence: RangeVar;
                char generated "generated" generated;
                message coll_clause "collClause" collClause: CollateClause;
                uint coll_oid "collOid" collOid;
                list constraints "constraints" constraints;
                list fdwoptions "fdwoptions" fdwoptions;
                location location "location" location;
            }
            T_TableLikeClause TableLikeClause TableLikeClause TableLikeClause "TableLikeClause" {
                message relation "relation" relation: RangeVar;
                uint options "options" options;
                uint relation_oid "relationOid" relationOid;
            }
            T_IndexElem IndexElem IndexElem IndexElem "IndexElem" {
                string name "name" name;
                node expr "expr" expr;
                string indexcolname "indexcolname" indexcolname;
                list collation "collation" collation;
                list opclass "opclass" opclass;
                list opclassopts "opclassopts" opclassopts;
                enum_ ordering "ordering" ordering: SortByDir;
                enum_ nulls_ordering "nulls_ordering" nulls_ordering: SortByNulls;
            }
            T_DefElem DefElem DefElem DefElem "DefElem" {
                string defnamespace "defnamespace" defnamespace;
                string defname "defname" defname;
                node arg "arg" arg;
                enum_ defaction "defaction" defaction: DefElemAction;
                location location "location" location;
                location arg_location "arg_location" arg_location;
            }
            T_LockingClause LockingClause LockingClause LockingClause "LockingClause" {
                list locked_rels "lockedRels" lockedRels;
                enum_ strength "strength" strength: LockClauseStrength;
                enum_ wait_policy "waitPolicy" waitPolicy: LockWaitPolicy;
            }
            T_XmlSerialize XmlSerialize XmlSerialize XmlSerialize "XmlSerialize" {
                enum_ xmloption "xmloption" xmloption: XmlOptionType;
                node expr "expr" expr;
                message type_name "typeName" typeName: TypeName;
                bool indent "indent" indent;
                location location "location" location;
            }
            T_PartitionElem PartitionElem PartitionElem PartitionElem "PartitionElem" {
                string name "name" name;
                node expr "expr" expr;
                list collation "collation" collation;
                list opclass "opclass" opclass;
                location location "location" location;
            }
            T_PartitionSpec PartitionSpec PartitionSpec PartitionSpec "PartitionSpec" {
                enum_ strategy "strategy" strategy: PartitionStrategy;
                list part_params "partParams" partParams;
                location location "location" location;
            }
            T_PartitionBoundSpec PartitionBoundSpec PartitionBoundSpec PartitionBoundSpec "PartitionBoundSpec" {
                char strategy "strategy" strategy;
                bool is_default "is_default" is_default;
                int modulus "modulus" modulus;
                int remainder "remainder" remainder;
                list listdatums "listdatums" listdatums;
                list lowerdatums "lowerdatums" lowerdatums;
                list upperdatums "upperdatums" upperdatums;
                location location "location" location;
            }
            T_PartitionRangeDatum PartitionRangeDatum PartitionRangeDatum PartitionRangeDatum "PartitionRangeDatum" {
                enum_ kind "kind" kind: PartitionRangeDatumKind;
                node value "value" value;
                location location "location" location;
            }
            T_PartitionCmd PartitionCmd PartitionCmd PartitionCmd "PartitionCmd" {
                message name "name" name: RangeVar;
                message bound "bound" bound: PartitionBoundSpec;
                bool concurrent "concurrent" concurrent;
            }
            T_RangeTblEntry RangeTblEntry RangeTblEntry RangeTblEntry "RangeTblEntry" {
                message alias "alias" alias: Alias;
                message eref "eref" eref: Alias;
                enum_ rtekind "rtekind" rtekind: RTEKind;
                uint relid "relid" relid;
                bool inh "inh" inh;
                char relkind "relkind" relkind;
                int rellockmode "rellockmode" rellockmode;
                uint perminfoindex "perminfoindex" perminfoindex;
                message tablesample "tablesample" tablesample: TableSampleClause;
                message subquery "subquery" subquery: Query;
                bool security_barrier "security_barrier" security_barrier;
                enum_ jointype "jointype" jointype: JoinType;
                int joinmergedcols "joinmergedcols" joinmergedcols;
                list joinaliasvars "joinaliasvars" joinaliasvars;
                list joinleftcols "joinleftcols" joinleftcols;
                list joinrightcols "joinrightcols" joinrightcols;
                message join_using_alias "join_using_alias" join_using_alias: Alias;
                list functions "functions" functions;
                bool funcordinality "funcordinality" funcordinality;
                message tablefunc "tablefunc" tablefunc: TableFunc;
                list values_lists "values_lists" values_lists;
                string ctename "ctename" ctename;
                uint ctelevelsup "ctelevelsup" ctelevelsup;
                bool self_reference "self_reference" self_reference;
                list coltypes "coltypes" coltypes;
                list coltypmods "coltypmods" coltypmods;
                list colcollations "colcollations" colcollations;
                string enrname "enrname" enrname;
                float enrtuples "enrtuples" enrtuples;
                list groupexprs "groupexprs" groupexprs;
                bool lateral "lateral" lateral;
                bool in_from_cl "inFromCl" inFromCl;
                list security_quals "securityQuals" securityQuals;
            }
            T_RTEPermissionInfo RTEPermissionInfo RtePermissionInfo RtepermissionInfo "RTEPermissionInfo" {
                uint relid "relid" relid;
                bool inh "inh" inh;
                uint64 required_perms "requiredPerms" requiredPerms;
                uint check_as_user "checkAsUser" checkAsUser;
                bitmapset selected_cols "selectedCols" selectedCols;
                bitmapset inserted_cols "insertedCols" insertedCols;
                bitmapset updated_cols "updatedCols" updatedCols;
            }
            T_RangeTblFunction RangeTblFunction RangeTblFunction RangeTblFunction "RangeTblFunction" {
                node funcexpr "funcexpr" funcexpr;
                int funccolcount "funccolcount" funccolcount;
                list funccolnames "funccolnames" funccolnames;
                list funccoltypes "funccoltypes" funccoltypes;
                list funccoltypmods "funccoltypmods" funccoltypmods;
                list funccolcollations "funccolcollations" funccolcollations;
                bitmapset funcparams "funcparams" funcparams;
            }
            T_TableSampleClause TableSampleClause TableSampleClause TableSampleClause "TableSampleClause" {
                uint tsmhandler "tsmhandler" tsmhandler;
                list args "args" args;
                node repeatable "repeatable" repeatable;
            }
            T_WithCheckOption WithCheckOption WithCheckOption WithCheckOption "WithCheckOption" {
                enum_ kind "kind" kind: WCOKind;
                string relname "relname" relname;
                string polname "polname" polname;
                node qual "qual" qual;
                bool cascaded "cascaded" cascaded;
            }
            T_SortGroupClause SortGroupClause SortGroupClause SortGroupClause "SortGroupClause" {
                uint tle_sort_group_ref "tleSortGroupRef" tleSortGroupRef;
                uint eqop "eqop" eqop;
                uint sortop "sortop" sortop;
                bool reverse_sort "reverse_sort" reverse_sort;
                bool nulls_first "nulls_first" nulls_first;
                bool hashable "hashable" hashable;
            }
            T_GroupingSet GroupingSet GroupingSet GroupingSet "GroupingSet" {
                enum_ kind "kind" kind: GroupingSetKind;
                list content "content" content;
                location location "location" location;
            }
            T_WindowClause WindowClause WindowClause WindowClause "WindowClause" {
                string name "name" name;
                string refname "refname" refname;
                list partition_clause "partitionClause" partitionClause;
                list order_clause "orderClause" orderClause;
                int frame_options "frameOptions" frameOptions;
                node start_offset "startOffset" startOffset;
                node end_offset "endOffset" endOffset;
                uint start_in_range_func "startInRangeFunc" startInRangeFunc;
                uint end_in_range_func "endInRangeFunc" endInRangeFunc;
                uint in_range_coll "inRangeColl" inRangeColl;
                bool in_range_asc "inRangeAsc" inRangeAsc;
                bool in_range_nulls_first "inRangeNullsFirst" inRangeNullsFirst;
                uint winref "winref" winref;
                bool copied_order "copiedOrder" copiedOrder;
            }
            T_RowMarkClause RowMarkClause RowMarkClause RowMarkClause "RowMarkClause" {
                uint rti "rti" rti;
                enum_ strength "strength" strength: LockClauseStrength;
                enum_ wait_policy "waitPolicy" waitPolicy: LockWaitPolicy;
                bool pushed_down "pushedDown" pushedDown;
            }
            T_WithClause WithClause WithClause WithClause "WithClause" {
                list ctes "ctes" ctes;
                bool recursive "recursive" recursive;
                location location "location" location;
            }
            T_InferClause InferClause InferClause InferClause "InferClause" {
                list index_elems "indexElems" indexElems;
                node where_clause "whereClause" whereClause;
                string conname "conname" conname;
                location location "location" location;
            }
            T_OnConflictClause OnConflictClause OnConflictClause OnConflictClause "OnConflictClause" {
                enum_ action "action" action: OnConflictAction;
                message infer "infer" infer: InferClause;
                list target_list "targetList" targetList;
                node where_clause "whereClause" whereClause;
                location location "location" location;
            }
            T_CTESearchClause CTESearchClause CteSearchClause CtesearchClause "CTESearchClause" {
                list search_col_list "search_col_list" search_col_list;
                bool search_breadth_first "search_breadth_first" search_breadth_first;
                string search_seq_column "search_seq_column" search_seq_column;
                location location "location" location;
            }
            T_CTECycleClause CTECycleClause CteCycleClause CtecycleClause "CTECycleClause" {
                list cycle_col_list "cycle_col_list" cycle_col_list;
                string cycle_mark_column "cycle_mark_column" cycle_mark_column;
                node cycle_mark_value "cycle_mark_value" cycle_mark_value;
                node cycle_mark_default "cycle_mark_default" cycle_mark_default;
                string cycle_path_column "cycle_path_column" cycle_path_column;
                location location "location" location;
                uint cycle_mark_type "cycle_mark_type" cycle_mark_type;
                int cycle_mark_typmod "cycle_mark_typmod" cycle_mark_typmod;
                uint cycle_mark_collation "cycle_mark_collation" cycle_mark_collation;
                uint cycle_mark_neop "cycle_mark_neop" cycle_mark_neop;
            }
            T_CommonTableExpr CommonTableExpr CommonTableExpr CommonTableExpr "CommonTableExpr" {
                string ctename "ctename" ctename;
                list aliascolnames "aliascolnames" aliascolnames;
                enum_ ctematerialized "ctematerialized" ctematerialized: CTEMaterialize;
                node ctequery "ctequery" ctequery;
                message search_clause "search_clause" search_clause: CteSearchClause;
                message cycle_clause "cycle_clause" cycle_clause: CteCycleClause;
                location location "location" location;
                bool cterecursive "cterecursive" cterecursive;
                int cterefcount "cterefcount" cterefcount;
                list ctecolnames "ctecolnames" ctecolnames;
                list ctecoltypes "ctecoltypes" ctecoltypes;
                list ctecoltypmods "ctecoltypmods" ctecoltypmods;
                list ctecolcollations "ctecolcollations" ctecolcollations;
            }
            T_MergeWhenClause MergeWhenClause MergeWhenClause MergeWhenClause "MergeWhenClause" {
                enum_ match_kind "matchKind" matchKind: MergeMatchKind;
                enum_ command_type "commandType" commandType: CmdType;
                enum_ r#override "override" override_: OverridingKind;
                node condition "condition" condition;
                list target_list "targetList" targetList;
                list values "values" values;
            }
            T_ReturningOption ReturningOption ReturningOption ReturningOption "ReturningOption" {
                enum_ option "option" option: ReturningOptionKind;
                string value "value" value;
                location location "location" location;
            }
            T_ReturningClause ReturningClause ReturningClause ReturningClause "ReturningClause" {
                list options "options" options;
                list exprs "exprs" exprs;
            }
            T_TriggerTransition TriggerTransition TriggerTransition TriggerTransition "TriggerTransition" {
                string name "name" name;
                bool is_new "isNew" isNew;
                bool is_table "isTable" isTable;
            }
            T_JsonOutput JsonOutput JsonOutput JsonOutput "JsonOutput" {
                message type_name "typeName" typeName: TypeName;
                message returning "returning" returning: JsonReturning;
            }
            T_JsonArgument JsonArgument JsonArgument JsonArgument "JsonArgument" {
                message val "val" val: JsonValueExpr;
                string name "name" name;
            }
            T_JsonFuncExpr JsonFuncExpr JsonFuncExpr JsonFuncExpr "JsonFuncExpr" {
                enum_ op "op" op: JsonExprOp;
                string column_name "column_name" column_name;
                message context_item "context_item" context_item: JsonValueExpr;
                node pathspec "pathspec" pathspec;
                list passing "passing" passing;
                message output "output" output: JsonOutput;
                message on_empty "on_empty" on_empty: JsonBehavior;
                message on_error "on_error" on_error: JsonBehavior;
                enum_ wrapper "wrapper" wrapper: JsonWrapper;
                enum_ quotes "quotes" quotes: JsonQuotes;
                location location "location" location;
            }
            T_JsonTablePathSpec JsonTablePathSpec JsonTablePathSpec JsonTablePathSpec "JsonTablePathSpec" {
                node string "string" string;
                string name "name" name;
                location name_location "name_location" name_location;
                location location "location" location;
            }
            T_JsonTable JsonTable JsonTable JsonTable "JsonTable" {
                message context_item "context_item" context_item: JsonValueExpr;
                message pathspec "pathspec" pathspec: JsonTablePathSpec;
                list passing "passing" passing;
                list columns "columns" columns;
                message on_error "on_error" on_error: JsonBehavior;
                message alias "alias" alias: Alias;
                bool lateral "lateral" lateral;
                location location "location" location;
            }
            T_JsonTableColumn JsonTableColumn JsonTableColumn JsonTableColumn "JsonTableColumn" {
                enum_ coltype "coltype" coltype: JsonTableColumnType;
                string name "name" name;
                message type_name "typeName" typeName: TypeName;
                message pathspec "pathspec" pathspec: JsonTablePathSpec;
                message format "format" format: JsonFormat;
                enum_ wrapper "wrapper" wrapper: JsonWrapper;
                enum_ quotes "quotes" quotes: JsonQuotes;
                list columns "columns" columns;
                message on_empty "on_empty" on_empty: JsonBehavior;
                message on_error "on_error" on_error: JsonBehavior;
                location location "location" location;
            }
            T_JsonKeyValue JsonKeyValue JsonKeyValue JsonKeyValue "JsonKeyValue" {
                node key "key" key;
                message value "value" value: JsonValueExpr;
            }
            T_JsonParseExpr JsonParseExpr JsonParseExpr JsonParseExpr "JsonParseExpr" {
                message expr "expr" expr: JsonValueExpr;
                message output "output" output: JsonOutput;
                bool unique_keys "unique_keys" unique_keys;
                location location "location" location;
            }
            T_JsonScalarExpr JsonScalarExpr JsonScalarExpr JsonScalarExpr "JsonScalarExpr" {
                node expr "expr" expr;
                message output "output" output: JsonOutput;
                location location "location" location;
            }
            T_JsonSerializeExpr JsonSerializeExpr JsonSerializeExpr JsonSerializeExpr "JsonSerializeExpr" {
                message expr "expr" expr: JsonValueExpr;
                message output "output" output: JsonOutput;
                location location "location" location;
            }
            T_JsonObjectConstructor JsonObjectConstructor JsonObjectConstructor JsonObjectConstructor "JsonObjectConstructor" {
                list exprs "exprs" exprs;
                message output "output" output: JsonOutput;
                bool absent_on_null "absent_on_null" absent_on_null;
                bool unique "unique" unique;
                location location "location" location;
            }
            T_JsonArrayConstructor JsonArrayConstructor JsonArrayConstructor JsonArrayConstructor "JsonArrayConstructor" {
                list exprs "exprs" exprs;
                message output "output" output: JsonOutput;
                bool absent_on_null "absent_on_null" absent_on_null;
                location location "location" location;
            }
            T_JsonArrayQueryConstructor JsonArrayQueryConstructor JsonArrayQueryConstructor JsonArrayQueryConstructor "JsonArrayQueryConstructor" {
                node query "query" query;
                message output "output" output: JsonOutput;
                message format "format" format: JsonFormat;
                bool absent_on_null "absent_on_null" absent_on_null;
                location location "location" location;
            }
            T_JsonAggConstructor JsonAggConstructor JsonAggConstructor JsonAggConstructor "JsonAggConstructor" {
                message output "output" output: JsonOutput;
                node agg_filter "agg_filter" agg_filter;
                list agg_order "agg_order" agg_order;
                message over "over" over: WindowDef;
                location location "location" location;
            }
            T_JsonObjectAgg JsonObjectAgg JsonObjectAgg JsonObjectAgg "JsonObjectAgg" {
                message constructor "constructor" constructor: JsonAggConstructor;
                message arg "arg" arg: JsonKeyValue;
                bool absent_on_null "absent_on_null" absent_on_null;
                bool unique "unique" unique;
            }
            T_JsonArrayAgg JsonArrayAgg JsonArrayAgg JsonArrayAgg "JsonArrayAgg" {
                message constructor "constructor" constructor: JsonAggConstructor;
                message arg "arg" arg: JsonValueExpr;
                bool absent_on_null "absent_on_null" absent_on_null;
            }
            T_RawStmt RawStmt RawStmt RawStmt "RawStmt" {
                node stmt "stmt" stmt;
                location stmt_location "stmt_location" stmt_location;
                int stmt_len "stmt_len" stmt_len;
            }
            T_InsertStmt InsertStmt InsertStmt InsertStmt "InsertStmt" {
                message relation "relation" relation: RangeVar;
                list cols "cols" cols;
                node select_stmt "selectStmt" selectStmt;
                message on_conflict_clause "onConflictClause" onConflictClause: OnConflictClause;
                message returning_clause "returningClause" returningClause: ReturningClause;
                message with_clause "withClause" withClause: WithClause;
                enum_ r#override "override" override_: OverridingKind;
            }
            T_DeleteStmt DeleteStmt DeleteStmt DeleteStmt "DeleteStmt" {
                message relation "relation" relation: RangeVar;
                list using_clause "usingClause" usingClause;
                node where_clause "whereClause" whereClause;
                message returning_clause "returningClause" returningClause: ReturningClause;
                message with_clause "withClause" withClause: WithClause;
            }
            T_UpdateStmt UpdateStmt UpdateStmt UpdateStmt "UpdateStmt" {
                message relation "relation" relation: RangeVar;
                list target_list "targetList" targetList;
                node where_clause "whereClause" whereClause;
                list from_clause "fromClause" fromClause;
                message returning_clause "returningClause" returningClause: ReturningClause;
                message with_clause "withClause" withClause: WithClause;
            }
            T_MergeStmt MergeStmt MergeStmt MergeStmt "MergeStmt" {
                message relation "relation" relation: RangeVar;
                node source_relation "sourceRelation" sourceRelation;
                node join_condition "joinCondition" joinCondition;
                list merge_when_clauses "mergeWhenClauses" mergeWhenClauses;
                message returning_clause "returningClause" returningClause: ReturningClause;
                message with_clause "withClause" withClause: WithClause;
            }
            T_SelectStmt SelectStmt SelectStmt SelectStmt "SelectStmt" {
                list distinct_clause "distinctClause" distinctClause;
                message into_clause "intoClause" intoClause: IntoClause;
                list target_list "targetList" targetList;
                list from_clause "fromClause" fromClause;
                node where_clause "whereClause" whereClause;
                list group_clause "groupClause" groupClause;
                bool group_distinct "groupDistinct" groupDistinct;
                node having_clause "havingClause" havingClause;
                list window_clause "windowClause" windowClause;
                list values_lists "valuesLists" valuesLists;
                list sort_clause "sortClause" sortClause;
                node limit_offset "limitOffset" limitOffset;
                node limit_count "limitCount" limitCount;
                enum_ limit_option "limitOption" limitOption: LimitOption;
                list locking_clause "lockingClause" lockingClause;
                message with_clause "withClause" withClause: WithClause;
                enum_ op "op" op: SetOperation;
                bool all "all" all;
                message larg "larg" larg: SelectStmt;
                message rarg "rarg" rarg: SelectStmt;
            }
            T_SetOperationStmt SetOperationStmt SetOperationStmt SetOperationStmt "SetOperationStmt" {
                enum_ op "op" op: SetOperation;
                bool all "all" all;
                node larg "larg" larg;
                node rarg "rarg" rarg;
                list col_types "colTypes" colTypes;
                list col_typmods "colTypmods" colTypmods;
                list col_collations "colCollations" colCollations;
                list group_clauses "groupClauses" groupClauses;
            }
            T_ReturnStmt ReturnStmt ReturnStmt ReturnStmt "ReturnStmt" {
                node returnval "returnval" returnval;
            }
            T_PLAssignStmt PLAssignStmt PlAssignStmt PlassignStmt "PLAssignStmt" {
                string name "name" name;
                list indirection "indirection" indirection;
                int nnames "nnames" nnames;
                message val "val" val: SelectStmt;
                location location "location" location;
            }
            T_CreateSchemaStmt CreateSchemaStmt CreateSchemaStmt CreateSchemaStmt "CreateSchemaStmt" {
                string schemaname "schemaname" schemaname;
                message authrole "authrole" authrole: RoleSpec;
                list schema_elts "schemaElts" schemaElts;
                bool if_not_exists "if_not_exists" if_not_exists;
            }
            T_AlterTableStmt AlterTableStmt AlterTableStmt AlterTableStmt "AlterTableStmt" {
                message relation "relation" relation: RangeVar;
                list cmds "cmds" cmds;
                enum_ objtype "objtype" objtype: ObjectType;
                bool missing_ok "missing_ok" missing_ok;
            }
            T_AlterTableCmd AlterTableCmd AlterTableCmd AlterTableCmd "AlterTableCmd" {
                enum_ subtype "subtype" subtype: AlterTableType;
                string name "name" name;
                int num "num" num;
                message newowner "newowner" newowner: RoleSpec;
                node def "def" def;
                enum_ behavior "behavior" behavior: DropBehavior;
                bool missing_ok "missing_ok" missing_ok;
                bool recurse "recurse" recurse;
            }
            T_ATAlterConstraint ATAlterConstraint AtAlterConstraint AtalterConstraint "ATAlterConstraint" {
                string conname "conname" conname;
                bool alter_enforceability "alterEnforceability" alterEnforceability;
                bool is_enforced "is_enforced" is_enforced;
                bool alter_deferrability "alterDeferrability" alterDeferrability;
                bool deferrable "deferrable" deferrable;
                bool initdeferred "initdeferred" initdeferred;
                bool alter_inheritability "alterInheritability" alterInheritability;
                bool noinherit "noinherit" noinherit;
            }
            T_ReplicaIdentityStmt ReplicaIdentityStmt ReplicaIdentityStmt ReplicaIdentityStmt "ReplicaIdentityStmt" {
                char identity_type "identity_type" identity_type;
                string name "name" name;
            }
            T_AlterCollationStmt AlterCollationStmt AlterCollationStmt AlterCollationStmt "AlterCollationStmt" {
                list collname "collname" collname;
            }
            T_AlterDomainStmt AlterDomainStmt AlterDomainStmt AlterDomainStmt "AlterDomainStmt" {
                char subtype "subtype" subtype;
                list type_name "typeName" typeName;
                string name "name" name;
                node def "def" def;
                enum_ behavior "behavior" behavior: DropBehavior;
                bool missing_ok "missing_ok" missing_ok;
            }
            T_GrantStmt GrantStmt GrantStmt GrantStmt "GrantStmt" {
                bool is_grant "is_grant" is_grant;
                enum_ targtype "targtype" targtype: GrantTargetType;
                enum_ objtype "objtype" objtype: ObjectType;
                list objects "objects" objects;
                list privileges "privileges" privileges;
                list grantees "grantees" grantees;
                bool grant_option "grant_option" grant_option;
                message grantor "grantor" grantor: RoleSpec;
                enum_ behavior "behavior" behavior: DropBehavior;
            }
            T_ObjectWithArgs ObjectWithArgs ObjectWithArgs ObjectWithArgs "ObjectWithArgs" {
                list objname "objname" objname;
                list objargs "objargs" objargs;
                list objfuncargs "objfuncargs" objfuncargs;
                bool args_unspecified "args_unspecified" args_unspecified;
            }
            T_AccessPriv AccessPriv AccessPriv AccessPriv "AccessPriv" {
                string priv_name "priv_name" priv_name;
                list cols "cols" cols;
            }
            T_GrantRoleStmt GrantRoleStmt GrantRoleStmt GrantRoleStmt "GrantRoleStmt" {
                list granted_roles "granted_roles" granted_roles;
                list grantee_roles "grantee_roles" grantee_roles;
                bool is_grant "is_grant" is_grant;
                list opt "opt" opt;
                message grantor "grantor" grantor: RoleSpec;
                enum_ behavior "behavior" behavior: DropBehavior;
            }
            T_AlterDefaultPrivilegesStmt AlterDefaultPrivilegesStmt AlterDefaultPrivilegesStmt AlterDefaultPrivilegesStmt "AlterDefaultPrivilegesStmt" {
                list options "options" options;
                message action "action" action: GrantStmt;
            }
            T_CopyStmt CopyStmt CopyStmt CopyStmt "CopyStmt" {
                message relation "relation" relation: RangeVar;
                node query "query" query;
                list attlist "attlist" attlist;
                bool is_from "is_from" is_from;
                bool is_program "is_program" is_program;
                string filename "filename" filename;
                list options "options" options;
                node where_clause "whereClause" whereClause;
            }
            T_VariableSetStmt VariableSetStmt VariableSetStmt VariableSetStmt "VariableSetStmt" {
                enum_ kind "kind" kind: VariableSetKind;
                string name "name" name;
                list args "args" args;
                bool jumble_args "jumble_args" jumble_args;
                bool is_local "is_local" is_local;
                location location "location" location;
            }
            T_VariableShowStmt VariableShowStmt VariableShowStmt VariableShowStmt "VariableShowStmt" {
                string name "name" name;
            }
            T_CreateStmt CreateStmt CreateStmt CreateStmt "CreateStmt" {
                message relation "relation" relation: RangeVar;
                list table_elts "tableElts" tableElts;
                list inh_relations "inhRelations" inhRelations;
                message partbound "partbound" partbound: PartitionBoundSpec;
                message partspec "partspec" partspec: PartitionSpec;
                message of_typename "ofTypename" ofTypename: TypeName;
                list constraints "constraints" constraints;
                list nnconstraints "nnconstraints" nnconstraints;
                list options "options" options;
                enum_ oncommit "oncommit" oncommit: OnCommitAction;
                string tablespacename "tablespacename" tablespacename;
                string access_method "accessMethod" accessMethod;
                bool if_not_exists "if_not_exists" if_not_exists;
            }
            T_Constraint Constraint Constraint Constraint "Constraint" {
                enum_ contype "contype" contype: ConstrType;
                string conname "conname" conname;
                bool deferrable "deferrable" deferrable;
                bool initdeferred "initdeferred" initdeferred;
                bool is_enforced "is_enforced" is_enforced;
                bool skip_validation "skip_validation" skip_validation;
                bool initially_valid "initially_valid" initially_valid;
                bool is_no_inherit "is_no_inherit" is_no_inherit;
                node raw_expr "raw_expr" raw_expr;
                string cooked_expr "cooked_expr" cooked_expr;
                char generated_when "generated_when" generated_when;
                char generated_kind "generated_kind" generated_kind;
                bool nulls_not_distinct "nulls_not_distinct" nulls_not_distinct;
                list keys "keys" keys;
                bool without_overlaps "without_overlaps" without_overlaps;
                list including "including" including;
                list exclusions "exclusions" exclusions;
                list options "options" options;
                string indexname "indexname" indexname;
                string indexspace "indexspace" indexspace;
                bool reset_default_tblspc "reset_default_tblspc" reset_default_tblspc;
                string access_method "access_method" access_method;
                node where_clause "where_clause" where_clause;
                message pktable "pktable" pktable: RangeVar;
                list fk_attrs "fk_attrs" fk_attrs;
                list pk_attrs "pk_attrs" pk_attrs;
                bool fk_with_period "fk_with_period" fk_with_period;
                bool pk_with_period "pk_with_period" pk_with_period;
                char fk_matchtype "fk_matchtype" fk_matchtype;
                char fk_upd_action "fk_upd_action" fk_upd_action;
                char fk_del_action "fk_del_action" fk_del_action;
                list fk_del_set_cols "fk_del_set_cols" fk_del_set_cols;
                list old_conpfeqop "old_conpfeqop" old_conpfeqop;
                uint old_pktable_oid "old_pktable_oid" old_pktable_oid;
                location location "location" location;
            }
            T_CreateTableSpaceStmt CreateTableSpaceStmt CreateTableSpaceStmt CreateTableSpaceStmt "CreateTableSpaceStmt" {
                string tablespacename "tablespacename" tablespacename;
                message owner "owner" owner: RoleSpec;
                string location "location" location;
                list options "options" options;
            }
            T_DropTableSpaceStmt DropTableSpaceStmt DropTableSpaceStmt DropTableSpaceStmt "DropTableSpaceStmt" {
                string tablespacename "tablespacename" tablespacename;
                bool missing_ok "missing_ok" missing_ok;
            }
            T_AlterTableSpaceOptionsStmt AlterTableSpaceOptionsStmt AlterTableSpaceOptionsStmt AlterTableSpaceOptionsStmt "AlterTableSpaceOptionsStmt" {
                string tablespacename "tablespacename" tablespacename;
                list options "options" options;
                bool is_reset "isReset" isReset;
            }
            T_AlterTableMoveAllStmt AlterTableMoveAllStmt AlterTableMoveAllStmt AlterTableMoveAllStmt "AlterTableMoveAllStmt" {
                string orig_tablespacename "orig_tablespacename" orig_tablespacename;
                enum_ objtype "objtype" objtype: ObjectType;
                list roles "roles" roles;
                string new_tablespacename "new_tablespacename" new_tablespacename;
                bool nowait "nowait" nowait;
            }
            T_CreateExtensionStmt CreateExtensionStmt CreateExtensionStmt CreateExtensionStmt "CreateExtensionStmt" {
                string extname "extname" extname;
                bool if_not_exists "if_not_exists" if_not_exists;
                list options "options" options;
            }
            T_AlterExtensionStmt AlterExtensionStmt AlterExtensionStmt AlterExtensionStmt "AlterExtensionStmt" {
                string extname "extname" extname;
                list options "options" options;
            }
            T_AlterExtensionContentsStmt AlterExtensionContentsStmt AlterExtensionContentsStmt AlterExtensionContentsStmt "AlterExtensionContentsStmt" {
                string extname "extname" extname;
                int action "action" action;
                enum_ objtype "objtype" objtype: ObjectType;
                node object "object" object;
            }
            T_CreateFdwStmt CreateFdwStmt CreateFdwStmt CreateFdwStmt "CreateFdwStmt" {
                string fdwname "fdwname" fdwname;
                list func_options "func_options" func_options;
                list options "options" options;
            }
            T_AlterFdwStmt AlterFdwStmt AlterFdwStmt AlterFdwStmt "AlterFdwStmt" {
                string fdwname "fdwname" fdwname;
                list func_options "func_options" func_options;
                list options "options" options;
            }
            T_CreateForeignServerStmt CreateForeignServerStmt CreateForeignServerStmt CreateForeignServerStmt "CreateForeignServerStmt" {
                string servername "servername" servername;
                string servertype "servertype" servertype;
                string version "version" version;
                string fdwname "fdwname" fdwname;
                bool if_not_exists "if_not_exists" if_not_exists;
                list options "options" options;
            }
            T_AlterForeignServerStmt AlterForeignServerStmt AlterForeignServerStmt AlterForeignServerStmt "AlterForeignServerStmt" {
                string servername "servername" servername;
                string version "version" version;
                list options "options" options;
                bool has_version "has_version" has_version;
            }
            T_CreateForeignTableStmt CreateForeignTableStmt CreateForeignTableStmt CreateForeignTableStmt "CreateForeignTableStmt" {
                embed base_stmt "base" base: CreateStmt;
                string servername "servername" servername;
                list options "options" options;
            }
            T_CreateUserMappingStmt CreateUserMappingStmt CreateUserMappingStmt CreateUserMappingStmt "CreateUserMappingStmt" {
                message user "user" user: RoleSpec;
                string servername "servername" servername;
                bool if_not_exists "if_not_exists" if_not_exists;
                list options "options" options;
            }
            T_AlterUserMappingStmt AlterUserMappingStmt AlterUserMappingStmt AlterUserMappingStmt "AlterUserMappingStmt" {
                message user "user" user: RoleSpec;
                string servername "servername" servername;
                list options "options" options;
            }
            T_DropUserMappingStmt DropUserMappingStmt DropUserMappingStmt DropUserMappingStmt "DropUserMappingStmt" {
                message user "user" user: RoleSpec;
                string servername "servername" servername;
                bool missing_ok "missing_ok" missing_ok;
            }
            T_ImportForeignSchemaStmt ImportForeignSchemaStmt ImportForeignSchemaStmt ImportForeignSchemaStmt "ImportForeignSchemaStmt" {
                string server_name "server_name" server_name;
                string remote_schema "remote_schema" remote_schema;
                string local_schema "local_schema" local_schema;
                enum_ list_type "list_type" list_type: ImportForeignSchemaType;
                list table_list "table_list" table_list;
                list options "options" options;
            }
            T_CreatePolicyStmt CreatePolicyStmt CreatePolicyStmt CreatePolicyStmt "CreatePolicyStmt" {
                string policy_name "policy_name" policy_name;
                message table "table" table: RangeVar;
                string cmd_name "cmd_name" cmd_name;
                bool permissive "permissive" permissive;
                list roles "roles" roles;
                node qual "qual" qual;
                node with_check "with_check" with_check;
            }
            T_AlterPolicyStmt AlterPolicyStmt AlterPolicyStmt AlterPolicyStmt "AlterPolicyStmt" {
                string policy_name "policy_name" policy_name;
                message table "table" table: RangeVar;
                list roles "roles" roles;
                node qual "qual" qual;
                node with_check "with_check" with_check;
            }
            T_CreateAmStmt CreateAmStmt CreateAmStmt CreateAmStmt "CreateAmStmt" {
                string amname "amname" amname;
                list handler_name "handler_name" handler_name;
                char amtype "amtype" amtype;
            }
            T_CreateTrigStmt CreateTrigStmt CreateTrigStmt CreateTrigStmt "CreateTrigStmt" {
                bool replace "replace" replace;
                bool isconstraint "isconstraint" isconstraint;
                string trigname "trigname" trigname;
                message relation "relation" relation: RangeVar;
                list funcname "funcname" funcname;
                list args "args" args;
                bool row "row" row;
                int timing "timing" timing;
                int events "events" events;
                list columns "columns" columns;
                node when_clause "whenClause" whenClause;
                list transition_rels "transitionRels" transitionRels;
                bool deferrable "deferrable" deferrable;
                bool initdeferred "initdeferred" initdeferred;
                message constrrel "constrrel" constrrel: RangeVar;
            }
            T_CreateEventTrigStmt CreateEventTrigStmt CreateEventTrigStmt CreateEventTrigStmt "CreateEventTrigStmt" {
                string trigname "trigname" trigname;
                string eventname "eventname" eventname;
                list whenclause "whenclause" whenclause;
                list funcname "funcname" funcname;
            }
            T_AlterEventTrigStmt AlterEventTrigStmt AlterEventTrigStmt AlterEventTrigStmt "AlterEventTrigStmt" {
                string trigname "trigname" trigname;
                char tgenabled "tgenabled" tgenabled;
            }
            T_CreatePLangStmt CreatePLangStmt CreatePLangStmt CreatePlangStmt "CreatePLangStmt" {
                bool replace "replace" replace;
                string plname "plname" plname;
                list plhandler "plhandler" plhandler;
                list plinline "plinline" plinline;
                list plvalidator "plvalidator" plvalidator;
                bool pltrusted "pltrusted" pltrusted;
            }
            T_CreateRoleStmt CreateRoleStmt CreateRoleStmt CreateRoleStmt "CreateRoleStmt" {
                enum_ stmt_type "stmt_type" stmt_type: RoleStmtType;
                string role "role" role;
                list options "options" options;
            }
            T_AlterRoleStmt AlterRoleStmt AlterRoleStmt AlterRoleStmt "AlterRoleStmt" {
                message role "role" role: RoleSpec;
                list options "options" options;
                int action "action" action;
            }
            T_AlterRoleSetStmt AlterRoleSetStmt AlterRoleSetStmt AlterRoleSetStmt "AlterRoleSetStmt" {
                message role "role" role: RoleSpec;
                string database "database" database;
                message setstmt "setstmt" setstmt: VariableSetStmt;
            }
            T_DropRoleStmt DropRoleStmt DropRoleStmt DropRoleStmt "DropRoleStmt" {
                list roles "roles" roles;
                bool missing_ok "missing_ok" missing_ok;
            }
            T_CreateSeqStmt CreateSeqStmt CreateSeqStmt CreateSeqStmt "CreateSeqStmt" {
                message sequence "sequence" sequence: RangeVar;
                list options "options" options;
                uint owner_id "ownerId" ownerId;
                bool for_identity "for_identity" for_identity;
                bool if_not_exists "if_not_exists" if_not_exists;
            }
            T_AlterSeqStmt AlterSeqStmt AlterSeqStmt AlterSeqStmt "AlterSeqStmt" {
                message sequence "sequence" sequence: RangeVar;
                list options "options" options;
                bool for_identity "for_identity" for_identity;
                bool missing_ok "missing_ok" missing_ok;
            }
            T_DefineStmt DefineStmt DefineStmt DefineStmt "DefineStmt" {
                enum_ kind "kind" kind: ObjectType;
                bool oldstyle "oldstyle" oldstyle;
                list defnames "defnames" defnames;
                list args "args" args;
                list definition "definition" definition;
                bool if_not_exists "if_not_exists" if_not_exists;
                bool replace "replace" replace;
            }
            T_CreateDomainStmt CreateDomainStmt CreateDomainStmt CreateDomainStmt "CreateDomainStmt" {
                list domainname "domainname" domainname;
                message type_name "typeName" typeName: TypeName;
                message coll_clause "collClause" collClause: CollateClause;
                list constraints "constraints" constraints;
            }
            T_CreateOpClassStmt CreateOpClassStmt CreateOpClassStmt CreateOpClassStmt "CreateOpClassStmt" {
                list opclassname "opclassname" opclassname;
                list opfamilyname "opfamilyname" opfamilyname;
                string amname "amname" amname;
                message datatype "datatype" datatype: TypeName;
                list items "items" items;
                bool is_default "isDefault" isDefault;
            }
            T_CreateOpClassItem CreateOpClassItem CreateOpClassItem CreateOpClassItem "CreateOpClassItem" {
                int itemtype "itemtype" itemtype;
                message name "name" name: ObjectWithArgs;
                int number "number" number;
                list order_family "order_family" order_family;
                list class_args "class_args" class_args;
                message storedtype "storedtype" storedtype: TypeName;
            }
            T_CreateOpFamilyStmt CreateOpFamilyStmt CreateOpFamilyStmt CreateOpFamilyStmt "CreateOpFamilyStmt" {
                list opfamilyname "opfamilyname" opfamilyname;
                string amname "amname" amname;
            }
            T_AlterOpFamilyStmt AlterOpFamilyStmt AlterOpFamilyStmt AlterOpFamilyStmt "AlterOpFamilyStmt" {
                list opfamilyname "opfamilyname" opfamilyname;
                string amname "amname" amname;
                bool is_drop "isDrop" isDrop;
                list items "items" items;
            }
            T_DropStmt DropStmt DropStmt DropStmt "DropStmt" {
                list objects "objects" objects;
                enum_ remove_type "removeType" removeType: ObjectType;
                enum_ behavior "behavior" behavior: DropBehavior;
                bool missing_ok "missing_ok" missing_ok;
                bool concurrent "concurrent" concurrent;
            }
            T_TruncateStmt TruncateStmt TruncateStmt TruncateStmt "TruncateStmt" {
                list relations "relations" relations;
                bool restart_seqs "restart_seqs" restart_seqs;
                enum_ behavior "behavior" behavior: DropBehavior;
            }
            T_CommentStmt CommentStmt CommentStmt CommentStmt "CommentStmt" {
                enum_ objtype "objtype" objtype: ObjectType;
                node object "object" object;
                string comment "comment" comment;
            }
            T_SecLabelStmt SecLabelStmt SecLabelStmt SecLabelStmt "SecLabelStmt" {
                enum_ objtype "objtype" objtype: ObjectType;
                node object "object" object;
                string provider "provider" provider;
                string label "label" label;
            }
            T_DeclareCursorStmt DeclareCursorStmt DeclareCursorStmt DeclareCursorStmt "DeclareCursorStmt" {
                string portalname "portalname" portalname;
                int options "options" options;
                node query "query" query;
            }
            T_ClosePortalStmt ClosePortalStmt ClosePortalStmt ClosePortalStmt "ClosePortalStmt" {
                string portalname "portalname" portalname;
            }
            T_FetchStmt FetchStmt FetchStmt FetchStmt "FetchStmt" {
                enum_ direction "direction" direction: FetchDirection;
                long how_many "howMany" howMany;
                string portalname "portalname" portalname;
                bool ismove "ismove" ismove;
            }
            T_IndexStmt IndexStmt IndexStmt IndexStmt "IndexStmt" {
                string idxname "idxname" idxname;
                message relation "relation" relation: RangeVar;
                string access_method "accessMethod" accessMethod;
                string table_space "tableSpace" tableSpace;
                list index_params "indexParams" indexParams;
                list index_including_params "indexIncludingParams" indexIncludingParams;
                list options "options" options;
                node where_clause "whereClause" whereClause;
                list exclude_op_names "excludeOpNames" excludeOpNames;
                string idxcomment "idxcomment" idxcomment;
                uint index_oid "indexOid" indexOid;
                uint old_number "oldNumber" oldNumber;
                uint old_create_subid "oldCreateSubid" oldCreateSubid;
                uint old_first_relfilelocator_subid "oldFirstRelfilelocatorSubid" oldFirstRelfilelocatorSubid;
                bool unique "unique" unique;
                bool nulls_not_distinct "nulls_not_distinct" nulls_not_distinct;
                bool primary "primary" primary;
                bool isconstraint "isconstraint" isconstraint;
                bool iswithoutoverlaps "iswithoutoverlaps" iswithoutoverlaps;
                bool deferrable "deferrable" deferrable;
                bool initdeferred "initdeferred" initdeferred;
                bool transformed "transformed" transformed;
                bool concurrent "concurrent" concurrent;
                bool if_not_exists "if_not_exists" if_not_exists;
                bool reset_default_tblspc "reset_default_tblspc" reset_default_tblspc;
            }
            T_CreateStatsStmt CreateStatsStmt CreateStatsStmt CreateStatsStmt "CreateStatsStmt" {
                list defnames "defnames" defnames;
                list stat_types "stat_types" stat_types;
                list exprs "exprs" exprs;
                list relations "relations" relations;
                string stxcomment "stxcomment" stxcomment;
                bool transformed "transformed" transformed;
                bool if_not_exists "if_not_exists" if_not_exists;
            }
            T_StatsElem StatsElem StatsElem StatsElem "StatsElem" {
                string name "name" name;
                node expr "expr" expr;
            }
            T_AlterStatsStmt AlterStatsStmt AlterStatsStmt AlterStatsStmt "AlterStatsStmt" {
                list defnames "defnames" defnames;
                node stxstattarget "stxstattarget" stxstattarget;
                bool missing_ok "missing_ok" missing_ok;
            }
            T_CreateFunctionStmt CreateFunctionStmt CreateFunctionStmt CreateFunctionStmt "CreateFunctionStmt" {
                bool is_procedure "is_procedure" is_procedure;
                bool replace "replace" replace;
                list funcname "funcname" funcname;
                list parameters "parameters" parameters;
                message return_type "returnType" returnType: TypeName;
                list options "options" options;
                node sql_body "sql_body" sql_body;
            }
            T_FunctionParameter FunctionParameter FunctionParameter FunctionParameter "FunctionParameter" {
                string name "name" name;
                message arg_type "argType" argType: TypeName;
                enum_ mode "mode" mode: FunctionParameterMode;
                node defexpr "defexpr" defexpr;
                location location "location" location;
            }
            T_AlterFunctionStmt AlterFunctionStmt AlterFunctionStmt AlterFunctionStmt "AlterFunctionStmt" {
                enum_ objtype "objtype" objtype: ObjectType;
                message func "func" func: ObjectWithArgs;
                list actions "actions" actions;
            }
            T_DoStmt DoStmt DoStmt DoStmt "DoStmt" {
                list args "args" args;
            }
            T_InlineCodeBlock InlineCodeBlock InlineCodeBlock InlineCodeBlock "InlineCodeBlock" {
                string source_text "source_text" source_text;
                uint lang_oid "langOid" langOid;
                bool lang_is_trusted "langIsTrusted" langIsTrusted;
                bool atomic "atomic" atomic;
            }
            T_CallStmt CallStmt CallStmt CallStmt "CallStmt" {
                message funccall "funccall" funccall: FuncCall;
                message funcexpr "funcexpr" funcexpr: FuncExpr;
                list outargs "outargs" outargs;
            }
            T_CallContext CallContext CallContext CallContext "CallContext" {
                bool atomic "atomic" atomic;
            }
            T_RenameStmt RenameStmt RenameStmt RenameStmt "RenameStmt" {
                enum_ rename_type "renameType" renameType: ObjectType;
                enum_ relation_type "relationType" relationType: ObjectType;
                message relation "relation" relation: RangeVar;
                node object "object" object;
                string subname "subname" subname;
                string newname "newname" newname;
                enum_ behavior "behavior" behavior: DropBehavior;
                bool missing_ok "missing_ok" missing_ok;
            }
            T_AlterObjectDependsStmt AlterObjectDependsStmt AlterObjectDependsStmt AlterObjectDependsStmt "AlterObjectDependsStmt" {
                enum_ object_type "objectType" objectType: ObjectType;
                message relation "relation" relation: RangeVar;
                node object "object" object;
                message extname "extname" extname: String;
                bool remove "remove" remove;
            }
            T_AlterObjectSchemaStmt AlterObjectSchemaStmt AlterObjectSchemaStmt AlterObjectSchemaStmt "AlterObjectSchemaStmt" {
                enum_ object_type "objectType" objectType: ObjectType;
                message relation "relation" relation: RangeVar;
                node object "object" object;
                string newschema "newschema" newschema;
                bool missing_ok "missing_ok" missing_ok;
            }
            T_AlterOwnerStmt AlterOwnerStmt AlterOwnerStmt AlterOwnerStmt "AlterOwnerStmt" {
                enum_ object_type "objectType" objectType: ObjectType;
                message relation "relation" relation: RangeVar;
                node object "object" object;
                message newowner "newowner" newowner: RoleSpec;
            }
            T_AlterOperatorStmt AlterOperatorStmt AlterOperatorStmt AlterOperatorStmt "AlterOperatorStmt" {
                message opername "opername" opername: ObjectWithArgs;
                list options "options" options;
            }
            T_AlterTypeStmt AlterTypeStmt AlterTypeStmt AlterTypeStmt "AlterTypeStmt" {
                list type_name "typeName" typeName;
                list options "options" options;
            }
            T_RuleStmt RuleStmt RuleStmt RuleStmt "RuleStmt" {
                message relation "relation" relation: RangeVar;
                string rulename "rulename" rulename;
                node where_clause "whereClause" whereClause;
                enum_ event "event" event: CmdType;
                bool instead "instead" instead;
                list actions "actions" actions;
                bool replace "replace" replace;
            }
            T_NotifyStmt NotifyStmt NotifyStmt NotifyStmt "NotifyStmt" {
                string conditionname "conditionname" conditionname;
                string payload "payload" payload;
                location payload_location "payload_location" payload_location;
            }
            T_ListenStmt ListenStmt ListenStmt ListenStmt "ListenStmt" {
                string conditionname "conditionname" conditionname;
            }
            T_UnlistenStmt UnlistenStmt UnlistenStmt UnlistenStmt "UnlistenStmt" {
                string conditionname "conditionname" conditionname;
            }
            T_TransactionStmt TransactionStmt TransactionStmt TransactionStmt "TransactionStmt" {
                enum_ kind "kind" kind: TransactionStmtKind;
                list options "options" options;
                string savepoint_name "savepoint_name" savepoint_name;
                string gid "gid" gid;
                bool chain "chain" chain;
                location location "location" location;
            }
            T_CompositeTypeStmt CompositeTypeStmt CompositeTypeStmt CompositeTypeStmt "CompositeTypeStmt" {
                message typevar "typevar" typevar: RangeVar;
                list coldeflist "coldeflist" coldeflist;
            }
            T_CreateEnumStmt CreateEnumStmt CreateEnumStmt CreateEnumStmt "CreateEnumStmt" {
                list type_name "typeName" typeName;
                list vals "vals" vals;
            }
            T_CreateRangeStmt CreateRangeStmt CreateRangeStmt CreateRangeStmt "CreateRangeStmt" {
                list type_name "typeName" typeName;
                list params "params" params;
            }
            T_AlterEnumStmt AlterEnumStmt AlterEnumStmt AlterEnumStmt "AlterEnumStmt" {
                list type_name "typeName" typeName;
                string old_val "oldVal" oldVal;
                string new_val "newVal" newVal;
                string new_val_neighbor "newValNeighbor" newValNeighbor;
                bool new_val_is_after "newValIsAfter" newValIsAfter;
                bool skip_if_new_val_exists "skipIfNewValExists" skipIfNewValExists;
            }
            T_ViewStmt ViewStmt ViewStmt ViewStmt "ViewStmt" {
                message view "view" view: RangeVar;
                list aliases "aliases" aliases;
                node query "query" query;
                bool replace "replace" replace;
                list options "options" options;
                enum_ with_check_option "withCheckOption" withCheckOption: ViewCheckOption;
            }
            T_LoadStmt LoadStmt LoadStmt LoadStmt "LoadStmt" {
                string filename "filename" filename;
            }
            T_CreatedbStmt CreatedbStmt CreatedbStmt CreatedbStmt "CreatedbStmt" {
                string dbname "dbname" dbname;
                list options "options" options;
            }
            T_AlterDatabaseStmt AlterDatabaseStmt AlterDatabaseStmt AlterDatabaseStmt "AlterDatabaseStmt" {
                string dbname "dbname" dbname;
                list options "options" options;
            }
            T_AlterDatabaseRefreshCollStmt AlterDatabaseRefreshCollStmt AlterDatabaseRefreshCollStmt AlterDatabaseRefreshCollStmt "AlterDatabaseRefreshCollStmt" {
                string dbname "dbname" dbname;
            }
            T_AlterDatabaseSetStmt AlterDatabaseSetStmt AlterDatabaseSetStmt AlterDatabaseSetStmt "AlterDatabaseSetStmt" {
                string dbname "dbname" dbname;
                message setstmt "setstmt" setstmt: VariableSetStmt;
            }
            T_DropdbStmt DropdbStmt DropdbStmt DropdbStmt "DropdbStmt" {
                string dbname "dbname" dbname;
                bool missing_ok "missing_ok" missing_ok;
                list options "options" options;
            }
            T_AlterSystemStmt AlterSystemStmt AlterSystemStmt AlterSystemStmt "AlterSystemStmt" {
                message setstmt "setstmt" setstmt: VariableSetStmt;
            }
            T_ClusterStmt ClusterStmt ClusterStmt ClusterStmt "ClusterStmt" {
                message relation "relation" relation: RangeVar;
                string indexname "indexname" indexname;
                list params "params" params;
            }
            T_VacuumStmt VacuumStmt VacuumStmt VacuumStmt "VacuumStmt" {
                list options "options" options;
                list rels "rels" rels;
                bool is_vacuumcmd "is_vacuumcmd" is_vacuumcmd;
            }
            T_VacuumRelation VacuumRelation VacuumRelation VacuumRelation "VacuumRelation" {
                message relation "relation" relation: RangeVar;
                uint oid "oid" oid;
                list va_cols "va_cols" va_cols;
            }
            T_ExplainStmt ExplainStmt ExplainStmt ExplainStmt "ExplainStmt" {
                node query "query" query;
                list options "options" options;
            }
            T_CreateTableAsStmt CreateTableAsStmt CreateTableAsStmt CreateTableAsStmt "CreateTableAsStmt" {
                node query "query" query;
                message into "into" into: IntoClause;
                enum_ objtype "objtype" objtype: ObjectType;
                bool is_select_into "is_select_into" is_select_into;
                bool if_not_exists "if_not_exists" if_not_exists;
            }
            T_RefreshMatViewStmt RefreshMatViewStmt RefreshMatViewStmt RefreshMatViewStmt "RefreshMatViewStmt" {
                bool concurrent "concurrent" concurrent;
                bool skip_data "skipData" skipData;
                message relation "relation" relation: RangeVar;
            }
            T_CheckPointStmt CheckPointStmt CheckPointStmt CheckPointStmt "CheckPointStmt" {
            }
            T_DiscardStmt DiscardStmt DiscardStmt DiscardStmt "DiscardStmt" {
                enum_ target "target" target: DiscardMode;
            }
            T_LockStmt LockStmt LockStmt LockStmt "LockStmt" {
                list relations "relations" relations;
                int mode "mode" mode;
                bool nowait "nowait" nowait;
            }
            T_ConstraintsSetStmt ConstraintsSetStmt ConstraintsSetStmt ConstraintsSetStmt "ConstraintsSetStmt" {
                list constraints "constraints" constraints;
                bool deferred "deferred" deferred;
            }
            T_ReindexStmt ReindexStmt ReindexStmt ReindexStmt "ReindexStmt" {
                enum_ kind "kind" kind: ReindexObjectType;
                message relation "relation" relation: RangeVar;
                string name "name" name;
                list params "params" params;
            }
            T_CreateConversionStmt CreateConversionStmt CreateConversionStmt CreateConversionStmt "CreateConversionStmt" {
                list conversion_name "conversion_name" conversion_name;
                string for_encoding_name "for_encoding_name" for_encoding_name;
                string to_encoding_name "to_encoding_name" to_encoding_name;
                list func_name "func_name" func_name;
                bool def "def" def;
            }
            T_CreateCastStmt CreateCastStmt CreateCastStmt CreateCastStmt "CreateCastStmt" {
                message sourcetype "sourcetype" sourcetype: TypeName;
                message targettype "targettype" targettype: TypeName;
                message func "func" func: ObjectWithArgs;
                enum_ context "context" context: CoercionContext;
                bool inout "inout" inout;
            }
            T_CreateTransformStmt CreateTransformStmt CreateTransformStmt CreateTransformStmt "CreateTransformStmt" {
                bool replace "replace" replace;
                message type_name "type_name" type_name: TypeName;
                string lang "lang" lang;
                message fromsql "fromsql" fromsql: ObjectWithArgs;
                message tosql "tosql" tosql: ObjectWithArgs;
            }
            T_PrepareStmt PrepareStmt PrepareStmt PrepareStmt "PrepareStmt" {
                string name "name" name;
                list argtypes "argtypes" argtypes;
                node query "query" query;
            }
            T_ExecuteStmt ExecuteStmt ExecuteStmt ExecuteStmt "ExecuteStmt" {
                string name "name" name;
                list params "params" params;
            }
            T_DeallocateStmt DeallocateStmt DeallocateStmt DeallocateStmt "DeallocateStmt" {
                string name "name" name;
                bool isall "isall" isall;
                location location "location" location;
            }
            T_DropOwnedStmt DropOwnedStmt DropOwnedStmt DropOwnedStmt "DropOwnedStmt" {
                list roles "roles" roles;
                enum_ behavior "behavior" behavior: DropBehavior;
            }
            T_ReassignOwnedStmt ReassignOwnedStmt ReassignOwnedStmt ReassignOwnedStmt "ReassignOwnedStmt" {
                list roles "roles" roles;
                message newrole "newrole" newrole: RoleSpec;
            }
            T_AlterTSDictionaryStmt AlterTSDictionaryStmt AlterTsDictionaryStmt AlterTsdictionaryStmt "AlterTSDictionaryStmt" {
                list dictname "dictname" dictname;
                list options "options" options;
            }
            T_AlterTSConfigurationStmt AlterTSConfigurationStmt AlterTsConfigurationStmt AlterTsconfigurationStmt "AlterTSConfigurationStmt" {
                enum_ kind "kind" kind: AlterTSConfigType;
                list cfgname "cfgname" cfgname;
                list tokentype "tokentype" tokentype;
                list dicts "dicts" dicts;
                bool r#override "override" override_;
                bool replace "replace" replace;
                bool missing_ok "missing_ok" missing_ok;
            }
            T_PublicationTable PublicationTable PublicationTable PublicationTable "PublicationTable" {
                message relation "relation" relation: RangeVar;
                node where_clause "whereClause" whereClause;
                list columns "columns" columns;
            }
            T_PublicationObjSpec PublicationObjSpec PublicationObjSpec PublicationObjSpec "PublicationObjSpec" {
                enum_ pubobjtype "pubobjtype" pubobjtype: PublicationObjSpecType;
                string name "name" name;
                message pubtable "pubtable" pubtable: PublicationTable;
                location location "location" location;
            }
            T_CreatePublicationStmt CreatePublicationStmt CreatePublicationStmt CreatePublicationStmt "CreatePublicationStmt" {
                string pubname "pubname" pubname;
                list options "options" options;
                list pubobjects "pubobjects" pubobjects;
                bool for_all_tables "for_all_tables" for_all_tables;
            }
            T_AlterPublicationStmt AlterPublicationStmt AlterPublicationStmt AlterPublicationStmt "AlterPublicationStmt" {
                string pubname "pubname" pubname;
                list options "options" options;
                list pubobjects "pubobjects" pubobjects;
                bool for_all_tables "for_all_tables" for_all_tables;
                enum_ action "action" action: AlterPublicationAction;
            }
            T_CreateSubscriptionStmt CreateSubscriptionStmt CreateSubscriptionStmt CreateSubscriptionStmt "CreateSubscriptionStmt" {
                string subname "subname" subname;
                string conninfo "conninfo" conninfo;
                list publication "publication" publication;
                list options "options" options;
                location conninfo_location "conninfo_location" conninfo_location;
            }
            T_AlterSubscriptionStmt AlterSubscriptionStmt AlterSubscriptionStmt AlterSubscriptionStmt "AlterSubscriptionStmt" {
                enum_ kind "kind" kind: AlterSubscriptionType;
                string subname "subname" subname;
                string conninfo "conninfo" conninfo;
                list publication "publication" publication;
                list options "options" options;
                location conninfo_location "conninfo_location" conninfo_location;
            }
            T_DropSubscriptionStmt DropSubscriptionStmt DropSubscriptionStmt DropSubscriptionStmt "DropSubscriptionStmt" {
                string subname "subname" subname;
                bool missing_ok "missing_ok" missing_ok;
                enum_ behavior "behavior" behavior: DropBehavior;
            }
        }
    };
}
pub(crate) use nodes;

/// Every enum of the tree: its C constants, each with its number in Protobuf (0 is "undefined").
macro_rules! enums {
    ($walk:ident) => {
        $walk! {
            QuerySource {
                QSRC_ORIGINAL = 1;
                QSRC_PARSER = 2;
                QSRC_INSTEAD_RULE = 3;
                QSRC_QUAL_INSTEAD_RULE = 4;
                QSRC_NON_INSTEAD_RULE = 5;
            }
            SortByDir {
                SORTBY_DEFAULT = 1;
                SORTBY_ASC = 2;
                SORTBY_DESC = 3;
                SORTBY_USING = 4;
            }
            SortByNulls {
                SORTBY_NULLS_DEFAULT = 1;
                SORTBY_NULLS_FIRST = 2;
                SORTBY_NULLS_LAST = 3;
            }
            A_Expr_Kind {
                AEXPR_OP = 1;
                AEXPR_OP_ANY = 2;
                AEXPR_OP_ALL = 3;
                AEXPR_DISTINCT = 4;
                AEXPR_NOT_DISTINCT = 5;
                AEXPR_NULLIF = 6;
                AEXPR_IN = 7;
                AEXPR_LIKE = 8;
                AEXPR_ILIKE = 9;
                AEXPR_SIMILAR = 10;
                AEXPR_BETWEEN = 11;
                AEXPR_NOT_BETWEEN = 12;
                AEXPR_BETWEEN_SYM = 13;
                AEXPR_NOT_BETWEEN_SYM = 14;
            }
            RoleSpecType {
                ROLESPEC_CSTRING = 1;
                ROLESPEC_CURRENT_ROLE = 2;
                ROLESPEC_CURRENT_USER = 3;
                ROLESPEC_SESSION_USER = 4;
                ROLESPEC_PUBLIC = 5;
            }
            DefElemAction {
                DEFELEM_UNSPEC = 1;
                DEFELEM_SET = 2;
                DEFELEM_ADD = 3;
                DEFELEM_DROP = 4;
            }
            PartitionStrategy {
                PARTITION_STRATEGY_LIST = 1;
                PARTITION_STRATEGY_RANGE = 2;
                PARTITION_STRATEGY_HASH = 3;
            }
            PartitionRangeDatumKind {
                PARTITION_RANGE_DATUM_MINVALUE = 1;
                PARTITION_RANGE_DATUM_VALUE = 2;
                PARTITION_RANGE_DATUM_MAXVALUE = 3;
            }
            RTEKind {
                RTE_RELATION = 1;
                RTE_SUBQUERY = 2;
                RTE_JOIN = 3;
                RTE_FUNCTION = 4;
                RTE_TABLEFUNC = 5;
                RTE_VALUES = 6;
                RTE_CTE = 7;
                RTE_NAMEDTUPLESTORE = 8;
                RTE_RESULT = 9;
                RTE_GROUP = 10;
            }
            WCOKind {
                WCO_VIEW_CHECK = 1;
                WCO_RLS_INSERT_CHECK = 2;
                WCO_RLS_UPDATE_CHECK = 3;
                WCO_RLS_CONFLICT_CHECK = 4;
                WCO_RLS_MERGE_UPDATE_CHECK = 5;
                WCO_RLS_MERGE_DELETE_CHECK = 6;
            }
            GroupingSetKind {
                GROUPING_SET_EMPTY = 1;
                GROUPING_SET_SIMPLE = 2;
                GROUPING_SET_ROLLUP = 3;
                GROUPING_SET_CUBE = 4;
                GROUPING_SET_SETS = 5;
            }
            CTEMaterialize {
                CTEMaterializeDefault = 1;
                CTEMaterializeAlways = 2;
                CTEMaterializeNever = 3;
            }
            ReturningOptionKind {
                RETURNING_OPTION_OLD = 1;
                RETURNING_OPTION_NEW = 2;
            }
            JsonQuotes {
                JS_QUOTES_UNSPEC = 1;
                JS_QUOTES_KEEP = 2;
                JS_QUOTES_OMIT = 3;
            }
            JsonTableColumnType {
                JTC_FOR_ORDINALITY = 1;
                JTC_REGULAR = 2;
                JTC_EXISTS = 3;
                JTC_FORMATTED = 4;
                JTC_NESTED = 5;
            }
            SetOperation {
                SETOP_NONE = 1;
                SETOP_UNION = 2;
                SETOP_INTERSECT = 3;
                SETOP_EXCEPT = 4;
            }
            ObjectType {
                OBJECT_ACCESS_METHOD = 1;
                OBJECT_AGGREGATE = 2;
                OBJECT_AMOP = 3;
                OBJECT_AMPROC = 4;
                OBJECT_ATTRIBUTE = 5;
                OBJECT_CAST = 6;
                OBJECT_COLUMN = 7;
                OBJECT_COLLATION = 8;
                OBJECT_CONVERSION = 9;
                OBJECT_DATABASE = 10;
                OBJECT_DEFAULT = 11;
                OBJECT_DEFACL = 12;
                OBJECT_DOMAIN = 13;
                OBJECT_DOMCONSTRAINT = 14;
                OBJECT_EVENT_TRIGGER = 15;
                OBJECT_EXTENSION = 16;
                OBJECT_FDW = 17;
                OBJECT_FOREIGN_SERVER = 18;
                OBJECT_FOREIGN_TABLE = 19;
                OBJECT_FUNCTION = 20;
                OBJECT_INDEX = 21;
                OBJECT_LANGUAGE = 22;
                OBJECT_LARGEOBJECT = 23;
                OBJECT_MATVIEW = 24;
                OBJECT_OPCLASS = 25;
                OBJECT_OPERATOR = 26;
                OBJECT_OPFAMILY = 27;
                OBJECT_PARAMETER_ACL = 28;
                OBJECT_POLICY = 29;
                OBJECT_PROCEDURE = 30;
                OBJECT_PUBLICATION = 31;
                OBJECT_PUBLICATION_NAMESPACE = 32;
                OBJECT_PUBLICATION_REL = 33;
                OBJECT_ROLE = 34;
                OBJECT_ROUTINE = 35;
                OBJECT_RULE = 36;
                OBJECT_SCHEMA = 37;
                OBJECT_SEQUENCE = 38;
                OBJECT_SUBSCRIPTION = 39;
                OBJECT_STATISTIC_EXT = 40;
                OBJECT_TABCONSTRAINT = 41;
                OBJECT_TABLE = 42;
                OBJECT_TABLESPACE = 43;
                OBJECT_TRANSFORM = 44;
                OBJECT_TRIGGER = 45;
                OBJECT_TSCONFIGURATION = 46;
                OBJECT_TSDICTIONARY = 47;
                OBJECT_TSPARSER = 48;
                OBJECT_TSTEMPLATE = 49;
                OBJECT_TYPE = 50;
                OBJECT_USER_MAPPING = 51;
                OBJECT_VIEW = 52;
            }
            DropBehavior {
                DROP_RESTRICT = 1;
                DROP_CASCADE = 2;
            }
            AlterTableType {
                AT_AddColumn = 1;
                AT_AddColumnToView = 2;
                AT_ColumnDefault = 3;
                AT_CookedColumnDefault = 4;
                AT_DropNotNull = 5;
                AT_SetNotNull = 6;
                AT_SetExpression = 7;
                AT_DropExpression = 8;
                AT_SetStatistics = 9;
                AT_SetOptions = 10;
                AT_ResetOptions = 11;
                AT_SetStorage = 12;
                AT_SetCompression = 13;
                AT_DropColumn = 14;
                AT_AddIndex = 15;
                AT_ReAddIndex = 16;
                AT_AddConstraint = 17;
                AT_ReAddConstraint = 18;
                AT_ReAddDomainConstraint = 19;
                AT_AlterConstraint = 20;
                AT_ValidateConstraint = 21;
                AT_AddIndexConstraint = 22;
                AT_DropConstraint = 23;
                AT_ReAddComment = 24;
                AT_AlterColumnType = 25;
                AT_AlterColumnGenericOptions = 26;
                AT_ChangeOwner = 27;
                AT_ClusterOn = 28;
                AT_DropCluster = 29;
                AT_SetLogged = 30;
                AT_SetUnLogged = 31;
                AT_DropOids = 32;
                AT_SetAccessMethod = 33;
                AT_SetTableSpace = 34;
                AT_SetRelOptions = 35;
                AT_ResetRelOptions = 36;
                AT_ReplaceRelOptions = 37;
                AT_EnableTrig = 38;
                AT_EnableAlwaysTrig = 39;
                AT_EnableReplicaTrig = 40;
                AT_DisableTrig = 41;
                AT_EnableTrigAll = 42;
                AT_DisableTrigAll = 43;
                AT_EnableTrigUser = 44;
                AT_DisableTrigUser = 45;
                AT_EnableRule = 46;
                AT_EnableAlwaysRule = 47;
                AT_EnableReplicaRule = 48;
                AT_DisableRule = 49;
                AT_AddInherit = 50;
                AT_DropInherit = 51;
                AT_AddOf = 52;
                AT_DropOf = 53;
                AT_ReplicaIdentity = 54;
                AT_EnableRowSecurity = 55;
                AT_DisableRowSecurity = 56;
                AT_ForceRowSecurity = 57;
                AT_NoForceRowSecurity = 58;
                AT_GenericOptions = 59;
                AT_AttachPartition = 60;
                AT_DetachPartition = 61;
                AT_DetachPartitionFinalize = 62;
                AT_AddIdentity = 63;
                AT_SetIdentity = 64;
                AT_DropIdentity = 65;
                AT_ReAddStatistics = 66;
            }
            GrantTargetType {
                ACL_TARGET_OBJECT = 1;
                ACL_TARGET_ALL_IN_SCHEMA = 2;
                ACL_TARGET_DEFAULTS = 3;
            }
            VariableSetKind {
                VAR_SET_VALUE = 1;
                VAR_SET_DEFAULT = 2;
                VAR_SET_CURRENT = 3;
                VAR_SET_MULTI = 4;
                VAR_RESET = 5;
                VAR_RESET_ALL = 6;
            }
            ConstrType {
                CONSTR_NULL = 1;
                CONSTR_NOTNULL = 2;
                CONSTR_DEFAULT = 3;
                CONSTR_IDENTITY = 4;
                CONSTR_GENERATED = 5;
                CONSTR_CHECK = 6;
                CONSTR_PRIMARY = 7;
                CONSTR_UNIQUE = 8;
                CONSTR_EXCLUSION = 9;
                CONSTR_FOREIGN = 10;
                CONSTR_ATTR_DEFERRABLE = 11;
                CONSTR_ATTR_NOT_DEFERRABLE = 12;
                CONSTR_ATTR_DEFERRED = 13;
                CONSTR_ATTR_IMMEDIATE = 14;
                CONSTR_ATTR_ENFORCED = 15;
                CONSTR_ATTR_NOT_ENFORCED = 16;
            }
            ImportForeignSchemaType {
                FDW_IMPORT_SCHEMA_ALL = 1;
                FDW_IMPORT_SCHEMA_LIMIT_TO = 2;
                FDW_IMPORT_SCHEMA_EXCEPT = 3;
            }
            RoleStmtType {
                ROLESTMT_ROLE = 1;
                ROLESTMT_USER = 2;
                ROLESTMT_GROUP = 3;
            }
            FetchDirection {
                FETCH_FORWARD = 1;
                FETCH_BACKWARD = 2;
                FETCH_ABSOLUTE = 3;
                FETCH_RELATIVE = 4;
            }
            FunctionParameterMode {
                FUNC_PARAM_IN = 1;
                FUNC_PARAM_OUT = 2;
                FUNC_PARAM_INOUT = 3;
                FUNC_PARAM_VARIADIC = 4;
                FUNC_PARAM_TABLE = 5;
                FUNC_PARAM_DEFAULT = 6;
            }
            TransactionStmtKind {
                TRANS_STMT_BEGIN = 1;
                TRANS_STMT_START = 2;
                TRANS_STMT_COMMIT = 3;
                TRANS_STMT_ROLLBACK = 4;
                TRANS_STMT_SAVEPOINT = 5;
                TRANS_STMT_RELEASE = 6;
                TRANS_STMT_ROLLBACK_TO = 7;
                TRANS_STMT_PREPARE = 8;
                TRANS_STMT_COMMIT_PREPARED = 9;
                TRANS_STMT_ROLLBACK_PREPARED = 10;
            }
            ViewCheckOption {
                NO_CHECK_OPTION = 1;
                LOCAL_CHECK_OPTION = 2;
                CASCADED_CHECK_OPTION = 3;
            }
            DiscardMode {
                DISCARD_ALL = 1;
                DISCARD_PLANS = 2;
                DISCARD_SEQUENCES = 3;
                DISCARD_TEMP = 4;
            }
            ReindexObjectType {
                REINDEX_OBJECT_INDEX = 1;
                REINDEX_OBJECT_TABLE = 2;
                REINDEX_OBJECT_SCHEMA = 3;
                REINDEX_OBJECT_SYSTEM = 4;
                REINDEX_OBJECT_DATABASE = 5;
            }
            AlterTSConfigType {
                ALTER_TSCONFIG_ADD_MAPPING = 1;
                ALTER_TSCONFIG_ALTER_MAPPING_FOR_TOKEN = 2;
                ALTER_TSCONFIG_REPLACE_DICT = 3;
                ALTER_TSCONFIG_REPLACE_DICT_FOR_TOKEN = 4;
                ALTER_TSCONFIG_DROP_MAPPING = 5;
            }
            PublicationObjSpecType {
                PUBLICATIONOBJ_TABLE = 1;
                PUBLICATIONOBJ_TABLES_IN_SCHEMA = 2;
                PUBLICATIONOBJ_TABLES_IN_CUR_SCHEMA = 3;
                PUBLICATIONOBJ_CONTINUATION = 4;
            }
            AlterPublicationAction {
                AP_AddObjects = 1;
                AP_DropObjects = 2;
                AP_SetObjects = 3;
            }
            AlterSubscriptionType {
                ALTER_SUBSCRIPTION_OPTIONS = 1;
                ALTER_SUBSCRIPTION_CONNECTION = 2;
                ALTER_SUBSCRIPTION_SET_PUBLICATION = 3;
                ALTER_SUBSCRIPTION_ADD_PUBLICATION = 4;
                ALTER_SUBSCRIPTION_DROP_PUBLICATION = 5;
                ALTER_SUBSCRIPTION_REFRESH = 6;
                ALTER_SUBSCRIPTION_ENABLED = 7;
                ALTER_SUBSCRIPTION_SKIP = 8;
            }
            OverridingKind {
                OVERRIDING_NOT_SET = 1;
                OVERRIDING_USER_VALUE = 2;
                OVERRIDING_SYSTEM_VALUE = 3;
            }
            OnCommitAction {
                ONCOMMIT_NOOP = 1;
                ONCOMMIT_PRESERVE_ROWS = 2;
                ONCOMMIT_DELETE_ROWS = 3;
                ONCOMMIT_DROP = 4;
            }
            TableFuncType {
                TFT_XMLTABLE = 1;
                TFT_JSON_TABLE = 2;
            }
            VarReturningType {
                VAR_RETURNING_DEFAULT = 1;
                VAR_RETURNING_OLD = 2;
                VAR_RETURNING_NEW = 3;
            }
            ParamKind {
                PARAM_EXTERN = 1;
                PARAM_EXEC = 2;
                PARAM_SUBLINK = 3;
                PARAM_MULTIEXPR = 4;
            }
            CoercionContext {
                COERCION_IMPLICIT = 1;
                COERCION_ASSIGNMENT = 2;
                COERCION_PLPGSQL = 3;
                COERCION_EXPLICIT = 4;
            }
            CoercionForm {
                COERCE_EXPLICIT_CALL = 1;
                COERCE_EXPLICIT_CAST = 2;
                COERCE_IMPLICIT_CAST = 3;
                COERCE_SQL_SYNTAX = 4;
            }
            BoolExprType {
                AND_EXPR = 1;
                OR_EXPR = 2;
                NOT_EXPR = 3;
            }
            SubLinkType {
                EXISTS_SUBLINK = 1;
                ALL_SUBLINK = 2;
                ANY_SUBLINK = 3;
                ROWCOMPARE_SUBLINK = 4;
                EXPR_SUBLINK = 5;
                MULTIEXPR_SUBLINK = 6;
                ARRAY_SUBLINK = 7;
                CTE_SUBLINK = 8;
            }
            MinMaxOp {
                IS_GREATEST = 1;
                IS_LEAST = 2;
            }
            SQLValueFunctionOp {
                SVFOP_CURRENT_DATE = 1;
                SVFOP_CURRENT_TIME = 2;
                SVFOP_CURRENT_TIME_N = 3;
                SVFOP_CURRENT_TIMESTAMP = 4;
                SVFOP_CURRENT_TIMESTAMP_N = 5;
                SVFOP_LOCALTIME = 6;
                SVFOP_LOCALTIME_N = 7;
                SVFOP_LOCALTIMESTAMP = 8;
                SVFOP_LOCALTIMESTAMP_N = 9;
                SVFOP_CURRENT_ROLE = 10;
                SVFOP_CURRENT_USER = 11;
                SVFOP_USER = 12;
                SVFOP_SESSION_USER = 13;
                SVFOP_CURRENT_CATALOG = 14;
                SVFOP_CURRENT_SCHEMA = 15;
            }
            XmlExprOp {
                IS_XMLCONCAT = 1;
                IS_XMLELEMENT = 2;
                IS_XMLFOREST = 3;
                IS_XMLPARSE = 4;
                IS_XMLPI = 5;
                IS_XMLROOT = 6;
                IS_XMLSERIALIZE = 7;
                IS_DOCUMENT = 8;
            }
            XmlOptionType {
                XMLOPTION_DOCUMENT = 1;
                XMLOPTION_CONTENT = 2;
            }
            JsonEncoding {
                JS_ENC_DEFAULT = 1;
                JS_ENC_UTF8 = 2;
                JS_ENC_UTF16 = 3;
                JS_ENC_UTF32 = 4;
            }
            JsonFormatType {
                JS_FORMAT_DEFAULT = 1;
                JS_FORMAT_JSON = 2;
                JS_FORMAT_JSONB = 3;
            }
            JsonConstructorType {
                JSCTOR_JSON_OBJECT = 1;
                JSCTOR_JSON_ARRAY = 2;
                JSCTOR_JSON_OBJECTAGG = 3;
                JSCTOR_JSON_ARRAYAGG = 4;
                JSCTOR_JSON_PARSE = 5;
                JSCTOR_JSON_SCALAR = 6;
                JSCTOR_JSON_SERIALIZE = 7;
            }
            JsonValueType {
                JS_TYPE_ANY = 1;
                JS_TYPE_OBJECT = 2;
                JS_TYPE_ARRAY = 3;
                JS_TYPE_SCALAR = 4;
            }
            JsonWrapper {
                JSW_UNSPEC = 1;
                JSW_NONE = 2;
                JSW_CONDITIONAL = 3;
                JSW_UNCONDITIONAL = 4;
            }
            JsonBehaviorType {
                JSON_BEHAVIOR_NULL = 1;
                JSON_BEHAVIOR_ERROR = 2;
                JSON_BEHAVIOR_EMPTY = 3;
                JSON_BEHAVIOR_TRUE = 4;
                JSON_BEHAVIOR_FALSE = 5;
                JSON_BEHAVIOR_UNKNOWN = 6;
                JSON_BEHAVIOR_EMPTY_ARRAY = 7;
                JSON_BEHAVIOR_EMPTY_OBJECT = 8;
                JSON_BEHAVIOR_DEFAULT = 9;
            }
            JsonExprOp {
                JSON_EXISTS_OP = 1;
                JSON_QUERY_OP = 2;
                JSON_VALUE_OP = 3;
                JSON_TABLE_OP = 4;
            }
            NullTestType {
                IS_NULL = 1;
                IS_NOT_NULL = 2;
            }
            BoolTestType {
                IS_TRUE = 1;
                IS_NOT_TRUE = 2;
                IS_FALSE = 3;
                IS_NOT_FALSE = 4;
                IS_UNKNOWN = 5;
                IS_NOT_UNKNOWN = 6;
            }
            MergeMatchKind {
                MERGE_WHEN_MATCHED = 1;
                MERGE_WHEN_NOT_MATCHED_BY_SOURCE = 2;
                MERGE_WHEN_NOT_MATCHED_BY_TARGET = 3;
            }
            CmdType {
                CMD_UNKNOWN = 1;
                CMD_SELECT = 2;
                CMD_UPDATE = 3;
                CMD_INSERT = 4;
                CMD_DELETE = 5;
                CMD_MERGE = 6;
                CMD_UTILITY = 7;
                CMD_NOTHING = 8;
            }
            JoinType {
                JOIN_INNER = 1;
                JOIN_LEFT = 2;
                JOIN_FULL = 3;
                JOIN_RIGHT = 4;
                JOIN_SEMI = 5;
                JOIN_ANTI = 6;
                JOIN_RIGHT_SEMI = 7;
                JOIN_RIGHT_ANTI = 8;
                JOIN_UNIQUE_OUTER = 9;
                JOIN_UNIQUE_INNER = 10;
            }
            AggSplit {
                AGGSPLIT_SIMPLE = 1;
                AGGSPLIT_INITIAL_SERIAL = 2;
                AGGSPLIT_FINAL_DESERIAL = 3;
            }
            OnConflictAction {
                ONCONFLICT_NONE = 1;
                ONCONFLICT_NOTHING = 2;
                ONCONFLICT_UPDATE = 3;
            }
            LimitOption {
                LIMIT_OPTION_DEFAULT = 1;
                LIMIT_OPTION_COUNT = 2;
                LIMIT_OPTION_WITH_TIES = 3;
            }
            LockClauseStrength {
                LCS_NONE = 1;
                LCS_FORKEYSHARE = 2;
                LCS_FORSHARE = 3;
                LCS_FORNOKEYUPDATE = 4;
                LCS_FORUPDATE = 5;
            }
            LockWaitPolicy {
                LockWaitBlock = 1;
                LockWaitSkip = 2;
                LockWaitError = 3;
            }
            CompareType {
                COMPARE_INVALID = 1;
                COMPARE_LT = 2;
                COMPARE_LE = 3;
                COMPARE_EQ = 4;
                COMPARE_GE = 5;
                COMPARE_GT = 6;
                COMPARE_NE = 7;
                COMPARE_OVERLAP = 8;
                COMPARE_CONTAINED_BY = 9;
            }
        }
    };
}
pub(crate) use enums;
