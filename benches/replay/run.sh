#!/usr/bin/env bash
# Measures the delay of `pgq replay` at a given rate. Then measures its statements per second with --speed max. Compares
# them with `pgbench -M prepared` (same statements and clients), and with pgreplay and pgreplay-go (same log).
#
#   ./run.sh [SECONDS [ROUNDS]]
#
# SECONDS is the duration of the pgbench run at the given rate [default: 20]. ROUNDS is the number of repetitions
# [default: 3]. Needs PostgreSQL's server and pgbench. Uses pgreplay if it is installed, and pgreplay-go if Go can build
# it. If root runs the script, the server runs as the user postgres.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
seconds=${1:-20} rounds=${2:-3} clients=16 rate=2000
target=${CARGO_TARGET_DIR:-$here/../../target}
pgq=${PGQ:-$target/release/pgq}
bin=$(dirname "$(readlink -f "$(command -v initdb || ls -d /usr/lib/postgresql/*/bin/initdb | tail -1)")")
work=$(mktemp -d)
as_server() { if [ "$(id -u)" = 0 ]; then su postgres -s /bin/sh -c "$1"; else sh -c "$1"; fi; }
trap 'as_server "$bin/pg_ctl -D $work/data -m immediate stop" > /dev/null 2>&1 || :; rm -rf "$work"' EXIT
left_out() { echo "left out: $1"; }

if [ -z "${PGQ:-}" ]; then (cd "$here/../.." && cargo build -q --release); fi
pgreplay=${PGREPLAY:-$(command -v pgreplay || :)}
[ -n "$pgreplay" ] || left_out 'pgreplay is not installed'
pgreplay_go=${PGREPLAY_GO:-$target/bench-pgreplay-go/pgreplay}
if [ ! -x "$pgreplay_go" ]; then
    GOBIN=$(dirname "$pgreplay_go") go install github.com/gocardless/pgreplay-go/cmd/pgreplay@latest 2> /dev/null \
        || { left_out 'pgreplay-go cannot be built'; pgreplay_go=''; }
fi

chmod 0777 "$work"
as_server "cd '$work' && '$bin/initdb' -D data -U postgres -A trust --no-sync -E UTF8 --locale=C.UTF-8 > /dev/null
    '$bin/pg_ctl' -D data -w -l '$work/log' -o \"-k '$work' -c listen_addresses= -c fsync=off \
        -c log_line_prefix='%m|%u|%d|%c|' -c shared_buffers=256MB\" start > /dev/null"
export PGHOST=$work PGUSER=postgres PGDATABASE=postgres
query() { "$bin/psql" -qXAt "$@"; }
query -c 'CREATE DATABASE bench'
"$bin/pgbench" -i -q -s 10 bench > /dev/null 2>&1

# All three programs can read this log. Each statement has a line when it begins, and a line with its duration.
log_on() {
    for setting in log_statement=all log_duration=on log_connections=on log_disconnections=on; do
        query -c "ALTER SYSTEM SET ${setting%=*} = '${setting#*=}'"
    done
    query -c 'SELECT pg_reload_conf()' > /dev/null
    sleep 1
    : > "$work/log"
}
log_off() {
    query -c 'ALTER SYSTEM RESET ALL' -c 'SELECT pg_reload_conf()' > /dev/null
    sleep 1
    cp "$work/log" "$1"
}
run_pgbench() { "$bin/pgbench" -n -M prepared -c "$clients" --random-seed=1 "$@" bench 2>&1; }
plan() { "$pgq" replay --trust-log --plan "$2" --database bench --log-line-prefix '%m|%u|%d|%c|' "$1"; }
replay() { "$pgq" replay --to "host=$work" --same-server --writes --format json "$@" > "$work/report" \
    || { cat "$work/report"; exit 1; }; }
field() { sed -n "s/^ *\"$1\": \([0-9.]*\),*$/\1/p" "$work/report" | head -1; }
lag() { sed -n '/"lag_ms"/,/}/s/^ *"\([a-z0-9]*\)": \([0-9.]*\),*$/\1 \2 ms/p' "$work/report" | paste -sd, ; }

echo "$("$bin/postgres" --version); load before: $(cut -d' ' -f1-3 /proc/loadavg); $(nproc) cores"
log_on
run_pgbench -S -R "$rate" -T "$seconds" > /dev/null
log_off "$work/paced.log"
plan "$work/paced.log" "$work/paced.plan"
for round in $(seq "$rounds"); do
    replay "$work/paced.plan"
    echo "lag at $rate statements a second, round $round: $(lag) ($(field executed) statements)"
done

# A transaction of pgbench -S has one statement. A TPC-B transaction has seven.
for kind in select tpcb; do
    [ "$kind" = select ] && script=-S statements=1 transactions=20000 || script= statements=7 transactions=1000
    log_on
    run_pgbench $script -t "$transactions" > /dev/null
    log_off "$work/$kind.log"
    plan "$work/$kind.log" "$work/$kind.plan"
    for round in $(seq "$rounds"); do
        tps=$(run_pgbench $script -t "$transactions" | sed -n 's/^tps = \([0-9.]*\).*/\1/p')
        echo "$kind: pgbench -M prepared: $(awk "BEGIN { printf \"%d\", $tps * $statements }")" | tee -a "$work/results"
        replay --speed max "$work/$kind.plan"
        executed=$(field executed)
        echo "$kind: pgq replay: $(awk "BEGIN { printf \"%d\", $executed / $(field seconds) }")" | tee -a "$work/results"
        wall() { # runs a program that executes the log; the elapsed time includes reading the log
            local begun ended
            begun=$(date +%s.%N)
            timeout 120 "${@:2}" > "$work/output" 2>&1 || { left_out "$1 failed: $(tail -1 "$work/output")"; return; }
            ended=$(date +%s.%N)
            awk -v name="$1" "BEGIN { printf \"$kind: %s: %d\n\", name, $executed / ($ended - $begun) }" \
                | tee -a "$work/results"
        }
        wall 'pgq replay, log read and planned' "$pgq" replay --to "host=$work" --same-server --trust-log --writes --speed max \
            --database bench --log-line-prefix '%m|%u|%d|%c|' "$work/$kind.log"
        [ -z "$pgreplay" ] || {
            [ -f "$work/$kind.pgreplay" ] || "$pgreplay" -f -o "$work/$kind.pgreplay" "$work/$kind.log"
            wall 'pgreplay' "$pgreplay" -r -s 100000 -h "$work" "$work/$kind.pgreplay"
        }
        [ -z "$pgreplay_go" ] || wall 'pgreplay-go' "$pgreplay_go" run --replay-rate 100000 --host "$work" \
            --user postgres --database bench --errlog-input "$work/$kind.log"
    done
done
printf '\nstatements a second, median of %s rounds\n' "$rounds"
cut -d: -f1,2 "$work/results" | sort -u | while read -r name; do
    printf '%-48s %10s\n' "$name" "$(grep "^$name: " "$work/results" | sed 's/.*: //' | sort -n \
        | sed -n "$(((rounds + 1) / 2))p")"
done
echo "load: $(cut -d' ' -f1-3 /proc/loadavg)"
