"""Compares the figures of `pgq digest` with figures that count.py computes from the same log without pgq. A real server
writes the log in all three formats at once.

    truth.py PROGRAM SERVER_BIN FOLDER ROUNDS SEED

A round runs random clients under random settings. The digests of the csvlog and the jsonlog must have the counted
figures. The digest of the stderr log may differ if a notice names the missing items with their number. If a round
fails, prints its settings and differences, and exits with 1 at the end.
"""

import collections
import json
import os
import random
import re
import subprocess
import sys
import time

import count
import workload
from protocol import Connection

PREFIXES = [
    "%m [%p] ", "%m [%p] %q%u@%d ", "%t [%p-%l] %q%u@%d ", "%t:%r:%u@%d:[%p]:", "%m [%p]: [%l-1] user=%u,db=%d,app=%a,client=%h ",
    "%m [%c] %q%u@%d ", "%n [%p] ", "%m [%p] %q[%b] %e %i ", "%t [%p]: ", "%m [%p] %v %q%u@%d/%a ", "< %m > ", "%m|%p|%u|%d|%e|",
]


# Options of a session whose errors are logged, but not its statements.
SILENT = (
    "-c log_statement=none -c log_duration=off -c log_min_duration_statement=-1 -c log_min_duration_sample=-1 "
    "-c auto_explain.log_min_duration=-1"
)

OTHERS = (
    "SELECT count(*) FROM pg_stat_activity WHERE backend_type IN ('client backend', 'parallel worker') "
    "AND pid <> pg_backend_pid()"
)


def end_of(path):
    """The last bytes of a file, as text."""
    if not os.path.exists(path):
        return ""
    with open(path, "rb") as file:
        file.seek(max(0, os.path.getsize(path) - 4096))
        return file.read().decode(errors="replace")


