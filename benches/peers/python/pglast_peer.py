"""Runs pglast, which is libpg_query for Python: pglast_peer.py FILE. src/lib.rs describes the protocol."""

import json
import sys
import time

import pglast
from pglast import parser
from pglast.stream import RawStream
from pglast.visitors import Visitor


class Count(Visitor):
    """Counts the nodes of a tree."""

    def __init__(self):
        self.nodes = 0

    def visit(self, ancestors, node):
        self.nodes += 1


def walk(sql):
    count = Count()
    count(pglast.parse_sql(sql))
    return count.nodes


def same(sql):
    return sql


# Each function has an unmeasured preparation, the measured call, and a conversion of the result to the answer.
FUNCTIONS = {
    "parse": (same, pglast.parse_sql, lambda tree: str(len(tree))),
    "walk": (same, walk, str),
    "fingerprint": (same, parser.fingerprint, str),
    "normalize": (same, parser.normalize, str),
    "both": (same, lambda sql: (parser.fingerprint(sql), parser.normalize(sql)), " ".join),
    "scan": (same, parser.scan, lambda tokens: str(len(tokens))),
    "deparse": (pglast.parse_sql, lambda tree: RawStream()(tree), str),
}


def answers(sql):
    found = {}
    for name, (prepare, call, answer) in FUNCTIONS.items():
        try:
            found[name] = answer(call(prepare(sql)))
        except Exception:  # every exception means that pglast rejects the statement
            pass
    return found


def main():
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        statements = file.read().split("\0")[:-1]
    major, minor = pglast.get_postgresql_version()
    print(json.dumps({"postgresql": major * 10000 + minor, "functions": list(FUNCTIONS)}), flush=True)
    call, prepared = None, []
    for line in sys.stdin:
        match line.split():
            case ["answer", number]:
                print(json.dumps(answers(statements[int(number)])), flush=True)
            case ["prepare", name, bits]:
                prepare, call, _ = FUNCTIONS[name]
                prepared = [prepare(sql) for sql, bit in zip(statements, bits, strict=True) if bit == "1"]
                print(len(prepared), flush=True)
            case ["round"]:
                start = time.process_time_ns()
                for value in prepared:
                    call(value)
                print(time.process_time_ns() - start, flush=True)
            case ["each"]:
                times = []
                for value in prepared:
                    start = time.perf_counter_ns()
                    call(value)
                    times.append(time.perf_counter_ns() - start)
                print(times, flush=True)
            case _:
                sys.exit(f"not a command: {line}")


main()
