#!/usr/bin/env bash
# Builds the parsers and prints their times side by side: run.sh [FILE.sql...]. Some of them need
# libclang. A parser that cannot be built is left out, with a message.
set -euo pipefail
cd "$(dirname "$0")"
files=("$@")
if [ ${#files[@]} = 0 ]; then
    files=(../../fixtures/analytics/long_query.sql ../../fixtures/oltp/pgbench_like.sql)
fi

cargo build --release --features pgq --bin pgq --bin compare
programs=$(cargo metadata --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/release
parsers=(pgq)
for peer in pg_query pg_raw_parse sqlparser; do
    if cargo build --release --features "$peer" --bin "$peer"; then
        parsers+=("$peer")
    else
        echo "left out: $peer cannot be built here"
    fi
done
echo "rustc: $(rustc --version); $(uname -sm)"
"$programs/compare" "${parsers[@]}" -- "${files[@]}"
