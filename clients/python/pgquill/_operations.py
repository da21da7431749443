"""The operations as methods that both clients share: each makes a call, and `_do` of the client has it answered."""

from __future__ import annotations

import json
from typing import Any, Sequence

from . import _codec as codec
from ._codec import BatchCall, OneCall, Op


class Operations:
    """Methods for texts. `options` is a handle from `options()`; 0 means the defaults.

    Of an `AsyncClient` every method is awaited. Errors of the SQL are raised as PgqError; those of a batch are in
    the list, in the places of their texts.
    """

    def _do(self, call: codec.Call[Any]) -> Any:
        raise NotImplementedError

    def _one(self, op: Op, text: str | bytes, options: int, decode: Any) -> Any:
        return self._do(OneCall(op, options, text.encode() if isinstance(text, str) else text, decode))

    def hello(self) -> Any:
        """What the daemon says of itself: versions and limits."""
        return self._one(Op.HELLO, "python", 0, codec.from_json)

    def options(self, **options: Any) -> Any:
        """A handle for options of docs/protocol.md, such as postgres_17=True or placeholders="qmark"."""
        return self._one(Op.OPTIONS, json.dumps(options), 0, codec.handle)

    def drop(self, handle: int) -> Any:
        """Lets the daemon forget a handle."""
        return self._one(Op.DROP, b"", handle, lambda body: None)

    def fingerprint(self, sql: str, options: int = 0) -> Any:
        """The fingerprint of all statements of a text together: 16 hex digits."""
        return self._one(Op.FINGERPRINT, sql, options, codec.fingerprint)

    def fingerprint_all(self, texts: Sequence[str], options: int = 0) -> Any:
        """The fingerprints of many texts, in one round trip."""
        return self._do(BatchCall(Op.FINGERPRINT, options, texts, codec.fingerprint))

    def normalize(self, sql: str, options: int = 0) -> Any:
        """A text with $n in place of its constants."""
        return self._one(Op.NORMALIZE, sql, options, codec.text)

    def normalize_all(self, texts: Sequence[str], options: int = 0) -> Any:
        """Many normalized texts, in one round trip."""
        return self._do(BatchCall(Op.NORMALIZE, options, texts, codec.text))

    def both(self, sql: str, options: int = 0) -> Any:
        """The fingerprint and the normalized text."""
        return self._one(Op.BOTH, sql, options, codec.both)

    def both_all(self, texts: Sequence[str], options: int = 0) -> Any:
        """Fingerprints and normalized texts of many texts, in one round trip."""
        return self._do(BatchCall(Op.BOTH, options, texts, codec.both))

    def tree(self, sql: str, options: int = 0) -> Any:
        """The parse tree, as libpg_query's JSON document, read."""
        return self._one(Op.TREE, sql, options, codec.from_json)

    def tree_all(self, texts: Sequence[str], options: int = 0) -> Any:
        """The parse trees of many texts, in one round trip."""
        return self._do(BatchCall(Op.TREE, options, texts, codec.from_json))

    def tree_protobuf(self, sql: str, options: int = 0) -> Any:
        """The parse tree as libpg_query's ParseResult in Protobuf."""
        return self._one(Op.TREE_PROTOBUF, sql, options, bytes)

    def deparse(self, tree: Any, options: int = 0) -> Any:
        """A tree, as tree() gives it, as SQL."""
        return self._one(Op.DEPARSE, json.dumps(tree, ensure_ascii=False), options, codec.text)

    def deparse_protobuf(self, tree: bytes, options: int = 0) -> Any:
        """A tree, as tree_protobuf() gives it, as SQL."""
        return self._one(Op.DEPARSE_PROTOBUF, tree, options, codec.text)

    def reformat(self, sql: str, options: int = 0) -> Any:
        """SQL, written anew."""
        return self._one(Op.REFORMAT, sql, options, codec.text)

    def scan(self, sql: str, options: int = 0) -> Any:
        """The tokens: dicts with start, end, token and keyword."""
        return self._one(Op.SCAN, sql, options, codec.from_json)

    def split(self, sql: str, options: int = 0) -> Any:
        """The statements, as pairs of byte offsets."""
        return self._one(Op.SPLIT, sql, options, codec.ranges)

    def summary(self, sql: str, options: int = 0) -> Any:
        """What each statement refers to: a dict for each."""
        return self._one(Op.SUMMARY, sql, options, codec.from_json)

    def warnings(self, sql: str, options: int = 0) -> Any:
        """PostgreSQL's warnings on a text."""
        return self._one(Op.WARNINGS, sql, options, codec.from_json)
