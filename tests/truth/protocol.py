"""A small client of PostgreSQL's protocol (version 3). Contains only what the workload needs, and counts nothing."""

import socket
import struct


class Connection:
    """A session on a Unix socket without a password. `failed` is the SQLSTATE of the last exchange, or None. `rows` are
    the rows of the last exchange, as text."""

    def __init__(self, path, user, database, application, options=""):
        self.socket = self.open(path)
        self.buffer = b""
        self.failed, self.rows = None, []
        pairs = ["user", user, "database", database, "application_name", application, "options", options]
        body = struct.pack("!i", 196608) + b"".join(text.encode() + b"\0" for text in pairs) + b"\0"
        self.socket.sendall(struct.pack("!i", len(body) + 4) + body)
        self.is_open = self.until_ready()

    def open(self, path):
        unix = socket.socket(socket.AF_UNIX)
        unix.settimeout(30)
        unix.connect(path)
        return unix

    def message(self):
        while len(self.buffer) < 5 or len(self.buffer) < 1 + struct.unpack("!i", self.buffer[1:5])[0]:
            try:
                more = self.socket.recv(65536)
            except ConnectionResetError:
                more = b""
            if not more:
                return None, b""
            self.buffer += more
        length = 1 + struct.unpack("!i", self.buffer[1:5])[0]
        kind, body = self.buffer[:1], self.buffer[5:length]
        self.buffer = self.buffer[length:]
        return kind, body

    def until_ready(self):
        """Reads up to ReadyForQuery. Returns False if the server has closed the connection."""
        self.failed, self.rows = None, []
        while True:
            kind, body = self.message()
            if kind is None:
                return False
            if kind == b"D":
                self.rows.append(values(body))
            if kind == b"E":
                fields = [field for field in body.split(b"\0") if field]
                self.failed = next(field[1:].decode() for field in fields if field[:1] == b"C")
            if kind == b"Z":
                return True

    def send(self, *messages):
        self.socket.sendall(b"".join(kind + struct.pack("!i", len(body) + 4) + body for kind, body in messages))

    def simple(self, sql):
        """Runs SQL in the simple protocol. Returns whether it succeeded."""
        self.send((b"Q", sql.encode() + b"\0"))
        self.until_ready()
        return self.failed is None

    def extended(self, *messages):
        """Sends messages with a Sync. Returns whether all succeeded."""
        self.send(*messages, (b"S", b""))
        self.until_ready()
        return self.failed is None

    def close(self):
        try:
            self.send((b"X", b""))
        except OSError:
            pass
        self.socket.close()


def values(row):
    """Returns the values of a DataRow as text. NULL becomes an empty string."""
    out, at = [], 2
    for _ in range(struct.unpack("!h", row[:2])[0]):
        length = max(0, struct.unpack("!i", row[at:at + 4])[0])
        out.append(row[at + 4:at + 4 + length].decode())
        at += 4 + length
    return out


def parse(sql, name=""):
    return b"P", name.encode() + b"\0" + sql.encode() + b"\0" + b"\0\0"


def bind(values=(), name="", portal=""):
    body = portal.encode() + b"\0" + name.encode() + b"\0" + b"\0\0" + struct.pack("!h", len(values))
    for value in values:
        body += struct.pack("!i", len(value)) + value.encode()
    return b"B", body + b"\0\0"


def execute(portal="", rows=0):
    return b"E", portal.encode() + b"\0" + struct.pack("!i", rows)
