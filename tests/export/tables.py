"""Reads FOLDER/{tokens,nodes,groups}.{parquet,arrow} with DuckDB and pyarrow, and compares them with
what the same commands print as text: tokens.json, nodes.json (libpg_query's trees) and groups.csv.
"""

import csv
import json
import sys

import duckdb
import pyarrow

folder = sys.argv[1]


def read(name):
    parquet = duckdb.sql(f"FROM '{folder}/{name}.parquet'")
    rows = [dict(zip(parquet.columns, row)) for row in parquet.fetchall()]
    arrow = pyarrow.ipc.open_stream(f"{folder}/{name}.arrow").read_all().to_pylist()
    assert rows == arrow, f"{name}: Arrow and Parquet differ"
    return rows


def records(name):
    with open(f"{folder}/{name}.json", encoding="utf-8") as file:
        return [record for record in map(json.loads, file) if "error" not in record]


# Tokens.
found = read("tokens")
expected = [
    {"file": record["file"], "line": record["line"], "offset": record["offset"], **token}
    for record in records("tokens")
    for token in record["tokens"]
]
assert len(found) == len(expected), (len(found), len(expected))
for row, token in zip(found, expected):
    text = row.pop("text")
    assert row == token, (row, token)
    assert len(text.encode()) == row["end"] - row["start"], row
print(f"{len(found)} tokens are equal")


# Nodes: walks the JSON trees, in which a node of any type is an object with its type as the key.
def walk(value, field, parent, numbers):
    """Yields (number, parent, field, type or None, object) for each node."""
    if isinstance(value, list):
        for item in value:
            if item != {}:  # a NULL in a list
                yield from walk(item, field, parent, numbers)
        return
    if not isinstance(value, dict):
        return
    node_type = None
    if len(value) == 1 and next(iter(value))[0].isupper():
        (node_type, value), = value.items()
    number = next(numbers)
    yield number, parent, field, node_type, value
    for key, child in value.items():
        yield from walk(child, key, number, numbers)


def nodes(tree):
    numbers = iter(range(10**9))
    for statement in tree["stmts"]:
        yield from walk(statement["stmt"], "stmt", None, numbers)


found = iter(read("nodes"))
count = 0
for record in records("nodes"):
    for number, parent, field, node_type, value in nodes(record["tree"]):
        row = next(found)
        place = {key: record[key] for key in ("file", "line", "offset")}
        assert {key: row[key] for key in place} == place, (row, place)
        assert (row["node"], row["parent"], row["field"]) == (number, parent, field), (row, number, parent, field)
        assert node_type in (None, row["node_type"]), (row, node_type)
        location = value.get("location", 0)
        # The JSON omits a location of 0, and not every node type has a location.
        assert row["location"] == (None if location < 0 else location) or (not location and not row["location"]), row
        texts = [text for text in value.values() if isinstance(text, str)]
        assert row["name"] is None or row["name"] in texts, (row, texts)
        named = [value.get(key) for key in ("relname", "name", "sval", "colname", "ctename", "defname")]
        assert row["name"] or not any(isinstance(text, str) and text for text in named), (row, value)
        count += 1
assert next(found, None) is None
print(f"{count} nodes are equal")

# Groups.
found = read("groups")
with open(f"{folder}/groups.csv", encoding="utf-8", newline="") as file:
    expected = list(csv.DictReader(file))
assert len(found) == len(expected), (len(found), len(expected))
for row, group in zip(found, expected):
    for name in ("group", "fingerprint", "kind", "first", "last", "query", "change"):
        assert (row[name] or "") == group[name], (name, row, group)
    # The row of an error kind has no calls and no times: they are NULL, and empty in CSV.
    for name in ("calls", "errors", "temporary_files", "temporary_bytes", "lock_waits", "canceled"):
        assert row[name] == (int(group[name]) if group[name] else None), (name, row, group)
    for name in ("total", "p50", "p95", "p99", "max", "lock_wait"):
        ms = group[f"{name}_ms"]
        assert row[f"{name}_us"] == (round(float(ms) * 1000) if ms else None), (name, row, group)
    for name in ("users", "databases", "applications", "hosts", "tags", "tables"):
        assert row[name] == (json.loads(group[name]) if group[name] else None), (name, row, group)
    for name in ("p50", "p95", "p99"):
        ms = group[f"before_{name}_ms"]
        assert row[f"before_{name}_us"] == (round(float(ms) * 1000) if ms else None), (name, row, group)
    if group["share"]:
        assert abs(row["share"] - float(group["share"])) < 1e-6, (row, group)
        assert abs(row["mean_us"] - float(group["mean_ms"]) * 1000) < 1, (row, group)
print(f"{len(found)} groups are equal")
