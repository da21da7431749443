#!/bin/sh
# Digests logs with a local Spark and without Spark. The results must have the same bytes.
# Usage: run.sh FOLDER LOG... FOLDER is for the output. README.md describes PGQ, PYTHON, MASTER and
# OPTIONS. Needs Java 17 and pyspark. Without them, the script prints a message and exits with 0.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
pgq=${PGQ:-pgq}
python=${PYTHON:-python3}
options=${OPTIONS:-}
# Two workers as separate processes. Each has one core and 1,024 MB of memory.
master=${MASTER:-local-cluster[2,1,1024]}
folder=$1
shift

if ! java -version >/dev/null 2>&1; then
    echo "left out: no Java (apt-get install default-jre-headless)"
    exit 0
fi
if ! "$python" -c "import pyspark" 2>/dev/null; then
    echo "left out: no pyspark for $python (python3 -m venv .venv && .venv/bin/pip install pyspark)"
    exit 0
fi

mkdir -p "$folder"
export PYSPARK_SUBMIT_ARGS="--conf spark.ui.enabled=false pyspark-shell"
export PYSPARK_PYTHON="$python" SPARK_LOCAL_DIRS="$folder" SPARK_WORKER_DIR="$folder" SPARK_LOCAL_IP=127.0.0.1
"$python" "$here/digest.py" --master "$master" --pgq "$pgq" --options "$options" --out "$folder/spark.state" "$@"
# The shell splits OPTIONS, which may contain quotes. Spark's tasks split OPTIONS in the same way.
single() { eval "\"\$pgq\" digest $options \"\$@\""; }
single --state "$folder/single.state" "$@"

cmp "$folder/spark.state" "$folder/single.state"
"$pgq" digest --format json --merge "$folder/spark.state" >"$folder/spark.json"
single --format json "$@" >"$folder/single.json"
cmp "$folder/spark.json" "$folder/single.json"
echo "equal: $(wc -c <"$folder/spark.state") bytes of state, $(wc -c <"$folder/spark.json") bytes of JSON"
