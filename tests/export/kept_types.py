"""Writes FOLDER/{types,duckdb}.* with a column for each type of pyarrow and DuckDB, and compares the values that
`pgq export --keep-columns` copies from them with Python's values.
"""

import datetime
import decimal
import json
import math
import os
import subprocess
import sys
import uuid

import duckdb
import pyarrow
import pyarrow.parquet

folder = sys.argv[1]
SQL = "SELECT 1"
TIME = datetime.datetime(2024, 2, 29, 1, 2, 3, 4500)
UTC = datetime.timezone.utc


def kept(path):
    command = [os.environ["PGQ"], "export", "--columns=fingerprint", "--keep-columns", "--column=query", "--format=json", path]
    lines = subprocess.run(command, check=True, capture_output=True).stdout.splitlines()
    return [json.loads(line, parse_float=decimal.Decimal) for line in lines]


def text(value):
    """Returns the value in the form in which pgq writes it."""
    if isinstance(value, (bytes, bytearray)):
        return value.hex()
    if isinstance(value, datetime.datetime):
        utc = value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value
        fraction = f".{utc.microsecond:06}".removesuffix("000") if utc.microsecond else ""
        return f"{utc:%Y-%m-%dT%H:%M:%S}{fraction}{'Z' if value.tzinfo else ''}"
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, datetime.time):
        return value.isoformat() if value.microsecond else f"{value:%H:%M:%S}"
    if isinstance(value, datetime.timedelta):
        return f"{'-' if value < datetime.timedelta() else ''}PT{abs(value).total_seconds():g}S"
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, float):
        return {"inf": "inf", "-inf": "-inf", "nan": "NaN"}.get(str(value), decimal.Decimal(repr(value)))
    if isinstance(value, dict):
        return {str(key): text(member) for key, member in value.items()}
    if isinstance(value, list):
        return [text(item) for item in value]
    return value


a = pyarrow
numbers = {str(kind): ([-5, None, 7] if "u" not in str(kind) else [5, None, 7], kind)
           for kind in (a.int8(), a.int16(), a.int32(), a.int64(), a.uint8(), a.uint16(), a.uint32(), a.uint64())}
floats = {"double": ([0.1, math.inf, 1e300], a.float64()), "whole": ([1.0, None, math.nan], a.float64()),
          "float": ([1.5, -math.inf, 0.25], a.float32())}
amounts = [decimal.Decimal("1.50"), None, decimal.Decimal("-0.01")]
decimals = {str(kind): (amounts, kind) for kind in (
    a.decimal32(9, 2), a.decimal64(18, 2), a.decimal128(38, 2), a.decimal256(50, 2))}
texts = {str(kind): (['a "quoted" é', None, "longer than what a view holds"], kind)
         for kind in (a.string(), a.large_string(), a.string_view(), a.dictionary(a.int8(), a.string()))}
binary = {str(kind): ([b"\x00\xff", None, b"ab"], kind)
          for kind in (a.binary(), a.large_binary(), a.binary_view(), a.binary(2))}
times = {"date": ([TIME.date(), None, datetime.date(1, 1, 1)], a.date32()),
         "clock": ([TIME.time().replace(microsecond=0), None, datetime.time(23, 59, 59)], a.time32("s")),
         "fraction": ([datetime.time(1, 2, 3, 4), None, datetime.time(0)], a.time64("us")),
         "moment": ([TIME, None, datetime.datetime(1969, 12, 31, 23, 59, 59)], a.timestamp("us")),
         "seconds": ([TIME.replace(microsecond=0), None, None], a.timestamp("s")),
         "berlin": ([TIME.replace(tzinfo=UTC), None, None], a.timestamp("ns", tz="Europe/Berlin")),
         "offset": ([TIME.replace(tzinfo=UTC), None, None], a.timestamp("ms", tz="+05:30"))}
nested = {"list": ([[1, None], None, []], a.list_(a.int32())),
          "large": ([["a"], None, []], a.large_list(a.string())),
          "fixed": ([[1, 2], None, [3, 4]], a.list_(a.int32(), 2)),
          "view": ([[1, 2], None, [3]], a.list_view(a.int32())),
          "words": ([["x", None], None, ["y", "x"]], a.list_(a.dictionary(a.int8(), a.string()))),
          "struct": ([{"a": 1, "b": "x"}, None, {"a": None, "b": "y"}], a.struct([("a", a.int32()), ("b", a.string())])),
          "truth": ([True, None, False], a.bool_()), "nothing": ([None] * 3, a.null())}
columns = {**numbers, **floats, **decimals, **texts, **binary, **times, **nested}
table = a.table({"query": [SQL] * 3} | {name: a.array(values, kind) for name, (values, kind) in columns.items()})
table = table.append_column("map", a.array([[("k", 1)], None, [("x", None)]], a.map_(a.string(), a.int32())))
pyarrow.parquet.write_table(table, f"{folder}/types.parquet")
# Types that Parquet lacks, or that pyarrow does not write to Parquet.
runs = a.RunEndEncodedArray.from_arrays(a.array([2, 3], a.int32()), a.array(["run", None]))
more = {"runs": runs, "months": a.array([a.MonthDayNano([1, -2, 3_500_000_000]), None, a.MonthDayNano([0, 0, 0])]),
        "elapsed": a.array([datetime.timedelta(days=1, seconds=5), None, datetime.timedelta(seconds=-61)], a.duration("ms"))}
