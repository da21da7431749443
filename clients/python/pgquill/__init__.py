"""PostgreSQL's own parser inside Python.

    import pgquill

    pgquill.fingerprint("SELECT 1")          # '50fde20626009aba'
    pgquill.normalize("SELECT 1")            # 'SELECT $1'
    tree = pgquill.parse("SELECT a FROM t")  # typed nodes: tree.stmts[0].stmt.targetList
    tree.tables()                            # ['t']

`pgquill.nodes` has the nodes, `pgquill.arrow` works on columns of SQL without copies, `pgquill.read_log` reads
PostgreSQL's logs, and `Client` and `AsyncClient` ask a daemon (`pgq serve`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._native import (
    Column,
    LogReader,
    ParseError,
    PgqError,
    Record,
    Summary,
    Token,
    Tree,
    __version__,
    deparse,
    fingerprint,
    fingerprint_all,
    from_json,
    is_valid,
    normalize,
    normalize_all,
    parse,
    parse_json,
    parse_plpgsql,
    postgres_version,
    read_log,
    scan,
    split,
    tables,
    tables_all,
)

if TYPE_CHECKING:
    from . import arrow as arrow
    from . import nodes as nodes
    from ._aio import AsyncClient as AsyncClient
    from ._codec import DaemonError as DaemonError
    from ._codec import Flags as Flags
    from ._postgres import Outcome as Outcome
    from ._postgres import Result as Result
    from ._postgres import Session as Session
    from ._postgres import Statement as Statement
    from ._postgres import decode_rows as decode_rows
    from ._postgres import encode_row as encode_row
    from ._sync import Client as Client
    from ._sync import Pending as Pending

# What is imported when it is first used: asyncio alone takes longer than all of the above.
_LAZY = {
    "AsyncClient": "_aio",
    "Client": "_sync",
    "DaemonError": "_codec",
    "Flags": "_codec",
    "Outcome": "_postgres",
    "Pending": "_sync",
    "Result": "_postgres",
    "Session": "_postgres",
    "Statement": "_postgres",
    "decode_rows": "_postgres",
    "encode_row": "_postgres",
    "arrow": "arrow",
    "nodes": "nodes",
}


def __getattr__(name: str) -> object:
    module = _LAZY.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    loaded = importlib.import_module(f".{module}", __name__)
    value = loaded if module == name else getattr(loaded, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(_LAZY))


__all__ = [
    "AsyncClient",
    "Client",
    "Column",
    "DaemonError",
    "Flags",
    "LogReader",
    "Outcome",
    "ParseError",
    "Pending",
    "PgqError",
    "Record",
    "Result",
    "Session",
    "Statement",
    "Summary",
    "Token",
    "Tree",
    "__version__",
    "arrow",
    "decode_rows",
    "deparse",
    "encode_row",
    "fingerprint",
    "fingerprint_all",
    "from_json",
    "is_valid",
    "nodes",
    "normalize",
    "normalize_all",
    "parse",
    "parse_json",
    "parse_plpgsql",
    "postgres_version",
    "read_log",
    "scan",
    "split",
    "tables",
    "tables_all",
]
