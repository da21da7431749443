// Runs the npm package libpg-query, which is libpg_query compiled to WebAssembly: libpg_query_peer.js FILE. src/lib.rs
// describes the protocol.

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fingerprintSync, loadModule, normalizeSync, parseSync, scanSync } from 'libpg-query';

// Each function has the measured call, and a conversion of the result to the answer for the comparison.
const functions = {
  parse: [parseSync, (tree) => String(tree.stmts?.length ?? 0)],
  fingerprint: [fingerprintSync, (fingerprint) => fingerprint],
  normalize: [normalizeSync, (text) => text],
  both: [(sql) => [fingerprintSync(sql), normalizeSync(sql)], (both) => both.join(' ')],
  scan: [scanSync, (scan) => String(scan.tokens.length)],
};

function answers(sql) {
  const found = {};
  for (const [name, [call, answer]] of Object.entries(functions)) {
    try {
      found[name] = answer(call(sql));
    } catch {} // every exception means that the parser rejects the statement
  }
  return found;
}

// Returns the CPU time of all threads of this process, in nanoseconds.
function cpuTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

await loadModule();
const statements = readFileSync(process.argv[2], 'utf8').split('\0').slice(0, -1);
const print = (value) => process.stdout.write(JSON.stringify(value) + '\n');
print({ postgresql: parseSync('SELECT 1').version, functions: Object.keys(functions) });
let call;
let chosen = [];
for await (const line of createInterface({ input: process.stdin })) {
  const [command, argument, bits] = line.split(' ');
  if (command === 'answer') {
    print(answers(statements[argument]));
  } else if (command === 'prepare') {
    [call] = functions[argument];
    chosen = statements.filter((_, number) => bits[number] === '1');
    print(chosen.length);
  } else if (command === 'round') {
    const start = cpuTime();
    for (const sql of chosen) call(sql);
    print(cpuTime() - start);
  } else if (command === 'each') {
    print(chosen.map((sql) => {
      const start = process.hrtime.bigint();
      call(sql);
      return Number(process.hrtime.bigint() - start);
    }));
  } else {
    throw new Error(`not a command: ${line}`);
  }
}
