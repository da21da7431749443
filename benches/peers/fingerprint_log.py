"""Fingerprints the statements of a log with pglast, for the comparison with `pgq fingerprint`.

    pip install pglast
    python3 fingerprint_log.py stderr|csvlog|jsonlog LOG > fingerprints

Prints the fingerprint of each executed statement on a line, or an empty line if the statement has a
syntax error. Caches the fingerprints of the last 4096 texts.
"""
import csv, functools, json, re, sys
from pglast.parser import ParseError, fingerprint

MESSAGE = re.compile(r"(?:duration: [\d.]+ ms  )?(?:statement|execute [^:]*): (.*)", re.S)
LINE = re.compile(r"[^\t].*?\b(LOG|ERROR|FATAL|PANIC|WARNING|NOTICE|DETAIL|HINT|CONTEXT|STATEMENT|INFO):  (.*)", re.S)

def stderr(file):
    message = None
    for line in file:
        if line.startswith("\t"):
            message = message and message + line[1:]
        elif found := LINE.match(line):
            if message:
                yield message
            message = found[2] if found[1] == "LOG" else None
    if message:
        yield message

def csvlog(file):
    return (row[13] for row in csv.reader(file) if row[11] == "LOG")

def jsonlog(file):
    return (row["message"] for row in map(json.loads, file) if row["error_severity"] == "LOG")

@functools.lru_cache(maxsize=4096)
def fingerprint_of(sql):
    try:
        return fingerprint(sql)
    except ParseError:
        return ""

with open(sys.argv[2], newline="", encoding="utf-8") as log:
    for message in globals()[sys.argv[1]](log):
        if found := MESSAGE.match(message):
            print(fingerprint_of(found[1].rstrip("\n")))
