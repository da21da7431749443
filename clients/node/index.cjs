"use strict";
// Converts between JavaScript objects and the strings of the native library.

const { platformFile } = require("./platform.cjs");
const native = require(platformFile("pgquill.node"));

/** SQL that PostgreSQL refuses, or a tree that cannot be deparsed. */
class SqlError extends Error {
  constructor(message, details) {
    super(message);
    this.name = "SqlError";
    this.sqlDetails = details;
  }
}

function hasSqlDetails(error) {
  return error instanceof SqlError && error.sqlDetails !== undefined;
}

function sqlError(json) {
  const details = JSON.parse(json);
  return new SqlError(details.message, details);
}

function text(value) {
  if (typeof value !== "string") throw new TypeError(`expected a string, got ${typeof value}`);
  return value;
}

function runSync(operation, value) {
  const sql = text(value);
  try {
    return native.run(operation, sql);
  } catch (error) {
    throw sqlError(error.message);
  }
}

async function run(operation, value) {
  const sql = text(value);
  try {
    return await native.runAsync(operation, sql);
  } catch (error) {
    throw sqlError(error.message);
  }
}

async function runAll(operation, values) {
  const answers = await native.runAll(operation, Array.from(values, text));
  return answers.map((answer) => (answer.startsWith("\0") ? sqlError(answer.slice(1)) : answer));
}

const identity = (answer) => answer;

/** Returns the asynchronous and the synchronous function of an operation. */
function pair(operation, read = identity) {
  return [
    async (sql) => read(await run(operation, sql), sql),
    (sql) => read(runSync(operation, sql), sql),
  ];
}

const [parse, parseSync] = pair("parse", (json) => JSON.parse(json));
const [parsePlPgSQL, parsePlPgSQLSync] = pair("parsePlPgSQL", (json) => ({ plpgsql_funcs: JSON.parse(json) }));
const [fingerprint, fingerprintSync] = pair("fingerprint");
const [normalize, normalizeSync] = pair("normalize");
const [tables, tablesSync] = pair("tables", (json) => JSON.parse(json));
const [split, splitSync] = pair("split", (json) => JSON.parse(json));
const [scan, scanSync] = pair("scan", scanResult);

const postgresVersion = native.postgresVersion();
const [major, minor] = postgresVersion.split(".").map(Number);

function scanResult(json, sql) {
  const bytes = Buffer.from(sql);
  const tokens = JSON.parse(json);
  for (const token of tokens) token.text = bytes.toString("utf8", token.start, token.end);
  return { version: major * 10_000 + minor, tokens };
}

/** Returns the JSON document of a tree, statements, or nodes. */
function document(tree) {
  if (tree === null || typeof tree !== "object") throw new TypeError("expected a parse tree");
  if (Array.isArray(tree.stmts)) return JSON.stringify({ version: 0, stmts: tree.stmts });
  const nodes = Array.isArray(tree) ? tree : [tree];
  const stmts = nodes.map((node) => node.RawStmt ?? (node.stmt ? node : { stmt: node }));
  return JSON.stringify({ version: 0, stmts });
}

function deparseOperation(options) {
  return options?.pretty ? "deparsePretty" : "deparse";
}

const deparse = async (tree, options) => run(deparseOperation(options), document(tree));
const deparseSync = (tree, options) => runSync(deparseOperation(options), document(tree));
const reformat = async (sql, options) => run(options?.pretty ? "reformatPretty" : "reformat", sql);
const reformatSync = (sql, options) => runSync(options?.pretty ? "reformatPretty" : "reformat", sql);

const formatOperation = (options) => (options?.errors === "keep" ? "formatKeep" : "format");
const format = async (sql, options) => run(formatOperation(options), sql);
const formatSync = (sql, options) => runSync(formatOperation(options), sql);

const replacePlaceholdersSync = (sql, style) => runSync(`placeholders:${style}`, sql);

/** Does nothing. It exists for compatibility with pgsql-parser. */
async function loadModule() {}

module.exports = {
  SqlError,
  deparse,
  deparseSync,
  fingerprint,
  fingerprintAll: (texts) => runAll("fingerprint", texts),
  fingerprintSync,
  format,
  formatSync,
  hasSqlDetails,
  loadModule,
  normalize,
  normalizeAll: (texts) => runAll("normalize", texts),
  normalizeSync,
  parse,
  parsePlPgSQL,
  parsePlPgSQLSync,
  parseSync,
  postgresVersion,
  reformat,
  reformatSync,
  replacePlaceholdersSync,
  scan,
  scanSync,
  split,
  splitSync,
  tables,
  tablesSync,
};
