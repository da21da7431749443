"""Encodes requests and decodes answers of docs/protocol.md. Does no I/O."""

from __future__ import annotations

import enum
import json
import struct
import sys
from array import array
from collections import deque
from typing import Any, Callable, Generic, Sequence, TypeVar

from ._errors import PgqError

MAGIC = b"PGQ\x01"
HEADER = struct.Struct("<IIBBH")
ITEM = struct.Struct("<BBHI")
FINGERPRINT_HEAD = ITEM.pack(0, 0, 0, 8)
LENGTH = struct.Struct("<I")

BATCH, MORE, SYNC = 1, 2, 64

T = TypeVar("T")


class Flags(enum.IntFlag):
    """Flags of an answer; docs/protocol.md describes them."""

    TRUNCATED = 4
    KEPT = 8
    QUOTED = 16
    WARNINGS = 32


class Op(enum.IntEnum):
    HELLO = 0
    OPTIONS = 1
    DROP = 2
    FINGERPRINT = 16
    NORMALIZE = 17
    BOTH = 18
    TREE = 19
    TREE_PROTOBUF = 20
    DEPARSE = 21
    DEPARSE_PROTOBUF = 22
    REFORMAT = 23
    SCAN = 24
    SPLIT = 25
    SUMMARY = 26
    WARNINGS = 27
    CONNECT = 64
    PREPARE = 65
    EXECUTE = 66
    CANCEL = 67


class DaemonError(PgqError):
    """An error from the daemon: of the SQL, of the request, or of a PostgreSQL server.

    `code` is listed in docs/protocol.md. `offset` counts bytes. `line` and `column` (in characters) count from 1; they
    are 0 if the error is not about a text. `fields` maps tags of PostgreSQL's error fields to strings.
    """

    def __init__(self, code: int, offset: int, line: int, column: int, fields: dict[str, str]) -> None:
        self.code, self.offset, self.line, self.column, self.fields = code, offset, line, column, fields
        place = f"{line}:{column}: " if line else ""
        super().__init__(place + self.message)

    @property
    def message(self) -> str:
        return self.fields.get("M", "")

    @property
    def detail(self) -> str | None:
        return self.fields.get("D")

    @property
    def hint(self) -> str | None:
        return self.fields.get("H")

    @property
    def sqlstate(self) -> str | None:
        return self.fields.get("C")


class ProtocolError(Exception):
    """An answer that violates the protocol. The connection is unusable afterwards."""


def read_error(code: int, body: memoryview | bytes) -> DaemonError:
    try:
        offset, line, column = struct.unpack_from("<III", body)
        fields, at = {}, 12
        while at < len(body):
            tag, length = struct.unpack_from("<BI", body, at)
            text = bytes(body[at + 5 : at + 5 + length])
            if len(text) < length:
                raise ProtocolError("an error field is cut")
            fields[chr(tag)] = text.decode("utf-8", "replace")
            at += 5 + length
    except struct.error as error:
        raise ProtocolError("an error is cut") from error
    return DaemonError(code, offset, line, column, fields)


def request(number: int, op: int, handle: int, body: bytes, flags: int = 0) -> bytes:
    return HEADER.pack(len(body) + 8, number, op, flags, handle) + body


# Encoded lengths of short texts as Latin-1 strings, to be joined with the texts.
SHORT = 4096
SHORT_LENGTHS = [LENGTH.pack(length).decode("latin-1") for length in range(SHORT)]


def batch_body(texts: Sequence[str | bytes]) -> bytes:
    count = len(texts)
    parts: list[Any] = [b""] * (2 * count)
    try:
        short = all(map(str.isascii, texts)) and max(map(len, texts), default=0) < SHORT  # type: ignore[arg-type]
    except TypeError:
        short = False  # bytes
    if short:
        # Encodes all texts at once, because most of a batch's time is spent here.
        parts[0::2] = map(SHORT_LENGTHS.__getitem__, map(len, texts))
        parts[1::2] = texts
        return LENGTH.pack(count) + "".join(parts).encode("latin-1")
    encoded = [text.encode() if isinstance(text, str) else text for text in texts]
    parts[0::2] = map(LENGTH.pack, map(len, encoded))
    parts[1::2] = encoded
    return LENGTH.pack(count) + b"".join(parts)


