"""The client for asyncio. Concurrent calls are pipelined over one connection."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, TypeVar

from . import _codec as codec
from ._operations import Operations
from ._postgres import Sessions
from ._start import default_socket, start_daemon, stop_daemon

T = TypeVar("T")


class AsyncClient(Operations, Sessions):
    """A connection to a daemon. Await its methods: `await client.fingerprint("SELECT 1")`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, process: Any = None) -> None:
        self._reader, self._writer, self._process = reader, writer, process
        self._calls: deque[codec.Call[Any]] = deque()
        self._decoder = codec.Decoder()
        self._futures: dict[int, asyncio.Future[Any]] = {}
        self._number = 0
        self._error: BaseException | None = None
        self._writer.write(codec.MAGIC)
        self._task = asyncio.ensure_future(self._receive())

    @classmethod
    async def connect(cls, path: str | None = None) -> AsyncClient:
        """Connects to a running daemon [default: at $XDG_RUNTIME_DIR/pgq.sock]."""
        return cls(*await asyncio.open_unix_connection(path or default_socket()))

    @classmethod
    async def start(cls, program: str = "pgq", *options: str) -> AsyncClient:
        """Starts `program serve` with `options`, and connects to it. The daemon ends with the client."""
        near, process = start_daemon(program, options)
        near.setblocking(False)
        return cls(*await asyncio.open_unix_connection(sock=near), process)

    async def _do(self, call: codec.Call[T]) -> T:
        if self._error is not None:
            raise self._error
        self._number = self._number % 0xFFFFFFFF + 1
        call.number = self._number
        future = asyncio.get_running_loop().create_future()
        self._calls.append(call)
        self._futures[call.number] = future
        self._writer.write(codec.request(call.number, call.op, call.handle, call.body, call.flags))
        call.body = b""
        # Waits while the write buffer is full.
        await self._writer.drain()
        answer: T = await future
        return answer

    async def _receive(self) -> None:
        try:
            while data := await self._reader.read(256 << 10):
                for call in self._decoder.feed(data, self._calls):
                    self._finish(call)
            raise ConnectionError("the daemon ended the connection")
        except asyncio.CancelledError:
            self._fail(ConnectionError("the client is closed"))
        except BaseException as error:
            self._fail(error)

    def _finish(self, call: codec.Call[Any]) -> None:
        future = self._futures.pop(call.number)
        if future.done():
            return  # the caller has cancelled it
        try:
            future.set_result(call.result())
        except Exception as error:
            future.set_exception(error)

    def _fail(self, error: BaseException) -> None:
        self._error = error
        self._calls.clear()
        for future in self._futures.values():
            if not future.done():
                future.set_exception(error)
        self._futures.clear()

    async def close(self) -> None:
        """Closes the connection, and ends the daemon if `start` started it."""
        self._task.cancel()
        self._writer.close()
        try:
            await self._writer.wait_closed()
        except OSError:
            pass
        if self._process is not None:
            await asyncio.to_thread(stop_daemon, self._process)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
