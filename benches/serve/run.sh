#!/usr/bin/env bash
# Measures how many fingerprints and normalized texts per second are computed by pgq in process, by the Go and Python
# clients of `pgq serve`, and by other parsers for Go and Python. Then measures statements executed on PostgreSQL.
# Prints the results as tables.
#
#   ./run.sh [SECONDS]       duration of each measurement [default: 3]
#
# Needs Go, Python, access to their registries, and PostgreSQL's server. Skips missing programs.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
seconds=${1:-3}
target=${CARGO_TARGET_DIR:-$here/../../target}
pgq=${PGQ:-$target/release/pgq}
work=$(mktemp -d)
bin=''
as_server() { if [ "$(id -u)" = 0 ]; then su postgres -s /bin/sh -c "$1"; else sh -c "$1"; fi; }
finish() {
    [ -z "${daemon:-}" ] || kill "$daemon" 2> /dev/null || :
    [ -z "$bin" ] || as_server "'$bin/pg_ctl' -D '$work/pg/data' -m immediate stop" > /dev/null 2>&1 || :
    rm -rf "$work"
}
trap finish EXIT
left_out() { echo "left out: $1"; }

if [ -z "${PGQ:-}" ]; then (cd "$here/../.." && cargo build -q --release); fi
in_process=${PGQ_IN_PROCESS:-}
if [ -z "$in_process" ]; then
    in_process=$(cd "$here/../.." && cargo bench -q --bench serve --no-run --message-format json \
        | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -1)
fi
mkdir -p "$target/bench-serve"
for program in serve execute cgo wasm oliphant; do
    (cd "$here/go" && go build -o "$target/bench-serve/$program" "./$program") || left_out "go build ./$program"
done
python=$target/bench-pglast/bin/python
{ [ -d "$target/bench-pglast" ] || python3 -m venv "$target/bench-pglast"; } \
    && "$target/bench-pglast/bin/pip" install -q pglast || left_out 'pglast cannot be installed'

python3 "$here/workload.py" "$work/workload.sql"
"$pgq" serve --socket "$work/pgq.sock" --jobs 1 &
daemon=$!
export PGQ_DAEMON=$daemon
until [ -S "$work/pgq.sock" ]; do sleep 0.05; done

run() { [ ! -x "$1" ] || "$@" >> "$work/results" || left_out "$1 failed"; }
run "$in_process" "$work/workload.sql" "$seconds"
run "$target/bench-serve/serve" "$work/workload.sql" "$seconds" "$work/pgq.sock"
run "$(command -v python3)" "$here/python_client.py" "$work/workload.sql" "$seconds" "$work/pgq.sock"
run "$target/bench-serve/cgo" "$work/workload.sql" "$seconds"
run "$target/bench-serve/wasm" "$work/workload.sql" "$seconds"
run "$target/bench-serve/oliphant" "$work/workload.sql" "$seconds"
run "$python" "$here/pglast_in_process.py" "$work/workload.sql" "$seconds"

# On a busy machine, CPU time is more reliable than elapsed time.
printf '%-42s %12s %14s %14s\n' '' 'a second' 'CPU ns here' 'in the daemon'
sort -t, -k1,1 -s "$work/results" | while IFS=$'\t' read -r name rate own daemon; do
    printf '%-42s %12d %14d %14d\n' "$name" "$rate" "$own" "$daemon"
done

# The clients execute SELECT id, name FROM harbors LIMIT $1 on one connection, send batches of 10,000 statements with
# one Sync message per batch, and read all rows. The programs of the other clients are in benches/postgres.
initdb=$(command -v initdb || ls -d /usr/lib/postgresql/*/bin/initdb 2> /dev/null | tail -1 || :)
if [ -z "$initdb" ]; then
    left_out "execution: PostgreSQL's server is not installed"
    exit
fi
bin=$(dirname "$(readlink -f "$initdb")")
mkdir "$work/pg"
chmod 0755 "$work"
chmod 0777 "$work/pg"
as_server "cd '$work/pg' && '$bin/initdb' -D data -U postgres -A trust --no-sync -E UTF8 --locale=C.UTF-8 > /dev/null
    '$bin/pg_ctl' -D data -w -l log -o \"-k '$work/pg' -c listen_addresses= -c fsync=off\" start > /dev/null
    '$bin/psql' -qX -h '$work/pg' -U postgres -c \"CREATE TABLE harbors AS SELECT id, 'Harbor ' || id AS name
        FROM generate_series(1, 100) AS id\" -c 'VACUUM ANALYZE harbors'"
server="host=$work/pg user=postgres dbname=postgres sslmode=disable"
batches=${PGQ_BATCHES:-$target/release/examples/batches}
[ -n "${PGQ_BATCHES:-}" ] || (cd "$here/../.." && cargo build -q --release -p pgq-postgres --example batches)
(cd "$here/../postgres/pgx" && go build -o "$target/bench-pgx" .) || left_out 'pgx cannot be built'
{ [ -d "$target/bench-psycopg" ] || python3 -m venv "$target/bench-psycopg"; } \
    && "$target/bench-psycopg/bin/pip" install -q 'psycopg[binary]' || left_out 'psycopg cannot be installed'
seconds=${seconds%.*} # these programs need an integer
[ "${seconds:-0}" -gt 0 ] || seconds=1
for round in 1 2 3; do
    execute() {
        local name=$1
        shift
        [ ! -x "$1" ] || printf '%s\t%s\n' "$name" "$("$@" | cut -d' ' -f1)" >> "$work/executed"
    }
    execute 'pgx SendBatch' "$target/bench-pgx" "$server" 10000 "$seconds"
    execute 'Go client through pgq serve' "$target/bench-serve/execute" "$server" 10000 "$seconds" "$work/pgq.sock"
    execute 'pgq-postgres directly (Rust)' "$batches" "$server" 10000 "$seconds"
    execute 'psycopg pipeline' "$target/bench-psycopg/bin/python" "$here/../postgres/psycopg_pipeline.py" "$server" \
        10000 "$seconds"
done
printf '\n%-46s %14s\n' 'executed a second, median of 3 rounds' ''
for name in 'pgx SendBatch' 'Go client through pgq serve' 'pgq-postgres directly (Rust)' 'psycopg pipeline'; do
    printf '%-46s %14s\n' "$name" "$(grep "^$name" "$work/executed" | cut -f2 | sort -n | sed -n 2p)"
done
echo "load: $(cut -d' ' -f1-3 /proc/loadavg); $(nproc) cores"