class Server:
    """A server on a Unix socket whose settings change while it runs."""

    def __init__(self, binaries, folder):
        self.binaries, self.folder = binaries, folder
        self.data = os.path.join(folder, "data")
        self.socket = os.path.join(folder, ".s.PGSQL.5432")
        self.ctl("initdb", "-D", self.data, "-U", "app", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8")
        with open(os.path.join(self.data, "postgresql.conf"), "a") as file:
            file.write(
                f"listen_addresses = ''\nunix_socket_directories = '{folder}'\nlogging_collector = on\n"
                f"log_directory = '{folder}/log'\nlog_filename = 'x.log'\nlog_file_mode = 0644\nfsync = off\n"
                "log_destination = 'stderr,csvlog,jsonlog'\nsession_preload_libraries = 'auto_explain'\n"
                "deadlock_timeout = 10ms\nwork_mem = '64kB'\nmax_parallel_workers = 4\nautovacuum = off\n"
                "include 'round.conf'\n"
            )
        self.write("")
        self.ctl("pg_ctl", "-D", self.data, "-w", "-t", "60", "start", "-l", os.path.join(folder, "start.log"))
        connection = Connection(self.socket, "app", "template1", "setup")
        connection.simple("CREATE DATABASE shop")
        connection.close()
        self.sql(workload.SETUP)

    def ctl(self, program, *arguments):
        subprocess.run([os.path.join(self.binaries, program), *arguments], check=True, stdout=subprocess.DEVNULL)

    def sql(self, text):
        connection = Connection(self.socket, "app", "shop", "setup")
        ok = connection.simple(text)
        connection.close()
        return ok

    def write(self, settings):
        with open(os.path.join(self.data, "round.conf"), "w") as file:
            file.write(settings)

    def value(self, sql):
        """Runs a query that is not logged, in a new session, and returns its value."""
        connection = Connection(self.socket, "app", "shop", "setup", SILENT)
        connection.simple(sql)
        connection.close()
        return connection.rows[0][0] if connection.rows else None

    def wait_for(self, is_so):
        """Waits for a condition. A busy machine may take long."""
        for _ in range(600):
            if is_so():
                return
            time.sleep(0.05)
        raise TimeoutError("the server does not settle")

    def reload(self, settings, number):
        """Changes the settings. Returns when new sessions have them."""
        self.write(f"{settings}truth.round = '{number}'\n")
        self.ctl("pg_ctl", "-D", self.data, "reload")
        self.wait_for(lambda: self.value("SHOW truth.round") == str(number))

    def sizes(self, marker):
        """Waits until all sessions have ended and the logs are complete. Returns the sizes of the logs. The last message of
        a complete log is an error that contains the marker."""
        self.wait_for(lambda: self.value(OTHERS) == "0")
        time.sleep(0.1)  # the postmaster logs the end of a parallel worker
        self.value(f"SELECT {marker}")
        files = [os.path.join(self.folder, "log", name) for name in ("x.log", "x.csv", "x.json")]
        self.wait_for(lambda: all(marker in end_of(file) for file in files))
        before = None
        while True:
            sizes = [os.path.getsize(file) for file in files]
            if sizes == before:
                return dict(zip(files, sizes))
            before = sizes
            time.sleep(0.12)

    def stop(self):
        self.ctl("pg_ctl", "-D", self.data, "-w", "-m", "immediate", "stop")


def draw(chosen):
    """Chooses random settings. Returns them, the log_line_prefix, whether the text of every call is logged, and whether
    only plans record calls."""
    kinds = [
        ("log_min_duration_statement = 0", True, False),
        ("log_statement = all\nlog_duration = on", True, False),
        ("log_statement = all\nlog_min_duration_statement = 0", True, False),
        ("log_statement = all", True, False),
        ("log_min_duration_statement = 5", False, False),
        ("log_statement = all\nlog_min_duration_statement = 10", True, False),
        ("log_min_duration_sample = 0\nlog_statement_sample_rate = 0.5", False, False),
        ("log_statement = mod\nlog_duration = on", False, False),
        ("log_min_duration_statement = 0\nauto_explain.log_min_duration = 0", True, False),
        ("log_min_duration_statement = 0\nauto_explain.log_min_duration = 0\nauto_explain.log_nested_statements = on", True, False),
        ("log_statement = all\nlog_duration = on\nauto_explain.log_min_duration = 0", True, False),
        ("log_statement = all\nlog_duration = on\nauto_explain.log_min_duration = 0\nauto_explain.log_nested_statements = on", True, False),
    ]
    lines, is_complete, plans = chosen.choice(kinds)
    extra = {
        "log_error_verbosity": ["default", "default", "default", "verbose", "terse"],
        "log_min_error_statement": ["error", "error", "error", "panic"],
        "log_parameter_max_length": ["-1", "5", "0"],
        "log_connections": ["on", "off"],
        "log_disconnections": ["on", "off"],
        "log_lock_waits": ["on", "off"],
        "log_temp_files": ["0", "-1"],
        "log_timezone": ["'UTC'", "'Asia/Shanghai'", "'America/New_York'"],
    }
    prefix = chosen.choice(PREFIXES)
    lines += f"\nlog_line_prefix = '{prefix}'\n" + "".join(f"{name} = {chosen.choice(values)}\n" for name, values in extra.items())
    return lines, prefix, is_complete, plans


def digest(program, path, kind, prefix):
    """Returns the figures that the digest reports, and its notices."""
    command = [program, "digest", "--format", "json", "--from", kind, path]
    command += ["--log-line-prefix", prefix] if prefix else []
    ran = subprocess.run(command, capture_output=True, text=True)
    try:
        report = json.loads(ran.stdout)
    except ValueError:
        return None, ran.stderr
    def events(name):
        # The totals include the events of statements.
        return report["events"][name]
    errors = {}
    for error in report["error_kinds"]:
        state = error["sqlstate"] or ""
        errors[state] = errors.get(state, 0) + error["count"]
    figures = {
        "calls": report["statements"],
        "ms": round(report["total_ms"], 3),
        "errors": dict(sorted(errors.items())),
        "lock_waits": events("lock_waits"),
        "temporary_files": events("temporary_files"),
        "canceled": events("canceled"),
    }
    return figures, ran.stderr


def check(program, server, seed):
    """Runs a round. Returns the settings, the unexplained differences, the differences that a notice explains, and the
    number of calls."""
    chosen = random.Random(seed)
    lines, prefix, is_complete, plans = draw(chosen)
    server.reload(lines, seed)
    before = server.sizes(f"begin_{seed}")
    ran = workload.run(server.socket, seed)
    after = server.sizes(f"end_{seed}")
    parts = {}
    for path, kind in zip(after, ["stderr", "csvlog", "jsonlog"]):
        parts[kind] = os.path.join(server.folder, f"round.{kind}")
        with open(path, "rb") as file, open(parts[kind], "wb") as part:
            file.seek(before[path])
            part.write(file.read(after[path] - before[path]))
    counted = count.count(parts["csvlog"], plans)
    expected, problems, said = counted.table(), [], []
    if is_complete and counted.calls != ran:
        problems.append(f"the clients ran {ran} statements, the rows have {counted.calls}")
    all_errors = dict(sorted((counted.errors + counted.errors_without_statement).items()))
    alone = counted.errors_of_workers_alone
    for kind, path in parts.items():
        given = prefix if kind == "stderr" and chosen.random() < 0.5 else None
        found, notices = digest(program, path, kind, given)
        if found is None:
            (said if kind == "stderr" and "cannot be inferred" in notices else problems).append(f"{kind}: {notices.strip()}")
            continue
        if kind == "stderr" and "%e" not in prefix:
            # Without SQLSTATEs, only the number of errors is known.
            found["errors"] = {"": sum(found["errors"].values())}
            sums = [sum(expected["errors"].values()), sum(all_errors.values())]
            allowed = [{"": total + workers} for total in sums for workers in range(alone.total() + 1)]
        else:
            without = [expected["errors"], all_errors]
            allowed = [dict(alone + collections.Counter(errors)) for errors in without]
            if kind == "stderr":
                # %q leaves out the SQLSTATE of a worker.
                allowed += without + [{**errors, "": alone.total()} for errors in without]
        differs = {key: (found[key], expected[key]) for key in expected if key != "errors" and found[key] != expected[key]}
        if found["canceled"] == counted.canceled + counted.canceled_without_statement:
            differs.pop("canceled", None)
        if kind == "stderr" and 0 <= expected["calls"] - found["calls"] <= counted.calls_of_same_portals:
            differs.pop("calls", None)
        if found["errors"] not in allowed:
            differs["errors"] = (found["errors"], expected["errors"])
        if not differs:
            continue
        names_count = re.search(r": [0-9]+ (durations?|statements?|plans?|fetch(?:es)?|lines?|messages?|errors?)", notices)
        is_said = kind == "stderr" and names_count
        text = f"{kind} {'inferred' if given is None else 'given'}: (found, counted) {differs}; {notices.strip()}"
        (said if is_said else problems).append(text)
    return lines, problems, said, counted.calls


def main():
    program, binaries, folder, rounds, seed = sys.argv[1:6]
    server = Server(binaries, folder)
    wrong, said_count, calls = 0, 0, 0
    try:
        for number in range(int(seed), int(seed) + int(rounds)):
            lines, problems, said, count_of_round = check(program, server, number)
            calls += count_of_round
            said_count += len(said)
            if problems:
                wrong += 1
                print(f"round {number}:\n  " + "\n  ".join(lines.splitlines() + problems), flush=True)
            for text in said if os.environ.get("PGQ_TRUTH_VERBOSE") else []:
                print(f"round {number} said: {text}")
    finally:
        server.stop()
    print(f"{rounds} rounds, {calls} calls: {wrong} rounds differ, {said_count} logs on stderr say what they cannot tell")
    sys.exit(wrong > 0)


main()
