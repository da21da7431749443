"""Finds the default daemon's socket; starts and stops a client's own daemon."""

from __future__ import annotations

import os
import socket
import subprocess
from typing import Any, Sequence


def default_socket() -> str:
    folder = os.environ.get("XDG_RUNTIME_DIR")
    if not folder:
        raise ValueError("XDG_RUNTIME_DIR is not set: name a socket")
    return os.path.join(folder, "pgq.sock")


def start_daemon(program: str, options: Sequence[str]) -> tuple[socket.socket, subprocess.Popen[bytes]]:
    """Starts a daemon on one end of a socket pair, as its standard input and output. Returns the other end."""
    near, far = socket.socketpair()
    try:
        process = subprocess.Popen([program, "serve", "--stdio", *options], stdin=far.fileno(), stdout=far.fileno())
    except BaseException:
        near.close()
        raise
    finally:
        far.close()
    return near, process


def stop_daemon(process: Any) -> None:
    """Waits until the daemon ends, which it does when its client disconnects. Kills it after five seconds."""
    if process is None:
        return
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
