import type { Node, ParseResult, RawStmt } from "./types.js";
export type * from "./types.js";

/** Details of an error. `cursorPosition` counts characters, `offset` bytes, both from 0; `line` and `column` from 1. */
export interface SqlErrorDetails {
  message: string;
  cursorPosition?: number;
  offset?: number;
  line?: number;
  column?: number;
  sqlState?: string;
  detail?: string;
  hint?: string;
}

/** SQL that PostgreSQL refuses, or a tree that cannot be deparsed. */
export declare class SqlError extends Error {
  sqlDetails?: SqlErrorDetails;
  constructor(message: string, details?: SqlErrorDetails);
}
export declare function hasSqlDetails(error: unknown): error is SqlError;

/** Parses statements into libpg_query's JSON tree. Rejects with SqlError. */
export declare function parse(sql: string): Promise<ParseResult>;
export declare function parseSync(sql: string): ParseResult;

/** Returns the PL/pgSQL functions that the SQL defines. */
export declare function parsePlPgSQL(sql: string): Promise<PlPgSQLResult>;
export declare function parsePlPgSQLSync(sql: string): PlPgSQLResult;
export interface PlPgSQLResult {
  plpgsql_funcs: unknown[];
}

export interface DeparseOptions {
  /** Break and indent lines. */
  pretty?: boolean;
}
/** Returns the SQL of a tree, statements, or nodes. Rejects if the SQL does not parse back to the same tree. */
export declare function deparse(tree: Tree, options?: DeparseOptions): Promise<string>;
export declare function deparseSync(tree: Tree, options?: DeparseOptions): string;
export type Tree = { version?: number; stmts: RawStmt[] } | RawStmt | Node | (RawStmt | Node)[];

/** Returns the SQL in the deparser's layout. */
export declare function reformat(sql: string, options?: DeparseOptions): Promise<string>;
export declare function reformatSync(sql: string, options?: DeparseOptions): string;

export interface FormatOptions {
  /** With "keep", statements that cannot be formatted stay as written. By default they are errors. */
  errors?: "keep" | "raise";
}
/** Returns the script in the layout of `pgq format`. Only white space changes. */
export declare function format(sql: string, options?: FormatOptions): Promise<string>;
export declare function formatSync(sql: string, options?: FormatOptions): string;

/** Returns the fingerprint: 16 hexadecimal digits. */
export declare function fingerprint(sql: string): Promise<string>;
export declare function fingerprintSync(sql: string): string;
/** Returns the fingerprint or the error of each text. */
export declare function fingerprintAll(texts: Iterable<string>): Promise<(string | SqlError)[]>;

/** Returns the SQL with `$n` in place of its constants. */
export declare function normalize(sql: string): Promise<string>;
export declare function normalizeSync(sql: string): string;
/** Returns the normalized SQL or the error of each text. */
export declare function normalizeAll(texts: Iterable<string>): Promise<(string | SqlError)[]>;

export type PlaceholderStyle = "qmark" | "format" | "pyformat" | "named" | "numeric" | "at" | "psql" | "extension";
/** Returns the SQL with `$n` in place of a driver's placeholders, such as `?` for the style "qmark". */
export declare function replacePlaceholdersSync(sql: string, style: PlaceholderStyle): string;

/** Returns the names of tables, sorted, without duplicates. */
export declare function tables(sql: string): Promise<string[]>;
export declare function tablesSync(sql: string): string[];

/** Returns the statements of a script, without semicolons. */
export declare function split(sql: string): Promise<string[]>;
export declare function splitSync(sql: string): string[];

/** A token. `start` and `end` are byte offsets in the SQL in UTF-8. */
export interface ScanToken {
  start: number;
  end: number;
  text: string;
  tokenType: number;
  tokenName: string;
  keywordKind: number;
  keywordName: string;
}
export interface ScanResult {
  /** PostgreSQL's version number, such as 180006. It equals a tree's `version`. */
  version: number;
  tokens: ScanToken[];
}
export declare function scan(sql: string): Promise<ScanResult>;
export declare function scanSync(sql: string): ScanResult;

/** Does nothing. It exists for compatibility with libpg-query. */
export declare function loadModule(): Promise<void>;

/** The PostgreSQL version of the grammar. */
export declare const postgresVersion: string;
