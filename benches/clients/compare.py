"""Compares pgquill in Python with pglast, sqlglot and sqlparse. Also compares pgquill's function for Arrow columns with
the command line program.

    python benches/clients/compare.py PROGRAM [FOLDER...]

PROGRAM is an optimized pgq. FOLDERs contain SQL [default: fixtures with SQL of applications]. Needs pglast, sqlglot,
sqlparse, pyarrow and pgquill. Every parser gets the same statements, one by one. A statement that any parser rejects is
excluded. The parsers run in turn, 7 rounds of 3 passes each. The result is the CPU time of the best pass. For the
column, the result is the elapsed time, because pgquill uses several cores.
"""

import json
import logging
import pathlib
import subprocess
import sys
import tempfile
import time

import pglast
import pgquill
import pgquill.arrow
import pyarrow
import sqlglot
import sqlparse

ROUNDS = 7
PASSES = 3  # the first pass of a round fills the processor's caches
PROJECT = pathlib.Path(__file__).parents[2]


def statements(folders: list[pathlib.Path]) -> list[str]:
    texts = [text for folder in folders for file in sorted(folder.rglob("*.sql")) for text in pgquill.split(file.read_text())]

    def is_parsed_by_all(text: str) -> bool:
        try:
            pgquill.parse(text)
            pglast.parse_sql(text)
            sqlglot.parse(text, dialect="postgres")
            return True
        except Exception:
            return False

    return [text for text in texts if is_parsed_by_all(text)]


def run_all(function, texts) -> float:
    start = time.process_time()
    for text in texts:
        function(text)
    return (time.process_time() - start) / len(texts) * 1e6


def compare(tasks, texts) -> dict[str, float]:
    """Returns the best time of each task, in microseconds per statement."""
    best: dict[str, float] = {}
    for _ in range(ROUNDS):
        for name, function in tasks.items():
            for _ in range(PASSES):
                best[name] = min(best.get(name, float("inf")), run_all(function, texts))
    return best


def column_against_program(program: str, texts: list[str]) -> dict[str, float]:
    """Returns the seconds for a column of 200,000 statements and for a file with the same statements."""
    many = (texts * (200_000 // len(texts) + 1))[:200_000]
    column = pyarrow.array(many)
    best: dict[str, float] = {}
    with tempfile.NamedTemporaryFile() as file:
        file.write("\0".join(many).encode())
        file.flush()
        for _ in range(3):
            start = time.perf_counter()
            pgquill.arrow.fingerprint(column)
            middle = time.perf_counter()
            command = [program, "fingerprint", "--from", "null", file.name]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            end = time.perf_counter()
            for name, seconds in (("pgquill.arrow", middle - start), ("pgq", end - middle)):
                best[name] = min(best.get(name, float("inf")), seconds)
    return best


def main() -> None:
    logging.disable(logging.WARNING)  # sqlglot logs unknown statements
    program, *folders = sys.argv[1:]
    names = ["analytics", "ddl", "migrations", "oltp", "orm"]
    chosen = [pathlib.Path(folder) for folder in folders] or [PROJECT / "fixtures" / name for name in names]
    texts = statements(chosen)
    report = {
        "statements": len(texts),
        "bytes": sum(len(text.encode()) for text in texts),
        "fingerprint": compare(
            {
                "pgquill": pgquill.fingerprint,  # from the second round on, its cache has the statements
                "pgquill without cache": lambda text: pgquill.parse(text).fingerprint(),
                "pglast": pglast.parser.fingerprint,
            },
            texts,
        ),
        "nodes": compare(
            {
                "pgquill": lambda text: pgquill.parse(text).stmts,
                "pglast": pglast.parse_sql,
                "sqlglot": lambda text: sqlglot.parse(text, dialect="postgres"),
                "sqlparse": sqlparse.parse,
            },
            texts,
        ),
        "column": column_against_program(program, texts),
    }
    for task in ("fingerprint", "nodes", "column"):
        own = report[task]["pgquill.arrow" if task == "column" else "pgquill"]
        report[task] = {name: [round(value, 3), f"{value / own:.2f}x"] for name, value in report[task].items()}
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
