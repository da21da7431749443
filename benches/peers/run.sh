#!/usr/bin/env bash
# Builds other parsers, runs them beside pgq on the same statements, and writes docs/benchmarks.md with its charts, and
# the figures in README.md. About ten minutes, and the time for building. On a machine with nothing else to do:
#
#   ./run.sh             # --quick to see that it works; --help has the options
#
# It needs Rust and a C compiler; libclang for pg_query and pg_raw_parse; Go, Python and Node with their registries.
# A parser that cannot be built is left out, and the page says why. pgBadger takes part where it is installed.
set -euo pipefail
cd "$(dirname "$0")"
LOAD_AT_START=$(cut -d' ' -f1 /proc/loadavg 2> /dev/null || true)
export LOAD_AT_START
exec cargo run --quiet --release --features compare --bin compare -- "$@"
