#!/usr/bin/env python3
"""Recomputes a digest from a generated csvlog, and compares every figure and list of every format. tests/truth/large.py
passes the log of a real server.

    recompute.py PGQ FOLDER [RECORDS]

Relies only on the documented formats of pgq. If there are differences, prints them and exits with 1.
"""

import collections
import csv
import html.parser
import json
import random
import re
import subprocess
import sys

USERS, HOSTS, KINDS, QUERIES = 3000, 3000, 4000, 300
TOP = 20
COLUMNS = 26
ALARMS = [("PANIC", "XX000", 'could not write to file "pg_wal/xlogtemp.{n}"'),
          ("FATAL", "28P01", 'password authentication failed for user "u{n}"'),
          ("FATAL", "53300", "sorry, too many clients already"),
          ("FATAL", "57P01", "terminating connection due to administrator command")]
KILLED = "server process (PID {n}) was terminated by signal 9: Killed"


def letters(number):
    """Returns a name without digits, because fingerprints ignore them, and without `w`, because a message that contains
    the name `pwd` would be masked."""
    out = ""
    for _ in range(4):
        out += chr(97 + number % 22)
        number //= 22
    return out


def zipf(rng, size):
    """Returns a random number below size. Small numbers are more frequent."""
    return min(int(size ** rng.random()) - 1, size - 1)


