"""Exports a log to Parquet with pglast and pyarrow, for the comparison with `pgq export --format parquet`.

    pip install pglast pyarrow
    python3 export_log.py LOG OUT.parquet

Reads a stderr log with log_line_prefix = '%m [%p] %q%u@%d %a %c '. Writes the columns time,
duration_us, pid, session, user, database, application, kind, fingerprint, sql and tables: pgq's default
columns except the normalized texts, which pglast cannot return. Caches the results of the last 4096 texts.
"""
import datetime, functools, re, sys
import pyarrow, pyarrow.parquet
from pglast import parse_sql
from pglast.parser import ParseError, fingerprint
from pglast.visitors import referenced_relations

LINE = re.compile(
    r"(\S+ \S+) (\S+) \[(\d+)\] (?:(\S*?)@(\S*) (.*?) (\w+\.\w+) )?(LOG|ERROR|FATAL|PANIC|WARNING|NOTICE|DETAIL|HINT|"
    r"CONTEXT|STATEMENT|INFO):  (.*)", re.S)
MESSAGE = re.compile(r"duration: ([\d.]+) ms  (?:statement|execute [^:]*): (.*)", re.S)
WORD = re.compile(r"\s*(\w*)")
SCHEMA = pyarrow.schema([
    ("time", pyarrow.timestamp("us", "UTC")), ("duration_us", pyarrow.int64()), ("pid", pyarrow.int64()),
    ("session", pyarrow.string()), ("user", pyarrow.string()), ("database", pyarrow.string()),
    ("application", pyarrow.string()), ("kind", pyarrow.string()), ("fingerprint", pyarrow.string()),
    ("sql", pyarrow.string()), ("tables", pyarrow.list_(pyarrow.string()))])
BATCH = 8192

def records(file):
    record = None
    for line in file:
        if line.startswith("\t"):
            if record:
                record[1].append(line[1:])
        elif found := LINE.match(line):
            if record:
                yield record
            record = (found, [found[9]]) if found[8] == "LOG" else None
    if record:
        yield record

@functools.lru_cache(maxsize=4096)
def answer(sql):
    try:
        relations = referenced_relations(parse_sql(sql))
        return fingerprint(sql), sorted(relations)
    except ParseError:
        return None, None

def rows(file):
    for found, lines in records(file):
        if message := MESSAGE.match("".join(lines)):
            sql = message[2].rstrip("\n")
            time = datetime.datetime.fromisoformat(f"{found[1]}+00:00")
            yield (time, round(float(message[1]) * 1000), int(found[3]), found[7], found[4], found[5], found[6],
                   WORD.match(sql)[1].lower(), answer(sql)[0], sql, answer(sql)[1])

with open(sys.argv[1], encoding="utf-8") as log, \
        pyarrow.parquet.ParquetWriter(sys.argv[2], SCHEMA, compression="zstd", compression_level=1) as out:
    batch = []
    for row in rows(log):
        batch.append(row)
        if len(batch) == BATCH:
            out.write_batch(pyarrow.record_batch([pyarrow.array(c, f.type) for c, f in zip(zip(*batch), SCHEMA)], SCHEMA))
            batch.clear()
    if batch:
        out.write_batch(pyarrow.record_batch([pyarrow.array(c, f.type) for c, f in zip(zip(*batch), SCHEMA)], SCHEMA))
