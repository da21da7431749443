#!/usr/bin/env node
"use strict";
// Runs the program of this platform's package.

const { spawnSync } = require("node:child_process");
const { platformFile } = require("../platform.cjs");

const { status, signal, error } = spawnSync(platformFile("bin/pgq"), process.argv.slice(2), { stdio: "inherit" });
if (error) {
  console.error(`pgq: ${error.message}`);
  process.exitCode = 2;
} else if (signal) {
  process.kill(process.pid, signal);
} else {
  process.exitCode = status;
}
