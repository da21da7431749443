"""Compares the rows of two files and prints the CPU times of their writers, as the last step of export_log.sh."""
import os, sys
import pyarrow.parquet

log, folder = sys.argv[1:]
# The columns that must be equal. pglast has fingerprints of PostgreSQL 17 and quotes table names.
SAME = ["time", "duration_us", "pid", "session", "user", "database", "application", "kind", "sql"]
tables = [pyarrow.parquet.read_table(f"{folder}/{name}.parquet", columns=SAME) for name in ("pgq", "script")]
if not tables[0].equals(tables[1].cast(tables[0].schema)):
    sys.exit(f"the rows differ: {tables[0].num_rows} of pgq, {tables[1].num_rows} of the script")
size = os.path.getsize(log)
best = {}
for line in open(f"{folder}/times"):
    name, *times = line.split()
    pairs = [float(user) + float(system) for user, system in zip(times[::2], times[1::2])]
    best[name] = min(pairs)
    print(f"{name}: {', '.join(f'{pair:.2f}' for pair in pairs)} s of CPU, best {size / 1e6 / min(pairs):.0f} MB/s")
print(f"{tables[0].num_rows} equal rows; the script takes {best['script'] / best['pgq']:.1f} times the CPU of pgq")
