import type { Node, ParseResult, RawStmt } from "./types.js";
export type * from "./types.js";

/** What is known of an error. `cursorPosition` counts characters from 0, `offset` bytes; `line` and `column` from 1. */
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

/** SQL that PostgreSQL refuses, or a tree that cannot be written. */
export declare class SqlError extends Error {
  sqlDetails?: SqlErrorDetails;
  constructor(message: string, details?: SqlErrorDetails);
}
export declare function hasSqlDetails(error: unknown): error is SqlError;

/** Parses statements into libpg_query's JSON tree. Rejects with SqlError. */
export declare function parse(sql: string): Promise<ParseResult>;
export declare function parseSync(sql: string): ParseResult;

/** The functions in PL/pgSQL that a text defines. */
export declare function parsePlPgSQL(sql: string): Promise<PlPgSQLResult>;
export declare function parsePlPgSQLSync(sql: string): PlPgSQLResult;
export interface PlPgSQLResult {
  plpgsql_funcs: unknown[];
}

export interface DeparseOptions {
  /** Break and indent lines. */
  pretty?: boolean;
}
/** SQL of a tree, statements, or nodes. The SQL is parsed, and its tree compared: another one is an error. */
export declare function deparse(tree: Tree, options?: DeparseOptions): Promise<string>;
export declare function deparseSync(tree: Tree, options?: DeparseOptions): string;
export type Tree = { version?: number; stmts: RawStmt[] } | RawStmt | Node | (RawStmt | Node)[];

/** SQL in the deparser's layout. */
export declare function reformat(sql: string, options?: DeparseOptions): Promise<string>;
export declare function reformatSync(sql: string, options?: DeparseOptions): string;

export interface FormatOptions {
  /** "keep": statements that cannot be formatted, such as invalid ones, stay as written. By default they are errors. */
  errors?: "keep" | "raise";
}
/** A script in the layout of `pgq format`: only white space changes. */
export declare function format(sql: string, options?: FormatOptions): Promise<string>;
export declare function formatSync(sql: string, options?: FormatOptions): string;

/** The fingerprint: 16 hexadecimal digits. */
export declare function fingerprint(sql: string): Promise<string>;
export declare function fingerprintSync(sql: string): string;
/** The fingerprint of each text, or its error, in one call. */
export declare function fingerprintAll(texts: Iterable<string>): Promise<(string | SqlError)[]>;

/** The text with `$n` in place of its constants. */
export declare function normalize(sql: string): Promise<string>;
export declare function normalizeSync(sql: string): string;
/** Each text normalized, or its error, in one call. */
export declare function normalizeAll(texts: Iterable<string>): Promise<(string | SqlError)[]>;

/** Names of tables, sorted, each once. */
export declare function tables(sql: string): Promise<string[]>;
export declare function tablesSync(sql: string): string[];

/** The statements of a text, without semicolons. */
export declare function split(sql: string): Promise<string[]>;
export declare function splitSync(sql: string): string[];

/** A token; `start` and `end` count bytes of the text in UTF-8. */
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
  tokens: ScanToken[];
}
export declare function scan(sql: string): Promise<ScanResult>;
export declare function scanSync(sql: string): ScanResult;

/** Does nothing: for programs that were written for libpg-query. */
export declare function loadModule(): Promise<void>;

/** The PostgreSQL version whose grammar this is. */
export declare const postgresVersion: string;
