#!/usr/bin/env bash
# Builds other parsers, runs them alternately with pgq on the same statements, and writes docs/benchmarks.md with its
# charts, and the figures in README.md. Takes about ten minutes, in addition to the build. On an idle machine:
#
#   ./run.sh             # --quick to see that it works; --help has the options
#
# It needs Rust and a C compiler; libclang for pg_query and pg_raw_parse; Go, Python and Node with their registries.
# A parser that cannot be built is excluded, and the page tells why. pgBadger is included if it is installed.
set -euo pipefail
cd "$(dirname "$0")"
LOAD_AT_START=$(cut -d' ' -f1 /proc/loadavg 2> /dev/null || true)
export LOAD_AT_START
exec cargo run --quiet --release --features compare --bin compare -- "$@"
