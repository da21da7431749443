"""Reads FOLDER/rows.{json,csv,arrow,parquet} with DuckDB and pyarrow, and compares every value.

The JSON is the reference. Lists are JSON arrays in CSV. Prints how many rows are equal.
"""

import datetime
import json
import sys

import duckdb
import pyarrow
import pyarrow.parquet

path = sys.argv[1]


def plain(value):
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return value


def rows(relation):
    return [dict(zip(relation.columns, map(plain, row))) for row in relation.fetchall()]


types = dict(row[:2] for row in duckdb.sql(f"DESCRIBE FROM '{path}.parquet'").fetchall())
lists = [name for name, kind in types.items() if kind.endswith("[]")]


def csv():
    columns = {name: "VARCHAR" if name in lists else kind for name, kind in types.items()}
    found = rows(
        duckdb.sql(
            f"FROM read_csv('{path}.csv', header = true, columns = {columns}, delim = ',', "
            "quote = '\"', escape = '\"', allow_quoted_nulls = false)"
        )
    )
    for row in found:
        row.update({name: json.loads(row[name]) for name in lists if row[name] is not None})
    return found


with open(f"{path}.json", encoding="utf-8") as file:
    expected = [json.loads(line) for line in file]
table = pyarrow.ipc.open_stream(f"{path}.arrow").read_all()
parquet = pyarrow.parquet.read_table(f"{path}.parquet")
found = {
    "CSV, DuckDB": csv(),
    "Arrow, DuckDB": rows(duckdb.from_arrow(table)),
    "Arrow, pyarrow": [{name: plain(value) for name, value in row.items()} for row in table.to_pylist()],
    "Parquet, DuckDB": rows(duckdb.sql(f"FROM '{path}.parquet'")),
    "Parquet, pyarrow": [{name: plain(value) for name, value in row.items()} for row in parquet.to_pylist()],
}
for reader, others in found.items():
    assert len(expected) == len(others), f"{reader}: {len(others)} rows, expected {len(expected)}"
    for number, (row, other) in enumerate(zip(expected, others)):
        different = {name: (row[name], other[name]) for name in row if row[name] != other[name]}
        assert not different, f"{reader}, row {number}: {different}"
assert {b"pgq.version", b"pgq.postgresql", b"pgq.schema"} <= parquet.schema.metadata.keys()
assert len(expected) > 1000
print(f"{len(expected)} rows are equal, read by {', '.join(found)}")
