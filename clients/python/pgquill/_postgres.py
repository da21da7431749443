"""Executes prepared statements on PostgreSQL through the daemon, with batches of rows of parameters.

Await all methods of an AsyncClient. Values are bytes in PostgreSQL's text or binary format, or None for NULL. A
parameter in text format may be a str.
"""

from __future__ import annotations

import dataclasses
import enum
import json
import struct
from typing import Any, Iterable, Iterator, Sequence

from . import _codec as codec
from ._codec import LENGTH, Op, OneCall

RESULTS = {"count": 0, "tag": 1, "rows": 2}


class Outcome(enum.Enum):
    """The outcome of a row of parameters."""

    RAN = "ran"
    FAILED = "failed"
    NOT_RUN = "not run"


@dataclasses.dataclass(slots=True)
class Result:
    """The answer to one row of parameters.

    `sync` is true for the last row of an implicit transaction. If a row of the transaction failed, the rows before it
    were rolled back, unless the session was inside BEGIN.
    """

    outcome: Outcome = Outcome.RAN
    sync: bool = False
    count: int = 0
    tag: str = ""
    messages: bytes = b""
    error: codec.DaemonError | None = None

    def rows(self) -> list[tuple[bytes | None, ...]]:
        """Returns the rows of an execution with results="rows"."""
        return list(decode_rows(self.messages))


def encode_row(values: Iterable[str | bytes | None]) -> bytes:
    """Encodes a row of parameters as in PostgreSQL's Bind message."""
    parts = []
    for value in values:
        if value is None:
            parts.append(b"\xff\xff\xff\xff")
        else:
            encoded = value.encode() if isinstance(value, str) else value
            parts.append(struct.pack(">i", len(encoded)))
            parts.append(encoded)
    return b"".join(parts)


def decode_rows(messages: bytes) -> Iterator[tuple[bytes | None, ...]]:
    """Yields the values of each DataRow in PostgreSQL's messages."""
    at, end = 0, len(messages)
    while at < end:
        (length,) = struct.unpack_from(">i", messages, at + 1)
        if messages[at] == 0x44:
            (count,) = struct.unpack_from(">H", messages, at + 5)
            value_at = at + 7
            values: list[bytes | None] = []
            for _ in range(count):
                (size,) = struct.unpack_from(">i", messages, value_at)
                value_at += 4
                if size < 0:
                    values.append(None)
                else:
                    values.append(messages[value_at : value_at + size])
                    value_at += size
            yield tuple(values)
        at += length + 1


class ExecuteCall(codec.Call["list[Result]"]):
    """The answers to the rows of an execution."""

    def __init__(self, handle: int, body: bytes, results: int, expected: int) -> None:
        super().__init__(Op.EXECUTE, handle, body)
        self.results, self.expected = results, expected
        self.answers: list[Result] = []
        self.parts: list[bytes] = []

    def add(self, flags: int, body: memoryview) -> None:
        (count,) = LENGTH.unpack_from(body)
        at = 4
        for _ in range(count):
            status, flags, code, length = codec.ITEM.unpack_from(body, at)
            at += 8
            self.item(status, flags, code, body[at : at + length])
            at += length
        if at != len(body):
            raise codec.ProtocolError("the items do not fill their frame")

    def item(self, status: int, flags: int, code: int, body: memoryview) -> None:
        if flags & codec.MORE:
            self.parts.append(bytes(body))
            return
        result = Result(sync=bool(flags & codec.SYNC))
        if status == 1:
            result.outcome, result.error = Outcome.FAILED, codec.read_error(code, body)
        elif status == 2:
            result.outcome = Outcome.NOT_RUN
        elif self.results == 0:
            (result.count,) = struct.unpack_from("<Q", body)
        elif self.results == 1:
            result.tag = str(body, "utf-8")
        else:
            self.parts.append(bytes(body))
            result.messages = b"".join(self.parts)
        self.parts = []
        self.answers.append(result)

    def value(self) -> list[Result]:
        if len(self.answers) != self.expected:
            raise codec.ProtocolError(f"{len(self.answers)} answers to {self.expected} rows")
        return self.answers


class Statement:
    """A prepared statement. `parameters` are type OIDs, `columns` pairs of a name and a type OID."""

    def __init__(self, client: Any, body: memoryview) -> None:
        self._client = client
        self.handle, parameters, columns, _ = struct.unpack_from("<HHHH", body)
        self.parameters = struct.unpack_from(f"<{parameters}I", body, 8)
        self.columns: list[tuple[str, int]] = []
        at = 8 + 4 * parameters
        for _ in range(columns):
            _, _, oid, _, _, length = struct.unpack_from("<IhIhiI", body, at)
            self.columns.append((str(body[at + 20 : at + 20 + length], "utf-8"), oid))
            at += 20 + length

    def execute(
        self,
        rows: Sequence[Iterable[str | bytes | None]],
        results: str = "rows",
        *,
        sync_bytes: int = 0,
        sync_rows: int = 0,
        timeout: float = 0,
        parameter_formats: Sequence[int] = (),
        column_formats: Sequence[int] = (),
    ) -> Any:
        """Executes the statement for each row of parameters. Returns a Result for each.

        `results` is "rows", "count" or "tag". `timeout` is in seconds. docs/protocol.md describes the other arguments.
        """
        formats = b"".join(
            struct.pack(f"<H{len(each)}H", len(each), *each) for each in (parameter_formats, column_formats)
        )
        head = struct.pack("<BBHIII", RESULTS[results], 0, 0, sync_bytes, sync_rows, round(timeout * 1000))
        body = head + formats + codec.batch_body([encode_row(row) for row in rows])
        return self._client._do(ExecuteCall(self.handle, body, RESULTS[results], len(rows)))

    def close(self) -> Any:
        """Forgets the statement."""
        return self._client.drop(self.handle)


class Session:
    """A PostgreSQL session. Another client cancels its statement by Client.cancel(cancel_key)."""

    def __init__(self, client: Any, body: memoryview) -> None:
        self._client = client
        self.handle, _, self.cancel_key = struct.unpack_from("<HHQ", body)
        self.parameters: dict[str, str] = json.loads(bytes(body[12:]))

    def prepare(self, sql: str, types: Sequence[int] = ()) -> Any:
        """Prepares a Statement. `types` are OIDs of the parameters; the server infers missing and zero ones."""
        body = struct.pack(f"<H{len(types)}I", len(types), *types) + sql.encode()
        client = self._client
        return client._do(OneCall(Op.PREPARE, self.handle, body, lambda answer: Statement(client, answer)))

    def close(self) -> Any:
        """Ends the session and forgets its statements.

        If a call has already reported that the server ended the session, this raises a DaemonError with code 36.
        """
        return self._client.drop(self.handle)


class Sessions:
    """The clients' methods for PostgreSQL."""

    def _do(self, call: codec.Call[Any]) -> Any:
        raise NotImplementedError

    def postgres(self, settings: str = "") -> Any:
        """Starts a Session. `settings` is a URI or key=value pairs of libpq; the daemon's PGHOST etc. complete it."""
        return self._do(OneCall(Op.CONNECT, 0, settings.encode(), lambda body: Session(self, body)))

    def cancel(self, key: int) -> Any:
        """Asks the server to cancel the statement of another client's session."""
        return self._do(OneCall(Op.CANCEL, 0, struct.pack("<Q", key), lambda body: None))
