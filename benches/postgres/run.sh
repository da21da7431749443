#!/usr/bin/env bash
# Measures the statements per second of pgq-postgres, pgx's SendBatch and psycopg's pipeline mode. Every client uses one
# connection, sends batches of 10,000 statements with one Sync message per batch, and reads all rows.
#
#   ./run.sh [ROUNDS [SECONDS [ROWS]]]
#
# Needs PostgreSQL's server, Go, Python, and access to their registries. Skips missing clients. If root runs the script,
# the server runs as the user postgres.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
rounds=${1:-5} seconds=${2:-3} rows=${3:-10000}
target=${CARGO_TARGET_DIR:-$here/../../target}
bin=$(dirname "$(readlink -f "$(command -v initdb || ls -d /usr/lib/postgresql/*/bin/initdb | tail -1)")")
work=$(mktemp -d)
as_server() { if [ "$(id -u)" = 0 ]; then su postgres -s /bin/sh -c "$1"; else sh -c "$1"; fi; }
trap 'as_server "$bin/pg_ctl -D $work/data -m immediate stop" >/dev/null 2>&1 || :; rm -rf "$work"' EXIT
chmod 0777 "$work"
as_server "cd '$work' && '$bin/initdb' -D data -U postgres -A trust --no-sync -E UTF8 --locale=C.UTF-8 >/dev/null
    '$bin/pg_ctl' -D data -w -l log -o \"-k '$work' -c listen_addresses= -c fsync=off\" start >/dev/null
    '$bin/psql' -qX -h '$work' -U postgres -c \"CREATE TABLE harbors AS SELECT id, 'Harbor ' || id AS name
        FROM generate_series(1, 100) AS id\" -c 'VACUUM ANALYZE harbors'"
server="host=$work user=postgres dbname=postgres sslmode=disable"

(cd "$here/../.." && cargo build -q --release -p pgq-postgres --example batches)
names=(pgq-postgres)
commands=("$target/release/examples/batches")
if (cd "$here/pgx" && go build -o "$target/bench-pgx" .); then
    names+=("pgx SendBatch") commands+=("$target/bench-pgx")
else
    echo 'left out: pgx cannot be built'
fi
if { [ -d "$target/bench-psycopg" ] || python3 -m venv "$target/bench-psycopg"; } \
    && "$target/bench-psycopg/bin/pip" install -q 'psycopg[binary]'; then
    names+=("psycopg pipeline") commands+=("$target/bench-psycopg/bin/python $here/psycopg_pipeline.py")
else
    echo 'left out: psycopg cannot be installed'
fi

for round in $(seq "$rounds"); do
    for number in "${!names[@]}"; do
        # CPU time of the client: user and system.
        TIMEFORMAT='%U %S'
        { time ${commands[$number]} "$server" "$rows" "$seconds" > "$work/found"; } 2> "$work/time"
        echo "$number $(cat "$work/found") $(tail -1 "$work/time")" >> "$work/results"
    done
done
printf '%-20s %14s %14s %16s\n' client 'median a second' 'best' 'client CPU, µs'
for number in "${!names[@]}"; do
    grep "^$number " "$work/results" | sort -k2 -n | awk -v name="${names[$number]}" -v seconds="$seconds" '
        { rate[NR] = $2; cpu += ($4 + $5) * 1e6 / ($2 * seconds) }
        END { printf "%-20s %14d %14d %16.2f\n", name, rate[int((NR + 1) / 2)], rate[NR], cpu / NR }'
done
echo "$rounds rounds of $seconds s, batches of $rows; load: $(cut -d' ' -f1-3 /proc/loadavg)"