expected_more = [{"runs": "run", "months": "P1M-2DT3.5S", "elapsed": "PT86405S"},
                 {"runs": "run", "months": None, "elapsed": None},
                 {"runs": None, "months": "PT0S", "elapsed": "-PT61S"}]
wide = table
for name, array in more.items():
    wide = wide.append_column(name, array)
with pyarrow.ipc.new_stream(f"{folder}/types.arrow", wide.schema) as writer:
    writer.write_table(wide)

expected = []
for row in table.to_pylist():
    row["map"] = dict(row["map"]) if row["map"] is not None else None
    expected.append({name: text(value) for name, value in row.items()})
for path, rows in (("types.parquet", expected), ("types.arrow", [a | b for a, b in zip(expected, expected_more)])):
    found = kept(f"{folder}/{path}")
    assert len(found) == len(rows), (path, len(found))
    for row, values in zip(found, rows):
        row.pop("fingerprint")
        assert row.keys() == values.keys(), (path, row.keys(), values.keys())
        for name, value in values.items():
            assert row[name] == value, (path, name, row[name], value)
print(f"{len(expected)} rows of {len(columns)} types are equal")

TYPES = """'12345678-1234-1234-1234-123456789012'::UUID AS u, 'infinity'::TIMESTAMP AS later, '-infinity'::DATE AS before,
TIMETZ '01:02:03+02' AS zoned, 'b'::ENUM('a', 'b') AS e, TIMESTAMP_NS '2024-01-01 00:00:00.123456789' AS ns"""
duckdb.sql(f"COPY (SELECT '{SQL}' AS query, {TYPES}) TO '{folder}/duckdb.parquet'")
(row,) = kept(f"{folder}/duckdb.parquet")
row.pop("fingerprint")
assert row == {"query": SQL, "u": "12345678-1234-1234-1234-123456789012", "later": "infinity", "before": "-infinity",
               "zoned": "23:02:03Z", "e": "b", "ns": "2024-01-01T00:00:00.123456789"}, row

# Arrow's reader of Parquet does not support intervals with months.
duckdb.sql(f"COPY (SELECT '{SQL}' AS query, INTERVAL '1 month 2 days' AS i) TO '{folder}/interval.parquet'")
refused = subprocess.run([os.environ["PGQ"], "export", "--keep-columns", f"{folder}/interval.parquet"], capture_output=True)
assert refused.returncode == 2 and b'the column "i" has intervals' in refused.stderr, refused

# Columns of the obsolete type INT96 can have any year.
far = a.table({"query": [SQL], "far": [datetime.datetime(9999, 12, 31)], "old": [datetime.datetime(1, 1, 1, 0, 0, 0, 7)]})
nested = far.append_column("list", [[[TIME]]])
for name, written in (("int96", far), ("nested", nested)):
    pyarrow.parquet.write_table(written, f"{folder}/{name}.parquet", use_deprecated_int96_timestamps=True, store_schema=False)
(row,) = kept(f"{folder}/int96.parquet")
assert (row["far"], row["old"]) == ("9999-12-31T00:00:00", "0001-01-01T00:00:00.000007"), row
refused = subprocess.run([os.environ["PGQ"], "export", "--keep-columns", f"{folder}/nested.parquet"], capture_output=True)
assert refused.returncode == 2 and b"times of the obsolete type INT96" in refused.stderr, refused

# The logical types of Parquet are kept.
duckdb.sql(f"COPY (SELECT '{SQL}' AS query, uuid() AS u, '[]'::JSON AS j, [uuid()] AS l) TO '{folder}/logical.parquet'")
export = [os.environ["PGQ"], "export", "--keep-columns", "-o", f"{folder}/logical_kept.parquet", f"{folder}/logical.parquet"]
subprocess.run(export, check=True, capture_output=True)
both = [duckdb.sql(f"SELECT u, j, l FROM '{folder}/{name}.parquet'") for name in ("logical", "logical_kept")]
assert both[0].types == both[1].types and both[0].fetchall() == both[1].fetchall(), [rows.types for rows in both]

# Parquet has dates in days but not in milliseconds, and no timestamps in seconds.
days = a.table({"query": [SQL], "day": a.array([TIME.date()], a.date64())})
pyarrow.parquet.write_table(days, f"{folder}/days.parquet")
fingerprint = [os.environ["PGQ"], "fingerprint", "--keep-columns", "--format=parquet", "-o"]
subprocess.run([*fingerprint, f"{folder}/days_kept.parquet", f"{folder}/days.parquet"], check=True, capture_output=True)
assert duckdb.sql(f"SELECT day FROM '{folder}/days_kept.parquet'").fetchall() == [(TIME.date(),)]
seconds = a.table({"query": [SQL], "at": a.array([[TIME.replace(microsecond=0)]], a.list_(a.timestamp("s")))})
with pyarrow.ipc.new_stream(f"{folder}/seconds.arrow", seconds.schema) as writer:
    writer.write_table(seconds)
refused = subprocess.run([*fingerprint, f"{folder}/seconds.parquet", f"{folder}/seconds.arrow"], capture_output=True)
assert refused.returncode == 2 and b"Parquet has no type for the column" in refused.stderr, refused