class Call(Generic[T]):
    """A request in progress. Collects the frames of its answer, and ends with a result or an error."""

    def __init__(self, op: int, handle: int, body: bytes, flags: int = 0) -> None:
        self.op, self.handle, self.body, self.flags = op, handle, body, flags
        self.number = 0
        self.done = False
        self.error: BaseException | None = None

    def take(self, status: int, flags: int, code: int, body: memoryview) -> None:
        """Handles a frame. `body` is valid only during the call."""
        if status == 1:
            self.error = read_error(code, body)
        else:
            try:
                self.add(flags, body)
            except (struct.error, IndexError, ValueError) as error:
                raise ProtocolError(f"an answer cannot be read: {error}") from error
        self.done = not flags & MORE

    def add(self, flags: int, body: memoryview) -> None:
        raise NotImplementedError

    def value(self) -> T:
        raise NotImplementedError

    def result(self) -> T:
        if self.error is not None:
            raise self.error
        return self.value()


class OneCall(Call[T]):
    """The answer to a single text."""

    def __init__(self, op: int, handle: int, body: bytes, decode: Callable[[memoryview], T]) -> None:
        super().__init__(op, handle, body)
        self.decode = decode
        self.answer: T | None = None

    def add(self, flags: int, body: memoryview) -> None:
        self.answer = self.decode(body)

    def value(self) -> T:
        return self.answer  # type: ignore[return-value]


class BatchCall(Call["list[T | DaemonError]"]):
    """The answers to a batch: one item for each text, its answer or its error."""

    def __init__(self, op: int, handle: int, texts: Sequence[str | bytes], decode: Callable[[memoryview], T]) -> None:
        super().__init__(op, handle, batch_body(texts), BATCH)
        self.decode, self.expected = decode, len(texts)
        self.items: list[T | DaemonError] = []

    def add(self, flags: int, body: memoryview) -> None:
        (count,) = LENGTH.unpack_from(body)
        if self.decode is fingerprint and len(body) == 4 + 16 * count:
            # Decodes all items at once if their lengths and headers show that all are fingerprints.
            numbers = memoryview(bytes(body[4:])).cast("Q")
            heads, values = numbers[0::2].tobytes(), array("Q", numbers[1::2].tobytes())
            if heads == FINGERPRINT_HEAD * count:
                if sys.byteorder == "little":
                    values.byteswap()
                self.items += values.tobytes().hex(" ", 8).split()  # type: ignore[arg-type]
                return
        at, unpack, decode, append = 4, ITEM.unpack_from, self.decode, self.items.append
        for _ in range(count):
            status, _, code, length = unpack(body, at)
            at += 8
            item = body[at : at + length]
            append(decode(item) if status == 0 else read_error(code, item))
            at += length
        if at != len(body):
            raise ProtocolError("the items do not fill their frame")

    def value(self) -> list[T | DaemonError]:
        if len(self.items) != self.expected:
            raise ProtocolError(f"{len(self.items)} answers to {self.expected} texts")
        return self.items


class Decoder:
    """Splits received bytes into frames."""

    def __init__(self) -> None:
        self.buffer = bytearray()
        self.needed = 0

    def feed(self, data: bytes, calls: deque[Call[Any]]) -> list[Call[Any]]:
        """Passes each frame to its call. `calls` are in the order of the requests. Returns the finished calls."""
        if self.buffer or len(data) < 12:
            self.buffer += data
            # Waits until a long frame is complete.
            if len(self.buffer) < self.needed:
                return []
            data = bytes(self.buffer)
            self.buffer.clear()
        view, at, end, done = memoryview(data), 0, len(data), []
        self.needed = 0
        while end - at >= 12:
            length, number, status, flags, code = HEADER.unpack_from(data, at)
            if end - at < length + 4:
                self.needed = length + 4
                break
            body = view[at + 12 : at + 4 + length]
            at += 4 + length
            if number == 0 and status == 1:
                raise read_error(code, body)
            if not calls or calls[0].number != number:
                raise ProtocolError(f"an answer to request {number}, which is not the next")
            call = calls[0]
            call.take(status, flags, code, body)
            if call.done:
                done.append(calls.popleft())
        self.buffer += view[at:]
        return done


def fingerprint(body: memoryview) -> str:
    return "%016x" % struct.unpack("<Q", body)[0]


def text(body: memoryview) -> str:
    return str(body, "utf-8")


def both(body: memoryview) -> tuple[str, str]:
    return fingerprint(body[:8]), str(body[8:], "utf-8")


def from_json(body: memoryview) -> Any:
    return json.loads(bytes(body))


def ranges(body: memoryview) -> list[tuple[int, int]]:
    return list(struct.iter_unpack("<II", body))


def handle(body: memoryview) -> int:
    return int(struct.unpack("<H", body)[0])
