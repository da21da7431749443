#!/usr/bin/env bash
# Builds other parsers and runs them alternately with pgq on the same statements. Then writes docs/benchmarks.md, its
# charts, and the figures in README.md. The measurements take about ten minutes on an idle machine.
#
#   ./run.sh             # --quick for a short test; --help lists the options
#
# Needs Rust, a C compiler, Go, Python, Node, and access to their registries. pg_query and pg_raw_parse need libclang.
# Excludes parsers that cannot be built. The page says why. Includes pgBadger if it is installed.
set -euo pipefail
cd "$(dirname "$0")"
LOAD_AT_START=$(cut -d' ' -f1 /proc/loadavg 2> /dev/null || true)
export LOAD_AT_START
exec cargo run --quiet --release --features compare --bin compare -- "$@"
