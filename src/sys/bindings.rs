// C declarations: layouts of PostgreSQL's nodes, and the functions of shim.h and pg_query.h.
//
// Generated. Written by `cargo xtask regenerate bindings`;
// On every build, build/layout.rs proves that the compiled C code has these layouts.

#[repr(C)]
#[derive(Default)]
pub struct __IncompleteArrayField<T>(::std::marker::PhantomData<T>, [T; 0]);
impl<T> __IncompleteArrayField<T> {
    #[inline]
    pub const fn new() -> Self {
        __IncompleteArrayField(::std::marker::PhantomData, [])
    }
    #[inline]
    pub fn as_ptr(&self) -> *const T {
        self as *const _ as *const T
    }
    #[inline]
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self as *mut _ as *mut T
    }
    #[inline]
    pub unsafe fn as_slice(&self, len: usize) -> &[T] {
        ::std::slice::from_raw_parts(self.as_ptr(), len)
    }
    #[inline]
    pub unsafe fn as_mut_slice(&mut self, len: usize) -> &mut [T] {
        ::std::slice::from_raw_parts_mut(self.as_mut_ptr(), len)
    }
}
impl<T> ::std::fmt::Debug for __IncompleteArrayField<T> {
    fn fmt(&self, fmt: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        fmt.write_str("__IncompleteArrayField")
    }
}
pub const PG_QUERY_PARSE_MODE_BITS: u32 = 4;
pub const PG_QUERY_PARSE_MODE_BITMASK: u32 = 15;
pub const PG_QUERY_DISABLE_BACKSLASH_QUOTE: u32 = 16;
pub const PG_QUERY_DISABLE_STANDARD_CONFORMING_STRINGS: u32 = 32;
pub const PG_QUERY_DISABLE_ESCAPE_STRING_WARNING: u32 = 64;
pub const PG_QUERY_FINGERPRINT_DEFAULT: u32 = 0;
pub const PG_QUERY_FINGERPRINT_RANGEVAR_IGNORE_ALIASES: u32 = 1;
pub const PG_QUERY_FINGERPRINT_RANGEVAR_INCLUDE_SCHEMA: u32 = 2;
pub const PG_QUERY_FINGERPRINT_RANGEVAR_PG17_COMPAT: u32 = 3;
pub const PG_QUERY_FINGERPRINT_FULL_RELNAME: u32 = 16;
pub const PG_MAJORVERSION: &[u8; 3] = b"18\0";
pub const PG_VERSION: &[u8; 5] = b"18.6\0";
pub const PG_VERSION_NUM: u32 = 180006;
pub const PG_VERSION_STR: &[u8; 30] = b"PostgreSQL 18.6 (libpg_query)\0";
pub const PGQ_PARSE_NORMALIZED: u32 = 256;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PostgresDeparseComment {
    pub match_location: ::std::os::raw::c_int,
    pub newlines_before_comment: ::std::os::raw::c_int,
    pub newlines_after_comment: ::std::os::raw::c_int,
    pub str_: *mut ::std::os::raw::c_char,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PostgresDeparseOpts {
    pub comments: *mut *mut PostgresDeparseComment,
    pub comment_count: usize,
    pub pretty_print: bool,
    pub indent_size: ::std::os::raw::c_int,
    pub max_line_length: ::std::os::raw::c_int,
    pub trailing_newline: bool,
    pub commas_start_of_line: bool,
}
pub type PgQueryToken = ::std::os::raw::c_uint;
pub type PgQueryKeywordKind = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PgQueryError {
    pub message: *mut ::std::os::raw::c_char,
    pub funcname: *mut ::std::os::raw::c_char,
    pub filename: *mut ::std::os::raw::c_char,
    pub lineno: ::std::os::raw::c_int,
    pub cursorpos: ::std::os::raw::c_int,
    pub context: *mut ::std::os::raw::c_char,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PgQueryIsUtilityResult {
    pub length: ::std::os::raw::c_int,
    pub items: *mut bool,
    pub error: *mut PgQueryError,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PgQueryProtobuf {
    pub len: usize,
    pub data: *mut ::std::os::raw::c_char,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PgQueryScanResult {
    pub pbuf: PgQueryProtobuf,
    pub stderr_buffer: *mut ::std::os::raw::c_char,
    pub error: *mut PgQueryError,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PgQueryScanToken {
    pub start: ::std::os::raw::c_int,
    pub end: ::std::os::raw::c_int,
    pub token: PgQueryToken,
    pub keyword_kind: PgQueryKeywordKind,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PgQueryScanTokensResult {
    pub tokens: *mut PgQueryScanToken,
    pub n_tokens: ::std::os::raw::c_int,
    pub error: *mut PgQueryError,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PgQueryParseResult {
    pub parse_tree: *mut ::std::os::raw::c_char,
    pub stderr_buffer: *mut ::std::os::raw::c_char,
    pub error: *mut PgQueryError,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PgQueryProtobufParseResult {
    pub parse_tree: PgQueryProtobuf,
    pub stderr_buffer: *mut ::std::os::raw::c_char,
    pub error: *mut PgQueryError,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PgQuerySplitStmt {
    pub stmt_location: ::std::os::raw::c_int,
    pub stmt_len: ::std::os::raw::c_int,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PgQuerySplitResult {
    pub stmts: *mut *mut PgQuerySplitStmt,
    pub n_stmts: ::std::os::raw::c_int,
    pub stderr_buffer: *mut ::std::os::raw::c_char,
    pub error: *mut PgQueryError,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PgQueryDeparseResult {
    pub query: *mut ::std::os::raw::c_char,
    pub error: *mut PgQueryError,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PgQueryDeparseCommentsResult {
    pub comments: *mut *mut PostgresDeparseComment,
    pub comment_count: usize,
    pub error: *mut PgQueryError,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PgQueryPlpgsqlParseResult {
    pub plpgsql_funcs: *mut ::std::os::raw::c_char,
    pub error: *mut PgQueryError,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PgQueryFingerprintResult {
    pub fingerprint: u64,
    pub fingerprint_str: *mut ::std::os::raw::c_char,
    pub stderr_buffer: *mut ::std::os::raw::c_char,
    pub error: *mut PgQueryError,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PgQueryNormalizeResult {
    pub normalized_query: *mut ::std::os::raw::c_char,
    pub error: *mut PgQueryError,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PgQuerySummaryParseResult {
    pub summary: PgQueryProtobuf,
    pub stderr_buffer: *mut ::std::os::raw::c_char,
    pub error: *mut PgQueryError,
}
pub const PG_QUERY_PARSE_DEFAULT: PgQueryParseMode = 0;
pub const PG_QUERY_PARSE_TYPE_NAME: PgQueryParseMode = 1;
pub const PG_QUERY_PARSE_PLPGSQL_EXPR: PgQueryParseMode = 2;
pub const PG_QUERY_PARSE_PLPGSQL_ASSIGN1: PgQueryParseMode = 3;
pub const PG_QUERY_PARSE_PLPGSQL_ASSIGN2: PgQueryParseMode = 4;
pub const PG_QUERY_PARSE_PLPGSQL_ASSIGN3: PgQueryParseMode = 5;
pub type PgQueryParseMode = ::std::os::raw::c_uint;
pub type Oid = ::std::os::raw::c_uint;
pub type int16 = i16;
pub type int32 = i32;
pub type int64 = i64;
pub type uint32 = u32;
pub type uint64 = u64;
pub type bits32 = uint32;
pub type Index = ::std::os::raw::c_uint;
pub type TransactionId = uint32;
pub type SubTransactionId = uint32;
pub type Datum = usize;
pub const T_Invalid: NodeTag = 0;
pub const T_List: NodeTag = 1;
pub const T_Alias: NodeTag = 2;
pub const T_RangeVar: NodeTag = 3;
pub const T_TableFunc: NodeTag = 4;
pub const T_IntoClause: NodeTag = 5;
pub const T_Var: NodeTag = 6;
pub const T_Const: NodeTag = 7;
pub const T_Param: NodeTag = 8;
pub const T_Aggref: NodeTag = 9;
pub const T_GroupingFunc: NodeTag = 10;
pub const T_WindowFunc: NodeTag = 11;
pub const T_WindowFuncRunCondition: NodeTag = 12;
pub const T_MergeSupportFunc: NodeTag = 13;
pub const T_SubscriptingRef: NodeTag = 14;
pub const T_FuncExpr: NodeTag = 15;
pub const T_NamedArgExpr: NodeTag = 16;
pub const T_OpExpr: NodeTag = 17;
pub const T_DistinctExpr: NodeTag = 18;
pub const T_NullIfExpr: NodeTag = 19;
pub const T_ScalarArrayOpExpr: NodeTag = 20;
pub const T_BoolExpr: NodeTag = 21;
pub const T_SubLink: NodeTag = 22;
pub const T_SubPlan: NodeTag = 23;
pub const T_AlternativeSubPlan: NodeTag = 24;
pub const T_FieldSelect: NodeTag = 25;
pub const T_FieldStore: NodeTag = 26;
pub const T_RelabelType: NodeTag = 27;
pub const T_CoerceViaIO: NodeTag = 28;
pub const T_ArrayCoerceExpr: NodeTag = 29;
pub const T_ConvertRowtypeExpr: NodeTag = 30;
pub const T_CollateExpr: NodeTag = 31;
pub const T_CaseExpr: NodeTag = 32;
pub const T_CaseWhen: NodeTag = 33;
pub const T_CaseTestExpr: NodeTag = 34;
pub const T_ArrayExpr: NodeTag = 35;
pub const T_RowExpr: NodeTag = 36;
pub const T_RowCompareExpr: NodeTag = 37;
pub const T_CoalesceExpr: NodeTag = 38;
pub const T_MinMaxExpr: NodeTag = 39;
pub const T_SQLValueFunction: NodeTag = 40;
pub const T_XmlExpr: NodeTag = 41;
pub const T_JsonFormat: NodeTag = 42;
pub const T_JsonReturning: NodeTag = 43;
pub const T_JsonValueExpr: NodeTag = 44;
pub const T_JsonConstructorExpr: NodeTag = 45;
pub const T_JsonIsPredicate: NodeTag = 46;
pub const T_JsonBehavior: NodeTag = 47;
pub const T_JsonExpr: NodeTag = 48;
pub const T_JsonTablePath: NodeTag = 49;
pub const T_JsonTablePathScan: NodeTag = 50;
pub const T_JsonTableSiblingJoin: NodeTag = 51;
pub const T_NullTest: NodeTag = 52;
pub const T_BooleanTest: NodeTag = 53;
pub const T_MergeAction: NodeTag = 54;
pub const T_CoerceToDomain: NodeTag = 55;
pub const T_CoerceToDomainValue: NodeTag = 56;
pub const T_SetToDefault: NodeTag = 57;
pub const T_CurrentOfExpr: NodeTag = 58;
pub const T_NextValueExpr: NodeTag = 59;
pub const T_InferenceElem: NodeTag = 60;
pub const T_ReturningExpr: NodeTag = 61;
pub const T_TargetEntry: NodeTag = 62;
pub const T_RangeTblRef: NodeTag = 63;
pub const T_JoinExpr: NodeTag = 64;
pub const T_FromExpr: NodeTag = 65;
pub const T_OnConflictExpr: NodeTag = 66;
pub const T_Query: NodeTag = 67;
pub const T_TypeName: NodeTag = 68;
pub const T_ColumnRef: NodeTag = 69;
pub const T_ParamRef: NodeTag = 70;
pub const T_A_Expr: NodeTag = 71;
pub const T_A_Const: NodeTag = 72;
pub const T_TypeCast: NodeTag = 73;
pub const T_CollateClause: NodeTag = 74;
pub const T_RoleSpec: NodeTag = 75;
pub const T_FuncCall: NodeTag = 76;
pub const T_A_Star: NodeTag = 77;
pub const T_A_Indices: NodeTag = 78;
pub const T_A_Indirection: NodeTag = 79;
pub const T_A_ArrayExpr: NodeTag = 80;
pub const T_ResTarget: NodeTag = 81;
pub const T_MultiAssignRef: NodeTag = 82;
pub const T_SortBy: NodeTag = 83;
pub const T_WindowDef: NodeTag = 84;
pub const T_RangeSubselect: NodeTag = 85;
pub const T_RangeFunction: NodeTag = 86;
pub const T_RangeTableFunc: NodeTag = 87;
pub const T_RangeTableFuncCol: NodeTag = 88;
pub const T_RangeTableSample: NodeTag = 89;
pub const T_ColumnDef: NodeTag = 90;
pub const T_TableLikeClause: NodeTag = 91;
pub const T_IndexElem: NodeTag = 92;
pub const T_DefElem: NodeTag = 93;
pub const T_LockingClause: NodeTag = 94;
pub const T_XmlSerialize: NodeTag = 95;
pub const T_PartitionElem: NodeTag = 96;
pub const T_PartitionSpec: NodeTag = 97;
pub const T_PartitionBoundSpec: NodeTag = 98;
pub const T_PartitionRangeDatum: NodeTag = 99;
pub const T_PartitionCmd: NodeTag = 100;
pub const T_RangeTblEntry: NodeTag = 101;
pub const T_RTEPermissionInfo: NodeTag = 102;
pub const T_RangeTblFunction: NodeTag = 103;
pub const T_TableSampleClause: NodeTag = 104;
pub const T_WithCheckOption: NodeTag = 105;
pub const T_SortGroupClause: NodeTag = 106;
pub const T_GroupingSet: NodeTag = 107;
pub const T_WindowClause: NodeTag = 108;
pub const T_RowMarkClause: NodeTag = 109;
pub const T_WithClause: NodeTag = 110;
pub const T_InferClause: NodeTag = 111;
pub const T_OnConflictClause: NodeTag = 112;
pub const T_CTESearchClause: NodeTag = 113;
pub const T_CTECycleClause: NodeTag = 114;
pub const T_CommonTableExpr: NodeTag = 115;
pub const T_MergeWhenClause: NodeTag = 116;
pub const T_ReturningOption: NodeTag = 117;
pub const T_ReturningClause: NodeTag = 118;
pub const T_TriggerTransition: NodeTag = 119;
pub const T_JsonOutput: NodeTag = 120;
pub const T_JsonArgument: NodeTag = 121;
pub const T_JsonFuncExpr: NodeTag = 122;
pub const T_JsonTablePathSpec: NodeTag = 123;
pub const T_JsonTable: NodeTag = 124;
pub const T_JsonTableColumn: NodeTag = 125;
pub const T_JsonKeyValue: NodeTag = 126;
pub const T_JsonParseExpr: NodeTag = 127;
pub const T_JsonScalarExpr: NodeTag = 128;
pub const T_JsonSerializeExpr: NodeTag = 129;
pub const T_JsonObjectConstructor: NodeTag = 130;
pub const T_JsonArrayConstructor: NodeTag = 131;
pub const T_JsonArrayQueryConstructor: NodeTag = 132;
pub const T_JsonAggConstructor: NodeTag = 133;
pub const T_JsonObjectAgg: NodeTag = 134;
pub const T_JsonArrayAgg: NodeTag = 135;
pub const T_RawStmt: NodeTag = 136;
pub const T_InsertStmt: NodeTag = 137;
pub const T_DeleteStmt: NodeTag = 138;
pub const T_UpdateStmt: NodeTag = 139;
pub const T_MergeStmt: NodeTag = 140;
pub const T_SelectStmt: NodeTag = 141;
pub const T_SetOperationStmt: NodeTag = 142;
pub const T_ReturnStmt: NodeTag = 143;
pub const T_PLAssignStmt: NodeTag = 144;
pub const T_CreateSchemaStmt: NodeTag = 145;
pub const T_AlterTableStmt: NodeTag = 146;
pub const T_AlterTableCmd: NodeTag = 147;
pub const T_ATAlterConstraint: NodeTag = 148;
pub const T_ReplicaIdentityStmt: NodeTag = 149;
pub const T_AlterCollationStmt: NodeTag = 150;
pub const T_AlterDomainStmt: NodeTag = 151;
pub const T_GrantStmt: NodeTag = 152;
pub const T_ObjectWithArgs: NodeTag = 153;
pub const T_AccessPriv: NodeTag = 154;
pub const T_GrantRoleStmt: NodeTag = 155;
pub const T_AlterDefaultPrivilegesStmt: NodeTag = 156;
pub const T_CopyStmt: NodeTag = 157;
pub const T_VariableSetStmt: NodeTag = 158;
pub const T_VariableShowStmt: NodeTag = 159;
pub const T_CreateStmt: NodeTag = 160;
pub const T_Constraint: NodeTag = 161;
pub const T_CreateTableSpaceStmt: NodeTag = 162;
pub const T_DropTableSpaceStmt: NodeTag = 163;
pub const T_AlterTableSpaceOptionsStmt: NodeTag = 164;
pub const T_AlterTableMoveAllStmt: NodeTag = 165;
pub const T_CreateExtensionStmt: NodeTag = 166;
pub const T_AlterExtensionStmt: NodeTag = 167;
pub const T_AlterExtensionContentsStmt: NodeTag = 168;
pub const T_CreateFdwStmt: NodeTag = 169;
pub const T_AlterFdwStmt: NodeTag = 170;
pub const T_CreateForeignServerStmt: NodeTag = 171;
pub const T_AlterForeignServerStmt: NodeTag = 172;
pub const T_CreateForeignTableStmt: NodeTag = 173;
pub const T_CreateUserMappingStmt: NodeTag = 174;
pub const T_AlterUserMappingStmt: NodeTag = 175;
pub const T_DropUserMappingStmt: NodeTag = 176;
pub const T_ImportForeignSchemaStmt: NodeTag = 177;
pub const T_CreatePolicyStmt: NodeTag = 178;
pub const T_AlterPolicyStmt: NodeTag = 179;
pub const T_CreateAmStmt: NodeTag = 180;
pub const T_CreateTrigStmt: NodeTag = 181;
pub const T_CreateEventTrigStmt: NodeTag = 182;
pub const T_AlterEventTrigStmt: NodeTag = 183;
pub const T_CreatePLangStmt: NodeTag = 184;
pub const T_CreateRoleStmt: NodeTag = 185;
pub const T_AlterRoleStmt: NodeTag = 186;
pub const T_AlterRoleSetStmt: NodeTag = 187;
pub const T_DropRoleStmt: NodeTag = 188;
pub const T_CreateSeqStmt: NodeTag = 189;
pub const T_AlterSeqStmt: NodeTag = 190;
pub const T_DefineStmt: NodeTag = 191;
pub const T_CreateDomainStmt: NodeTag = 192;
pub const T_CreateOpClassStmt: NodeTag = 193;
pub const T_CreateOpClassItem: NodeTag = 194;
pub const T_CreateOpFamilyStmt: NodeTag = 195;
pub const T_AlterOpFamilyStmt: NodeTag = 196;
pub const T_DropStmt: NodeTag = 197;
pub const T_TruncateStmt: NodeTag = 198;
pub const T_CommentStmt: NodeTag = 199;
pub const T_SecLabelStmt: NodeTag = 200;
pub const T_DeclareCursorStmt: NodeTag = 201;
pub const T_ClosePortalStmt: NodeTag = 202;
pub const T_FetchStmt: NodeTag = 203;
pub const T_IndexStmt: NodeTag = 204;
pub const T_CreateStatsStmt: NodeTag = 205;
pub const T_StatsElem: NodeTag = 206;
pub const T_AlterStatsStmt: NodeTag = 207;
pub const T_CreateFunctionStmt: NodeTag = 208;
pub const T_FunctionParameter: NodeTag = 209;
pub const T_AlterFunctionStmt: NodeTag = 210;
pub const T_DoStmt: NodeTag = 211;
pub const T_InlineCodeBlock: NodeTag = 212;
pub const T_CallStmt: NodeTag = 213;
pub const T_CallContext: NodeTag = 214;
pub const T_RenameStmt: NodeTag = 215;
pub const T_AlterObjectDependsStmt: NodeTag = 216;
pub const T_AlterObjectSchemaStmt: NodeTag = 217;
pub const T_AlterOwnerStmt: NodeTag = 218;
pub const T_AlterOperatorStmt: NodeTag = 219;
pub const T_AlterTypeStmt: NodeTag = 220;
pub const T_RuleStmt: NodeTag = 221;
pub const T_NotifyStmt: NodeTag = 222;
pub const T_ListenStmt: NodeTag = 223;
pub const T_UnlistenStmt: NodeTag = 224;
pub const T_TransactionStmt: NodeTag = 225;
pub const T_CompositeTypeStmt: NodeTag = 226;
pub const T_CreateEnumStmt: NodeTag = 227;
pub const T_CreateRangeStmt: NodeTag = 228;
pub const T_AlterEnumStmt: NodeTag = 229;
pub const T_ViewStmt: NodeTag = 230;
pub const T_LoadStmt: NodeTag = 231;
pub const T_CreatedbStmt: NodeTag = 232;
pub const T_AlterDatabaseStmt: NodeTag = 233;
pub const T_AlterDatabaseRefreshCollStmt: NodeTag = 234;
pub const T_AlterDatabaseSetStmt: NodeTag = 235;
pub const T_DropdbStmt: NodeTag = 236;
pub const T_AlterSystemStmt: NodeTag = 237;
pub const T_ClusterStmt: NodeTag = 238;
pub const T_VacuumStmt: NodeTag = 239;
pub const T_VacuumRelation: NodeTag = 240;
pub const T_ExplainStmt: NodeTag = 241;
pub const T_CreateTableAsStmt: NodeTag = 242;
pub const T_RefreshMatViewStmt: NodeTag = 243;
pub const T_CheckPointStmt: NodeTag = 244;
pub const T_DiscardStmt: NodeTag = 245;
pub const T_LockStmt: NodeTag = 246;
pub const T_ConstraintsSetStmt: NodeTag = 247;
pub const T_ReindexStmt: NodeTag = 248;
pub const T_CreateConversionStmt: NodeTag = 249;
pub const T_CreateCastStmt: NodeTag = 250;
pub const T_CreateTransformStmt: NodeTag = 251;
pub const T_PrepareStmt: NodeTag = 252;
pub const T_ExecuteStmt: NodeTag = 253;
pub const T_DeallocateStmt: NodeTag = 254;
pub const T_DropOwnedStmt: NodeTag = 255;
pub const T_ReassignOwnedStmt: NodeTag = 256;
pub const T_AlterTSDictionaryStmt: NodeTag = 257;
pub const T_AlterTSConfigurationStmt: NodeTag = 258;
pub const T_PublicationTable: NodeTag = 259;
pub const T_PublicationObjSpec: NodeTag = 260;
pub const T_CreatePublicationStmt: NodeTag = 261;
pub const T_AlterPublicationStmt: NodeTag = 262;
pub const T_CreateSubscriptionStmt: NodeTag = 263;
pub const T_AlterSubscriptionStmt: NodeTag = 264;
pub const T_DropSubscriptionStmt: NodeTag = 265;
pub const T_Bitmapset: NodeTag = 445;
pub const T_Integer: NodeTag = 465;
pub const T_Float: NodeTag = 466;
pub const T_Boolean: NodeTag = 467;
pub const T_String: NodeTag = 468;
pub const T_BitString: NodeTag = 469;
pub const T_IntList: NodeTag = 471;
pub const T_OidList: NodeTag = 472;
pub const T_XidList: NodeTag = 473;
pub type NodeTag = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct Node {
    pub type_: NodeTag,
}
pub type ParseLoc = ::std::os::raw::c_int;
pub type Cost = f64;
pub type Cardinality = f64;
pub const CMD_UNKNOWN: CmdType = 0;
pub const CMD_SELECT: CmdType = 1;
pub const CMD_UPDATE: CmdType = 2;
pub const CMD_INSERT: CmdType = 3;
pub const CMD_DELETE: CmdType = 4;
pub const CMD_MERGE: CmdType = 5;
pub const CMD_UTILITY: CmdType = 6;
pub const CMD_NOTHING: CmdType = 7;
pub type CmdType = ::std::os::raw::c_uint;
pub const JOIN_INNER: JoinType = 0;
pub const JOIN_LEFT: JoinType = 1;
pub const JOIN_FULL: JoinType = 2;
pub const JOIN_RIGHT: JoinType = 3;
pub const JOIN_SEMI: JoinType = 4;
pub const JOIN_ANTI: JoinType = 5;
pub const JOIN_RIGHT_SEMI: JoinType = 6;
pub const JOIN_RIGHT_ANTI: JoinType = 7;
pub const JOIN_UNIQUE_OUTER: JoinType = 8;
pub const JOIN_UNIQUE_INNER: JoinType = 9;
pub type JoinType = ::std::os::raw::c_uint;
pub const AGGSPLIT_SIMPLE: AggSplit = 0;
pub const AGGSPLIT_INITIAL_SERIAL: AggSplit = 6;
pub const AGGSPLIT_FINAL_DESERIAL: AggSplit = 9;
pub type AggSplit = ::std::os::raw::c_uint;
pub const ONCONFLICT_NONE: OnConflictAction = 0;
pub const ONCONFLICT_NOTHING: OnConflictAction = 1;
pub const ONCONFLICT_UPDATE: OnConflictAction = 2;
pub type OnConflictAction = ::std::os::raw::c_uint;
pub const LIMIT_OPTION_DEFAULT: LimitOption = 0;
pub const LIMIT_OPTION_COUNT: LimitOption = 1;
pub const LIMIT_OPTION_WITH_TIES: LimitOption = 2;
pub type LimitOption = ::std::os::raw::c_uint;
pub type bitmapword = uint64;
#[repr(C)]
pub struct Bitmapset {
    pub type_: NodeTag,
    pub nwords: ::std::os::raw::c_int,
    pub words: __IncompleteArrayField<bitmapword>,
}
pub type RelFileNumber = Oid;
pub const LCS_NONE: LockClauseStrength = 0;
pub const LCS_FORKEYSHARE: LockClauseStrength = 1;
pub const LCS_FORSHARE: LockClauseStrength = 2;
pub const LCS_FORNOKEYUPDATE: LockClauseStrength = 3;
pub const LCS_FORUPDATE: LockClauseStrength = 4;
pub type LockClauseStrength = ::std::os::raw::c_uint;
pub const LockWaitBlock: LockWaitPolicy = 0;
pub const LockWaitSkip: LockWaitPolicy = 1;
pub const LockWaitError: LockWaitPolicy = 2;
pub type LockWaitPolicy = ::std::os::raw::c_uint;
pub type AttrNumber = int16;
pub const COMPARE_INVALID: CompareType = 0;
pub const COMPARE_LT: CompareType = 1;
pub const COMPARE_LE: CompareType = 2;
pub const COMPARE_EQ: CompareType = 3;
pub const COMPARE_GE: CompareType = 4;
pub const COMPARE_GT: CompareType = 5;
pub const COMPARE_NE: CompareType = 6;
pub const COMPARE_OVERLAP: CompareType = 7;
pub const COMPARE_CONTAINED_BY: CompareType = 8;
pub type CompareType = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub union ListCell {
    pub ptr_value: *mut ::std::os::raw::c_void,
    pub int_value: ::std::os::raw::c_int,
    pub oid_value: Oid,
    pub xid_value: TransactionId,
}
#[repr(C)]
pub struct List {
    pub type_: NodeTag,
    pub length: ::std::os::raw::c_int,
    pub max_length: ::std::os::raw::c_int,
    pub elements: *mut ListCell,
    pub initial_elements: __IncompleteArrayField<ListCell>,
}
pub const OVERRIDING_NOT_SET: OverridingKind = 0;
pub const OVERRIDING_USER_VALUE: OverridingKind = 1;
pub const OVERRIDING_SYSTEM_VALUE: OverridingKind = 2;
pub type OverridingKind = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct Alias {
    pub type_: NodeTag,
    pub aliasname: *mut ::std::os::raw::c_char,
    pub colnames: *mut List,
}
pub const ONCOMMIT_NOOP: OnCommitAction = 0;
pub const ONCOMMIT_PRESERVE_ROWS: OnCommitAction = 1;
pub const ONCOMMIT_DELETE_ROWS: OnCommitAction = 2;
pub const ONCOMMIT_DROP: OnCommitAction = 3;
pub type OnCommitAction = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct RangeVar {
    pub type_: NodeTag,
    pub catalogname: *mut ::std::os::raw::c_char,
    pub schemaname: *mut ::std::os::raw::c_char,
    pub relname: *mut ::std::os::raw::c_char,
    pub inh: bool,
    pub relpersistence: ::std::os::raw::c_char,
    pub alias: *mut Alias,
    pub location: ParseLoc,
}
pub const TFT_XMLTABLE: TableFuncType = 0;
pub const TFT_JSON_TABLE: TableFuncType = 1;
pub type TableFuncType = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct TableFunc {
    pub type_: NodeTag,
    pub functype: TableFuncType,
    pub ns_uris: *mut List,
    pub ns_names: *mut List,
    pub docexpr: *mut Node,
    pub rowexpr: *mut Node,
    pub colnames: *mut List,
    pub coltypes: *mut List,
    pub coltypmods: *mut List,
    pub colcollations: *mut List,
    pub colexprs: *mut List,
    pub coldefexprs: *mut List,
    pub colvalexprs: *mut List,
    pub passingvalexprs: *mut List,
    pub notnulls: *mut Bitmapset,
    pub plan: *mut Node,
    pub ordinalitycol: ::std::os::raw::c_int,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct IntoClause {
    pub type_: NodeTag,
    pub rel: *mut RangeVar,
    pub colNames: *mut List,
    pub accessMethod: *mut ::std::os::raw::c_char,
    pub options: *mut List,
    pub onCommit: OnCommitAction,
    pub tableSpaceName: *mut ::std::os::raw::c_char,
    pub viewQuery: *mut Query,
    pub skipData: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct Expr {
    pub type_: NodeTag,
}
pub const VAR_RETURNING_DEFAULT: VarReturningType = 0;
pub const VAR_RETURNING_OLD: VarReturningType = 1;
pub const VAR_RETURNING_NEW: VarReturningType = 2;
pub type VarReturningType = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct Var {
    pub xpr: Expr,
    pub varno: ::std::os::raw::c_int,
    pub varattno: AttrNumber,
    pub vartype: Oid,
    pub vartypmod: int32,
    pub varcollid: Oid,
    pub varnullingrels: *mut Bitmapset,
    pub varlevelsup: Index,
    pub varreturningtype: VarReturningType,
    pub varnosyn: Index,
    pub varattnosyn: AttrNumber,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct Const {
    pub xpr: Expr,
    pub consttype: Oid,
    pub consttypmod: int32,
    pub constcollid: Oid,
    pub constlen: ::std::os::raw::c_int,
    pub constvalue: Datum,
    pub constisnull: bool,
    pub constbyval: bool,
    pub location: ParseLoc,
}
pub const PARAM_EXTERN: ParamKind = 0;
pub const PARAM_EXEC: ParamKind = 1;
pub const PARAM_SUBLINK: ParamKind = 2;
pub const PARAM_MULTIEXPR: ParamKind = 3;
pub type ParamKind = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct Param {
    pub xpr: Expr,
    pub paramkind: ParamKind,
    pub paramid: ::std::os::raw::c_int,
    pub paramtype: Oid,
    pub paramtypmod: int32,
    pub paramcollid: Oid,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct Aggref {
    pub xpr: Expr,
    pub aggfnoid: Oid,
    pub aggtype: Oid,
    pub aggcollid: Oid,
    pub inputcollid: Oid,
    pub aggtranstype: Oid,
    pub aggargtypes: *mut List,
    pub aggdirectargs: *mut List,
    pub args: *mut List,
    pub aggorder: *mut List,
    pub aggdistinct: *mut List,
    pub aggfilter: *mut Expr,
    pub aggstar: bool,
    pub aggvariadic: bool,
    pub aggkind: ::std::os::raw::c_char,
    pub aggpresorted: bool,
    pub agglevelsup: Index,
    pub aggsplit: AggSplit,
    pub aggno: ::std::os::raw::c_int,
    pub aggtransno: ::std::os::raw::c_int,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct GroupingFunc {
    pub xpr: Expr,
    pub args: *mut List,
    pub refs: *mut List,
    pub cols: *mut List,
    pub agglevelsup: Index,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct WindowFunc {
    pub xpr: Expr,
    pub winfnoid: Oid,
    pub wintype: Oid,
    pub wincollid: Oid,
    pub inputcollid: Oid,
    pub args: *mut List,
    pub aggfilter: *mut Expr,
    pub runCondition: *mut List,
    pub winref: Index,
    pub winstar: bool,
    pub winagg: bool,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct WindowFuncRunCondition {
    pub xpr: Expr,
    pub opno: Oid,
    pub inputcollid: Oid,
    pub wfunc_left: bool,
    pub arg: *mut Expr,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct MergeSupportFunc {
    pub xpr: Expr,
    pub msftype: Oid,
    pub msfcollid: Oid,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct SubscriptingRef {
    pub xpr: Expr,
    pub refcontainertype: Oid,
    pub refelemtype: Oid,
    pub refrestype: Oid,
    pub reftypmod: int32,
    pub refcollid: Oid,
    pub refupperindexpr: *mut List,
    pub reflowerindexpr: *mut List,
    pub refexpr: *mut Expr,
    pub refassgnexpr: *mut Expr,
}
pub const COERCION_IMPLICIT: CoercionContext = 0;
pub const COERCION_ASSIGNMENT: CoercionContext = 1;
pub const COERCION_PLPGSQL: CoercionContext = 2;
pub const COERCION_EXPLICIT: CoercionContext = 3;
pub type CoercionContext = ::std::os::raw::c_uint;
pub const COERCE_EXPLICIT_CALL: CoercionForm = 0;
pub const COERCE_EXPLICIT_CAST: CoercionForm = 1;
pub const COERCE_IMPLICIT_CAST: CoercionForm = 2;
pub const COERCE_SQL_SYNTAX: CoercionForm = 3;
pub type CoercionForm = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct FuncExpr {
    pub xpr: Expr,
    pub funcid: Oid,
    pub funcresulttype: Oid,
    pub funcretset: bool,
    pub funcvariadic: bool,
    pub funcformat: CoercionForm,
    pub funccollid: Oid,
    pub inputcollid: Oid,
    pub args: *mut List,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct NamedArgExpr {
    pub xpr: Expr,
    pub arg: *mut Expr,
    pub name: *mut ::std::os::raw::c_char,
    pub argnumber: ::std::os::raw::c_int,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct OpExpr {
    pub xpr: Expr,
    pub opno: Oid,
    pub opfuncid: Oid,
    pub opresulttype: Oid,
    pub opretset: bool,
    pub opcollid: Oid,
    pub inputcollid: Oid,
    pub args: *mut List,
    pub location: ParseLoc,
}
pub type DistinctExpr = OpExpr;
pub type NullIfExpr = OpExpr;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ScalarArrayOpExpr {
    pub xpr: Expr,
    pub opno: Oid,
    pub opfuncid: Oid,
    pub hashfuncid: Oid,
    pub negfuncid: Oid,
    pub useOr: bool,
    pub inputcollid: Oid,
    pub args: *mut List,
    pub location: ParseLoc,
}
pub const AND_EXPR: BoolExprType = 0;
pub const OR_EXPR: BoolExprType = 1;
pub const NOT_EXPR: BoolExprType = 2;
pub type BoolExprType = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct BoolExpr {
    pub xpr: Expr,
    pub boolop: BoolExprType,
    pub args: *mut List,
    pub location: ParseLoc,
}
pub const EXISTS_SUBLINK: SubLinkType = 0;
pub const ALL_SUBLINK: SubLinkType = 1;
pub const ANY_SUBLINK: SubLinkType = 2;
pub const ROWCOMPARE_SUBLINK: SubLinkType = 3;
pub const EXPR_SUBLINK: SubLinkType = 4;
pub const MULTIEXPR_SUBLINK: SubLinkType = 5;
pub const ARRAY_SUBLINK: SubLinkType = 6;
pub const CTE_SUBLINK: SubLinkType = 7;
pub type SubLinkType = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct SubLink {
    pub xpr: Expr,
    pub subLinkType: SubLinkType,
    pub subLinkId: ::std::os::raw::c_int,
    pub testexpr: *mut Node,
    pub operName: *mut List,
    pub subselect: *mut Node,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct SubPlan {
    pub xpr: Expr,
    pub subLinkType: SubLinkType,
    pub testexpr: *mut Node,
    pub paramIds: *mut List,
    pub plan_id: ::std::os::raw::c_int,
    pub plan_name: *mut ::std::os::raw::c_char,
    pub firstColType: Oid,
    pub firstColTypmod: int32,
    pub firstColCollation: Oid,
    pub useHashTable: bool,
    pub unknownEqFalse: bool,
    pub parallel_safe: bool,
    pub setParam: *mut List,
    pub parParam: *mut List,
    pub args: *mut List,
    pub startup_cost: Cost,
    pub per_call_cost: Cost,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlternativeSubPlan {
    pub xpr: Expr,
    pub subplans: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct FieldSelect {
    pub xpr: Expr,
    pub arg: *mut Expr,
    pub fieldnum: AttrNumber,
    pub resulttype: Oid,
    pub resulttypmod: int32,
    pub resultcollid: Oid,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct FieldStore {
    pub xpr: Expr,
    pub arg: *mut Expr,
    pub newvals: *mut List,
    pub fieldnums: *mut List,
    pub resulttype: Oid,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct RelabelType {
    pub xpr: Expr,
    pub arg: *mut Expr,
    pub resulttype: Oid,
    pub resulttypmod: int32,
    pub resultcollid: Oid,
    pub relabelformat: CoercionForm,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CoerceViaIO {
    pub xpr: Expr,
    pub arg: *mut Expr,
    pub resulttype: Oid,
    pub resultcollid: Oid,
    pub coerceformat: CoercionForm,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ArrayCoerceExpr {
    pub xpr: Expr,
    pub arg: *mut Expr,
    pub elemexpr: *mut Expr,
    pub resulttype: Oid,
    pub resulttypmod: int32,
    pub resultcollid: Oid,
    pub coerceformat: CoercionForm,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ConvertRowtypeExpr {
    pub xpr: Expr,
    pub arg: *mut Expr,
    pub resulttype: Oid,
    pub convertformat: CoercionForm,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CollateExpr {
    pub xpr: Expr,
    pub arg: *mut Expr,
    pub collOid: Oid,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CaseExpr {
    pub xpr: Expr,
    pub casetype: Oid,
    pub casecollid: Oid,
    pub arg: *mut Expr,
    pub args: *mut List,
    pub defresult: *mut Expr,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CaseWhen {
    pub xpr: Expr,
    pub expr: *mut Expr,
    pub result: *mut Expr,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CaseTestExpr {
    pub xpr: Expr,
    pub typeId: Oid,
    pub typeMod: int32,
    pub collation: Oid,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ArrayExpr {
    pub xpr: Expr,
    pub array_typeid: Oid,
    pub array_collid: Oid,
    pub element_typeid: Oid,
    pub elements: *mut List,
    pub multidims: bool,
    pub list_start: ParseLoc,
    pub list_end: ParseLoc,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct RowExpr {
    pub xpr: Expr,
    pub args: *mut List,
    pub row_typeid: Oid,
    pub row_format: CoercionForm,
    pub colnames: *mut List,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct RowCompareExpr {
    pub xpr: Expr,
    pub cmptype: CompareType,
    pub opnos: *mut List,
    pub opfamilies: *mut List,
    pub inputcollids: *mut List,
    pub largs: *mut List,
    pub rargs: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CoalesceExpr {
    pub xpr: Expr,
    pub coalescetype: Oid,
    pub coalescecollid: Oid,
    pub args: *mut List,
    pub location: ParseLoc,
}
pub const IS_GREATEST: MinMaxOp = 0;
pub const IS_LEAST: MinMaxOp = 1;
pub type MinMaxOp = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct MinMaxExpr {
    pub xpr: Expr,
    pub minmaxtype: Oid,
    pub minmaxcollid: Oid,
    pub inputcollid: Oid,
    pub op: MinMaxOp,
    pub args: *mut List,
    pub location: ParseLoc,
}
pub const SVFOP_CURRENT_DATE: SQLValueFunctionOp = 0;
pub const SVFOP_CURRENT_TIME: SQLValueFunctionOp = 1;
pub const SVFOP_CURRENT_TIME_N: SQLValueFunctionOp = 2;
pub const SVFOP_CURRENT_TIMESTAMP: SQLValueFunctionOp = 3;
pub const SVFOP_CURRENT_TIMESTAMP_N: SQLValueFunctionOp = 4;
pub const SVFOP_LOCALTIME: SQLValueFunctionOp = 5;
pub const SVFOP_LOCALTIME_N: SQLValueFunctionOp = 6;
pub const SVFOP_LOCALTIMESTAMP: SQLValueFunctionOp = 7;
pub const SVFOP_LOCALTIMESTAMP_N: SQLValueFunctionOp = 8;
pub const SVFOP_CURRENT_ROLE: SQLValueFunctionOp = 9;
pub const SVFOP_CURRENT_USER: SQLValueFunctionOp = 10;
pub const SVFOP_USER: SQLValueFunctionOp = 11;
pub const SVFOP_SESSION_USER: SQLValueFunctionOp = 12;
pub const SVFOP_CURRENT_CATALOG: SQLValueFunctionOp = 13;
pub const SVFOP_CURRENT_SCHEMA: SQLValueFunctionOp = 14;
pub type SQLValueFunctionOp = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct SQLValueFunction {
    pub xpr: Expr,
    pub op: SQLValueFunctionOp,
    pub type_: Oid,
    pub typmod: int32,
    pub location: ParseLoc,
}
pub const IS_XMLCONCAT: XmlExprOp = 0;
pub const IS_XMLELEMENT: XmlExprOp = 1;
pub const IS_XMLFOREST: XmlExprOp = 2;
pub const IS_XMLPARSE: XmlExprOp = 3;
pub const IS_XMLPI: XmlExprOp = 4;
pub const IS_XMLROOT: XmlExprOp = 5;
pub const IS_XMLSERIALIZE: XmlExprOp = 6;
pub const IS_DOCUMENT: XmlExprOp = 7;
pub type XmlExprOp = ::std::os::raw::c_uint;
pub const XMLOPTION_DOCUMENT: XmlOptionType = 0;
pub const XMLOPTION_CONTENT: XmlOptionType = 1;
pub type XmlOptionType = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct XmlExpr {
    pub xpr: Expr,
    pub op: XmlExprOp,
    pub name: *mut ::std::os::raw::c_char,
    pub named_args: *mut List,
    pub arg_names: *mut List,
    pub args: *mut List,
    pub xmloption: XmlOptionType,
    pub indent: bool,
    pub type_: Oid,
    pub typmod: int32,
    pub location: ParseLoc,
}
pub const JS_ENC_DEFAULT: JsonEncoding = 0;
pub const JS_ENC_UTF8: JsonEncoding = 1;
pub const JS_ENC_UTF16: JsonEncoding = 2;
pub const JS_ENC_UTF32: JsonEncoding = 3;
pub type JsonEncoding = ::std::os::raw::c_uint;
pub const JS_FORMAT_DEFAULT: JsonFormatType = 0;
pub const JS_FORMAT_JSON: JsonFormatType = 1;
pub const JS_FORMAT_JSONB: JsonFormatType = 2;
pub type JsonFormatType = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonFormat {
    pub type_: NodeTag,
    pub format_type: JsonFormatType,
    pub encoding: JsonEncoding,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonReturning {
    pub type_: NodeTag,
    pub format: *mut JsonFormat,
    pub typid: Oid,
    pub typmod: int32,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonValueExpr {
    pub type_: NodeTag,
    pub raw_expr: *mut Expr,
    pub formatted_expr: *mut Expr,
    pub format: *mut JsonFormat,
}
pub const JSCTOR_JSON_OBJECT: JsonConstructorType = 1;
pub const JSCTOR_JSON_ARRAY: JsonConstructorType = 2;
pub const JSCTOR_JSON_OBJECTAGG: JsonConstructorType = 3;
pub const JSCTOR_JSON_ARRAYAGG: JsonConstructorType = 4;
pub const JSCTOR_JSON_PARSE: JsonConstructorType = 5;
pub const JSCTOR_JSON_SCALAR: JsonConstructorType = 6;
pub const JSCTOR_JSON_SERIALIZE: JsonConstructorType = 7;
pub type JsonConstructorType = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonConstructorExpr {
    pub xpr: Expr,
    pub type_: JsonConstructorType,
    pub args: *mut List,
    pub func: *mut Expr,
    pub coercion: *mut Expr,
    pub returning: *mut JsonReturning,
    pub absent_on_null: bool,
    pub unique: bool,
    pub location: ParseLoc,
}
pub const JS_TYPE_ANY: JsonValueType = 0;
pub const JS_TYPE_OBJECT: JsonValueType = 1;
pub const JS_TYPE_ARRAY: JsonValueType = 2;
pub const JS_TYPE_SCALAR: JsonValueType = 3;
pub type JsonValueType = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonIsPredicate {
    pub type_: NodeTag,
    pub expr: *mut Node,
    pub format: *mut JsonFormat,
    pub item_type: JsonValueType,
    pub unique_keys: bool,
    pub location: ParseLoc,
}
pub const JSW_UNSPEC: JsonWrapper = 0;
pub const JSW_NONE: JsonWrapper = 1;
pub const JSW_CONDITIONAL: JsonWrapper = 2;
pub const JSW_UNCONDITIONAL: JsonWrapper = 3;
pub type JsonWrapper = ::std::os::raw::c_uint;
pub const JSON_BEHAVIOR_NULL: JsonBehaviorType = 0;
pub const JSON_BEHAVIOR_ERROR: JsonBehaviorType = 1;
pub const JSON_BEHAVIOR_EMPTY: JsonBehaviorType = 2;
pub const JSON_BEHAVIOR_TRUE: JsonBehaviorType = 3;
pub const JSON_BEHAVIOR_FALSE: JsonBehaviorType = 4;
pub const JSON_BEHAVIOR_UNKNOWN: JsonBehaviorType = 5;
pub const JSON_BEHAVIOR_EMPTY_ARRAY: JsonBehaviorType = 6;
pub const JSON_BEHAVIOR_EMPTY_OBJECT: JsonBehaviorType = 7;
pub const JSON_BEHAVIOR_DEFAULT: JsonBehaviorType = 8;
pub type JsonBehaviorType = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonBehavior {
    pub type_: NodeTag,
    pub btype: JsonBehaviorType,
    pub expr: *mut Node,
    pub coerce: bool,
    pub location: ParseLoc,
}
pub const JSON_EXISTS_OP: JsonExprOp = 0;
pub const JSON_QUERY_OP: JsonExprOp = 1;
pub const JSON_VALUE_OP: JsonExprOp = 2;
pub const JSON_TABLE_OP: JsonExprOp = 3;
pub type JsonExprOp = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonExpr {
    pub xpr: Expr,
    pub op: JsonExprOp,
    pub column_name: *mut ::std::os::raw::c_char,
    pub formatted_expr: *mut Node,
    pub format: *mut JsonFormat,
    pub path_spec: *mut Node,
    pub returning: *mut JsonReturning,
    pub passing_names: *mut List,
    pub passing_values: *mut List,
    pub on_empty: *mut JsonBehavior,
    pub on_error: *mut JsonBehavior,
    pub use_io_coercion: bool,
    pub use_json_coercion: bool,
    pub wrapper: JsonWrapper,
    pub omit_quotes: bool,
    pub collation: Oid,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonTablePath {
    pub type_: NodeTag,
    pub value: *mut Const,
    pub name: *mut ::std::os::raw::c_char,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonTablePlan {
    pub type_: NodeTag,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonTablePathScan {
    pub plan: JsonTablePlan,
    pub path: *mut JsonTablePath,
    pub errorOnError: bool,
    pub child: *mut JsonTablePlan,
    pub colMin: ::std::os::raw::c_int,
    pub colMax: ::std::os::raw::c_int,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonTableSiblingJoin {
    pub plan: JsonTablePlan,
    pub lplan: *mut JsonTablePlan,
    pub rplan: *mut JsonTablePlan,
}
pub const IS_NULL: NullTestType = 0;
pub const IS_NOT_NULL: NullTestType = 1;
pub type NullTestType = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct NullTest {
    pub xpr: Expr,
    pub arg: *mut Expr,
    pub nulltesttype: NullTestType,
    pub argisrow: bool,
    pub location: ParseLoc,
}
pub const IS_TRUE: BoolTestType = 0;
pub const IS_NOT_TRUE: BoolTestType = 1;
pub const IS_FALSE: BoolTestType = 2;
pub const IS_NOT_FALSE: BoolTestType = 3;
pub const IS_UNKNOWN: BoolTestType = 4;
pub const IS_NOT_UNKNOWN: BoolTestType = 5;
pub type BoolTestType = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct BooleanTest {
    pub xpr: Expr,
    pub arg: *mut Expr,
    pub booltesttype: BoolTestType,
    pub location: ParseLoc,
}
pub const MERGE_WHEN_MATCHED: MergeMatchKind = 0;
pub const MERGE_WHEN_NOT_MATCHED_BY_SOURCE: MergeMatchKind = 1;
pub const MERGE_WHEN_NOT_MATCHED_BY_TARGET: MergeMatchKind = 2;
pub type MergeMatchKind = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct MergeAction {
    pub type_: NodeTag,
    pub matchKind: MergeMatchKind,
    pub commandType: CmdType,
    pub override_: OverridingKind,
    pub qual: *mut Node,
    pub targetList: *mut List,
    pub updateColnos: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CoerceToDomain {
    pub xpr: Expr,
    pub arg: *mut Expr,
    pub resulttype: Oid,
    pub resulttypmod: int32,
    pub resultcollid: Oid,
    pub coercionformat: CoercionForm,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CoerceToDomainValue {
    pub xpr: Expr,
    pub typeId: Oid,
    pub typeMod: int32,
    pub collation: Oid,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct SetToDefault {
    pub xpr: Expr,
    pub typeId: Oid,
    pub typeMod: int32,
    pub collation: Oid,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CurrentOfExpr {
    pub xpr: Expr,
    pub cvarno: Index,
    pub cursor_name: *mut ::std::os::raw::c_char,
    pub cursor_param: ::std::os::raw::c_int,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct NextValueExpr {
    pub xpr: Expr,
    pub seqid: Oid,
    pub typeId: Oid,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct InferenceElem {
    pub xpr: Expr,
    pub expr: *mut Node,
    pub infercollid: Oid,
    pub inferopclass: Oid,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ReturningExpr {
    pub xpr: Expr,
    pub retlevelsup: ::std::os::raw::c_int,
    pub retold: bool,
    pub retexpr: *mut Expr,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct TargetEntry {
    pub xpr: Expr,
    pub expr: *mut Expr,
    pub resno: AttrNumber,
    pub resname: *mut ::std::os::raw::c_char,
    pub ressortgroupref: Index,
    pub resorigtbl: Oid,
    pub resorigcol: AttrNumber,
    pub resjunk: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct RangeTblRef {
    pub type_: NodeTag,
    pub rtindex: ::std::os::raw::c_int,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JoinExpr {
    pub type_: NodeTag,
    pub jointype: JoinType,
    pub isNatural: bool,
    pub larg: *mut Node,
    pub rarg: *mut Node,
    pub usingClause: *mut List,
    pub join_using_alias: *mut Alias,
    pub quals: *mut Node,
    pub alias: *mut Alias,
    pub rtindex: ::std::os::raw::c_int,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct FromExpr {
    pub type_: NodeTag,
    pub fromlist: *mut List,
    pub quals: *mut Node,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct OnConflictExpr {
    pub type_: NodeTag,
    pub action: OnConflictAction,
    pub arbiterElems: *mut List,
    pub arbiterWhere: *mut Node,
    pub constraint: Oid,
    pub onConflictSet: *mut List,
    pub onConflictWhere: *mut Node,
    pub exclRelIndex: ::std::os::raw::c_int,
    pub exclRelTlist: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct Integer {
    pub type_: NodeTag,
    pub ival: ::std::os::raw::c_int,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct Float {
    pub type_: NodeTag,
    pub fval: *mut ::std::os::raw::c_char,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct Boolean {
    pub type_: NodeTag,
    pub boolval: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct String {
    pub type_: NodeTag,
    pub sval: *mut ::std::os::raw::c_char,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct BitString {
    pub type_: NodeTag,
    pub bsval: *mut ::std::os::raw::c_char,
}
pub const QSRC_ORIGINAL: QuerySource = 0;
pub const QSRC_PARSER: QuerySource = 1;
pub const QSRC_INSTEAD_RULE: QuerySource = 2;
pub const QSRC_QUAL_INSTEAD_RULE: QuerySource = 3;
pub const QSRC_NON_INSTEAD_RULE: QuerySource = 4;
pub type QuerySource = ::std::os::raw::c_uint;
pub const SORTBY_DEFAULT: SortByDir = 0;
pub const SORTBY_ASC: SortByDir = 1;
pub const SORTBY_DESC: SortByDir = 2;
pub const SORTBY_USING: SortByDir = 3;
pub type SortByDir = ::std::os::raw::c_uint;
pub const SORTBY_NULLS_DEFAULT: SortByNulls = 0;
pub const SORTBY_NULLS_FIRST: SortByNulls = 1;
pub const SORTBY_NULLS_LAST: SortByNulls = 2;
pub type SortByNulls = ::std::os::raw::c_uint;
pub type AclMode = uint64;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct Query {
    pub type_: NodeTag,
    pub commandType: CmdType,
    pub querySource: QuerySource,
    pub queryId: int64,
    pub canSetTag: bool,
    pub utilityStmt: *mut Node,
    pub resultRelation: ::std::os::raw::c_int,
    pub hasAggs: bool,
    pub hasWindowFuncs: bool,
    pub hasTargetSRFs: bool,
    pub hasSubLinks: bool,
    pub hasDistinctOn: bool,
    pub hasRecursive: bool,
    pub hasModifyingCTE: bool,
    pub hasForUpdate: bool,
    pub hasRowSecurity: bool,
    pub hasGroupRTE: bool,
    pub isReturn: bool,
    pub cteList: *mut List,
    pub rtable: *mut List,
    pub rteperminfos: *mut List,
    pub jointree: *mut FromExpr,
    pub mergeActionList: *mut List,
    pub mergeTargetRelation: ::std::os::raw::c_int,
    pub mergeJoinCondition: *mut Node,
    pub targetList: *mut List,
    pub override_: OverridingKind,
    pub onConflict: *mut OnConflictExpr,
    pub returningOldAlias: *mut ::std::os::raw::c_char,
    pub returningNewAlias: *mut ::std::os::raw::c_char,
    pub returningList: *mut List,
    pub groupClause: *mut List,
    pub groupDistinct: bool,
    pub groupingSets: *mut List,
    pub havingQual: *mut Node,
    pub windowClause: *mut List,
    pub distinctClause: *mut List,
    pub sortClause: *mut List,
    pub limitOffset: *mut Node,
    pub limitCount: *mut Node,
    pub limitOption: LimitOption,
    pub rowMarks: *mut List,
    pub setOperations: *mut Node,
    pub constraintDeps: *mut List,
    pub withCheckOptions: *mut List,
    pub stmt_location: ParseLoc,
    pub stmt_len: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct TypeName {
    pub type_: NodeTag,
    pub names: *mut List,
    pub typeOid: Oid,
    pub setof: bool,
    pub pct_type: bool,
    pub typmods: *mut List,
    pub typemod: int32,
    pub arrayBounds: *mut List,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ColumnRef {
    pub type_: NodeTag,
    pub fields: *mut List,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ParamRef {
    pub type_: NodeTag,
    pub number: ::std::os::raw::c_int,
    pub location: ParseLoc,
}
pub const AEXPR_OP: A_Expr_Kind = 0;
pub const AEXPR_OP_ANY: A_Expr_Kind = 1;
pub const AEXPR_OP_ALL: A_Expr_Kind = 2;
pub const AEXPR_DISTINCT: A_Expr_Kind = 3;
pub const AEXPR_NOT_DISTINCT: A_Expr_Kind = 4;
pub const AEXPR_NULLIF: A_Expr_Kind = 5;
pub const AEXPR_IN: A_Expr_Kind = 6;
pub const AEXPR_LIKE: A_Expr_Kind = 7;
pub const AEXPR_ILIKE: A_Expr_Kind = 8;
pub const AEXPR_SIMILAR: A_Expr_Kind = 9;
pub const AEXPR_BETWEEN: A_Expr_Kind = 10;
pub const AEXPR_NOT_BETWEEN: A_Expr_Kind = 11;
pub const AEXPR_BETWEEN_SYM: A_Expr_Kind = 12;
pub const AEXPR_NOT_BETWEEN_SYM: A_Expr_Kind = 13;
pub type A_Expr_Kind = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct A_Expr {
    pub type_: NodeTag,
    pub kind: A_Expr_Kind,
    pub name: *mut List,
    pub lexpr: *mut Node,
    pub rexpr: *mut Node,
    pub rexpr_list_start: ParseLoc,
    pub rexpr_list_end: ParseLoc,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub union ValUnion {
    pub node: Node,
    pub ival: Integer,
    pub fval: Float,
    pub boolval: Boolean,
    pub sval: String,
    pub bsval: BitString,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct A_Const {
    pub type_: NodeTag,
    pub val: ValUnion,
    pub isnull: bool,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct TypeCast {
    pub type_: NodeTag,
    pub arg: *mut Node,
    pub typeName: *mut TypeName,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CollateClause {
    pub type_: NodeTag,
    pub arg: *mut Node,
    pub collname: *mut List,
    pub location: ParseLoc,
}
pub const ROLESPEC_CSTRING: RoleSpecType = 0;
pub const ROLESPEC_CURRENT_ROLE: RoleSpecType = 1;
pub const ROLESPEC_CURRENT_USER: RoleSpecType = 2;
pub const ROLESPEC_SESSION_USER: RoleSpecType = 3;
pub const ROLESPEC_PUBLIC: RoleSpecType = 4;
pub type RoleSpecType = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct RoleSpec {
    pub type_: NodeTag,
    pub roletype: RoleSpecType,
    pub rolename: *mut ::std::os::raw::c_char,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct FuncCall {
    pub type_: NodeTag,
    pub funcname: *mut List,
    pub args: *mut List,
    pub agg_order: *mut List,
    pub agg_filter: *mut Node,
    pub over: *mut WindowDef,
    pub agg_within_group: bool,
    pub agg_star: bool,
    pub agg_distinct: bool,
    pub func_variadic: bool,
    pub funcformat: CoercionForm,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct A_Star {
    pub type_: NodeTag,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct A_Indices {
    pub type_: NodeTag,
    pub is_slice: bool,
    pub lidx: *mut Node,
    pub uidx: *mut Node,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct A_Indirection {
    pub type_: NodeTag,
    pub arg: *mut Node,
    pub indirection: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct A_ArrayExpr {
    pub type_: NodeTag,
    pub elements: *mut List,
    pub list_start: ParseLoc,
    pub list_end: ParseLoc,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ResTarget {
    pub type_: NodeTag,
    pub name: *mut ::std::os::raw::c_char,
    pub indirection: *mut List,
    pub val: *mut Node,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct MultiAssignRef {
    pub type_: NodeTag,
    pub source: *mut Node,
    pub colno: ::std::os::raw::c_int,
    pub ncolumns: ::std::os::raw::c_int,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct SortBy {
    pub type_: NodeTag,
    pub node: *mut Node,
    pub sortby_dir: SortByDir,
    pub sortby_nulls: SortByNulls,
    pub useOp: *mut List,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct WindowDef {
    pub type_: NodeTag,
    pub name: *mut ::std::os::raw::c_char,
    pub refname: *mut ::std::os::raw::c_char,
    pub partitionClause: *mut List,
    pub orderClause: *mut List,
    pub frameOptions: ::std::os::raw::c_int,
    pub startOffset: *mut Node,
    pub endOffset: *mut Node,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct RangeSubselect {
    pub type_: NodeTag,
    pub lateral: bool,
    pub subquery: *mut Node,
    pub alias: *mut Alias,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct RangeFunction {
    pub type_: NodeTag,
    pub lateral: bool,
    pub ordinality: bool,
    pub is_rowsfrom: bool,
    pub functions: *mut List,
    pub alias: *mut Alias,
    pub coldeflist: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct RangeTableFunc {
    pub type_: NodeTag,
    pub lateral: bool,
    pub docexpr: *mut Node,
    pub rowexpr: *mut Node,
    pub namespaces: *mut List,
    pub columns: *mut List,
    pub alias: *mut Alias,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct RangeTableFuncCol {
    pub type_: NodeTag,
    pub colname: *mut ::std::os::raw::c_char,
    pub typeName: *mut TypeName,
    pub for_ordinality: bool,
    pub is_not_null: bool,
    pub colexpr: *mut Node,
    pub coldefexpr: *mut Node,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct RangeTableSample {
    pub type_: NodeTag,
    pub relation: *mut Node,
    pub method: *mut List,
    pub args: *mut List,
    pub repeatable: *mut Node,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ColumnDef {
    pub type_: NodeTag,
    pub colname: *mut ::std::os::raw::c_char,
    pub typeName: *mut TypeName,
    pub compression: *mut ::std::os::raw::c_char,
    pub inhcount: int16,
    pub is_local: bool,
    pub is_not_null: bool,
    pub is_from_type: bool,
    pub storage: ::std::os::raw::c_char,
    pub storage_name: *mut ::std::os::raw::c_char,
    pub raw_default: *mut Node,
    pub cooked_default: *mut Node,
    pub identity: ::std::os::raw::c_char,
    pub identitySequence: *mut RangeVar,
    pub generated: ::std::os::raw::c_char,
    pub collClause: *mut CollateClause,
    pub collOid: Oid,
    pub constraints: *mut List,
    pub fdwoptions: *mut List,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct TableLikeClause {
    pub type_: NodeTag,
    pub relation: *mut RangeVar,
    pub options: bits32,
    pub relationOid: Oid,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct IndexElem {
    pub type_: NodeTag,
    pub name: *mut ::std::os::raw::c_char,
    pub expr: *mut Node,
    pub indexcolname: *mut ::std::os::raw::c_char,
    pub collation: *mut List,
    pub opclass: *mut List,
    pub opclassopts: *mut List,
    pub ordering: SortByDir,
    pub nulls_ordering: SortByNulls,
}
pub const DEFELEM_UNSPEC: DefElemAction = 0;
pub const DEFELEM_SET: DefElemAction = 1;
pub const DEFELEM_ADD: DefElemAction = 2;
pub const DEFELEM_DROP: DefElemAction = 3;
pub type DefElemAction = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct DefElem {
    pub type_: NodeTag,
    pub defnamespace: *mut ::std::os::raw::c_char,
    pub defname: *mut ::std::os::raw::c_char,
    pub arg: *mut Node,
    pub defaction: DefElemAction,
    pub location: ParseLoc,
    pub arg_location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct LockingClause {
    pub type_: NodeTag,
    pub lockedRels: *mut List,
    pub strength: LockClauseStrength,
    pub waitPolicy: LockWaitPolicy,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct XmlSerialize {
    pub type_: NodeTag,
    pub xmloption: XmlOptionType,
    pub expr: *mut Node,
    pub typeName: *mut TypeName,
    pub indent: bool,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PartitionElem {
    pub type_: NodeTag,
    pub name: *mut ::std::os::raw::c_char,
    pub expr: *mut Node,
    pub collation: *mut List,
    pub opclass: *mut List,
    pub location: ParseLoc,
}
pub const PARTITION_STRATEGY_LIST: PartitionStrategy = 108;
pub const PARTITION_STRATEGY_RANGE: PartitionStrategy = 114;
pub const PARTITION_STRATEGY_HASH: PartitionStrategy = 104;
pub type PartitionStrategy = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PartitionSpec {
    pub type_: NodeTag,
    pub strategy: PartitionStrategy,
    pub partParams: *mut List,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PartitionBoundSpec {
    pub type_: NodeTag,
    pub strategy: ::std::os::raw::c_char,
    pub is_default: bool,
    pub modulus: ::std::os::raw::c_int,
    pub remainder: ::std::os::raw::c_int,
    pub listdatums: *mut List,
    pub lowerdatums: *mut List,
    pub upperdatums: *mut List,
    pub location: ParseLoc,
}
pub const PARTITION_RANGE_DATUM_MINVALUE: PartitionRangeDatumKind = -1;
pub const PARTITION_RANGE_DATUM_VALUE: PartitionRangeDatumKind = 0;
pub const PARTITION_RANGE_DATUM_MAXVALUE: PartitionRangeDatumKind = 1;
pub type PartitionRangeDatumKind = ::std::os::raw::c_int;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PartitionRangeDatum {
    pub type_: NodeTag,
    pub kind: PartitionRangeDatumKind,
    pub value: *mut Node,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PartitionCmd {
    pub type_: NodeTag,
    pub name: *mut RangeVar,
    pub bound: *mut PartitionBoundSpec,
    pub concurrent: bool,
}
pub const RTE_RELATION: RTEKind = 0;
pub const RTE_SUBQUERY: RTEKind = 1;
pub const RTE_JOIN: RTEKind = 2;
pub const RTE_FUNCTION: RTEKind = 3;
pub const RTE_TABLEFUNC: RTEKind = 4;
pub const RTE_VALUES: RTEKind = 5;
pub const RTE_CTE: RTEKind = 6;
pub const RTE_NAMEDTUPLESTORE: RTEKind = 7;
pub const RTE_RESULT: RTEKind = 8;
pub const RTE_GROUP: RTEKind = 9;
pub type RTEKind = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct RangeTblEntry {
    pub type_: NodeTag,
    pub alias: *mut Alias,
    pub eref: *mut Alias,
    pub rtekind: RTEKind,
    pub relid: Oid,
    pub inh: bool,
    pub relkind: ::std::os::raw::c_char,
    pub rellockmode: ::std::os::raw::c_int,
    pub perminfoindex: Index,
    pub tablesample: *mut TableSampleClause,
    pub subquery: *mut Query,
    pub security_barrier: bool,
    pub jointype: JoinType,
    pub joinmergedcols: ::std::os::raw::c_int,
    pub joinaliasvars: *mut List,
    pub joinleftcols: *mut List,
    pub joinrightcols: *mut List,
    pub join_using_alias: *mut Alias,
    pub functions: *mut List,
    pub funcordinality: bool,
    pub tablefunc: *mut TableFunc,
    pub values_lists: *mut List,
    pub ctename: *mut ::std::os::raw::c_char,
    pub ctelevelsup: Index,
    pub self_reference: bool,
    pub coltypes: *mut List,
    pub coltypmods: *mut List,
    pub colcollations: *mut List,
    pub enrname: *mut ::std::os::raw::c_char,
    pub enrtuples: Cardinality,
    pub groupexprs: *mut List,
    pub lateral: bool,
    pub inFromCl: bool,
    pub securityQuals: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct RTEPermissionInfo {
    pub type_: NodeTag,
    pub relid: Oid,
    pub inh: bool,
    pub requiredPerms: AclMode,
    pub checkAsUser: Oid,
    pub selectedCols: *mut Bitmapset,
    pub insertedCols: *mut Bitmapset,
    pub updatedCols: *mut Bitmapset,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct RangeTblFunction {
    pub type_: NodeTag,
    pub funcexpr: *mut Node,
    pub funccolcount: ::std::os::raw::c_int,
    pub funccolnames: *mut List,
    pub funccoltypes: *mut List,
    pub funccoltypmods: *mut List,
    pub funccolcollations: *mut List,
    pub funcparams: *mut Bitmapset,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct TableSampleClause {
    pub type_: NodeTag,
    pub tsmhandler: Oid,
    pub args: *mut List,
    pub repeatable: *mut Expr,
}
pub const WCO_VIEW_CHECK: WCOKind = 0;
pub const WCO_RLS_INSERT_CHECK: WCOKind = 1;
pub const WCO_RLS_UPDATE_CHECK: WCOKind = 2;
pub const WCO_RLS_CONFLICT_CHECK: WCOKind = 3;
pub const WCO_RLS_MERGE_UPDATE_CHECK: WCOKind = 4;
pub const WCO_RLS_MERGE_DELETE_CHECK: WCOKind = 5;
pub type WCOKind = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct WithCheckOption {
    pub type_: NodeTag,
    pub kind: WCOKind,
    pub relname: *mut ::std::os::raw::c_char,
    pub polname: *mut ::std::os::raw::c_char,
    pub qual: *mut Node,
    pub cascaded: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct SortGroupClause {
    pub type_: NodeTag,
    pub tleSortGroupRef: Index,
    pub eqop: Oid,
    pub sortop: Oid,
    pub reverse_sort: bool,
    pub nulls_first: bool,
    pub hashable: bool,
}
pub const GROUPING_SET_EMPTY: GroupingSetKind = 0;
pub const GROUPING_SET_SIMPLE: GroupingSetKind = 1;
pub const GROUPING_SET_ROLLUP: GroupingSetKind = 2;
pub const GROUPING_SET_CUBE: GroupingSetKind = 3;
pub const GROUPING_SET_SETS: GroupingSetKind = 4;
pub type GroupingSetKind = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct GroupingSet {
    pub type_: NodeTag,
    pub kind: GroupingSetKind,
    pub content: *mut List,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct WindowClause {
    pub type_: NodeTag,
    pub name: *mut ::std::os::raw::c_char,
    pub refname: *mut ::std::os::raw::c_char,
    pub partitionClause: *mut List,
    pub orderClause: *mut List,
    pub frameOptions: ::std::os::raw::c_int,
    pub startOffset: *mut Node,
    pub endOffset: *mut Node,
    pub startInRangeFunc: Oid,
    pub endInRangeFunc: Oid,
    pub inRangeColl: Oid,
    pub inRangeAsc: bool,
    pub inRangeNullsFirst: bool,
    pub winref: Index,
    pub copiedOrder: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct RowMarkClause {
    pub type_: NodeTag,
    pub rti: Index,
    pub strength: LockClauseStrength,
    pub waitPolicy: LockWaitPolicy,
    pub pushedDown: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct WithClause {
    pub type_: NodeTag,
    pub ctes: *mut List,
    pub recursive: bool,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct InferClause {
    pub type_: NodeTag,
    pub indexElems: *mut List,
    pub whereClause: *mut Node,
    pub conname: *mut ::std::os::raw::c_char,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct OnConflictClause {
    pub type_: NodeTag,
    pub action: OnConflictAction,
    pub infer: *mut InferClause,
    pub targetList: *mut List,
    pub whereClause: *mut Node,
    pub location: ParseLoc,
}
pub const CTEMaterializeDefault: CTEMaterialize = 0;
pub const CTEMaterializeAlways: CTEMaterialize = 1;
pub const CTEMaterializeNever: CTEMaterialize = 2;
pub type CTEMaterialize = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CTESearchClause {
    pub type_: NodeTag,
    pub search_col_list: *mut List,
    pub search_breadth_first: bool,
    pub search_seq_column: *mut ::std::os::raw::c_char,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CTECycleClause {
    pub type_: NodeTag,
    pub cycle_col_list: *mut List,
    pub cycle_mark_column: *mut ::std::os::raw::c_char,
    pub cycle_mark_value: *mut Node,
    pub cycle_mark_default: *mut Node,
    pub cycle_path_column: *mut ::std::os::raw::c_char,
    pub location: ParseLoc,
    pub cycle_mark_type: Oid,
    pub cycle_mark_typmod: ::std::os::raw::c_int,
    pub cycle_mark_collation: Oid,
    pub cycle_mark_neop: Oid,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CommonTableExpr {
    pub type_: NodeTag,
    pub ctename: *mut ::std::os::raw::c_char,
    pub aliascolnames: *mut List,
    pub ctematerialized: CTEMaterialize,
    pub ctequery: *mut Node,
    pub search_clause: *mut CTESearchClause,
    pub cycle_clause: *mut CTECycleClause,
    pub location: ParseLoc,
    pub cterecursive: bool,
    pub cterefcount: ::std::os::raw::c_int,
    pub ctecolnames: *mut List,
    pub ctecoltypes: *mut List,
    pub ctecoltypmods: *mut List,
    pub ctecolcollations: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct MergeWhenClause {
    pub type_: NodeTag,
    pub matchKind: MergeMatchKind,
    pub commandType: CmdType,
    pub override_: OverridingKind,
    pub condition: *mut Node,
    pub targetList: *mut List,
    pub values: *mut List,
}
pub const RETURNING_OPTION_OLD: ReturningOptionKind = 0;
pub const RETURNING_OPTION_NEW: ReturningOptionKind = 1;
pub type ReturningOptionKind = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ReturningOption {
    pub type_: NodeTag,
    pub option: ReturningOptionKind,
    pub value: *mut ::std::os::raw::c_char,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ReturningClause {
    pub type_: NodeTag,
    pub options: *mut List,
    pub exprs: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct TriggerTransition {
    pub type_: NodeTag,
    pub name: *mut ::std::os::raw::c_char,
    pub isNew: bool,
    pub isTable: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonOutput {
    pub type_: NodeTag,
    pub typeName: *mut TypeName,
    pub returning: *mut JsonReturning,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonArgument {
    pub type_: NodeTag,
    pub val: *mut JsonValueExpr,
    pub name: *mut ::std::os::raw::c_char,
}
pub const JS_QUOTES_UNSPEC: JsonQuotes = 0;
pub const JS_QUOTES_KEEP: JsonQuotes = 1;
pub const JS_QUOTES_OMIT: JsonQuotes = 2;
pub type JsonQuotes = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonFuncExpr {
    pub type_: NodeTag,
    pub op: JsonExprOp,
    pub column_name: *mut ::std::os::raw::c_char,
    pub context_item: *mut JsonValueExpr,
    pub pathspec: *mut Node,
    pub passing: *mut List,
    pub output: *mut JsonOutput,
    pub on_empty: *mut JsonBehavior,
    pub on_error: *mut JsonBehavior,
    pub wrapper: JsonWrapper,
    pub quotes: JsonQuotes,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonTablePathSpec {
    pub type_: NodeTag,
    pub string: *mut Node,
    pub name: *mut ::std::os::raw::c_char,
    pub name_location: ParseLoc,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonTable {
    pub type_: NodeTag,
    pub context_item: *mut JsonValueExpr,
    pub pathspec: *mut JsonTablePathSpec,
    pub passing: *mut List,
    pub columns: *mut List,
    pub on_error: *mut JsonBehavior,
    pub alias: *mut Alias,
    pub lateral: bool,
    pub location: ParseLoc,
}
pub const JTC_FOR_ORDINALITY: JsonTableColumnType = 0;
pub const JTC_REGULAR: JsonTableColumnType = 1;
pub const JTC_EXISTS: JsonTableColumnType = 2;
pub const JTC_FORMATTED: JsonTableColumnType = 3;
pub const JTC_NESTED: JsonTableColumnType = 4;
pub type JsonTableColumnType = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonTableColumn {
    pub type_: NodeTag,
    pub coltype: JsonTableColumnType,
    pub name: *mut ::std::os::raw::c_char,
    pub typeName: *mut TypeName,
    pub pathspec: *mut JsonTablePathSpec,
    pub format: *mut JsonFormat,
    pub wrapper: JsonWrapper,
    pub quotes: JsonQuotes,
    pub columns: *mut List,
    pub on_empty: *mut JsonBehavior,
    pub on_error: *mut JsonBehavior,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonKeyValue {
    pub type_: NodeTag,
    pub key: *mut Expr,
    pub value: *mut JsonValueExpr,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonParseExpr {
    pub type_: NodeTag,
    pub expr: *mut JsonValueExpr,
    pub output: *mut JsonOutput,
    pub unique_keys: bool,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonScalarExpr {
    pub type_: NodeTag,
    pub expr: *mut Expr,
    pub output: *mut JsonOutput,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonSerializeExpr {
    pub type_: NodeTag,
    pub expr: *mut JsonValueExpr,
    pub output: *mut JsonOutput,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonObjectConstructor {
    pub type_: NodeTag,
    pub exprs: *mut List,
    pub output: *mut JsonOutput,
    pub absent_on_null: bool,
    pub unique: bool,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonArrayConstructor {
    pub type_: NodeTag,
    pub exprs: *mut List,
    pub output: *mut JsonOutput,
    pub absent_on_null: bool,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonArrayQueryConstructor {
    pub type_: NodeTag,
    pub query: *mut Node,
    pub output: *mut JsonOutput,
    pub format: *mut JsonFormat,
    pub absent_on_null: bool,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonAggConstructor {
    pub type_: NodeTag,
    pub output: *mut JsonOutput,
    pub agg_filter: *mut Node,
    pub agg_order: *mut List,
    pub over: *mut WindowDef,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonObjectAgg {
    pub type_: NodeTag,
    pub constructor: *mut JsonAggConstructor,
    pub arg: *mut JsonKeyValue,
    pub absent_on_null: bool,
    pub unique: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct JsonArrayAgg {
    pub type_: NodeTag,
    pub constructor: *mut JsonAggConstructor,
    pub arg: *mut JsonValueExpr,
    pub absent_on_null: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct RawStmt {
    pub type_: NodeTag,
    pub stmt: *mut Node,
    pub stmt_location: ParseLoc,
    pub stmt_len: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct InsertStmt {
    pub type_: NodeTag,
    pub relation: *mut RangeVar,
    pub cols: *mut List,
    pub selectStmt: *mut Node,
    pub onConflictClause: *mut OnConflictClause,
    pub returningClause: *mut ReturningClause,
    pub withClause: *mut WithClause,
    pub override_: OverridingKind,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct DeleteStmt {
    pub type_: NodeTag,
    pub relation: *mut RangeVar,
    pub usingClause: *mut List,
    pub whereClause: *mut Node,
    pub returningClause: *mut ReturningClause,
    pub withClause: *mut WithClause,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct UpdateStmt {
    pub type_: NodeTag,
    pub relation: *mut RangeVar,
    pub targetList: *mut List,
    pub whereClause: *mut Node,
    pub fromClause: *mut List,
    pub returningClause: *mut ReturningClause,
    pub withClause: *mut WithClause,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct MergeStmt {
    pub type_: NodeTag,
    pub relation: *mut RangeVar,
    pub sourceRelation: *mut Node,
    pub joinCondition: *mut Node,
    pub mergeWhenClauses: *mut List,
    pub returningClause: *mut ReturningClause,
    pub withClause: *mut WithClause,
}
pub const SETOP_NONE: SetOperation = 0;
pub const SETOP_UNION: SetOperation = 1;
pub const SETOP_INTERSECT: SetOperation = 2;
pub const SETOP_EXCEPT: SetOperation = 3;
pub type SetOperation = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct SelectStmt {
    pub type_: NodeTag,
    pub distinctClause: *mut List,
    pub intoClause: *mut IntoClause,
    pub targetList: *mut List,
    pub fromClause: *mut List,
    pub whereClause: *mut Node,
    pub groupClause: *mut List,
    pub groupDistinct: bool,
    pub havingClause: *mut Node,
    pub windowClause: *mut List,
    pub valuesLists: *mut List,
    pub sortClause: *mut List,
    pub limitOffset: *mut Node,
    pub limitCount: *mut Node,
    pub limitOption: LimitOption,
    pub lockingClause: *mut List,
    pub withClause: *mut WithClause,
    pub op: SetOperation,
    pub all: bool,
    pub larg: *mut SelectStmt,
    pub rarg: *mut SelectStmt,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct SetOperationStmt {
    pub type_: NodeTag,
    pub op: SetOperation,
    pub all: bool,
    pub larg: *mut Node,
    pub rarg: *mut Node,
    pub colTypes: *mut List,
    pub colTypmods: *mut List,
    pub colCollations: *mut List,
    pub groupClauses: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ReturnStmt {
    pub type_: NodeTag,
    pub returnval: *mut Node,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PLAssignStmt {
    pub type_: NodeTag,
    pub name: *mut ::std::os::raw::c_char,
    pub indirection: *mut List,
    pub nnames: ::std::os::raw::c_int,
    pub val: *mut SelectStmt,
    pub location: ParseLoc,
}
pub const OBJECT_ACCESS_METHOD: ObjectType = 0;
pub const OBJECT_AGGREGATE: ObjectType = 1;
pub const OBJECT_AMOP: ObjectType = 2;
pub const OBJECT_AMPROC: ObjectType = 3;
pub const OBJECT_ATTRIBUTE: ObjectType = 4;
pub const OBJECT_CAST: ObjectType = 5;
pub const OBJECT_COLUMN: ObjectType = 6;
pub const OBJECT_COLLATION: ObjectType = 7;
pub const OBJECT_CONVERSION: ObjectType = 8;
pub const OBJECT_DATABASE: ObjectType = 9;
pub const OBJECT_DEFAULT: ObjectType = 10;
pub const OBJECT_DEFACL: ObjectType = 11;
pub const OBJECT_DOMAIN: ObjectType = 12;
pub const OBJECT_DOMCONSTRAINT: ObjectType = 13;
pub const OBJECT_EVENT_TRIGGER: ObjectType = 14;
pub const OBJECT_EXTENSION: ObjectType = 15;
pub const OBJECT_FDW: ObjectType = 16;
pub const OBJECT_FOREIGN_SERVER: ObjectType = 17;
pub const OBJECT_FOREIGN_TABLE: ObjectType = 18;
pub const OBJECT_FUNCTION: ObjectType = 19;
pub const OBJECT_INDEX: ObjectType = 20;
pub const OBJECT_LANGUAGE: ObjectType = 21;
pub const OBJECT_LARGEOBJECT: ObjectType = 22;
pub const OBJECT_MATVIEW: ObjectType = 23;
pub const OBJECT_OPCLASS: ObjectType = 24;
pub const OBJECT_OPERATOR: ObjectType = 25;
pub const OBJECT_OPFAMILY: ObjectType = 26;
pub const OBJECT_PARAMETER_ACL: ObjectType = 27;
pub const OBJECT_POLICY: ObjectType = 28;
pub const OBJECT_PROCEDURE: ObjectType = 29;
pub const OBJECT_PUBLICATION: ObjectType = 30;
pub const OBJECT_PUBLICATION_NAMESPACE: ObjectType = 31;
pub const OBJECT_PUBLICATION_REL: ObjectType = 32;
pub const OBJECT_ROLE: ObjectType = 33;
pub const OBJECT_ROUTINE: ObjectType = 34;
pub const OBJECT_RULE: ObjectType = 35;
pub const OBJECT_SCHEMA: ObjectType = 36;
pub const OBJECT_SEQUENCE: ObjectType = 37;
pub const OBJECT_SUBSCRIPTION: ObjectType = 38;
pub const OBJECT_STATISTIC_EXT: ObjectType = 39;
pub const OBJECT_TABCONSTRAINT: ObjectType = 40;
pub const OBJECT_TABLE: ObjectType = 41;
pub const OBJECT_TABLESPACE: ObjectType = 42;
pub const OBJECT_TRANSFORM: ObjectType = 43;
pub const OBJECT_TRIGGER: ObjectType = 44;
pub const OBJECT_TSCONFIGURATION: ObjectType = 45;
pub const OBJECT_TSDICTIONARY: ObjectType = 46;
pub const OBJECT_TSPARSER: ObjectType = 47;
pub const OBJECT_TSTEMPLATE: ObjectType = 48;
pub const OBJECT_TYPE: ObjectType = 49;
pub const OBJECT_USER_MAPPING: ObjectType = 50;
pub const OBJECT_VIEW: ObjectType = 51;
pub type ObjectType = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateSchemaStmt {
    pub type_: NodeTag,
    pub schemaname: *mut ::std::os::raw::c_char,
    pub authrole: *mut RoleSpec,
    pub schemaElts: *mut List,
    pub if_not_exists: bool,
}
pub const DROP_RESTRICT: DropBehavior = 0;
pub const DROP_CASCADE: DropBehavior = 1;
pub type DropBehavior = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterTableStmt {
    pub type_: NodeTag,
    pub relation: *mut RangeVar,
    pub cmds: *mut List,
    pub objtype: ObjectType,
    pub missing_ok: bool,
}
pub const AT_AddColumn: AlterTableType = 0;
pub const AT_AddColumnToView: AlterTableType = 1;
pub const AT_ColumnDefault: AlterTableType = 2;
pub const AT_CookedColumnDefault: AlterTableType = 3;
pub const AT_DropNotNull: AlterTableType = 4;
pub const AT_SetNotNull: AlterTableType = 5;
pub const AT_SetExpression: AlterTableType = 6;
pub const AT_DropExpression: AlterTableType = 7;
pub const AT_SetStatistics: AlterTableType = 8;
pub const AT_SetOptions: AlterTableType = 9;
pub const AT_ResetOptions: AlterTableType = 10;
pub const AT_SetStorage: AlterTableType = 11;
pub const AT_SetCompression: AlterTableType = 12;
pub const AT_DropColumn: AlterTableType = 13;
pub const AT_AddIndex: AlterTableType = 14;
pub const AT_ReAddIndex: AlterTableType = 15;
pub const AT_AddConstraint: AlterTableType = 16;
pub const AT_ReAddConstraint: AlterTableType = 17;
pub const AT_ReAddDomainConstraint: AlterTableType = 18;
pub const AT_AlterConstraint: AlterTableType = 19;
pub const AT_ValidateConstraint: AlterTableType = 20;
pub const AT_AddIndexConstraint: AlterTableType = 21;
pub const AT_DropConstraint: AlterTableType = 22;
pub const AT_ReAddComment: AlterTableType = 23;
pub const AT_AlterColumnType: AlterTableType = 24;
pub const AT_AlterColumnGenericOptions: AlterTableType = 25;
pub const AT_ChangeOwner: AlterTableType = 26;
pub const AT_ClusterOn: AlterTableType = 27;
pub const AT_DropCluster: AlterTableType = 28;
pub const AT_SetLogged: AlterTableType = 29;
pub const AT_SetUnLogged: AlterTableType = 30;
pub const AT_DropOids: AlterTableType = 31;
pub const AT_SetAccessMethod: AlterTableType = 32;
pub const AT_SetTableSpace: AlterTableType = 33;
pub const AT_SetRelOptions: AlterTableType = 34;
pub const AT_ResetRelOptions: AlterTableType = 35;
pub const AT_ReplaceRelOptions: AlterTableType = 36;
pub const AT_EnableTrig: AlterTableType = 37;
pub const AT_EnableAlwaysTrig: AlterTableType = 38;
pub const AT_EnableReplicaTrig: AlterTableType = 39;
pub const AT_DisableTrig: AlterTableType = 40;
pub const AT_EnableTrigAll: AlterTableType = 41;
pub const AT_DisableTrigAll: AlterTableType = 42;
pub const AT_EnableTrigUser: AlterTableType = 43;
pub const AT_DisableTrigUser: AlterTableType = 44;
pub const AT_EnableRule: AlterTableType = 45;
pub const AT_EnableAlwaysRule: AlterTableType = 46;
pub const AT_EnableReplicaRule: AlterTableType = 47;
pub const AT_DisableRule: AlterTableType = 48;
pub const AT_AddInherit: AlterTableType = 49;
pub const AT_DropInherit: AlterTableType = 50;
pub const AT_AddOf: AlterTableType = 51;
pub const AT_DropOf: AlterTableType = 52;
pub const AT_ReplicaIdentity: AlterTableType = 53;
pub const AT_EnableRowSecurity: AlterTableType = 54;
pub const AT_DisableRowSecurity: AlterTableType = 55;
pub const AT_ForceRowSecurity: AlterTableType = 56;
pub const AT_NoForceRowSecurity: AlterTableType = 57;
pub const AT_GenericOptions: AlterTableType = 58;
pub const AT_AttachPartition: AlterTableType = 59;
pub const AT_DetachPartition: AlterTableType = 60;
pub const AT_DetachPartitionFinalize: AlterTableType = 61;
pub const AT_AddIdentity: AlterTableType = 62;
pub const AT_SetIdentity: AlterTableType = 63;
pub const AT_DropIdentity: AlterTableType = 64;
pub const AT_ReAddStatistics: AlterTableType = 65;
pub type AlterTableType = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterTableCmd {
    pub type_: NodeTag,
    pub subtype: AlterTableType,
    pub name: *mut ::std::os::raw::c_char,
    pub num: int16,
    pub newowner: *mut RoleSpec,
    pub def: *mut Node,
    pub behavior: DropBehavior,
    pub missing_ok: bool,
    pub recurse: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ATAlterConstraint {
    pub type_: NodeTag,
    pub conname: *mut ::std::os::raw::c_char,
    pub alterEnforceability: bool,
    pub is_enforced: bool,
    pub alterDeferrability: bool,
    pub deferrable: bool,
    pub initdeferred: bool,
    pub alterInheritability: bool,
    pub noinherit: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ReplicaIdentityStmt {
    pub type_: NodeTag,
    pub identity_type: ::std::os::raw::c_char,
    pub name: *mut ::std::os::raw::c_char,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterCollationStmt {
    pub type_: NodeTag,
    pub collname: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterDomainStmt {
    pub type_: NodeTag,
    pub subtype: ::std::os::raw::c_char,
    pub typeName: *mut List,
    pub name: *mut ::std::os::raw::c_char,
    pub def: *mut Node,
    pub behavior: DropBehavior,
    pub missing_ok: bool,
}
pub const ACL_TARGET_OBJECT: GrantTargetType = 0;
pub const ACL_TARGET_ALL_IN_SCHEMA: GrantTargetType = 1;
pub const ACL_TARGET_DEFAULTS: GrantTargetType = 2;
pub type GrantTargetType = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct GrantStmt {
    pub type_: NodeTag,
    pub is_grant: bool,
    pub targtype: GrantTargetType,
    pub objtype: ObjectType,
    pub objects: *mut List,
    pub privileges: *mut List,
    pub grantees: *mut List,
    pub grant_option: bool,
    pub grantor: *mut RoleSpec,
    pub behavior: DropBehavior,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ObjectWithArgs {
    pub type_: NodeTag,
    pub objname: *mut List,
    pub objargs: *mut List,
    pub objfuncargs: *mut List,
    pub args_unspecified: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AccessPriv {
    pub type_: NodeTag,
    pub priv_name: *mut ::std::os::raw::c_char,
    pub cols: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct GrantRoleStmt {
    pub type_: NodeTag,
    pub granted_roles: *mut List,
    pub grantee_roles: *mut List,
    pub is_grant: bool,
    pub opt: *mut List,
    pub grantor: *mut RoleSpec,
    pub behavior: DropBehavior,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterDefaultPrivilegesStmt {
    pub type_: NodeTag,
    pub options: *mut List,
    pub action: *mut GrantStmt,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CopyStmt {
    pub type_: NodeTag,
    pub relation: *mut RangeVar,
    pub query: *mut Node,
    pub attlist: *mut List,
    pub is_from: bool,
    pub is_program: bool,
    pub filename: *mut ::std::os::raw::c_char,
    pub options: *mut List,
    pub whereClause: *mut Node,
}
pub const VAR_SET_VALUE: VariableSetKind = 0;
pub const VAR_SET_DEFAULT: VariableSetKind = 1;
pub const VAR_SET_CURRENT: VariableSetKind = 2;
pub const VAR_SET_MULTI: VariableSetKind = 3;
pub const VAR_RESET: VariableSetKind = 4;
pub const VAR_RESET_ALL: VariableSetKind = 5;
pub type VariableSetKind = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct VariableSetStmt {
    pub type_: NodeTag,
    pub kind: VariableSetKind,
    pub name: *mut ::std::os::raw::c_char,
    pub args: *mut List,
    pub jumble_args: bool,
    pub is_local: bool,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct VariableShowStmt {
    pub type_: NodeTag,
    pub name: *mut ::std::os::raw::c_char,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateStmt {
    pub type_: NodeTag,
    pub relation: *mut RangeVar,
    pub tableElts: *mut List,
    pub inhRelations: *mut List,
    pub partbound: *mut PartitionBoundSpec,
    pub partspec: *mut PartitionSpec,
    pub ofTypename: *mut TypeName,
    pub constraints: *mut List,
    pub nnconstraints: *mut List,
    pub options: *mut List,
    pub oncommit: OnCommitAction,
    pub tablespacename: *mut ::std::os::raw::c_char,
    pub accessMethod: *mut ::std::os::raw::c_char,
    pub if_not_exists: bool,
}
pub const CONSTR_NULL: ConstrType = 0;
pub const CONSTR_NOTNULL: ConstrType = 1;
pub const CONSTR_DEFAULT: ConstrType = 2;
pub const CONSTR_IDENTITY: ConstrType = 3;
pub const CONSTR_GENERATED: ConstrType = 4;
pub const CONSTR_CHECK: ConstrType = 5;
pub const CONSTR_PRIMARY: ConstrType = 6;
pub const CONSTR_UNIQUE: ConstrType = 7;
pub const CONSTR_EXCLUSION: ConstrType = 8;
pub const CONSTR_FOREIGN: ConstrType = 9;
pub const CONSTR_ATTR_DEFERRABLE: ConstrType = 10;
pub const CONSTR_ATTR_NOT_DEFERRABLE: ConstrType = 11;
pub const CONSTR_ATTR_DEFERRED: ConstrType = 12;
pub const CONSTR_ATTR_IMMEDIATE: ConstrType = 13;
pub const CONSTR_ATTR_ENFORCED: ConstrType = 14;
pub const CONSTR_ATTR_NOT_ENFORCED: ConstrType = 15;
pub type ConstrType = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct Constraint {
    pub type_: NodeTag,
    pub contype: ConstrType,
    pub conname: *mut ::std::os::raw::c_char,
    pub deferrable: bool,
    pub initdeferred: bool,
    pub is_enforced: bool,
    pub skip_validation: bool,
    pub initially_valid: bool,
    pub is_no_inherit: bool,
    pub raw_expr: *mut Node,
    pub cooked_expr: *mut ::std::os::raw::c_char,
    pub generated_when: ::std::os::raw::c_char,
    pub generated_kind: ::std::os::raw::c_char,
    pub nulls_not_distinct: bool,
    pub keys: *mut List,
    pub without_overlaps: bool,
    pub including: *mut List,
    pub exclusions: *mut List,
    pub options: *mut List,
    pub indexname: *mut ::std::os::raw::c_char,
    pub indexspace: *mut ::std::os::raw::c_char,
    pub reset_default_tblspc: bool,
    pub access_method: *mut ::std::os::raw::c_char,
    pub where_clause: *mut Node,
    pub pktable: *mut RangeVar,
    pub fk_attrs: *mut List,
    pub pk_attrs: *mut List,
    pub fk_with_period: bool,
    pub pk_with_period: bool,
    pub fk_matchtype: ::std::os::raw::c_char,
    pub fk_upd_action: ::std::os::raw::c_char,
    pub fk_del_action: ::std::os::raw::c_char,
    pub fk_del_set_cols: *mut List,
    pub old_conpfeqop: *mut List,
    pub old_pktable_oid: Oid,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateTableSpaceStmt {
    pub type_: NodeTag,
    pub tablespacename: *mut ::std::os::raw::c_char,
    pub owner: *mut RoleSpec,
    pub location: *mut ::std::os::raw::c_char,
    pub options: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct DropTableSpaceStmt {
    pub type_: NodeTag,
    pub tablespacename: *mut ::std::os::raw::c_char,
    pub missing_ok: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterTableSpaceOptionsStmt {
    pub type_: NodeTag,
    pub tablespacename: *mut ::std::os::raw::c_char,
    pub options: *mut List,
    pub isReset: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterTableMoveAllStmt {
    pub type_: NodeTag,
    pub orig_tablespacename: *mut ::std::os::raw::c_char,
    pub objtype: ObjectType,
    pub roles: *mut List,
    pub new_tablespacename: *mut ::std::os::raw::c_char,
    pub nowait: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateExtensionStmt {
    pub type_: NodeTag,
    pub extname: *mut ::std::os::raw::c_char,
    pub if_not_exists: bool,
    pub options: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterExtensionStmt {
    pub type_: NodeTag,
    pub extname: *mut ::std::os::raw::c_char,
    pub options: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterExtensionContentsStmt {
    pub type_: NodeTag,
    pub extname: *mut ::std::os::raw::c_char,
    pub action: ::std::os::raw::c_int,
    pub objtype: ObjectType,
    pub object: *mut Node,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateFdwStmt {
    pub type_: NodeTag,
    pub fdwname: *mut ::std::os::raw::c_char,
    pub func_options: *mut List,
    pub options: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterFdwStmt {
    pub type_: NodeTag,
    pub fdwname: *mut ::std::os::raw::c_char,
    pub func_options: *mut List,
    pub options: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateForeignServerStmt {
    pub type_: NodeTag,
    pub servername: *mut ::std::os::raw::c_char,
    pub servertype: *mut ::std::os::raw::c_char,
    pub version: *mut ::std::os::raw::c_char,
    pub fdwname: *mut ::std::os::raw::c_char,
    pub if_not_exists: bool,
    pub options: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterForeignServerStmt {
    pub type_: NodeTag,
    pub servername: *mut ::std::os::raw::c_char,
    pub version: *mut ::std::os::raw::c_char,
    pub options: *mut List,
    pub has_version: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateForeignTableStmt {
    pub base: CreateStmt,
    pub servername: *mut ::std::os::raw::c_char,
    pub options: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateUserMappingStmt {
    pub type_: NodeTag,
    pub user: *mut RoleSpec,
    pub servername: *mut ::std::os::raw::c_char,
    pub if_not_exists: bool,
    pub options: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterUserMappingStmt {
    pub type_: NodeTag,
    pub user: *mut RoleSpec,
    pub servername: *mut ::std::os::raw::c_char,
    pub options: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct DropUserMappingStmt {
    pub type_: NodeTag,
    pub user: *mut RoleSpec,
    pub servername: *mut ::std::os::raw::c_char,
    pub missing_ok: bool,
}
pub const FDW_IMPORT_SCHEMA_ALL: ImportForeignSchemaType = 0;
pub const FDW_IMPORT_SCHEMA_LIMIT_TO: ImportForeignSchemaType = 1;
pub const FDW_IMPORT_SCHEMA_EXCEPT: ImportForeignSchemaType = 2;
pub type ImportForeignSchemaType = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ImportForeignSchemaStmt {
    pub type_: NodeTag,
    pub server_name: *mut ::std::os::raw::c_char,
    pub remote_schema: *mut ::std::os::raw::c_char,
    pub local_schema: *mut ::std::os::raw::c_char,
    pub list_type: ImportForeignSchemaType,
    pub table_list: *mut List,
    pub options: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreatePolicyStmt {
    pub type_: NodeTag,
    pub policy_name: *mut ::std::os::raw::c_char,
    pub table: *mut RangeVar,
    pub cmd_name: *mut ::std::os::raw::c_char,
    pub permissive: bool,
    pub roles: *mut List,
    pub qual: *mut Node,
    pub with_check: *mut Node,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterPolicyStmt {
    pub type_: NodeTag,
    pub policy_name: *mut ::std::os::raw::c_char,
    pub table: *mut RangeVar,
    pub roles: *mut List,
    pub qual: *mut Node,
    pub with_check: *mut Node,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateAmStmt {
    pub type_: NodeTag,
    pub amname: *mut ::std::os::raw::c_char,
    pub handler_name: *mut List,
    pub amtype: ::std::os::raw::c_char,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateTrigStmt {
    pub type_: NodeTag,
    pub replace: bool,
    pub isconstraint: bool,
    pub trigname: *mut ::std::os::raw::c_char,
    pub relation: *mut RangeVar,
    pub funcname: *mut List,
    pub args: *mut List,
    pub row: bool,
    pub timing: int16,
    pub events: int16,
    pub columns: *mut List,
    pub whenClause: *mut Node,
    pub transitionRels: *mut List,
    pub deferrable: bool,
    pub initdeferred: bool,
    pub constrrel: *mut RangeVar,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateEventTrigStmt {
    pub type_: NodeTag,
    pub trigname: *mut ::std::os::raw::c_char,
    pub eventname: *mut ::std::os::raw::c_char,
    pub whenclause: *mut List,
    pub funcname: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterEventTrigStmt {
    pub type_: NodeTag,
    pub trigname: *mut ::std::os::raw::c_char,
    pub tgenabled: ::std::os::raw::c_char,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreatePLangStmt {
    pub type_: NodeTag,
    pub replace: bool,
    pub plname: *mut ::std::os::raw::c_char,
    pub plhandler: *mut List,
    pub plinline: *mut List,
    pub plvalidator: *mut List,
    pub pltrusted: bool,
}
pub const ROLESTMT_ROLE: RoleStmtType = 0;
pub const ROLESTMT_USER: RoleStmtType = 1;
pub const ROLESTMT_GROUP: RoleStmtType = 2;
pub type RoleStmtType = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateRoleStmt {
    pub type_: NodeTag,
    pub stmt_type: RoleStmtType,
    pub role: *mut ::std::os::raw::c_char,
    pub options: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterRoleStmt {
    pub type_: NodeTag,
    pub role: *mut RoleSpec,
    pub options: *mut List,
    pub action: ::std::os::raw::c_int,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterRoleSetStmt {
    pub type_: NodeTag,
    pub role: *mut RoleSpec,
    pub database: *mut ::std::os::raw::c_char,
    pub setstmt: *mut VariableSetStmt,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct DropRoleStmt {
    pub type_: NodeTag,
    pub roles: *mut List,
    pub missing_ok: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateSeqStmt {
    pub type_: NodeTag,
    pub sequence: *mut RangeVar,
    pub options: *mut List,
    pub ownerId: Oid,
    pub for_identity: bool,
    pub if_not_exists: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterSeqStmt {
    pub type_: NodeTag,
    pub sequence: *mut RangeVar,
    pub options: *mut List,
    pub for_identity: bool,
    pub missing_ok: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct DefineStmt {
    pub type_: NodeTag,
    pub kind: ObjectType,
    pub oldstyle: bool,
    pub defnames: *mut List,
    pub args: *mut List,
    pub definition: *mut List,
    pub if_not_exists: bool,
    pub replace: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateDomainStmt {
    pub type_: NodeTag,
    pub domainname: *mut List,
    pub typeName: *mut TypeName,
    pub collClause: *mut CollateClause,
    pub constraints: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateOpClassStmt {
    pub type_: NodeTag,
    pub opclassname: *mut List,
    pub opfamilyname: *mut List,
    pub amname: *mut ::std::os::raw::c_char,
    pub datatype: *mut TypeName,
    pub items: *mut List,
    pub isDefault: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateOpClassItem {
    pub type_: NodeTag,
    pub itemtype: ::std::os::raw::c_int,
    pub name: *mut ObjectWithArgs,
    pub number: ::std::os::raw::c_int,
    pub order_family: *mut List,
    pub class_args: *mut List,
    pub storedtype: *mut TypeName,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateOpFamilyStmt {
    pub type_: NodeTag,
    pub opfamilyname: *mut List,
    pub amname: *mut ::std::os::raw::c_char,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterOpFamilyStmt {
    pub type_: NodeTag,
    pub opfamilyname: *mut List,
    pub amname: *mut ::std::os::raw::c_char,
    pub isDrop: bool,
    pub items: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct DropStmt {
    pub type_: NodeTag,
    pub objects: *mut List,
    pub removeType: ObjectType,
    pub behavior: DropBehavior,
    pub missing_ok: bool,
    pub concurrent: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct TruncateStmt {
    pub type_: NodeTag,
    pub relations: *mut List,
    pub restart_seqs: bool,
    pub behavior: DropBehavior,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CommentStmt {
    pub type_: NodeTag,
    pub objtype: ObjectType,
    pub object: *mut Node,
    pub comment: *mut ::std::os::raw::c_char,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct SecLabelStmt {
    pub type_: NodeTag,
    pub objtype: ObjectType,
    pub object: *mut Node,
    pub provider: *mut ::std::os::raw::c_char,
    pub label: *mut ::std::os::raw::c_char,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct DeclareCursorStmt {
    pub type_: NodeTag,
    pub portalname: *mut ::std::os::raw::c_char,
    pub options: ::std::os::raw::c_int,
    pub query: *mut Node,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ClosePortalStmt {
    pub type_: NodeTag,
    pub portalname: *mut ::std::os::raw::c_char,
}
pub const FETCH_FORWARD: FetchDirection = 0;
pub const FETCH_BACKWARD: FetchDirection = 1;
pub const FETCH_ABSOLUTE: FetchDirection = 2;
pub const FETCH_RELATIVE: FetchDirection = 3;
pub type FetchDirection = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct FetchStmt {
    pub type_: NodeTag,
    pub direction: FetchDirection,
    pub howMany: ::std::os::raw::c_long,
    pub portalname: *mut ::std::os::raw::c_char,
    pub ismove: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct IndexStmt {
    pub type_: NodeTag,
    pub idxname: *mut ::std::os::raw::c_char,
    pub relation: *mut RangeVar,
    pub accessMethod: *mut ::std::os::raw::c_char,
    pub tableSpace: *mut ::std::os::raw::c_char,
    pub indexParams: *mut List,
    pub indexIncludingParams: *mut List,
    pub options: *mut List,
    pub whereClause: *mut Node,
    pub excludeOpNames: *mut List,
    pub idxcomment: *mut ::std::os::raw::c_char,
    pub indexOid: Oid,
    pub oldNumber: RelFileNumber,
    pub oldCreateSubid: SubTransactionId,
    pub oldFirstRelfilelocatorSubid: SubTransactionId,
    pub unique: bool,
    pub nulls_not_distinct: bool,
    pub primary: bool,
    pub isconstraint: bool,
    pub iswithoutoverlaps: bool,
    pub deferrable: bool,
    pub initdeferred: bool,
    pub transformed: bool,
    pub concurrent: bool,
    pub if_not_exists: bool,
    pub reset_default_tblspc: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateStatsStmt {
    pub type_: NodeTag,
    pub defnames: *mut List,
    pub stat_types: *mut List,
    pub exprs: *mut List,
    pub relations: *mut List,
    pub stxcomment: *mut ::std::os::raw::c_char,
    pub transformed: bool,
    pub if_not_exists: bool,
    pub owner: Oid,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct StatsElem {
    pub type_: NodeTag,
    pub name: *mut ::std::os::raw::c_char,
    pub expr: *mut Node,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterStatsStmt {
    pub type_: NodeTag,
    pub defnames: *mut List,
    pub stxstattarget: *mut Node,
    pub missing_ok: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateFunctionStmt {
    pub type_: NodeTag,
    pub is_procedure: bool,
    pub replace: bool,
    pub funcname: *mut List,
    pub parameters: *mut List,
    pub returnType: *mut TypeName,
    pub options: *mut List,
    pub sql_body: *mut Node,
}
pub const FUNC_PARAM_IN: FunctionParameterMode = 105;
pub const FUNC_PARAM_OUT: FunctionParameterMode = 111;
pub const FUNC_PARAM_INOUT: FunctionParameterMode = 98;
pub const FUNC_PARAM_VARIADIC: FunctionParameterMode = 118;
pub const FUNC_PARAM_TABLE: FunctionParameterMode = 116;
pub const FUNC_PARAM_DEFAULT: FunctionParameterMode = 100;
pub type FunctionParameterMode = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct FunctionParameter {
    pub type_: NodeTag,
    pub name: *mut ::std::os::raw::c_char,
    pub argType: *mut TypeName,
    pub mode: FunctionParameterMode,
    pub defexpr: *mut Node,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterFunctionStmt {
    pub type_: NodeTag,
    pub objtype: ObjectType,
    pub func: *mut ObjectWithArgs,
    pub actions: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct DoStmt {
    pub type_: NodeTag,
    pub args: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct InlineCodeBlock {
    pub type_: NodeTag,
    pub source_text: *mut ::std::os::raw::c_char,
    pub langOid: Oid,
    pub langIsTrusted: bool,
    pub atomic: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CallStmt {
    pub type_: NodeTag,
    pub funccall: *mut FuncCall,
    pub funcexpr: *mut FuncExpr,
    pub outargs: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CallContext {
    pub type_: NodeTag,
    pub atomic: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct RenameStmt {
    pub type_: NodeTag,
    pub renameType: ObjectType,
    pub relationType: ObjectType,
    pub relation: *mut RangeVar,
    pub object: *mut Node,
    pub subname: *mut ::std::os::raw::c_char,
    pub newname: *mut ::std::os::raw::c_char,
    pub behavior: DropBehavior,
    pub missing_ok: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterObjectDependsStmt {
    pub type_: NodeTag,
    pub objectType: ObjectType,
    pub relation: *mut RangeVar,
    pub object: *mut Node,
    pub extname: *mut String,
    pub remove: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterObjectSchemaStmt {
    pub type_: NodeTag,
    pub objectType: ObjectType,
    pub relation: *mut RangeVar,
    pub object: *mut Node,
    pub newschema: *mut ::std::os::raw::c_char,
    pub missing_ok: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterOwnerStmt {
    pub type_: NodeTag,
    pub objectType: ObjectType,
    pub relation: *mut RangeVar,
    pub object: *mut Node,
    pub newowner: *mut RoleSpec,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterOperatorStmt {
    pub type_: NodeTag,
    pub opername: *mut ObjectWithArgs,
    pub options: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterTypeStmt {
    pub type_: NodeTag,
    pub typeName: *mut List,
    pub options: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct RuleStmt {
    pub type_: NodeTag,
    pub relation: *mut RangeVar,
    pub rulename: *mut ::std::os::raw::c_char,
    pub whereClause: *mut Node,
    pub event: CmdType,
    pub instead: bool,
    pub actions: *mut List,
    pub replace: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct NotifyStmt {
    pub type_: NodeTag,
    pub conditionname: *mut ::std::os::raw::c_char,
    pub payload: *mut ::std::os::raw::c_char,
    pub payload_location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ListenStmt {
    pub type_: NodeTag,
    pub conditionname: *mut ::std::os::raw::c_char,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct UnlistenStmt {
    pub type_: NodeTag,
    pub conditionname: *mut ::std::os::raw::c_char,
}
pub const TRANS_STMT_BEGIN: TransactionStmtKind = 0;
pub const TRANS_STMT_START: TransactionStmtKind = 1;
pub const TRANS_STMT_COMMIT: TransactionStmtKind = 2;
pub const TRANS_STMT_ROLLBACK: TransactionStmtKind = 3;
pub const TRANS_STMT_SAVEPOINT: TransactionStmtKind = 4;
pub const TRANS_STMT_RELEASE: TransactionStmtKind = 5;
pub const TRANS_STMT_ROLLBACK_TO: TransactionStmtKind = 6;
pub const TRANS_STMT_PREPARE: TransactionStmtKind = 7;
pub const TRANS_STMT_COMMIT_PREPARED: TransactionStmtKind = 8;
pub const TRANS_STMT_ROLLBACK_PREPARED: TransactionStmtKind = 9;
pub type TransactionStmtKind = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct TransactionStmt {
    pub type_: NodeTag,
    pub kind: TransactionStmtKind,
    pub options: *mut List,
    pub savepoint_name: *mut ::std::os::raw::c_char,
    pub gid: *mut ::std::os::raw::c_char,
    pub chain: bool,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CompositeTypeStmt {
    pub type_: NodeTag,
    pub typevar: *mut RangeVar,
    pub coldeflist: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateEnumStmt {
    pub type_: NodeTag,
    pub typeName: *mut List,
    pub vals: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateRangeStmt {
    pub type_: NodeTag,
    pub typeName: *mut List,
    pub params: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterEnumStmt {
    pub type_: NodeTag,
    pub typeName: *mut List,
    pub oldVal: *mut ::std::os::raw::c_char,
    pub newVal: *mut ::std::os::raw::c_char,
    pub newValNeighbor: *mut ::std::os::raw::c_char,
    pub newValIsAfter: bool,
    pub skipIfNewValExists: bool,
}
pub const NO_CHECK_OPTION: ViewCheckOption = 0;
pub const LOCAL_CHECK_OPTION: ViewCheckOption = 1;
pub const CASCADED_CHECK_OPTION: ViewCheckOption = 2;
pub type ViewCheckOption = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ViewStmt {
    pub type_: NodeTag,
    pub view: *mut RangeVar,
    pub aliases: *mut List,
    pub query: *mut Node,
    pub replace: bool,
    pub options: *mut List,
    pub withCheckOption: ViewCheckOption,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct LoadStmt {
    pub type_: NodeTag,
    pub filename: *mut ::std::os::raw::c_char,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreatedbStmt {
    pub type_: NodeTag,
    pub dbname: *mut ::std::os::raw::c_char,
    pub options: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterDatabaseStmt {
    pub type_: NodeTag,
    pub dbname: *mut ::std::os::raw::c_char,
    pub options: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterDatabaseRefreshCollStmt {
    pub type_: NodeTag,
    pub dbname: *mut ::std::os::raw::c_char,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterDatabaseSetStmt {
    pub type_: NodeTag,
    pub dbname: *mut ::std::os::raw::c_char,
    pub setstmt: *mut VariableSetStmt,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct DropdbStmt {
    pub type_: NodeTag,
    pub dbname: *mut ::std::os::raw::c_char,
    pub missing_ok: bool,
    pub options: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterSystemStmt {
    pub type_: NodeTag,
    pub setstmt: *mut VariableSetStmt,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ClusterStmt {
    pub type_: NodeTag,
    pub relation: *mut RangeVar,
    pub indexname: *mut ::std::os::raw::c_char,
    pub params: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct VacuumStmt {
    pub type_: NodeTag,
    pub options: *mut List,
    pub rels: *mut List,
    pub is_vacuumcmd: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct VacuumRelation {
    pub type_: NodeTag,
    pub relation: *mut RangeVar,
    pub oid: Oid,
    pub va_cols: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ExplainStmt {
    pub type_: NodeTag,
    pub query: *mut Node,
    pub options: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateTableAsStmt {
    pub type_: NodeTag,
    pub query: *mut Node,
    pub into: *mut IntoClause,
    pub objtype: ObjectType,
    pub is_select_into: bool,
    pub if_not_exists: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct RefreshMatViewStmt {
    pub type_: NodeTag,
    pub concurrent: bool,
    pub skipData: bool,
    pub relation: *mut RangeVar,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CheckPointStmt {
    pub type_: NodeTag,
}
pub const DISCARD_ALL: DiscardMode = 0;
pub const DISCARD_PLANS: DiscardMode = 1;
pub const DISCARD_SEQUENCES: DiscardMode = 2;
pub const DISCARD_TEMP: DiscardMode = 3;
pub type DiscardMode = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct DiscardStmt {
    pub type_: NodeTag,
    pub target: DiscardMode,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct LockStmt {
    pub type_: NodeTag,
    pub relations: *mut List,
    pub mode: ::std::os::raw::c_int,
    pub nowait: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ConstraintsSetStmt {
    pub type_: NodeTag,
    pub constraints: *mut List,
    pub deferred: bool,
}
pub const REINDEX_OBJECT_INDEX: ReindexObjectType = 0;
pub const REINDEX_OBJECT_TABLE: ReindexObjectType = 1;
pub const REINDEX_OBJECT_SCHEMA: ReindexObjectType = 2;
pub const REINDEX_OBJECT_SYSTEM: ReindexObjectType = 3;
pub const REINDEX_OBJECT_DATABASE: ReindexObjectType = 4;
pub type ReindexObjectType = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ReindexStmt {
    pub type_: NodeTag,
    pub kind: ReindexObjectType,
    pub relation: *mut RangeVar,
    pub name: *const ::std::os::raw::c_char,
    pub params: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateConversionStmt {
    pub type_: NodeTag,
    pub conversion_name: *mut List,
    pub for_encoding_name: *mut ::std::os::raw::c_char,
    pub to_encoding_name: *mut ::std::os::raw::c_char,
    pub func_name: *mut List,
    pub def: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateCastStmt {
    pub type_: NodeTag,
    pub sourcetype: *mut TypeName,
    pub targettype: *mut TypeName,
    pub func: *mut ObjectWithArgs,
    pub context: CoercionContext,
    pub inout: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateTransformStmt {
    pub type_: NodeTag,
    pub replace: bool,
    pub type_name: *mut TypeName,
    pub lang: *mut ::std::os::raw::c_char,
    pub fromsql: *mut ObjectWithArgs,
    pub tosql: *mut ObjectWithArgs,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PrepareStmt {
    pub type_: NodeTag,
    pub name: *mut ::std::os::raw::c_char,
    pub argtypes: *mut List,
    pub query: *mut Node,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ExecuteStmt {
    pub type_: NodeTag,
    pub name: *mut ::std::os::raw::c_char,
    pub params: *mut List,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct DeallocateStmt {
    pub type_: NodeTag,
    pub name: *mut ::std::os::raw::c_char,
    pub isall: bool,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct DropOwnedStmt {
    pub type_: NodeTag,
    pub roles: *mut List,
    pub behavior: DropBehavior,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct ReassignOwnedStmt {
    pub type_: NodeTag,
    pub roles: *mut List,
    pub newrole: *mut RoleSpec,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterTSDictionaryStmt {
    pub type_: NodeTag,
    pub dictname: *mut List,
    pub options: *mut List,
}
pub const ALTER_TSCONFIG_ADD_MAPPING: AlterTSConfigType = 0;
pub const ALTER_TSCONFIG_ALTER_MAPPING_FOR_TOKEN: AlterTSConfigType = 1;
pub const ALTER_TSCONFIG_REPLACE_DICT: AlterTSConfigType = 2;
pub const ALTER_TSCONFIG_REPLACE_DICT_FOR_TOKEN: AlterTSConfigType = 3;
pub const ALTER_TSCONFIG_DROP_MAPPING: AlterTSConfigType = 4;
pub type AlterTSConfigType = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterTSConfigurationStmt {
    pub type_: NodeTag,
    pub kind: AlterTSConfigType,
    pub cfgname: *mut List,
    pub tokentype: *mut List,
    pub dicts: *mut List,
    pub override_: bool,
    pub replace: bool,
    pub missing_ok: bool,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PublicationTable {
    pub type_: NodeTag,
    pub relation: *mut RangeVar,
    pub whereClause: *mut Node,
    pub columns: *mut List,
}
pub const PUBLICATIONOBJ_TABLE: PublicationObjSpecType = 0;
pub const PUBLICATIONOBJ_TABLES_IN_SCHEMA: PublicationObjSpecType = 1;
pub const PUBLICATIONOBJ_TABLES_IN_CUR_SCHEMA: PublicationObjSpecType = 2;
pub const PUBLICATIONOBJ_CONTINUATION: PublicationObjSpecType = 3;
pub type PublicationObjSpecType = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PublicationObjSpec {
    pub type_: NodeTag,
    pub pubobjtype: PublicationObjSpecType,
    pub name: *mut ::std::os::raw::c_char,
    pub pubtable: *mut PublicationTable,
    pub location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreatePublicationStmt {
    pub type_: NodeTag,
    pub pubname: *mut ::std::os::raw::c_char,
    pub options: *mut List,
    pub pubobjects: *mut List,
    pub for_all_tables: bool,
}
pub const AP_AddObjects: AlterPublicationAction = 0;
pub const AP_DropObjects: AlterPublicationAction = 1;
pub const AP_SetObjects: AlterPublicationAction = 2;
pub type AlterPublicationAction = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterPublicationStmt {
    pub type_: NodeTag,
    pub pubname: *mut ::std::os::raw::c_char,
    pub options: *mut List,
    pub pubobjects: *mut List,
    pub for_all_tables: bool,
    pub action: AlterPublicationAction,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct CreateSubscriptionStmt {
    pub type_: NodeTag,
    pub subname: *mut ::std::os::raw::c_char,
    pub conninfo: *mut ::std::os::raw::c_char,
    pub publication: *mut List,
    pub options: *mut List,
    pub conninfo_location: ParseLoc,
}
pub const ALTER_SUBSCRIPTION_OPTIONS: AlterSubscriptionType = 0;
pub const ALTER_SUBSCRIPTION_CONNECTION: AlterSubscriptionType = 1;
pub const ALTER_SUBSCRIPTION_SET_PUBLICATION: AlterSubscriptionType = 2;
pub const ALTER_SUBSCRIPTION_ADD_PUBLICATION: AlterSubscriptionType = 3;
pub const ALTER_SUBSCRIPTION_DROP_PUBLICATION: AlterSubscriptionType = 4;
pub const ALTER_SUBSCRIPTION_REFRESH: AlterSubscriptionType = 5;
pub const ALTER_SUBSCRIPTION_ENABLED: AlterSubscriptionType = 6;
pub const ALTER_SUBSCRIPTION_SKIP: AlterSubscriptionType = 7;
pub type AlterSubscriptionType = ::std::os::raw::c_uint;
#[repr(C)]
#[derive(Copy, Clone)]
pub struct AlterSubscriptionStmt {
    pub type_: NodeTag,
    pub kind: AlterSubscriptionType,
    pub subname: *mut ::std::os::raw::c_char,
    pub conninfo: *mut ::std::os::raw::c_char,
    pub publication: *mut List,
    pub options: *mut List,
    pub conninfo_location: ParseLoc,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct DropSubscriptionStmt {
    pub type_: NodeTag,
    pub subname: *mut ::std::os::raw::c_char,
    pub missing_ok: bool,
    pub behavior: DropBehavior,
}
#[repr(C)]
#[derive(Debug)]
pub struct MemoryContextData {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PgqMessage {
    pub level: ::std::os::raw::c_int,
    pub sqlstate: ::std::os::raw::c_int,
    pub cursor: ::std::os::raw::c_int,
    pub message: *const ::std::os::raw::c_char,
    pub detail: *const ::std::os::raw::c_char,
    pub hint: *const ::std::os::raw::c_char,
    pub next: *mut PgqMessage,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PgqOutcome {
    pub failed: bool,
    pub error: PgqMessage,
    pub warnings: *mut PgqMessage,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PgqText {
    pub data: *const ::std::os::raw::c_char,
    pub len: usize,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PgqToken {
    pub location: i32,
    pub value: u32,
    pub kind: u16,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct PgqBodyPlace {
    pub cursor: ::std::os::raw::c_int,
    pub line: ::std::os::raw::c_int,
}
unsafe extern "C" {
    #[link_name = "pgq_pg_query_normalize"]
    pub fn pg_query_normalize(
        input: *const ::std::os::raw::c_char,
    ) -> PgQueryNormalizeResult;
    #[link_name = "pgq_pg_query_normalize_utility"]
    pub fn pg_query_normalize_utility(
        input: *const ::std::os::raw::c_char,
    ) -> PgQueryNormalizeResult;
    #[link_name = "pgq_pg_query_scan"]
    pub fn pg_query_scan(input: *const ::std::os::raw::c_char) -> PgQueryScanResult;
    #[link_name = "pgq_pg_query_scan_tokens"]
    pub fn pg_query_scan_tokens(
        input: *const ::std::os::raw::c_char,
    ) -> PgQueryScanTokensResult;
    #[link_name = "pgq_pg_query_token_name"]
    pub fn pg_query_token_name(token: PgQueryToken) -> *const ::std::os::raw::c_char;
    #[link_name = "pgq_pg_query_keyword_kind_name"]
    pub fn pg_query_keyword_kind_name(
        keyword_kind: PgQueryKeywordKind,
    ) -> *const ::std::os::raw::c_char;
    #[link_name = "pgq_pg_query_parse"]
    pub fn pg_query_parse(input: *const ::std::os::raw::c_char) -> PgQueryParseResult;
    #[link_name = "pgq_pg_query_parse_opts"]
    pub fn pg_query_parse_opts(
        input: *const ::std::os::raw::c_char,
        parser_options: ::std::os::raw::c_int,
    ) -> PgQueryParseResult;
    #[link_name = "pgq_pg_query_parse_protobuf"]
    pub fn pg_query_parse_protobuf(
        input: *const ::std::os::raw::c_char,
    ) -> PgQueryProtobufParseResult;
    #[link_name = "pgq_pg_query_parse_protobuf_opts"]
    pub fn pg_query_parse_protobuf_opts(
        input: *const ::std::os::raw::c_char,
        parser_options: ::std::os::raw::c_int,
    ) -> PgQueryProtobufParseResult;
    #[link_name = "pgq_pg_query_parse_plpgsql"]
    pub fn pg_query_parse_plpgsql(
        input: *const ::std::os::raw::c_char,
    ) -> PgQueryPlpgsqlParseResult;
    #[link_name = "pgq_pg_query_fingerprint"]
    pub fn pg_query_fingerprint(
        input: *const ::std::os::raw::c_char,
    ) -> PgQueryFingerprintResult;
    #[link_name = "pgq_pg_query_fingerprint_opts"]
    pub fn pg_query_fingerprint_opts(
        input: *const ::std::os::raw::c_char,
        parser_options: ::std::os::raw::c_int,
        fingerprint_options: ::std::os::raw::c_int,
    ) -> PgQueryFingerprintResult;
    #[link_name = "pgq_pg_query_split_with_scanner"]
    pub fn pg_query_split_with_scanner(
        input: *const ::std::os::raw::c_char,
    ) -> PgQuerySplitResult;
    #[link_name = "pgq_pg_query_split_with_parser"]
    pub fn pg_query_split_with_parser(
        input: *const ::std::os::raw::c_char,
    ) -> PgQuerySplitResult;
    #[link_name = "pgq_pg_query_deparse_protobuf"]
    pub fn pg_query_deparse_protobuf(
        parse_tree: PgQueryProtobuf,
    ) -> PgQueryDeparseResult;
    #[link_name = "pgq_pg_query_deparse_protobuf_opts"]
    pub fn pg_query_deparse_protobuf_opts(
        parse_tree: PgQueryProtobuf,
        opts: PostgresDeparseOpts,
    ) -> PgQueryDeparseResult;
    #[link_name = "pgq_pg_query_deparse_comments_for_query"]
    pub fn pg_query_deparse_comments_for_query(
        query: *const ::std::os::raw::c_char,
    ) -> PgQueryDeparseCommentsResult;
    #[link_name = "pgq_pg_query_summary"]
    pub fn pg_query_summary(
        input: *const ::std::os::raw::c_char,
        parser_options: ::std::os::raw::c_int,
        truncate_limit: ::std::os::raw::c_int,
    ) -> PgQuerySummaryParseResult;
    #[link_name = "pgq_pg_query_free_normalize_result"]
    pub fn pg_query_free_normalize_result(result: PgQueryNormalizeResult);
    #[link_name = "pgq_pg_query_free_scan_result"]
    pub fn pg_query_free_scan_result(result: PgQueryScanResult);
    #[link_name = "pgq_pg_query_free_scan_tokens_result"]
    pub fn pg_query_free_scan_tokens_result(result: PgQueryScanTokensResult);
    #[link_name = "pgq_pg_query_free_parse_result"]
    pub fn pg_query_free_parse_result(result: PgQueryParseResult);
    #[link_name = "pgq_pg_query_free_split_result"]
    pub fn pg_query_free_split_result(result: PgQuerySplitResult);
    #[link_name = "pgq_pg_query_free_deparse_result"]
    pub fn pg_query_free_deparse_result(result: PgQueryDeparseResult);
    #[link_name = "pgq_pg_query_free_protobuf_parse_result"]
    pub fn pg_query_free_protobuf_parse_result(result: PgQueryProtobufParseResult);
    #[link_name = "pgq_pg_query_free_plpgsql_parse_result"]
    pub fn pg_query_free_plpgsql_parse_result(result: PgQueryPlpgsqlParseResult);
    #[link_name = "pgq_pg_query_free_fingerprint_result"]
    pub fn pg_query_free_fingerprint_result(result: PgQueryFingerprintResult);
    #[link_name = "pgq_pg_query_free_summary_parse_result"]
    pub fn pg_query_free_summary_parse_result(result: PgQuerySummaryParseResult);
    pub fn pgq_context_new(first_block: usize) -> *mut MemoryContextData;
    pub fn pgq_context_reset(context: *mut MemoryContextData);
    pub fn pgq_context_delete(context: *mut MemoryContextData);
    pub fn pgq_context_bytes(context: *const MemoryContextData) -> usize;
    pub fn pgq_parse(
        context: *mut MemoryContextData,
        sql: *const ::std::os::raw::c_char,
        options: ::std::os::raw::c_int,
        stack: usize,
        outcome: *mut PgqOutcome,
    ) -> *mut List;
    pub fn pgq_parse_tokens(
        context: *mut MemoryContextData,
        tokens: *const PgqToken,
        strings: *const ::std::os::raw::c_char,
        normalized: bool,
        stack: usize,
        memory: *mut ::std::os::raw::c_char,
        size: *mut usize,
        tree: *mut *mut List,
        repeats: *mut bool,
        refused: *mut bool,
    ) -> bool;
    pub fn pgq_token_parses() -> usize;
    pub fn pgq_deparse(
        context: *mut MemoryContextData,
        stmt: *mut RawStmt,
        opts: *mut PostgresDeparseOpts,
        buffer: *mut ::std::os::raw::c_char,
        size: usize,
        stack: usize,
        outcome: *mut PgqOutcome,
    ) -> PgqText;
    pub fn pgq_plpgsql(
        context: *mut MemoryContextData,
        stmt: *const RawStmt,
        stack: usize,
        hidden: *mut PgqText,
        place: *mut PgqBodyPlace,
        outcome: *mut PgqOutcome,
    ) -> PgqText;
    pub fn pgq_before_library_call(stack: usize);
    pub fn pgq_floor_parse(sql: *const ::std::os::raw::c_char) -> bool;
    pub fn pgq_floor_scan(sql: *const ::std::os::raw::c_char) -> i64;
}

layout!(PostgresDeparseComment size 24 align 8: match_location 0, newlines_before_comment 4, newlines_after_comment 8, str_ 16);
layout!(PostgresDeparseOpts size 32 align 8: comments 0, comment_count 8, pretty_print 16, indent_size 20, max_line_length 24, trailing_newline 28, commas_start_of_line 29);
layout!(PgQueryError size 40 align 8: message 0, funcname 8, filename 16, lineno 24, cursorpos 28, context 32);
layout!(PgQueryIsUtilityResult size 24 align 8: length 0, items 8, error 16);
layout!(PgQueryProtobuf size 16 align 8: len 0, data 8);
layout!(PgQueryScanResult size 32 align 8: pbuf 0, stderr_buffer 16, error 24);
layout!(PgQueryScanToken size 16 align 4: start 0, end 4, token 8, keyword_kind 12);
layout!(PgQueryScanTokensResult size 24 align 8: tokens 0, n_tokens 8, error 16);
layout!(PgQueryParseResult size 24 align 8: parse_tree 0, stderr_buffer 8, error 16);
layout!(PgQueryProtobufParseResult size 32 align 8: parse_tree 0, stderr_buffer 16, error 24);
layout!(PgQuerySplitStmt size 8 align 4: stmt_location 0, stmt_len 4);
layout!(PgQuerySplitResult size 32 align 8: stmts 0, n_stmts 8, stderr_buffer 16, error 24);
layout!(PgQueryDeparseResult size 16 align 8: query 0, error 8);
layout!(PgQueryDeparseCommentsResult size 24 align 8: comments 0, comment_count 8, error 16);
layout!(PgQueryPlpgsqlParseResult size 16 align 8: plpgsql_funcs 0, error 8);
layout!(PgQueryFingerprintResult size 32 align 8: fingerprint 0, fingerprint_str 8, stderr_buffer 16, error 24);
layout!(PgQueryNormalizeResult size 16 align 8: normalized_query 0, error 8);
layout!(PgQuerySummaryParseResult size 32 align 8: summary 0, stderr_buffer 16, error 24);
layout!(Node size 4 align 4: type_ 0);
layout!(Bitmapset size 8 align 8: type_ 0, nwords 4, words 8);
layout!(ListCell size 8 align 8: ptr_value 0, int_value 0, oid_value 0, xid_value 0);
layout!(List size 24 align 8: type_ 0, length 4, max_length 8, elements 16, initial_elements 24);
layout!(Alias size 24 align 8: type_ 0, aliasname 8, colnames 16);
layout!(RangeVar size 56 align 8: type_ 0, catalogname 8, schemaname 16, relname 24, inh 32, relpersistence 33, alias 40, location 48);
layout!(TableFunc size 128 align 8: type_ 0, functype 4, ns_uris 8, ns_names 16, docexpr 24, rowexpr 32, colnames 40, coltypes 48, coltypmods 56, colcollations 64, colexprs 72, coldefexprs 80, colvalexprs 88, passingvalexprs 96, notnulls 104, plan 112, ordinalitycol 120, location 124);
layout!(IntoClause size 72 align 8: type_ 0, rel 8, colNames 16, accessMethod 24, options 32, onCommit 40, tableSpaceName 48, viewQuery 56, skipData 64);
layout!(Expr size 4 align 4: type_ 0);
layout!(Var size 56 align 8: xpr 0, varno 4, varattno 8, vartype 12, vartypmod 16, varcollid 20, varnullingrels 24, varlevelsup 32, varreturningtype 36, varnosyn 40, varattnosyn 44, location 48);
layout!(Const size 40 align 8: xpr 0, consttype 4, consttypmod 8, constcollid 12, constlen 16, constvalue 24, constisnull 32, constbyval 33, location 36);
layout!(Param size 28 align 4: xpr 0, paramkind 4, paramid 8, paramtype 12, paramtypmod 16, paramcollid 20, location 24);
layout!(Aggref size 96 align 8: xpr 0, aggfnoid 4, aggtype 8, aggcollid 12, inputcollid 16, aggtranstype 20, aggargtypes 24, aggdirectargs 32, args 40, aggorder 48, aggdistinct 56, aggfilter 64, aggstar 72, aggvariadic 73, aggkind 74, aggpresorted 75, agglevelsup 76, aggsplit 80, aggno 84, aggtransno 88, location 92);
layout!(GroupingFunc size 40 align 8: xpr 0, args 8, refs 16, cols 24, agglevelsup 32, location 36);
layout!(WindowFunc size 64 align 8: xpr 0, winfnoid 4, wintype 8, wincollid 12, inputcollid 16, args 24, aggfilter 32, runCondition 40, winref 48, winstar 52, winagg 53, location 56);
layout!(WindowFuncRunCondition size 24 align 8: xpr 0, opno 4, inputcollid 8, wfunc_left 12, arg 16);
layout!(MergeSupportFunc size 16 align 4: xpr 0, msftype 4, msfcollid 8, location 12);
layout!(SubscriptingRef size 56 align 8: xpr 0, refcontainertype 4, refelemtype 8, refrestype 12, reftypmod 16, refcollid 20, refupperindexpr 24, reflowerindexpr 32, refexpr 40, refassgnexpr 48);
layout!(FuncExpr size 48 align 8: xpr 0, funcid 4, funcresulttype 8, funcretset 12, funcvariadic 13, funcformat 16, funccollid 20, inputcollid 24, args 32, location 40);
layout!(NamedArgExpr size 32 align 8: xpr 0, arg 8, name 16, argnumber 24, location 28);
layout!(OpExpr size 48 align 8: xpr 0, opno 4, opfuncid 8, opresulttype 12, opretset 16, opcollid 20, inputcollid 24, args 32, location 40);
layout!(ScalarArrayOpExpr size 48 align 8: xpr 0, opno 4, opfuncid 8, hashfuncid 12, negfuncid 16, useOr 20, inputcollid 24, args 32, location 40);
layout!(BoolExpr size 24 align 8: xpr 0, boolop 4, args 8, location 16);
layout!(SubLink size 48 align 8: xpr 0, subLinkType 4, subLinkId 8, testexpr 16, operName 24, subselect 32, location 40);
layout!(SubPlan size 96 align 8: xpr 0, subLinkType 4, testexpr 8, paramIds 16, plan_id 24, plan_name 32, firstColType 40, firstColTypmod 44, firstColCollation 48, useHashTable 52, unknownEqFalse 53, parallel_safe 54, setParam 56, parParam 64, args 72, startup_cost 80, per_call_cost 88);
layout!(AlternativeSubPlan size 16 align 8: xpr 0, subplans 8);
layout!(FieldSelect size 32 align 8: xpr 0, arg 8, fieldnum 16, resulttype 20, resulttypmod 24, resultcollid 28);
layout!(FieldStore size 40 align 8: xpr 0, arg 8, newvals 16, fieldnums 24, resulttype 32);
layout!(RelabelType size 40 align 8: xpr 0, arg 8, resulttype 16, resulttypmod 20, resultcollid 24, relabelformat 28, location 32);
layout!(CoerceViaIO size 32 align 8: xpr 0, arg 8, resulttype 16, resultcollid 20, coerceformat 24, location 28);
layout!(ArrayCoerceExpr size 48 align 8: xpr 0, arg 8, elemexpr 16, resulttype 24, resulttypmod 28, resultcollid 32, coerceformat 36, location 40);
layout!(ConvertRowtypeExpr size 32 align 8: xpr 0, arg 8, resulttype 16, convertformat 20, location 24);
layout!(CollateExpr size 24 align 8: xpr 0, arg 8, collOid 16, location 20);
layout!(CaseExpr size 48 align 8: xpr 0, casetype 4, casecollid 8, arg 16, args 24, defresult 32, location 40);
layout!(CaseWhen size 32 align 8: xpr 0, expr 8, result 16, location 24);
layout!(CaseTestExpr size 16 align 4: xpr 0, typeId 4, typeMod 8, collation 12);
layout!(ArrayExpr size 40 align 8: xpr 0, array_typeid 4, array_collid 8, element_typeid 12, elements 16, multidims 24, list_start 28, list_end 32, location 36);
layout!(RowExpr size 40 align 8: xpr 0, args 8, row_typeid 16, row_format 20, colnames 24, location 32);
layout!(RowCompareExpr size 48 align 8: xpr 0, cmptype 4, opnos 8, opfamilies 16, inputcollids 24, largs 32, rargs 40);
layout!(CoalesceExpr size 32 align 8: xpr 0, coalescetype 4, coalescecollid 8, args 16, location 24);
layout!(MinMaxExpr size 40 align 8: xpr 0, minmaxtype 4, minmaxcollid 8, inputcollid 12, op 16, args 24, location 32);
layout!(SQLValueFunction size 20 align 4: xpr 0, op 4, type_ 8, typmod 12, location 16);
layout!(XmlExpr size 64 align 8: xpr 0, op 4, name 8, named_args 16, arg_names 24, args 32, xmloption 40, indent 44, type_ 48, typmod 52, location 56);
layout!(JsonFormat size 16 align 4: type_ 0, format_type 4, encoding 8, location 12);
layout!(JsonReturning size 24 align 8: type_ 0, format 8, typid 16, typmod 20);
layout!(JsonValueExpr size 32 align 8: type_ 0, raw_expr 8, formatted_expr 16, format 24);
layout!(JsonConstructorExpr size 48 align 8: xpr 0, type_ 4, args 8, func 16, coercion 24, returning 32, absent_on_null 40, unique 41, location 44);
layout!(JsonIsPredicate size 40 align 8: type_ 0, expr 8, format 16, item_type 24, unique_keys 28, location 32);
layout!(JsonBehavior size 24 align 8: type_ 0, btype 4, expr 8, coerce 16, location 20);
layout!(JsonExpr size 104 align 8: xpr 0, op 4, column_name 8, formatted_expr 16, format 24, path_spec 32, returning 40, passing_names 48, passing_values 56, on_empty 64, on_error 72, use_io_coercion 80, use_json_coercion 81, wrapper 84, omit_quotes 88, collation 92, location 96);
layout!(JsonTablePath size 24 align 8: type_ 0, value 8, name 16);
layout!(JsonTablePlan size 4 align 4: type_ 0);
layout!(JsonTablePathScan size 40 align 8: plan 0, path 8, errorOnError 16, child 24, colMin 32, colMax 36);
layout!(JsonTableSiblingJoin size 24 align 8: plan 0, lplan 8, rplan 16);
layout!(NullTest size 32 align 8: xpr 0, arg 8, nulltesttype 16, argisrow 20, location 24);
layout!(BooleanTest size 24 align 8: xpr 0, arg 8, booltesttype 16, location 20);
layout!(MergeAction size 40 align 8: type_ 0, matchKind 4, commandType 8, override_ 12, qual 16, targetList 24, updateColnos 32);
layout!(CoerceToDomain size 40 align 8: xpr 0, arg 8, resulttype 16, resulttypmod 20, resultcollid 24, coercionformat 28, location 32);
layout!(CoerceToDomainValue size 20 align 4: xpr 0, typeId 4, typeMod 8, collation 12, location 16);
layout!(SetToDefault size 20 align 4: xpr 0, typeId 4, typeMod 8, collation 12, location 16);
layout!(CurrentOfExpr size 24 align 8: xpr 0, cvarno 4, cursor_name 8, cursor_param 16);
layout!(NextValueExpr size 12 align 4: xpr 0, seqid 4, typeId 8);
layout!(InferenceElem size 24 align 8: xpr 0, expr 8, infercollid 16, inferopclass 20);
layout!(ReturningExpr size 24 align 8: xpr 0, retlevelsup 4, retold 8, retexpr 16);
layout!(TargetEntry size 48 align 8: xpr 0, expr 8, resno 16, resname 24, ressortgroupref 32, resorigtbl 36, resorigcol 40, resjunk 42);
layout!(RangeTblRef size 8 align 4: type_ 0, rtindex 4);
layout!(JoinExpr size 72 align 8: type_ 0, jointype 4, isNatural 8, larg 16, rarg 24, usingClause 32, join_using_alias 40, quals 48, alias 56, rtindex 64);
layout!(FromExpr size 24 align 8: type_ 0, fromlist 8, quals 16);
layout!(OnConflictExpr size 64 align 8: type_ 0, action 4, arbiterElems 8, arbiterWhere 16, constraint 24, onConflictSet 32, onConflictWhere 40, exclRelIndex 48, exclRelTlist 56);
layout!(Integer size 8 align 4: type_ 0, ival 4);
layout!(Float size 16 align 8: type_ 0, fval 8);
layout!(Boolean size 8 align 4: type_ 0, boolval 4);
layout!(String size 16 align 8: type_ 0, sval 8);
layout!(BitString size 16 align 8: type_ 0, bsval 8);
layout!(Query size 280 align 8: type_ 0, commandType 4, querySource 8, queryId 16, canSetTag 24, utilityStmt 32, resultRelation 40, hasAggs 44, hasWindowFuncs 45, hasTargetSRFs 46, hasSubLinks 47, hasDistinctOn 48, hasRecursive 49, hasModifyingCTE 50, hasForUpdate 51, hasRowSecurity 52, hasGroupRTE 53, isReturn 54, cteList 56, rtable 64, rteperminfos 72, jointree 80, mergeActionList 88, mergeTargetRelation 96, mergeJoinCondition 104, targetList 112, override_ 120, onConflict 128, returningOldAlias 136, returningNewAlias 144, returningList 152, groupClause 160, groupDistinct 168, groupingSets 176, havingQual 184, windowClause 192, distinctClause 200, sortClause 208, limitOffset 216, limitCount 224, limitOption 232, rowMarks 240, setOperations 248, constraintDeps 256, withCheckOptions 264, stmt_location 272, stmt_len 276);
layout!(TypeName size 56 align 8: type_ 0, names 8, typeOid 16, setof 20, pct_type 21, typmods 24, typemod 32, arrayBounds 40, location 48);
layout!(ColumnRef size 24 align 8: type_ 0, fields 8, location 16);
layout!(ParamRef size 12 align 4: type_ 0, number 4, location 8);
layout!(A_Expr size 48 align 8: type_ 0, kind 4, name 8, lexpr 16, rexpr 24, rexpr_list_start 32, rexpr_list_end 36, location 40);
layout!(ValUnion size 16 align 8: node 0, ival 0, fval 0, boolval 0, sval 0, bsval 0);
layout!(A_Const size 32 align 8: type_ 0, val 8, isnull 24, location 28);
layout!(TypeCast size 32 align 8: type_ 0, arg 8, typeName 16, location 24);
layout!(CollateClause size 32 align 8: type_ 0, arg 8, collname 16, location 24);
layout!(RoleSpec size 24 align 8: type_ 0, roletype 4, rolename 8, location 16);
layout!(FuncCall size 64 align 8: type_ 0, funcname 8, args 16, agg_order 24, agg_filter 32, over 40, agg_within_group 48, agg_star 49, agg_distinct 50, func_variadic 51, funcformat 52, location 56);
layout!(A_Star size 4 align 4: type_ 0);
layout!(A_Indices size 24 align 8: type_ 0, is_slice 4, lidx 8, uidx 16);
layout!(A_Indirection size 24 align 8: type_ 0, arg 8, indirection 16);
layout!(A_ArrayExpr size 32 align 8: type_ 0, elements 8, list_start 16, list_end 20, location 24);
layout!(ResTarget size 40 align 8: type_ 0, name 8, indirection 16, val 24, location 32);
layout!(MultiAssignRef size 24 align 8: type_ 0, source 8, colno 16, ncolumns 20);
layout!(SortBy size 40 align 8: type_ 0, node 8, sortby_dir 16, sortby_nulls 20, useOp 24, location 32);
layout!(WindowDef size 72 align 8: type_ 0, name 8, refname 16, partitionClause 24, orderClause 32, frameOptions 40, startOffset 48, endOffset 56, location 64);
layout!(RangeSubselect size 24 align 8: type_ 0, lateral 4, subquery 8, alias 16);
layout!(RangeFunction size 32 align 8: type_ 0, lateral 4, ordinality 5, is_rowsfrom 6, functions 8, alias 16, coldeflist 24);
layout!(RangeTableFunc size 56 align 8: type_ 0, lateral 4, docexpr 8, rowexpr 16, namespaces 24, columns 32, alias 40, location 48);
layout!(RangeTableFuncCol size 56 align 8: type_ 0, colname 8, typeName 16, for_ordinality 24, is_not_null 25, colexpr 32, coldefexpr 40, location 48);
layout!(RangeTableSample size 48 align 8: type_ 0, relation 8, method 16, args 24, repeatable 32, location 40);
layout!(ColumnDef size 128 align 8: type_ 0, colname 8, typeName 16, compression 24, inhcount 32, is_local 34, is_not_null 35, is_from_type 36, storage 37, storage_name 40, raw_default 48, cooked_default 56, identity 64, identitySequence 72, generated 80, collClause 88, collOid 96, constraints 104, fdwoptions 112, location 120);
layout!(TableLikeClause size 24 align 8: type_ 0, relation 8, options 16, relationOid 20);
layout!(IndexElem size 64 align 8: type_ 0, name 8, expr 16, indexcolname 24, collation 32, opclass 40, opclassopts 48, ordering 56, nulls_ordering 60);
layout!(DefElem size 48 align 8: type_ 0, defnamespace 8, defname 16, arg 24, defaction 32, location 36, arg_location 40);
layout!(LockingClause size 24 align 8: type_ 0, lockedRels 8, strength 16, waitPolicy 20);
layout!(XmlSerialize size 32 align 8: type_ 0, xmloption 4, expr 8, typeName 16, indent 24, location 28);
layout!(PartitionElem size 48 align 8: type_ 0, name 8, expr 16, collation 24, opclass 32, location 40);
layout!(PartitionSpec size 24 align 8: type_ 0, strategy 4, partParams 8, location 16);
layout!(PartitionBoundSpec size 48 align 8: type_ 0, strategy 4, is_default 5, modulus 8, remainder 12, listdatums 16, lowerdatums 24, upperdatums 32, location 40);
layout!(PartitionRangeDatum size 24 align 8: type_ 0, kind 4, value 8, location 16);
layout!(PartitionCmd size 32 align 8: type_ 0, name 8, bound 16, concurrent 24);
layout!(RangeTblEntry size 224 align 8: type_ 0, alias 8, eref 16, rtekind 24, relid 28, inh 32, relkind 33, rellockmode 36, perminfoindex 40, tablesample 48, subquery 56, security_barrier 64, jointype 68, joinmergedcols 72, joinaliasvars 80, joinleftcols 88, joinrightcols 96, join_using_alias 104, functions 112, funcordinality 120, tablefunc 128, values_lists 136, ctename 144, ctelevelsup 152, self_reference 156, coltypes 160, coltypmods 168, colcollations 176, enrname 184, enrtuples 192, groupexprs 200, lateral 208, inFromCl 209, securityQuals 216);
layout!(RTEPermissionInfo size 56 align 8: type_ 0, relid 4, inh 8, requiredPerms 16, checkAsUser 24, selectedCols 32, insertedCols 40, updatedCols 48);
layout!(RangeTblFunction size 64 align 8: type_ 0, funcexpr 8, funccolcount 16, funccolnames 24, funccoltypes 32, funccoltypmods 40, funccolcollations 48, funcparams 56);
layout!(TableSampleClause size 24 align 8: type_ 0, tsmhandler 4, args 8, repeatable 16);
layout!(WithCheckOption size 40 align 8: type_ 0, kind 4, relname 8, polname 16, qual 24, cascaded 32);
layout!(SortGroupClause size 20 align 4: type_ 0, tleSortGroupRef 4, eqop 8, sortop 12, reverse_sort 16, nulls_first 17, hashable 18);
layout!(GroupingSet size 24 align 8: type_ 0, kind 4, content 8, location 16);
layout!(WindowClause size 88 align 8: type_ 0, name 8, refname 16, partitionClause 24, orderClause 32, frameOptions 40, startOffset 48, endOffset 56, startInRangeFunc 64, endInRangeFunc 68, inRangeColl 72, inRangeAsc 76, inRangeNullsFirst 77, winref 80, copiedOrder 84);
layout!(RowMarkClause size 20 align 4: type_ 0, rti 4, strength 8, waitPolicy 12, pushedDown 16);
layout!(WithClause size 24 align 8: type_ 0, ctes 8, recursive 16, location 20);
layout!(InferClause size 40 align 8: type_ 0, indexElems 8, whereClause 16, conname 24, location 32);
layout!(OnConflictClause size 40 align 8: type_ 0, action 4, infer 8, targetList 16, whereClause 24, location 32);
layout!(CTESearchClause size 40 align 8: type_ 0, search_col_list 8, search_breadth_first 16, search_seq_column 24, location 32);
layout!(CTECycleClause size 72 align 8: type_ 0, cycle_col_list 8, cycle_mark_column 16, cycle_mark_value 24, cycle_mark_default 32, cycle_path_column 40, location 48, cycle_mark_type 52, cycle_mark_typmod 56, cycle_mark_collation 60, cycle_mark_neop 64);
layout!(CommonTableExpr size 104 align 8: type_ 0, ctename 8, aliascolnames 16, ctematerialized 24, ctequery 32, search_clause 40, cycle_clause 48, location 56, cterecursive 60, cterefcount 64, ctecolnames 72, ctecoltypes 80, ctecoltypmods 88, ctecolcollations 96);
layout!(MergeWhenClause size 40 align 8: type_ 0, matchKind 4, commandType 8, override_ 12, condition 16, targetList 24, values 32);
layout!(ReturningOption size 24 align 8: type_ 0, option 4, value 8, location 16);
layout!(ReturningClause size 24 align 8: type_ 0, options 8, exprs 16);
layout!(TriggerTransition size 24 align 8: type_ 0, name 8, isNew 16, isTable 17);
layout!(JsonOutput size 24 align 8: type_ 0, typeName 8, returning 16);
layout!(JsonArgument size 24 align 8: type_ 0, val 8, name 16);
layout!(JsonFuncExpr size 80 align 8: type_ 0, op 4, column_name 8, context_item 16, pathspec 24, passing 32, output 40, on_empty 48, on_error 56, wrapper 64, quotes 68, location 72);
layout!(JsonTablePathSpec size 32 align 8: type_ 0, string 8, name 16, name_location 24, location 28);
layout!(JsonTable size 64 align 8: type_ 0, context_item 8, pathspec 16, passing 24, columns 32, on_error 40, alias 48, lateral 56, location 60);
layout!(JsonTableColumn size 80 align 8: type_ 0, coltype 4, name 8, typeName 16, pathspec 24, format 32, wrapper 40, quotes 44, columns 48, on_empty 56, on_error 64, location 72);
layout!(JsonKeyValue size 24 align 8: type_ 0, key 8, value 16);
layout!(JsonParseExpr size 32 align 8: type_ 0, expr 8, output 16, unique_keys 24, location 28);
layout!(JsonScalarExpr size 32 align 8: type_ 0, expr 8, output 16, location 24);
layout!(JsonSerializeExpr size 32 align 8: type_ 0, expr 8, output 16, location 24);
layout!(JsonObjectConstructor size 32 align 8: type_ 0, exprs 8, output 16, absent_on_null 24, unique 25, location 28);
layout!(JsonArrayConstructor size 32 align 8: type_ 0, exprs 8, output 16, absent_on_null 24, location 28);
layout!(JsonArrayQueryConstructor size 40 align 8: type_ 0, query 8, output 16, format 24, absent_on_null 32, location 36);
layout!(JsonAggConstructor size 48 align 8: type_ 0, output 8, agg_filter 16, agg_order 24, over 32, location 40);
layout!(JsonObjectAgg size 32 align 8: type_ 0, constructor 8, arg 16, absent_on_null 24, unique 25);
layout!(JsonArrayAgg size 32 align 8: type_ 0, constructor 8, arg 16, absent_on_null 24);
layout!(RawStmt size 24 align 8: type_ 0, stmt 8, stmt_location 16, stmt_len 20);
layout!(InsertStmt size 64 align 8: type_ 0, relation 8, cols 16, selectStmt 24, onConflictClause 32, returningClause 40, withClause 48, override_ 56);
layout!(DeleteStmt size 48 align 8: type_ 0, relation 8, usingClause 16, whereClause 24, returningClause 32, withClause 40);
layout!(UpdateStmt size 56 align 8: type_ 0, relation 8, targetList 16, whereClause 24, fromClause 32, returningClause 40, withClause 48);
layout!(MergeStmt size 56 align 8: type_ 0, relation 8, sourceRelation 16, joinCondition 24, mergeWhenClauses 32, returningClause 40, withClause 48);
layout!(SelectStmt size 160 align 8: type_ 0, distinctClause 8, intoClause 16, targetList 24, fromClause 32, whereClause 40, groupClause 48, groupDistinct 56, havingClause 64, windowClause 72, valuesLists 80, sortClause 88, limitOffset 96, limitCount 104, limitOption 112, lockingClause 120, withClause 128, op 136, all 140, larg 144, rarg 152);
layout!(SetOperationStmt size 64 align 8: type_ 0, op 4, all 8, larg 16, rarg 24, colTypes 32, colTypmods 40, colCollations 48, groupClauses 56);
layout!(ReturnStmt size 16 align 8: type_ 0, returnval 8);
layout!(PLAssignStmt size 48 align 8: type_ 0, name 8, indirection 16, nnames 24, val 32, location 40);
layout!(CreateSchemaStmt size 40 align 8: type_ 0, schemaname 8, authrole 16, schemaElts 24, if_not_exists 32);
layout!(AlterTableStmt size 32 align 8: type_ 0, relation 8, cmds 16, objtype 24, missing_ok 28);
layout!(AlterTableCmd size 48 align 8: type_ 0, subtype 4, name 8, num 16, newowner 24, def 32, behavior 40, missing_ok 44, recurse 45);
layout!(ATAlterConstraint size 24 align 8: type_ 0, conname 8, alterEnforceability 16, is_enforced 17, alterDeferrability 18, deferrable 19, initdeferred 20, alterInheritability 21, noinherit 22);
layout!(ReplicaIdentityStmt size 16 align 8: type_ 0, identity_type 4, name 8);
layout!(AlterCollationStmt size 16 align 8: type_ 0, collname 8);
layout!(AlterDomainStmt size 40 align 8: type_ 0, subtype 4, typeName 8, name 16, def 24, behavior 32, missing_ok 36);
layout!(GrantStmt size 64 align 8: type_ 0, is_grant 4, targtype 8, objtype 12, objects 16, privileges 24, grantees 32, grant_option 40, grantor 48, behavior 56);
layout!(ObjectWithArgs size 40 align 8: type_ 0, objname 8, objargs 16, objfuncargs 24, args_unspecified 32);
layout!(AccessPriv size 24 align 8: type_ 0, priv_name 8, cols 16);
layout!(GrantRoleStmt size 56 align 8: type_ 0, granted_roles 8, grantee_roles 16, is_grant 24, opt 32, grantor 40, behavior 48);
layout!(AlterDefaultPrivilegesStmt size 24 align 8: type_ 0, options 8, action 16);
layout!(CopyStmt size 64 align 8: type_ 0, relation 8, query 16, attlist 24, is_from 32, is_program 33, filename 40, options 48, whereClause 56);
layout!(VariableSetStmt size 32 align 8: type_ 0, kind 4, name 8, args 16, jumble_args 24, is_local 25, location 28);
layout!(VariableShowStmt size 16 align 8: type_ 0, name 8);
layout!(CreateStmt size 112 align 8: type_ 0, relation 8, tableElts 16, inhRelations 24, partbound 32, partspec 40, ofTypename 48, constraints 56, nnconstraints 64, options 72, oncommit 80, tablespacename 88, accessMethod 96, if_not_exists 104);
layout!(Constraint size 184 align 8: type_ 0, contype 4, conname 8, deferrable 16, initdeferred 17, is_enforced 18, skip_validation 19, initially_valid 20, is_no_inherit 21, raw_expr 24, cooked_expr 32, generated_when 40, generated_kind 41, nulls_not_distinct 42, keys 48, without_overlaps 56, including 64, exclusions 72, options 80, indexname 88, indexspace 96, reset_default_tblspc 104, access_method 112, where_clause 120, pktable 128, fk_attrs 136, pk_attrs 144, fk_with_period 152, pk_with_period 153, fk_matchtype 154, fk_upd_action 155, fk_del_action 156, fk_del_set_cols 160, old_conpfeqop 168, old_pktable_oid 176, location 180);
layout!(CreateTableSpaceStmt size 40 align 8: type_ 0, tablespacename 8, owner 16, location 24, options 32);
layout!(DropTableSpaceStmt size 24 align 8: type_ 0, tablespacename 8, missing_ok 16);
layout!(AlterTableSpaceOptionsStmt size 32 align 8: type_ 0, tablespacename 8, options 16, isReset 24);
layout!(AlterTableMoveAllStmt size 48 align 8: type_ 0, orig_tablespacename 8, objtype 16, roles 24, new_tablespacename 32, nowait 40);
layout!(CreateExtensionStmt size 32 align 8: type_ 0, extname 8, if_not_exists 16, options 24);
layout!(AlterExtensionStmt size 24 align 8: type_ 0, extname 8, options 16);
layout!(AlterExtensionContentsStmt size 32 align 8: type_ 0, extname 8, action 16, objtype 20, object 24);
layout!(CreateFdwStmt size 32 align 8: type_ 0, fdwname 8, func_options 16, options 24);
layout!(AlterFdwStmt size 32 align 8: type_ 0, fdwname 8, func_options 16, options 24);
layout!(CreateForeignServerStmt size 56 align 8: type_ 0, servername 8, servertype 16, version 24, fdwname 32, if_not_exists 40, options 48);
layout!(AlterForeignServerStmt size 40 align 8: type_ 0, servername 8, version 16, options 24, has_version 32);
layout!(CreateForeignTableStmt size 128 align 8: base 0, servername 112, options 120);
layout!(CreateUserMappingStmt size 40 align 8: type_ 0, user 8, servername 16, if_not_exists 24, options 32);
layout!(AlterUserMappingStmt size 32 align 8: type_ 0, user 8, servername 16, options 24);
layout!(DropUserMappingStmt size 32 align 8: type_ 0, user 8, servername 16, missing_ok 24);
layout!(ImportForeignSchemaStmt size 56 align 8: type_ 0, server_name 8, remote_schema 16, local_schema 24, list_type 32, table_list 40, options 48);
layout!(CreatePolicyStmt size 64 align 8: type_ 0, policy_name 8, table 16, cmd_name 24, permissive 32, roles 40, qual 48, with_check 56);
layout!(AlterPolicyStmt size 48 align 8: type_ 0, policy_name 8, table 16, roles 24, qual 32, with_check 40);
layout!(CreateAmStmt size 32 align 8: type_ 0, amname 8, handler_name 16, amtype 24);
layout!(CreateTrigStmt size 88 align 8: type_ 0, replace 4, isconstraint 5, trigname 8, relation 16, funcname 24, args 32, row 40, timing 42, events 44, columns 48, whenClause 56, transitionRels 64, deferrable 72, initdeferred 73, constrrel 80);
layout!(CreateEventTrigStmt size 40 align 8: type_ 0, trigname 8, eventname 16, whenclause 24, funcname 32);
layout!(AlterEventTrigStmt size 24 align 8: type_ 0, trigname 8, tgenabled 16);
layout!(CreatePLangStmt size 48 align 8: type_ 0, replace 4, plname 8, plhandler 16, plinline 24, plvalidator 32, pltrusted 40);
layout!(CreateRoleStmt size 24 align 8: type_ 0, stmt_type 4, role 8, options 16);
layout!(AlterRoleStmt size 32 align 8: type_ 0, role 8, options 16, action 24);
layout!(AlterRoleSetStmt size 32 align 8: type_ 0, role 8, database 16, setstmt 24);
layout!(DropRoleStmt size 24 align 8: type_ 0, roles 8, missing_ok 16);
layout!(CreateSeqStmt size 32 align 8: type_ 0, sequence 8, options 16, ownerId 24, for_identity 28, if_not_exists 29);
layout!(AlterSeqStmt size 32 align 8: type_ 0, sequence 8, options 16, for_identity 24, missing_ok 25);
layout!(DefineStmt size 48 align 8: type_ 0, kind 4, oldstyle 8, defnames 16, args 24, definition 32, if_not_exists 40, replace 41);
layout!(CreateDomainStmt size 40 align 8: type_ 0, domainname 8, typeName 16, collClause 24, constraints 32);
layout!(CreateOpClassStmt size 56 align 8: type_ 0, opclassname 8, opfamilyname 16, amname 24, datatype 32, items 40, isDefault 48);
layout!(CreateOpClassItem size 48 align 8: type_ 0, itemtype 4, name 8, number 16, order_family 24, class_args 32, storedtype 40);
layout!(CreateOpFamilyStmt size 24 align 8: type_ 0, opfamilyname 8, amname 16);
layout!(AlterOpFamilyStmt size 40 align 8: type_ 0, opfamilyname 8, amname 16, isDrop 24, items 32);
layout!(DropStmt size 32 align 8: type_ 0, objects 8, removeType 16, behavior 20, missing_ok 24, concurrent 25);
layout!(TruncateStmt size 24 align 8: type_ 0, relations 8, restart_seqs 16, behavior 20);
layout!(CommentStmt size 24 align 8: type_ 0, objtype 4, object 8, comment 16);
layout!(SecLabelStmt size 32 align 8: type_ 0, objtype 4, object 8, provider 16, label 24);
layout!(DeclareCursorStmt size 32 align 8: type_ 0, portalname 8, options 16, query 24);
layout!(ClosePortalStmt size 16 align 8: type_ 0, portalname 8);
layout!(FetchStmt size 32 align 8: type_ 0, direction 4, howMany 8, portalname 16, ismove 24);
layout!(IndexStmt size 120 align 8: type_ 0, idxname 8, relation 16, accessMethod 24, tableSpace 32, indexParams 40, indexIncludingParams 48, options 56, whereClause 64, excludeOpNames 72, idxcomment 80, indexOid 88, oldNumber 92, oldCreateSubid 96, oldFirstRelfilelocatorSubid 100, unique 104, nulls_not_distinct 105, primary 106, isconstraint 107, iswithoutoverlaps 108, deferrable 109, initdeferred 110, transformed 111, concurrent 112, if_not_exists 113, reset_default_tblspc 114);
layout!(CreateStatsStmt size 56 align 8: type_ 0, defnames 8, stat_types 16, exprs 24, relations 32, stxcomment 40, transformed 48, if_not_exists 49, owner 52);
layout!(StatsElem size 24 align 8: type_ 0, name 8, expr 16);
layout!(AlterStatsStmt size 32 align 8: type_ 0, defnames 8, stxstattarget 16, missing_ok 24);
layout!(CreateFunctionStmt size 48 align 8: type_ 0, is_procedure 4, replace 5, funcname 8, parameters 16, returnType 24, options 32, sql_body 40);
layout!(FunctionParameter size 48 align 8: type_ 0, name 8, argType 16, mode 24, defexpr 32, location 40);
layout!(AlterFunctionStmt size 24 align 8: type_ 0, objtype 4, func 8, actions 16);
layout!(DoStmt size 16 align 8: type_ 0, args 8);
layout!(InlineCodeBlock size 24 align 8: type_ 0, source_text 8, langOid 16, langIsTrusted 20, atomic 21);
layout!(CallStmt size 32 align 8: type_ 0, funccall 8, funcexpr 16, outargs 24);
layout!(CallContext size 8 align 4: type_ 0, atomic 4);
layout!(RenameStmt size 56 align 8: type_ 0, renameType 4, relationType 8, relation 16, object 24, subname 32, newname 40, behavior 48, missing_ok 52);
layout!(AlterObjectDependsStmt size 40 align 8: type_ 0, objectType 4, relation 8, object 16, extname 24, remove 32);
layout!(AlterObjectSchemaStmt size 40 align 8: type_ 0, objectType 4, relation 8, object 16, newschema 24, missing_ok 32);
layout!(AlterOwnerStmt size 32 align 8: type_ 0, objectType 4, relation 8, object 16, newowner 24);
layout!(AlterOperatorStmt size 24 align 8: type_ 0, opername 8, options 16);
layout!(AlterTypeStmt size 24 align 8: type_ 0, typeName 8, options 16);
layout!(RuleStmt size 56 align 8: type_ 0, relation 8, rulename 16, whereClause 24, event 32, instead 36, actions 40, replace 48);
layout!(NotifyStmt size 32 align 8: type_ 0, conditionname 8, payload 16, payload_location 24);
layout!(ListenStmt size 16 align 8: type_ 0, conditionname 8);
layout!(UnlistenStmt size 16 align 8: type_ 0, conditionname 8);
layout!(TransactionStmt size 40 align 8: type_ 0, kind 4, options 8, savepoint_name 16, gid 24, chain 32, location 36);
layout!(CompositeTypeStmt size 24 align 8: type_ 0, typevar 8, coldeflist 16);
layout!(CreateEnumStmt size 24 align 8: type_ 0, typeName 8, vals 16);
layout!(CreateRangeStmt size 24 align 8: type_ 0, typeName 8, params 16);
layout!(AlterEnumStmt size 48 align 8: type_ 0, typeName 8, oldVal 16, newVal 24, newValNeighbor 32, newValIsAfter 40, skipIfNewValExists 41);
layout!(ViewStmt size 56 align 8: type_ 0, view 8, aliases 16, query 24, replace 32, options 40, withCheckOption 48);
layout!(LoadStmt size 16 align 8: type_ 0, filename 8);
layout!(CreatedbStmt size 24 align 8: type_ 0, dbname 8, options 16);
layout!(AlterDatabaseStmt size 24 align 8: type_ 0, dbname 8, options 16);
layout!(AlterDatabaseRefreshCollStmt size 16 align 8: type_ 0, dbname 8);
layout!(AlterDatabaseSetStmt size 24 align 8: type_ 0, dbname 8, setstmt 16);
layout!(DropdbStmt size 32 align 8: type_ 0, dbname 8, missing_ok 16, options 24);
layout!(AlterSystemStmt size 16 align 8: type_ 0, setstmt 8);
layout!(ClusterStmt size 32 align 8: type_ 0, relation 8, indexname 16, params 24);
layout!(VacuumStmt size 32 align 8: type_ 0, options 8, rels 16, is_vacuumcmd 24);
layout!(VacuumRelation size 32 align 8: type_ 0, relation 8, oid 16, va_cols 24);
layout!(ExplainStmt size 24 align 8: type_ 0, query 8, options 16);
layout!(CreateTableAsStmt size 32 align 8: type_ 0, query 8, into 16, objtype 24, is_select_into 28, if_not_exists 29);
layout!(RefreshMatViewStmt size 16 align 8: type_ 0, concurrent 4, skipData 5, relation 8);
layout!(CheckPointStmt size 4 align 4: type_ 0);
layout!(DiscardStmt size 8 align 4: type_ 0, target 4);
layout!(LockStmt size 24 align 8: type_ 0, relations 8, mode 16, nowait 20);
layout!(ConstraintsSetStmt size 24 align 8: type_ 0, constraints 8, deferred 16);
layout!(ReindexStmt size 32 align 8: type_ 0, kind 4, relation 8, name 16, params 24);
layout!(CreateConversionStmt size 48 align 8: type_ 0, conversion_name 8, for_encoding_name 16, to_encoding_name 24, func_name 32, def 40);
layout!(CreateCastStmt size 40 align 8: type_ 0, sourcetype 8, targettype 16, func 24, context 32, inout 36);
layout!(CreateTransformStmt size 40 align 8: type_ 0, replace 4, type_name 8, lang 16, fromsql 24, tosql 32);
layout!(PrepareStmt size 32 align 8: type_ 0, name 8, argtypes 16, query 24);
layout!(ExecuteStmt size 24 align 8: type_ 0, name 8, params 16);
layout!(DeallocateStmt size 24 align 8: type_ 0, name 8, isall 16, location 20);
layout!(DropOwnedStmt size 24 align 8: type_ 0, roles 8, behavior 16);
layout!(ReassignOwnedStmt size 24 align 8: type_ 0, roles 8, newrole 16);
layout!(AlterTSDictionaryStmt size 24 align 8: type_ 0, dictname 8, options 16);
layout!(AlterTSConfigurationStmt size 40 align 8: type_ 0, kind 4, cfgname 8, tokentype 16, dicts 24, override_ 32, replace 33, missing_ok 34);
layout!(PublicationTable size 32 align 8: type_ 0, relation 8, whereClause 16, columns 24);
layout!(PublicationObjSpec size 32 align 8: type_ 0, pubobjtype 4, name 8, pubtable 16, location 24);
layout!(CreatePublicationStmt size 40 align 8: type_ 0, pubname 8, options 16, pubobjects 24, for_all_tables 32);
layout!(AlterPublicationStmt size 40 align 8: type_ 0, pubname 8, options 16, pubobjects 24, for_all_tables 32, action 36);
layout!(CreateSubscriptionStmt size 48 align 8: type_ 0, subname 8, conninfo 16, publication 24, options 32, conninfo_location 40);
layout!(AlterSubscriptionStmt size 48 align 8: type_ 0, kind 4, subname 8, conninfo 16, publication 24, options 32, conninfo_location 40);
layout!(DropSubscriptionStmt size 24 align 8: type_ 0, subname 8, missing_ok 16, behavior 20);
layout!(PgqMessage size 48 align 8: level 0, sqlstate 4, cursor 8, message 16, detail 24, hint 32, next 40);
layout!(PgqOutcome size 64 align 8: failed 0, error 8, warnings 56);
layout!(PgqText size 16 align 8: data 0, len 8);
layout!(PgqToken size 12 align 4: location 0, value 4, kind 8);
layout!(PgqBodyPlace size 8 align 4: cursor 0, line 4);