def generate(path, records, rng):
    start = 1769860800000
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        for n in range(records):
            ms = start + n * 37
            second = ms // 1000 % 86400
            stamp = "2026-01-31 %02d:%02d:%02d.%03d UTC" % (12 + second // 3600 % 24 - 12, second // 60 % 60, second % 60, ms % 1000)
            user, host = "u" + letters(zipf(rng, USERS)), "h" + letters(zipf(rng, HOSTS))
            row = [""] * COLUMNS
            row[0], row[1], row[2], row[3], row[4] = stamp, user, "d%d" % (n % 7), str(1000 + n % 50), host + ":5432"
            row[5], row[6], row[7], row[8] = "697de900.%x" % (1000 + n % 50), "1", "SELECT", "2026-01-31 00:00:00 UTC"
            row[9], row[10], row[11], row[12] = "1/1", "0", "LOG", "00000"
            row[22], row[23], row[25] = "app%d" % (n % 40), "client backend", "0"
            query = "SELECT a FROM t_%s WHERE b = %d" % (letters(zipf(rng, QUERIES)), n)
            pick = rng.random()
            if pick < 0.5:
                row[13] = "duration: %.3f ms  statement: %s" % (rng.randrange(1, 10 ** 6) / 1000, query)
            elif pick < 0.8:
                row[11], row[12] = "ERROR", "P0001"
                row[13] = 'rule %s of "%d" broken by %d' % (letters(zipf(rng, KINDS)), n, n)
                row[14], row[18], row[19] = "Detail %d." % n, "PL/pgSQL function f()", query
            elif pick < 0.85:
                row[11], row[12], row[13] = "ERROR", "42P01", 'relation "r%d" does not exist' % n
            elif pick < 0.9:
                row[11], row[12], message = ALARMS[zipf(rng, len(ALARMS))]
                row[13] = message.format(n=n)
            elif pick < 0.94:
                row[11], row[12], row[13], row[19] = "WARNING", "01000", "warning %s" % letters(zipf(rng, 60)), query
            elif pick < 0.97:
                row[13], row[19] = 'temporary file: path "base/pgsql_tmp/pgsql_tmp1.%d", size %d' % (n, n), query
            elif pick < 0.995:
                row[13] = "process %d still waiting for ShareLock on transaction %d after 1000.%03d ms" % (n, n, n % 1000)
                row[14], row[19] = "Process holding the lock: %d. Wait queue: %d." % (n, n), query
            else:
                row[1] = row[2] = row[4] = row[22] = ""
                row[13], row[14] = KILLED.format(n=n), "Failed process was running: " + query
            out.writerow(row)


def mask(message):
    message = re.sub(r'"[^"]*"', '"…"', message)
    return re.sub(r"(?<![\w])\d[\d.,]*\d|(?<![\w])\d", "N", message)


class Truth:
    """The figures of the log, counted row by row."""

    def __init__(self, path):
        self.groups = collections.defaultdict(lambda: {"durations": [], "errors": 0, "names": collections.Counter(),
                                                       "temp": [], "waits": 0, "failed": 0, "waited": 0})
        self.kinds = collections.defaultdict(lambda: {"count": 0, "users": collections.Counter(), "hosts": collections.Counter(),
                                                      "databases": collections.Counter(), "first": [], "last": []})
        self.names = {facet: collections.defaultdict(lambda: [0, 0, 0]) for facet in ("users", "databases", "applications", "hosts")}
        self.stray = self.errors = 0
        # For each session that waits for a lock, the known duration of the wait in microseconds.
        self.waiting = {}
        self.severities = collections.Counter()
        self.bins = collections.Counter()
        with open(path, newline="") as file:
            for row in csv.reader(file):
                self.add(row)

    def add(self, row):
        severity, message = row[11], row[13]
        query = row[19]
        duration = re.match(r"duration: ([\d.]+) ms  statement: (.*)", message)
        if duration:
            query = duration[2]
        key = re.sub(r"= \d+", "= $1", query)
        names = {"users": row[1], "databases": row[2], "applications": row[22], "hosts": row[4].split(":")[0]}
        is_error = severity in ("ERROR", "FATAL", "PANIC")
        for facet, name in names.items():
            if name and (is_error or severity == "LOG" and query):
                self.names[facet][name][0] += 0
        if severity == "LOG" and not duration:
            if message.startswith("temporary"):
                self.groups[key]["temp"].append(int(message.split()[-1]))
                return
            if acquired := re.match(r"process \d+ acquired .* after (\d+)\.(\d{3}) ms$", message):
                self.groups[key]["waited"] += int(acquired[1] + acquired[2])
                self.waiting.pop(row[5], None)
                return
            if wait := re.match(r"process \d+ (?:still|detected deadlock while) waiting for .* after (\d+)\.(\d{3}) ms$", message):
                severity = "WAIT"
                self.waiting[row[5]] = int(wait[1] + wait[2])
                self.groups[key]["waits"] += 1
            elif re.match("server process .* was terminated|database system is ready", message):
                severity = "SERVER"
            else:
                return
        if not duration:
            kind = self.kinds[severity, row[12].replace("00000", ""), mask(message)]
            kind["count"] += 1
            for facet in ("users", "databases", "hosts"):
                if names[facet]:
                    kind[facet][names[facet]] += 1
            # Several messages may have the same time.
            if not kind["first"] or row[0] <= kind["first"][0][0]:
                kind["first"] = [other for other in kind["first"] if other[0] == row[0]] + [row]
            if not kind["last"] or row[0] >= kind["last"][0][0]:
                kind["last"] = [other for other in kind["last"] if other[0] == row[0]] + [row]
            self.severities[severity] += 1
        if not duration and not is_error:
            return
        # The server logs the end of a wait only if the lock was granted.
        waited = self.waiting.pop(row[5], None)
        if waited is not None and query:
            self.groups[key]["failed"] += 1
            self.groups[key]["waited"] += waited
        micros = int(duration[1].replace(".", "")) if duration else 0
        self.bins[row[0][:19]] += is_error
        if is_error:
            self.errors += 1
            self.stray += not query
        for facet, name in names.items():
            if name:
                totals = self.names[facet][name]
                totals[0] += bool(duration)
                totals[1] += micros
                totals[2] += is_error
        if query:
            group = self.groups[key]
            group["names"].update(names.values())
            if duration:
                group["durations"].append(micros)
            else:
                group["errors"] += 1


ORDER = ["PANIC", "SERVER", "FATAL", "ERROR", "WARNING", "WAIT"]
DIFFERENCES = []


def same(what, actual, expected):
    if actual != expected:
        DIFFERENCES.append("%s: %.300r instead of %.300r" % (what, actual, expected))


def ranked(truth, severities):
    kinds = [(key, kind) for key, kind in truth.kinds.items() if key[0] in severities]
    return sorted(kinds, key=lambda it: (ORDER.index(it[0][0]), -it[1]["count"], it[0][2].encode()))


def check_json(document, truth):
    groups = {group["normalized"]: group for group in document["groups"]}
    same("queries", set(groups), set(truth.groups))
    calls = sum(len(group["durations"]) for group in truth.groups.values())
    micros = sum(sum(group["durations"]) for group in truth.groups.values())
    for key, value in [("statements", calls), ("errors", truth.errors), ("stray_errors", truth.stray),
                       ("total_ms", micros / 1000), ("distinct_queries", len(truth.groups)), ("other", 0),
                       ("other_messages", 0), ("ambiguous", 0)]:
        same(key, document[key], value)
    for severity in ("PANIC", "FATAL", "ERROR", "WARNING"):
        same(severity, document["severities"][severity], truth.severities[severity])
    same("server events", document["severities"]["server_events"], truth.severities["SERVER"])
    for name, expected in truth.groups.items():
        group = groups.get(name)
        if group is None:
            continue
        durations = sorted(expected["durations"])
        same(name + " calls", group["calls"], len(durations))
        same(name + " total", round(group["total_ms"] * 1000), sum(durations))
        same(name + " max", round(group["max_ms"] * 1000), max(durations, default=0))
        same(name + " errors", group["errors"], expected["errors"])
        for quantile, key in [(0.5, "p50_ms"), (0.95, "p95_ms"), (0.99, "p99_ms")]:
            true = durations[max(0, -int(-quantile * len(durations) // 1) - 1)] if durations else 0
            if abs(group[key] * 1000 - true) > 0.01 * true:
                same(name + " " + key, group[key] * 1000, true)
        for facet in ("users", "databases", "applications", "hosts"):
            for who, totals in group[facet].items():
                same(name + " of " + who, totals["calls"] + totals["errors"], expected["names"][who])
        counted = sum(len(group[facet]) for facet in ("users", "databases", "applications", "hosts"))
        same(name + " names", counted, len(expected["names"]))
        events = group.get("events", {})
        same(name + " files", events.get("temporary_files", 0), len(expected["temp"]))
        same(name + " bytes", events.get("temporary_bytes", 0), sum(expected["temp"]))
        same(name + " waits", events.get("lock_waits", 0), expected["waits"])
        same(name + " failed waits", events.get("failed_lock_waits", 0), expected["failed"])
        same(name + " waited", round(events.get("lock_wait_ms", 0) * 1000), expected["waited"])
    for facet, names in truth.names.items():
        actual = {name: [it["calls"], round(it["total_ms"] * 1000), it["errors"]] for name, it in document[facet].items()}
        same(facet, actual, dict(names))
    for key, severities in [("error_kinds", ("PANIC", "FATAL", "ERROR")), ("warning_kinds", ("WARNING",)),
                            ("lock_wait_kinds", ("WAIT",)), ("alarms", ("PANIC", "FATAL", "SERVER"))]:
        expected = ranked(truth, severities)
        same(key, [(kind["message"], kind["count"]) for kind in document[key]], [(key[2], kind["count"]) for key, kind in expected])
        for actual, ((_, sqlstate, _), kind) in zip(document[key], expected):
            same("sqlstate", actual["sqlstate"] or "", sqlstate)
            for facet in ("users", "databases", "hosts"):
                same(facet + " of " + actual["message"], actual[facet], dict(kind[facet]))
            first = actual["first_message"]
            found = (first.get("message"), first.get("detail", ""))
            same("first", found in [(row[13], row[14]) for row in kind["first"]], True)
            last = actual.get("last_message", first)
            found = (last.get("message"), last.get("context", ""))
            same("last", found in [(row[13], row[18]) for row in kind["last"]], True)
    same("timeline errors", sum(bin[3] for bin in document["timeline"]["bins"]), truth.errors)
    same("timeline calls", sum(bin[1] for bin in document["timeline"]["bins"]), calls)


def number(text):
    return int(text.replace(",", ""))


def by_time(truth):
    return sorted(truth.groups.items(), key=lambda it: -sum(it[1]["durations"]))


def check_list(what, lines, truth, severities, count_of):
    """Checks that the lines of a list have the highest counts in order, and that the count of each message is correct."""
    expected = ranked(truth, severities)
    counts = {key[2]: kind["count"] for key, kind in expected}
    same(what + " counts", [count for count, _ in lines], [kind["count"] for _, kind in expected[:TOP]])
    for count, message in lines:
        same(what + " " + message, count, counts.get(message))
    count_of.append(len(lines))


SECTIONS = [("PANIC, FATAL, and a server that was killed or started", ("PANIC", "SERVER", "FATAL")),
            ("errors", ("ERROR",)), ("warnings", ("WARNING",)), ("waits for locks, by lock", ("WAIT",))]


def check_text(text, truth):
    lists = {}
    paragraphs = text.split("\n\n")
    # A title is a line with a list below it. The last line of a list is not a title.
    for before, after in zip(paragraphs, paragraphs[1:]):
        if "\n" not in before and not before.startswith(("and ", " ")):
            lists[before] = after.rstrip("\n") + "\n"
    same("first list", next(iter(lists)), SECTIONS[0][0])
    seen = []
    for title, severities in SECTIONS:
        rows = re.findall(r"(?m)^ *([\d,]+)  (?:PANIC |FATAL |LOG )?(?:[0-9A-Z]{5} )?(.*)$", lists.get(title, ""))
        rows = [(number(count), message) for count, message in rows if not message.startswith("of ")]
        check_list("text, " + title, rows, truth, severities, seen)
    rows = re.findall(r"(?m)^ *(\d+) +([\d,]+) +\d.*? +[\d.<]+% .*?(SELECT a FROM t_\w+)", lists.get("queries by total time", ""))
    expected = [(len(group["durations"]), name.split(" WHERE")[0]) for name, group in by_time(truth)[:TOP]]
    same("text, queries", [(number(calls), sql) for _, calls, sql in rows], expected)
    for facet in truth.names:
        top = sorted(truth.names[facet].items(), key=lambda it: (-it[1][1], -(it[1][0] + it[1][2]), it[0]))[:TOP]
        rows = re.findall(r"(?m)^ *([\d,]+) +.*? +([\d,]+) (\S+)$", lists.get(facet, ""))
        same("text, " + facet, [(number(c), number(e), name) for c, e, name in rows], [(t[0], t[2], name) for name, t in top])


def check_markdown(text, truth):
    tables = [[line.strip("|").split(" | ") for line in table.splitlines()] for table in re.findall(r"(?m)(?:^\|.*\n)+", text)]
    unescaped = lambda cell: re.sub(r"\\(.)", r"\1", cell.split("<br>")[0]).strip()
    titles = {unescaped(table[0][0]): table[2:] for table in tables}
    for title, severities in [(SECTIONS[0][0], SECTIONS[0][1]), ("errors", ("ERROR",)), ("warnings", ("WARNING",)), ("waits for locks, by lock", ("WAIT",))]:
        rows = [(number(row[0].strip()), re.sub("^(PANIC|FATAL|LOG): ", "", unescaped(row[2]))) for row in titles.get(title, [])]
        check_list("markdown, " + title, rows, truth, severities, [])
    queries = next(table for table in tables if table[0][-1].strip() == "query")[2:]
    expected = [(len(group["durations"]), name) for name, group in by_time(truth)[:TOP]]
    same("markdown, queries", [(number(row[0].strip()), row[-1].strip(" `")) for row in queries], expected)


def check_csv(text, truth):
    rows = list(csv.DictReader(text.splitlines()))
    first = [row["severity"] for row in rows[:len(ranked(truth, ("PANIC", "SERVER", "FATAL")))]]
    same("csv, first rows", set(first) <= {"PANIC", "FATAL", "LOG"}, True)
    queries = {row["query"]: row for row in rows if row["group"] == "query"}
    same("csv, queries", set(queries), set(truth.groups))
    for name, group in truth.groups.items():
        row = queries.get(name, {})
        same("csv, " + name, (row.get("calls"), row.get("errors")), (str(len(group["durations"])), str(group["errors"])))
        same("csv, total of " + name, round(float(row.get("total_ms", -1)) * 1000), sum(group["durations"]))
    messages = collections.Counter()
    for row in rows:
        if row["group"] in ("error", "warning", "log"):
            messages[row["kind"], row["query"]] = int(row["errors"] or row["calls"])
    same("csv, messages", dict(messages), {(key[1], key[2]): kind["count"] for key, kind in truth.kinds.items()})


class Page(html.parser.HTMLParser):
    """Collects the values in each row of queries, and the first value in each row of messages."""

    def __init__(self, text):
        super().__init__()
        self.queries, self.messages, self.tiles = {}, collections.defaultdict(list), {}
        self.query = self.cell = self.section = self.tile = None
        self.is_detail = self.is_new = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        names = (attributes.get("class") or "").split()
        if tag == "section" and attributes.get("id"):
            self.section = attributes["id"]
        elif tag == "div" and (attributes.get("id") or "").startswith("all-"):
            self.tile = attributes["id"][4:]
        elif tag == "tbody" and (attributes.get("id") or "").startswith("q-"):
            self.query = self.queries[attributes["id"][2:]] = {}
            self.is_detail = False
        elif tag == "tr":
            self.is_detail |= "detail" in names
            self.is_new = self.section in ("alarms", "messages", "warnings", "waits")
        elif tag == "td" and names and not self.is_detail:
            self.cell = names[0]
        elif tag == "data":
            value = float(attributes["value"])
            if self.tile:
                self.tiles[self.tile], self.tile = value, None
            elif self.section == "queries" and self.query is not None and not self.is_detail:
                self.query.setdefault(self.cell, value)
            elif self.is_new:
                self.messages[self.section].append(int(value))
                self.is_new = False


def check_page(text, document, truth):
    page = Page(text)
    same("page, tiles", page.tiles, {"statements": document["statements"], "total": document["total_ms"],
                                     "queries": document["distinct_queries"], "errors": document["errors"]})
    groups = {group["fingerprint"]: group for group in document["groups"]}
    same("page, queries", len(page.queries) >= min(200, len(groups)), True)
    for fingerprint, cells in page.queries.items():
        for cell, key in [("calls", "calls"), ("total", "total_ms"), ("max", "max_ms"), ("errors", "errors"), ("p95", "p95_ms")]:
            same("page, %s of %s" % (cell, fingerprint), cells.get(cell), float(groups[fingerprint][key]))
    for section, severities in [("alarms", SECTIONS[0][1]), ("messages", ("ERROR",)), ("warnings", ("WARNING",)), ("waits", ("WAIT",))]:
        same("page, " + section, page.messages[section], [kind["count"] for _, kind in ranked(truth, severities)][:100])
    same("page, alarms first", text.index('id="alarms"') < text.index('id="time-line"'), True)


def main():
    pgq, folder = sys.argv[1:3]
    records = int(sys.argv[3]) if len(sys.argv) > 3 else 40000
    log = folder + "/generated.csv"
    generate(log, records, random.Random(7))
    return compare(pgq, folder, log)


def compare(pgq, folder, log):
    """Compares the digest of a log with its rows. Returns the exit code."""
    truth, state = Truth(log), folder + "/digest.state"

    def run(*args):
        return subprocess.run([pgq, "digest", "--limit", "1GB", *args], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()

    whole = run("--format", "json", "--jobs", "1", log)
    same("jobs", run("--format", "json", "--jobs", "4", log) == whole, True)
    run("--partial", state, log)
    same("state", run("--format", "json", "--merge", state) == whole, True)
    document = json.loads(whole)
    check_json(document, truth)
    check_text(run("--top", str(TOP), log), truth)
    check_markdown(run("--top", str(TOP), "--format", "markdown", log), truth)
    check_csv(run("--format", "csv", log), truth)
    check_page(run("--format", "html", log), document, truth)
    print("%d queries, %d kinds, %d users, %d hosts, severities %s, %d failed waits: %d differences" %
          (len(truth.groups), len(truth.kinds), len(truth.names["users"]), len(truth.names["hosts"]),
           dict(truth.severities), sum(group["failed"] for group in truth.groups.values()), len(DIFFERENCES)))
    for difference in DIFFERENCES[:30]:
        print("  " + difference)
    return 1 if DIFFERENCES else 0


if __name__ == "__main__":
    sys.exit(main())
