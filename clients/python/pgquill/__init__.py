"""PostgreSQL's own parser inside Python.

    import pgquill

    pgquill.fingerprint("SELECT 1")          # '50fde20626009aba'
    pgquill.normalize("SELECT 1")            # 'SELECT $1'
    tree = pgquill.parse("SELECT a FROM t")  # typed nodes: tree.stmts[0].stmt.targetList
    tree.tables()                            # ['t']

`pgquill.nodes` has the classes of nodes. `pgquill.arrow` reads columns of SQL without copies. `pgquill.read_log` reads
PostgreSQL's logs. `Client` and `AsyncClient` are clients of a daemon (`pgq serve`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._native import Column as Column
    from ._native import LogReader as LogReader
    from ._native import ParseError as ParseError
    from ._native import PgqError as PgqError
    from ._native import Record as Record
    from ._native import Summary as Summary
    from ._native import Token as Token
    from ._native import Tree as Tree
    from ._native import __version__ as __version__
    from ._native import deparse as deparse
    from ._native import fingerprint as fingerprint
    from ._native import fingerprint_all as fingerprint_all
    from ._native import format as format
    from ._native import from_json as from_json
    from ._native import is_valid as is_valid
    from ._native import normalize as normalize
    from ._native import normalize_all as normalize_all
    from ._native import parse as parse
    from ._native import parse_json as parse_json
    from ._native import parse_plpgsql as parse_plpgsql
    from ._native import postgres_version as postgres_version
    from ._native import read_log as read_log
    from ._native import replace_placeholders as replace_placeholders
    from ._native import scan as scan
    from ._native import split as split
    from ._native import tables as tables
    from ._native import tables_all as tables_all
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

# Names are imported at their first use, because importing asyncio alone takes longer than everything else.
_LAZY = {
    "_aio": ["AsyncClient"],
    "_codec": ["DaemonError", "Flags"],
    "_errors": ["ParseError", "PgqError"],
    "_native": [
        "Column",
        "LogReader",
        "Record",
        "Summary",
        "Token",
        "Tree",
        "__version__",
        "deparse",
        "fingerprint",
        "fingerprint_all",
        "format",
        "from_json",
        "is_valid",
        "normalize",
        "normalize_all",
        "parse",
        "parse_json",
        "parse_plpgsql",
        "postgres_version",
        "read_log",
        "replace_placeholders",
        "scan",
        "split",
        "tables",
        "tables_all",
    ],
    "_postgres": ["Outcome", "Result", "Session", "Statement", "decode_rows", "encode_row"],
    "_sync": ["Client", "Pending"],
    "arrow": ["arrow"],
    "nodes": ["nodes"],
}
_MODULES = {name: module for module, names in _LAZY.items() for name in names}


def __getattr__(name: str) -> object:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    if module in ("_native", "arrow"):
        from . import _main_interpreter

        _main_interpreter.check()
    loaded = importlib.import_module(f".{module}", __name__)
    value: object = loaded if module == name else getattr(loaded, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(_MODULES))


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
    "format",
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
    "replace_placeholders",
    "scan",
    "split",
    "tables",
    "tables_all",
]
