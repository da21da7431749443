// Compares pgquill in Node with libpg-query and pgsql-parser. Prints microseconds per statement.
//
//   NODE_PATH=FOLDER/node_modules node benches/clients/compare.mjs [SQL FOLDER...]
//
// Every parser gets the same statements, which all parsers accept. The parsers run in turn, 20 rounds each. The
// result is the CPU time of the best round.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(path.join(process.env.NODE_PATH ?? ".", "x"));
const own = require("pgquill");
const other = require("libpg-query");
const parser = require("pgsql-parser");
await other.loadModule();
await parser.loadModule();

const project = new URL("../../", import.meta.url).pathname;
const folders = process.argv.length > 2 ? process.argv.slice(2)
  : ["analytics", "ddl", "migrations", "oltp", "orm"].map((name) => path.join(project, "fixtures", name));
const accepted = (sql) => {
  try {
    own.parseSync(sql);
    parser.deparseSync(other.parseSync(sql));
    return true;
  } catch {
    return false;
  }
};
const split = (sql) => {
  try {
    return own.splitSync(sql);
  } catch {
    return [];
  }
};
const texts = folders.flatMap((folder) => fs.readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".sql"))
  .flatMap((name) => split(fs.readFileSync(path.join(folder, name), "utf8")))).filter(accepted);
const trees = texts.map(own.parseSync);

const compare = (tasks, inputs) => {
  const best = {};
  for (let round = 0; round < 20; round++) {
    for (const [name, task] of Object.entries(tasks)) {
      const start = process.cpuUsage();
      for (const input of inputs) task(input);
      const { user, system } = process.cpuUsage(start);
      best[name] = Math.min(best[name] ?? Infinity, (user + system) / inputs.length);
    }
  }
  return Object.fromEntries(Object.entries(best).map(([name, time]) => [name, [time.toFixed(2), `${(time / best.pgquill).toFixed(2)}x`]]));
};

console.log(JSON.stringify({
  statements: texts.length,
  fingerprint: compare({ pgquill: own.fingerprintSync, "libpg-query": other.fingerprintSync }, texts),
  normalize: compare({ pgquill: own.normalizeSync, "libpg-query": other.normalizeSync }, texts),
  parse: compare({ pgquill: own.parseSync, "libpg-query": other.parseSync }, texts),
  deparse: compare({ pgquill: own.deparseSync, "pgsql-parser": parser.deparseSync }, trees),
}, null, 2));
