"""The client for programs without asyncio. It reads while it writes, so no batch is too large."""

from __future__ import annotations

import select
import socket
import threading
from collections import deque
from typing import Any, TypeVar

from . import _codec as codec
from ._operations import Operations
from ._postgres import Sessions
from ._start import default_socket, start_daemon, stop_daemon

T = TypeVar("T")
READ_BYTES = 256 << 10


class Pending:
    """A call in progress, returned by Client.send. `result()` waits for its answer."""

    def __init__(self, client: Client, call: codec.Call[Any]) -> None:
        self._client, self._call = client, call

    def result(self) -> Any:
        with self._client._lock:
            self._client._receive_until(self._call)
        return self._call.result()


class Client(Operations, Sessions):
    """A connection to a daemon. Threads may share it."""

    def __init__(self, connection: socket.socket, process: Any = None) -> None:
        connection.setblocking(False)
        self._socket, self._process = connection, process
        self._lock = threading.RLock()
        self._calls: deque[codec.Call[Any]] = deque()
        self._decoder = codec.Decoder()
        self._number = 0
        self._error: BaseException | None = None
        self._path: str | None = None
        self._write(codec.MAGIC)

    @classmethod
    def connect(cls, path: str | None = None) -> Client:
        """Connects to a running daemon [default: at $XDG_RUNTIME_DIR/pgq.sock]."""
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(path or default_socket())
        client = cls(connection)
        client._path = path or default_socket()
        return client

    @classmethod
    def start(cls, program: str = "pgq", *options: str) -> Client:
        """Starts `program serve` with `options`, and connects to it. The daemon ends with the client."""
        return cls(*start_daemon(program, options))

    def send(self, method: Any, *arguments: Any, **keywords: Any) -> Pending:
        """Calls a method without waiting for its answer: `client.send(client.fingerprint_all, texts)`."""
        with self._lock:
            self._sending = True
            try:
                call = method(*arguments, **keywords)
            finally:
                self._sending = False
        return Pending(self, call)

    _sending = False

    def _do(self, call: codec.Call[T]) -> Any:
        with self._lock:
            if self._error is not None:
                raise self._error
            self._number = self._number % 0xFFFFFFFF + 1
            call.number = self._number
            self._calls.append(call)
            self._write(codec.request(call.number, call.op, call.handle, call.body, call.flags))
            call.body = b""
            if self._sending:
                return call
            self._receive_until(call)
        return call.result()

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        try:
            while view:
                try:
                    view = view[self._socket.send(view) :]
                except BlockingIOError:
                    readable, _, _ = select.select([self._socket], [self._socket], [])
                    if readable:
                        self._read()
        except (OSError, codec.DaemonError, codec.ProtocolError) as error:
            # Prefers the daemon's last message, if any, because it explains why the connection was closed.
            reason = error
            try:
                while isinstance(reason, OSError):
                    self._read()
            except (codec.DaemonError, codec.ProtocolError) as said:
                reason = said
            except OSError:
                pass
            self._fail(reason)

    def _read(self) -> None:
        data = self._socket.recv(READ_BYTES)
        if not data:
            raise ConnectionError("the daemon ended the connection")
        self._decoder.feed(data, self._calls)

    def _receive_until(self, call: codec.Call[Any]) -> None:
        while not call.done:
            try:
                select.select([self._socket], [], [])
                self._read()
            except BlockingIOError:
                pass
            except (OSError, codec.DaemonError, codec.ProtocolError) as error:
                self._fail(error)

    def _fail(self, error: BaseException) -> None:
        """Fails the calls in progress and all later calls."""
        self._error = self._error or error
        while self._calls:
            call = self._calls.popleft()
            call.error, call.done = self._error, True

    def close(self) -> None:
        """Closes the connection, and ends the daemon if `start` started it."""
        with self._lock:
            self._error = self._error or ConnectionError("the client is closed")
            self._socket.close()
        stop_daemon(self._process)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
