import library from "./index.cjs";

export default library;
export const {
  SqlError,
  deparse,
  deparseSync,
  fingerprint,
  fingerprintAll,
  fingerprintSync,
  hasSqlDetails,
  loadModule,
  normalize,
  normalizeAll,
  normalizeSync,
  parse,
  parsePlPgSQL,
  parsePlPgSQLSync,
  parseSync,
  postgresVersion,
  reformat,
  reformatSync,
  scan,
  scanSync,
  split,
  splitSync,
  tables,
  tablesSync,
} = library;
