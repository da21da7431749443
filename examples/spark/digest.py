#!/usr/bin/env python3
"""One digest of many logs, made by Apache Spark.

Each task passes file names to `pgq digest --state -` and returns the state, which is one line of
text. `pgq digest --merge` merges the states, first on the workers, then on the driver. Files are not
split, because a statement may span many lines, and pgq needs all its lines.
"""

import argparse
import glob
import os
import shlex
import subprocess
import sys

from pyspark.sql import SparkSession


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("logs", nargs="+", help="files, or patterns in quotes; every worker must see them")
    parser.add_argument("--out", required=True, help="file for the merged state, which pgq digest --merge reads")
    parser.add_argument("--pgq", default="pgq", help="the program, as the workers find it")
    parser.add_argument("--options", default="", help="options for pgq, in one argument: '--from stderr --user app'")
    parser.add_argument("--master", default=None, help="Spark's master [default: spark-submit's]")
    parser.add_argument("--files-per-task", type=int, default=1)
    parser.add_argument("--merges", type=int, default=8, help="number of states left for the driver to merge")
    return parser.parse_args()


def main():
    args = arguments()
    paths = sorted(os.path.abspath(path) for pattern in args.logs for path in glob.glob(pattern))
    if not paths:
        sys.exit(f"no such files: {' '.join(args.logs)}")

    builder = SparkSession.builder.appName("pgq digest")
    if args.master:
        builder = builder.master(args.master)
    spark = builder.getOrCreate()

    pgq, options = shlex.quote(args.pgq), args.options
    # Spark writes the file names of a task to the command's standard input, one per line. Without file
    # names, pgq would read this input as a log. Therefore, a task without file names does not start pgq.
    take = f"exec xargs -r -d '\\n' {pgq} digest --jobs 1 --state - {options} --"
    merge = f"IFS= read -r first || exit 0; {{ printf '%s\\n' \"$first\"; cat; }} | {pgq} digest --state - --merge -"

    tasks = max(1, -(-len(paths) // args.files_per_task))
    states = spark.sparkContext.parallelize(paths, tasks).pipe(f"sh -c {shlex.quote(take)}", checkCode=True)
    # The workers merge most states, because all states together may be too large for the driver.
    if tasks > args.merges:
        states = states.repartition(args.merges).pipe(f"sh -c {shlex.quote(merge)}", checkCode=True)
    lines = states.collect()
    version = spark.version
    spark.stop()

    command = [args.pgq, "digest", "--state", args.out, "--merge", "-"]
    subprocess.run(command, input="".join(line + "\n" for line in lines).encode(), check=True)
    text = sum(map(len, lines))
    print(f"Spark {version}: {len(paths)} files in {tasks} tasks, {len(lines)} states of {text} bytes of text")


if __name__ == "__main__":
    main()
