"""Where a daemon is, and how one is started that ends with its client."""

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
    """The near end of a socket pair whose far end is the daemon's standard input and output."""
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
    """Waits for the daemon's end, which comes when its client has gone."""
    if process is None:
        return
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
