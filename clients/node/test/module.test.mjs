// Tests results, errors, and the forms of trees that users of pgsql-parser pass.
import assert from "node:assert/strict";
import test from "node:test";
import { Worker } from "node:worker_threads";
import * as pg from "../index.mjs";

test("answers", async () => {
  assert.equal(await pg.fingerprint("SELECT 1"), "50fde20626009aba");
  assert.equal(pg.normalizeSync("SELECT 1"), "SELECT $1");
  assert.deepEqual(await pg.tables("SELECT * FROM b JOIN a.c USING (x)"), ["a.c", "b"]);
  assert.deepEqual(pg.splitSync("SELECT 1; SELECT ';'"), ["SELECT 1", "SELECT ';'"]);
  const { tokens, version } = await pg.scan("SELECT 'é' -- x");
  assert.equal(version, pg.parseSync("SELECT 1").version);
  assert.deepEqual(tokens.map((token) => token.text), ["SELECT", "'é'", "-- x"]);
  await pg.loadModule();
});

test("placeholders become $n", () => {
  assert.equal(pg.replacePlaceholdersSync("SELECT ? FROM t WHERE a = ?", "qmark"), "SELECT $1 FROM t WHERE a = $2");
  assert.throws(() => pg.replacePlaceholdersSync("SELECT 1", "dollar"), /no operation placeholders:dollar/);
});

test("a tree is changed and written", async () => {
  const tree = await pg.parse("SELECT a FROM t");
  tree.stmts[0].stmt.SelectStmt.fromClause[0].RangeVar.relname = "Other";
  assert.equal(await pg.deparse(tree), 'SELECT a FROM "Other"');
  assert.equal(pg.deparseSync(tree.stmts[0].stmt), 'SELECT a FROM "Other"');
  assert.equal(pg.deparseSync([tree.stmts[0], tree.stmts[0]]), 'SELECT a FROM "Other"; SELECT a FROM "Other"');
});

test("format changes white space alone, and reports what stays as written", async () => {
  assert.equal(await pg.format("select  a,b from t -- all\n;"), "select a, b from t -- all\n;");
  await assert.rejects(pg.format("select  1;\nselect +;"), (error) => {
    assert.deepEqual([error.sqlDetails.line, error.sqlDetails.sqlState], [2, "42601"]);
    return true;
  });
  assert.throws(() => pg.formatSync("select 1;\nselect 2 \\set x 1\n+ 3;"), /cannot be formatted: meta-commands/);
  assert.equal(pg.formatSync("select  1;\nselect  +;", { errors: "keep" }), "select 1;\nselect  +;");
});

test("errors have a position and a SQLSTATE", async () => {
  await assert.rejects(pg.parse("SELECT 'é' +"), (error) => {
    assert.ok(error instanceof pg.SqlError && pg.hasSqlDetails(error));
    const { cursorPosition, offset, line, column, sqlState } = error.sqlDetails;
    assert.deepEqual([cursorPosition, offset, line, column, sqlState], [12, 13, 1, 13, "42601"]);
    return true;
  });
  assert.throws(() => pg.fingerprintSync("("), pg.SqlError);
  assert.throws(() => pg.deparseSync({ stmts: [{ stmt: { SelectStmt: { nothing: 1 } } }] }), /nothing/);
  assert.throws(() => pg.parseSync(7), TypeError);
});

test("a batch has each answer or error in its place", async () => {
  const [one, bad, other] = await pg.fingerprintAll(["SELECT 1", "(", "SELECT 2"]);
  assert.equal(one, other);
  assert.ok(bad instanceof pg.SqlError);
});

test("worker threads", async () => {
  const code = `
    const { parentPort } = require("node:worker_threads");
    const pg = require(${JSON.stringify(new URL("../index.cjs", import.meta.url).pathname)});
    let last;
    for (let n = 0; n < 2000; n++) last = pg.fingerprintSync("SELECT " + n);
    parentPort.postMessage(last);`;
  const answers = Array.from({ length: 4 }, () => new Promise((resolve, reject) => {
    const worker = new Worker(code, { eval: true });
    worker.once("message", resolve);
    worker.once("error", reject);
  }));
  assert.deepEqual(await Promise.all(answers), Array(4).fill("50fde20626009aba"));
});
