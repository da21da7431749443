// Compares results with the command line's, over PostgreSQL's regression tests. PGQ_PROGRAM names the program.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import * as pg from "../index.mjs";

const program = process.env.PGQ_PROGRAM;
const project = new URL("../../../", import.meta.url).pathname;

/** Returns the files of the corpus that build/pins.rs names, and the fixtures. */
function files() {
  const arguments_ = ["metadata", "--locked", "--format-version=1", "--manifest-path", path.join(project, "Cargo.toml")];
  const { packages } = JSON.parse(execFileSync("cargo", arguments_, { maxBuffer: 1 << 28 }));
  const { manifest_path } = packages.find(({ name }) => name === "pg_raw_parse");
  const folders = [path.join(path.dirname(manifest_path), "libpg_query/test/sql"), path.join(project, "fixtures")];
  return folders.flatMap((folder) =>
    fs.readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".sql")).sort().map((name) => path.join(folder, name)));
}

/** Returns the command line's record for each text. */
function records(texts, ...arguments_) {
  const done = spawnSync(program, [...arguments_, "--from", "null", "--format", "json"],
    { input: texts.join("\0"), maxBuffer: 1 << 30 });
  return done.stdout.toString().trimEnd().split("\n").map((line) => JSON.parse(line));
}

test("equality with the command line", { skip: program ? false : "PGQ_PROGRAM is not set" }, async (t) => {
  // The statements of the scripts, split at the offsets that `pgq normalize` reports.
  const texts = [];
  for (const file of files()) {
    const source = fs.readFileSync(file);
    const done = spawnSync(program, ["normalize", "--verbatim", "--show-secrets", "--format", "json", file], { maxBuffer: 1 << 30 });
    const offsets = done.stdout.toString().trimEnd().split("\n").filter(Boolean).map((line) => JSON.parse(line).offset);
    offsets.forEach((offset, index) => {
      const text = source.toString("utf8", offset, offsets[index + 1] ?? source.length).trim();
      if (text && !text.includes("\0")) texts.push(text);
    });
  }
  assert.ok(texts.length > 40_000, `${texts.length} statements`);

  const compare = (expected, key, answer) => {
    assert.equal(expected.length, texts.length);
    let differences = 0;
    texts.forEach((sql, index) => {
      let found;
      let wanted = expected[index][key];
      try {
        found = answer(sql);
      } catch (error) {
        found = error.message;
        wanted = expected[index].error?.message;
      }
      try {
        assert.deepEqual(found, wanted);
      } catch {
        if (differences++ < 3) console.error(sql, found, wanted);
      }
    });
    assert.equal(differences, 0);
  };
  await t.test("fingerprint", () => compare(records(texts, "fingerprint"), "fingerprint", pg.fingerprintSync));
  await t.test("normalize", () => compare(records(texts, "normalize", "--verbatim", "--show-secrets"), "normalized", pg.normalizeSync));
  await t.test("JSON", () => compare(records(texts, "parse"), "tree", pg.parseSync));
  await t.test("deparse", () => compare(records(texts, "deparse"), "sql", pg.reformatSync));
});
