"""The operations as methods that both clients share. Each creates a call, which the client's `_do` executes."""

from __future__ import annotations

import json
from typing import Any, Sequence

from . import _codec as codec
from ._codec import BatchCall, OneCall, Op


class Operations:
    """Methods for SQL. `options` is a handle from `options()`; 0 means the defaults.

    Await every method of an `AsyncClient`. Errors in SQL are raised as PgqError. In a batch, the error is the item of
    its text in the returned list.
    """

    def _do(self, call: codec.Call[Any]) -> Any:
        raise NotImplementedError

    def _one(self, op: Op, text: str | bytes, options: int, decode: Any) -> Any:
        return self._do(OneCall(op, options, text.encode() if isinstance(text, str) else text, decode))

    def hello(self) -> Any:
        """Returns the daemon's versions and limits."""
        return self._one(Op.HELLO, "python", 0, codec.from_json)

    def options(self, **options: Any) -> Any:
        """Returns a handle for options of docs/protocol.md, such as postgres_17=True or placeholders="qmark"."""
        return self._one(Op.OPTIONS, json.dumps(options), 0, codec.handle)

    def drop(self, handle: int) -> Any:
        """Frees a handle in the daemon."""
        return self._one(Op.DROP, b"", handle, lambda body: None)

    def fingerprint(self, sql: str, options: int = 0) -> Any:
        """Returns one fingerprint for all statements of `sql`: 16 hex digits."""
        return self._one(Op.FINGERPRINT, sql, options, codec.fingerprint)

    def fingerprint_all(self, texts: Sequence[str], options: int = 0) -> Any:
        """Returns the fingerprint of each text, in one round trip."""
        return self._do(BatchCall(Op.FINGERPRINT, options, texts, codec.fingerprint))

    def normalize(self, sql: str, options: int = 0) -> Any:
        """Returns `sql` with $n in place of its constants."""
        return self._one(Op.NORMALIZE, sql, options, codec.text)

    def normalize_all(self, texts: Sequence[str], options: int = 0) -> Any:
        """Returns each text normalized, in one round trip."""
        return self._do(BatchCall(Op.NORMALIZE, options, texts, codec.text))

    def both(self, sql: str, options: int = 0) -> Any:
        """Returns the fingerprint and the normalized SQL."""
        return self._one(Op.BOTH, sql, options, codec.both)

    def both_all(self, texts: Sequence[str], options: int = 0) -> Any:
        """Returns the fingerprint and the normalized SQL of each text, in one round trip."""
        return self._do(BatchCall(Op.BOTH, options, texts, codec.both))

    def tree(self, sql: str, options: int = 0) -> Any:
        """Returns the parse tree: libpg_query's JSON document, decoded."""
        return self._one(Op.TREE, sql, options, codec.from_json)

    def tree_all(self, texts: Sequence[str], options: int = 0) -> Any:
        """Returns the parse tree of each text, in one round trip."""
        return self._do(BatchCall(Op.TREE, options, texts, codec.from_json))

    def tree_protobuf(self, sql: str, options: int = 0) -> Any:
        """Returns the parse tree as libpg_query's ParseResult in Protobuf."""
        return self._one(Op.TREE_PROTOBUF, sql, options, bytes)

    def deparse(self, tree: Any, options: int = 0) -> Any:
        """Returns the SQL of a tree that tree() returned."""
        return self._one(Op.DEPARSE, json.dumps(tree, ensure_ascii=False), options, codec.text)

    def deparse_protobuf(self, tree: bytes, options: int = 0) -> Any:
        """Returns the SQL of a tree that tree_protobuf() returned."""
        return self._one(Op.DEPARSE_PROTOBUF, tree, options, codec.text)

    def reformat(self, sql: str, options: int = 0) -> Any:
        """Returns the SQL in the deparser's layout."""
        return self._one(Op.REFORMAT, sql, options, codec.text)

    def scan(self, sql: str, options: int = 0) -> Any:
        """Returns the tokens: dicts with start, end, token and keyword."""
        return self._one(Op.SCAN, sql, options, codec.from_json)

    def split(self, sql: str, options: int = 0) -> Any:
        """Returns the statements as pairs of byte offsets."""
        return self._one(Op.SPLIT, sql, options, codec.ranges)

    def summary(self, sql: str, options: int = 0) -> Any:
        """Returns a dict for each statement, with its tables, functions, aliases, CTEs and filter columns."""
        return self._one(Op.SUMMARY, sql, options, codec.from_json)

    def warnings(self, sql: str, options: int = 0) -> Any:
        """Returns PostgreSQL's warnings about the SQL."""
        return self._one(Op.WARNINGS, sql, options, codec.from_json)
