#!/usr/bin/env bash
# Runs `pgq export --format parquet` and export_log.py alternately on the same log, measures their CPU times, and
# compares the rows: export_log.sh LOG [RUNS]. LOG is PostgreSQL's stderr log with
# log_line_prefix = '%m [%p] %q%u@%d %a %c ' and log_min_duration_statement = 0. Needs Python, pglast and pyarrow.
# Installs missing packages below target/.
set -euo pipefail
log=$(realpath "$1")
runs=${2:-3}
cd "$(dirname "$0")/../.."
python=python3
if ! "$python" -c 'import pglast, pyarrow' 2>/dev/null; then
    python=target/peers-venv/bin/python
    [ -x "$python" ] || python3 -m venv target/peers-venv
    "$python" -m pip --quiet install pglast pyarrow
fi
cargo build --quiet --release
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
TIMEFORMAT='%U %S'
pgq_times=() script_times=()
for _ in $(seq "$runs"); do
    pgq_times+=("$( { time target/release/pgq export --quiet --jobs 1 --output "$out/pgq.parquet" "$log"; } 2>&1)")
    script_times+=("$( { time "$python" benches/peers/export_log.py "$log" "$out/script.parquet"; } 2>&1)")
done
printf '%s\n' "pgq ${pgq_times[*]}" "script ${script_times[*]}" > "$out/times"
"$python" benches/peers/compare_exports.py "$log" "$out"
