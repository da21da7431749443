"""Lets a real server write a large csvlog, and has recompute.py compare every figure and list of its digest.

    large.py PROGRAM SERVER_BIN FOLDER STATEMENTS

The log has STATEMENTS / 60 users, equally many hosts, and STATEMENTS / 15 kinds of errors. A log of 350,000
statements has 5,800 users, 5,800 hosts, 23,000 kinds of errors, all severities, and about 100 MB.
"""

import os
import random
import shutil
import socket
import subprocess
import sys
import threading
import time

import recompute
from protocol import Connection
from recompute import letters, zipf

VIEWS, STATEMENTS_OF_A_SESSION, CLIENTS = 300, 50, 4
SETUP = """
CREATE TABLE task (b int PRIMARY KEY, kind text, word text);
CREATE FUNCTION act(n int) RETURNS int LANGUAGE plpgsql VOLATILE AS $$
DECLARE it record;
BEGIN
    SELECT kind, word INTO it FROM task WHERE task.b = n;
    CASE it.kind
        WHEN 'error' THEN RAISE EXCEPTION 'rule % of "%" broken by %', it.word, n, n USING DETAIL = 'Detail ' || n || '.', HINT = it.word;
        WHEN 'missing' THEN EXECUTE 'SELECT 1 FROM r' || n;
        WHEN 'warning' THEN RAISE WARNING 'warning %', it.word;
        WHEN 'sort' THEN PERFORM count(*) FROM (SELECT g FROM generate_series(1, 9000) g ORDER BY -g OFFSET 1) s;
        WHEN 'lock' THEN PERFORM pg_advisory_xact_lock(7), pg_sleep(0.03);
        WHEN 'impatient' THEN SET LOCAL lock_timeout = 15; PERFORM pg_advisory_xact_lock(7);
        WHEN 'slow' THEN PERFORM pg_sleep(0.01);
        WHEN 'cancel' THEN PERFORM pg_cancel_backend(pg_backend_pid()), pg_sleep(1);
        WHEN 'end' THEN PERFORM pg_terminate_backend(pg_backend_pid()), pg_sleep(1);
        WHEN 'write' THEN UPDATE task SET word = word WHERE b = n;
        ELSE NULL;
    END CASE;
    RETURN n;
END $$;
"""
KINDS = [("call", 5500), ("error", 3000), ("missing", 500), ("warning", 400), ("sort", 100), ("slow", 60), ("lock", 60), ("impatient", 60), ("cancel", 20), ("end", 10)]
SILENT = "-c log_min_duration_statement=-1 -c log_min_messages=panic"


class Client(Connection):
    """A session that connects from a given address of this machine and sends all of its statements at once."""

    def __init__(self, port, host, user, database, application, options=""):
        self.address = (port, host)
        super().__init__(None, user, database, application, options)

    def open(self, _):
        port, host = self.address
        return socket.create_connection(("127.0.0.1", port), timeout=120, source_address=(host, 0))

    def run(self, statements):
        """Sends the statements. Returns how many were answered before the session ended."""
        self.send(*[(b"Q", sql.encode() + b"\0") for sql in statements])
        for index in range(len(statements)):
            if not self.until_ready():
                return index + 1
        return len(statements)


