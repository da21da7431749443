"""Measures the statements per second of the Python client through a daemon: python_client.py WORKLOAD SECONDS SOCKET"""

import json
import pathlib
import socket
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "clients/python"))
from measure import measure  # noqa: E402
from pgquill import Client  # noqa: E402

texts = pathlib.Path(sys.argv[1]).read_text().splitlines()
seconds, path = float(sys.argv[2]), sys.argv[3]


def one_by_one(call):
    for text in texts[:2000]:
        call(text)
    return 2000


def in_flight(client, method, texts, width):
    """Makes calls. At most `width` calls wait for an answer at the same time."""
    pending = []
    for text in texts:
        pending.append(client.send(method, text))
        if len(pending) == width:
            pending.pop(0).result()
    for each in pending:
        each.result()
    return len(texts)


with Client.connect(path) as client:
    batches = [texts[start : start + 1000] for start in range(0, len(texts), 1000)]
    for name, one, many in [
        ("fingerprint", client.fingerprint, client.fingerprint_all),
        ("normalize", client.normalize, client.normalize_all),
    ]:
        measure(f"{name}, Python, binary, batch 1", seconds, lambda: one_by_one(one))
        measure(f"{name}, Python, binary, 64 in flight", seconds, lambda: in_flight(client, one, texts[:5000], 64))
        measure(
            f"{name}, Python, binary, batch 1,000",
            seconds,
            lambda: 1000 * in_flight(client, many, batches, 3),
        )

lines = socket.socket(socket.AF_UNIX)
lines.connect(path)
reader = lines.makefile("rb", buffering=1 << 18)
for name in ["fingerprint", "normalize"]:

    def line(sql):
        return json.dumps({"id": 1, "op": name, "sql": sql}).encode() + b"\n"

    def ask():
        for text in texts[:2000]:
            lines.sendall(line(text))
            json.loads(reader.readline())
        return 2000

    def pipelined():
        for start in range(0, 5120, 64):
            lines.sendall(b"".join(map(line, texts[start : start + 64])))
            for _ in range(64):
                json.loads(reader.readline())
        return 5120

    def batched():
        for batch in batches:
            lines.sendall(line(batch))
            assert len(json.loads(reader.readline())["results"]) == len(batch)
        return len(texts)

    measure(f"{name}, Python, JSON lines, batch 1", seconds, ask)
    measure(f"{name}, Python, JSON lines, 64 in flight", seconds, pipelined)
    measure(f"{name}, Python, JSON lines, batch 1,000", seconds, batched)
