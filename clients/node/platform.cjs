"use strict";
// Finds the files of this platform's package. Prefers a build in this folder, for development.

const fs = require("node:fs");
const path = require("node:path");
const { name } = require("./package.json");

/** Returns the path of a file in the platform's package: `pgquill.node` or `bin/pgq`. */
function platformFile(file) {
  const local = path.join(__dirname, file);
  if (fs.existsSync(local)) return local;
  const platform = `${name}-${process.platform}-${process.arch}`;
  try {
    return require.resolve(`${platform}/${file}`);
  } catch {
    throw new Error(
      `the package ${platform} is not installed: ${name} has no build for this platform, ` +
        "or npm was run with --omit=optional",
    );
  }
}

module.exports = { platformFile };