class Large:
    """A server and its log."""

    def __init__(self, binaries, folder, statements):
        self.binaries, self.folder, self.statements = binaries, folder, statements
        self.names = max(8, statements // 60)
        self.data, self.random = os.path.join(folder, "data"), random.Random(7)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.ctl("initdb", "-D", self.data, "-U", "app", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8")
        with open(os.path.join(self.data, "postgresql.conf"), "a") as file:
            file.write(
                f"listen_addresses = '127.0.0.1'\nport = {self.port}\nunix_socket_directories = ''\nfsync = off\nautovacuum = off\n"
                f"logging_collector = on\nlog_directory = '{folder}/log'\nlog_filename = 'x.log'\nlog_destination = 'csvlog'\n"
                "log_rotation_size = 0\nlog_rotation_age = 0\nlog_timezone = 'UTC'\nlog_min_duration_statement = 0\n"
                "log_lock_waits = on\ndeadlock_timeout = 10ms\nlog_temp_files = 0\nwork_mem = '64kB'\nlog_checkpoints = on\n"
            )
        with open(os.path.join(self.data, "pg_hba.conf"), "w") as file:
            file.write("host all barred all reject\nhost all all 127.0.0.0/8 trust\n")
        self.ctl("pg_ctl", "-D", self.data, "-w", "-t", "120", "start", "-l", os.path.join(folder, "start.log"))

    def ctl(self, program, *arguments):
        subprocess.run([os.path.join(self.binaries, program), *arguments], check=True, stdout=subprocess.DEVNULL)

    def client(self, number, user=None, database="shop", options=""):
        host = f"127.{1 + number // 62500}.{number // 250 % 250}.{1 + number % 250}"
        return Client(self.port, host, user or "u" + letters(number), database, f"app{number % 40}", options)

    def fill(self):
        """Creates users, views and a task for each statement."""
        setup = self.client(0, "app", "template1", SILENT)
        setup.simple("CREATE DATABASE shop")
        setup.close()
        setup = self.client(0, "app", "shop", SILENT)
        kinds, words = [], 0
        for number in range(self.statements):
            kind = self.random.choices([kind for kind, _ in KINDS], [weight for _, weight in KINDS])[0]
            words += kind == "error"
            # Each kind of error occurs at least once, and the first kinds more often.
            of_error = words if words <= self.statements // 15 else zipf(self.random, self.statements // 15)
            kinds.append((number, kind, letters(of_error if kind == "error" else zipf(self.random, 60))))
        kinds.append((self.statements, "write", ""))
        assert setup.simple(SETUP)
        for start in range(0, len(kinds), 5000):
            rows = ",".join("(%d,'%s','%s')" % row for row in kinds[start:start + 5000])
            assert setup.simple("INSERT INTO task VALUES " + rows)
        for number in range(VIEWS):
            assert setup.simple(f"CREATE VIEW t_{letters(number)} AS SELECT act(b) AS a, b FROM task; GRANT SELECT ON t_{letters(number)} TO public")
        roles = "".join(f"CREATE ROLE u{letters(number)} LOGIN;" for number in range(self.names))
        assert setup.simple(roles + "CREATE ROLE full_up LOGIN CONNECTION LIMIT 0; CREATE ROLE barred LOGIN; GRANT ALL ON task TO public; ANALYZE task")
        setup.close()

    def query(self, number, rng):
        return f"SELECT a FROM t_{letters(zipf(rng, VIEWS))} WHERE b = {number}"

    def work(self, first):
        """Runs every CLIENTS-th session, from `first` on."""
        rng = random.Random(first)
        for session in range(first, -(-self.statements // STATEMENTS_OF_A_SESSION), CLIENTS):
            number = session if session < self.names else zipf(rng, self.names)
            start = session * STATEMENTS_OF_A_SESSION
            rest = [self.query(number, rng) for number in range(start, min(self.statements, start + STATEMENTS_OF_A_SESSION))]
            while rest:
                client = self.client(number)
                rest = rest[client.run(rest):]
                client.close()
            if rng.random() < 0.1:
                user, database = rng.choice([("barred", "shop"), ("full_up", "shop"), ("nobody", "shop"), (None, "nowhere")])
                self.client(number, user, database).close()

    def panic(self):
        """Makes the server crash and restart: hides the write-ahead log and runs a statement that needs it."""
        wal = os.path.join(self.data, "pg_wal")
        client = self.client(1)
        os.rename(wal, wal + ".hidden")
        try:
            client.run([self.query(self.statements, self.random)])
        finally:
            if os.path.exists(wal):
                shutil.rmtree(wal)
            os.rename(wal + ".hidden", wal)
        client.close()

    def log(self):
        """Runs the sessions. Returns the log of the stopped server."""
        self.fill()
        threads = [threading.Thread(target=self.work, args=(first,)) for first in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.panic()
        time.sleep(2)
        return os.path.join(self.folder, "log", "x.csv")

    def stop(self):
        subprocess.run([os.path.join(self.binaries, "pg_ctl"), "-D", self.data, "-w", "-m", "immediate", "stop"], stdout=subprocess.DEVNULL)


def main():
    program, binaries, folder, statements = sys.argv[1:5]
    server = Large(binaries, folder, int(statements))
    try:
        log = server.log()
    finally:
        server.stop()
    print(f"{os.path.getsize(log) / 1e6:.0f} MB")
    sys.exit(recompute.compare(program, folder, log))


main()
