#!/usr/bin/env bash
# Builds the proxies and prints their times per query. All proxies must route the queries in the same way.
# pg_raw_parse needs libclang. If a proxy cannot be built, the script prints a message and continues.
set -euo pipefail
cd "$(dirname "$0")"
programs=$(cargo metadata --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/release
built=()
for parser in pgq pg_raw_parse pg_query; do
    if cargo build --release --features "$parser" --bin "proxy_$parser"; then
        built+=("$parser")
    else
        echo "left out: $parser cannot be built here"
    fi
done
digest=
for parser in "${built[@]}"; do
    line=$("$programs/proxy_$parser" "$@")
    echo "$line"
    routes=${line##* }
    if [ -n "$digest" ] && [ "$routes" != "$digest" ]; then
        echo "$parser routes queries in another way than ${built[0]}"
        exit 1
    fi
    digest=$routes
done
