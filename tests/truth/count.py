"""Computes, from the rows of a csvlog in English, the figures that a digest must report. Uses no code of pgq."""

import collections
import csv
import re

TEXT = re.compile(r"(?:duration: (?P<ms>[0-9.]+) ms  )?(?P<verb>statement|execute fetch from|execute|parse|bind)(?P<name>[^:]*): (?P<sql>.*)", re.S)
BARE = re.compile(r"duration: ([0-9.]+) ms\s*$")
PLAN = re.compile(r"duration: ([0-9.]+) ms  plan:\nQuery Text: (.*)", re.S)


# How messages of parallel workers begin whose leader ends them, or ends while they start. These are not separate errors.
ENDED_BY_LEADER = (
    "terminating background worker", "could not map dynamic shared memory segment", "could not attach to dynamic shared area",
)


class Counts:
    """The figures of a log."""

    def __init__(self):
        self.calls = 0
        self.micros = 0
        self.errors = collections.Counter()
        self.errors_without_statement = collections.Counter()
        # Errors of parallel workers that no client backend (usually the leader) reports as well. They count as errors.
        # In stderr logs, only %b shows that they are errors of workers.
        self.errors_of_workers_alone = collections.Counter()
        # Calls that only a fetch shows, and whose portal has the name of an earlier portal. Only the virtual transaction
        # ID tells the two portals apart.
        self.calls_of_same_portals = 0
        self.lock_waits = 0
        self.temporary_files = 0
        self.canceled = 0
        self.canceled_without_statement = 0

    def table(self):
        return {
            "calls": self.calls,
            "ms": round(self.micros / 1000, 3),
            "errors": dict(sorted(self.errors.items())),
            "lock_waits": self.lock_waits,
            "temporary_files": self.temporary_files,
            "canceled": self.canceled,
        }


def micros(text):
    whole, _, fraction = text.partition(".")
    return int(whole) * 1000 + int((fraction + "000")[:3])


def count(path, plans_are_calls):
    """Returns the counts of a file. `plans_are_calls`: whether only auto_explain logs statements."""
    counts, pending, portals = Counts(), {}, {}
    fetching, of_workers, of_clients = set(), [], set()
    with open(path, newline="") as file:
        for row in csv.reader(file):
            session, tag, severity, state, text = row[5], row[7], row[11], row[12], row[13]
            context, query, backend = row[18], row[19], row[23]
            if severity in ("ERROR", "FATAL", "PANIC"):
                if backend == "parallel worker":
                    if not text.startswith(ENDED_BY_LEADER):
                        of_workers.append((state, text))
                    continue
                of_clients.add((state, text))
                (counts.errors if query else counts.errors_without_statement)[state] += 1
                if text.startswith("canceling statement due to ") or state == "57014":
                    counts.canceled += bool(query)
                    counts.canceled_without_statement += not query
                fetching.discard(session)
                # An error during parsing or binding belongs to the next statement, not to the pending one.
                if session in pending and tag not in ("PARSE", "BIND") and not tag.startswith("idle"):
                    if pending.pop(session):
                        counts.calls -= 1
                pending.pop(session, None)
                continue
            if severity != "LOG":
                continue
            counts.lock_waits += bool(re.match(r"process \d+ (still|detected deadlock while) waiting for ", text))
            counts.temporary_files += text.startswith("temporary file: ")
            if bare := BARE.match(text):
                if tag in ("PARSE", "BIND"):
                    continue
                if pending.pop(session, False) or session in fetching:
                    fetching.discard(session)
                    counts.micros += micros(bare[1])
            elif plan := PLAN.match(text):
                if plans_are_calls and not context:
                    counts.calls += 1
                    counts.micros += micros(plan[1])
            elif (found := TEXT.match(text)) and not context and not query:
                if found["verb"] in ("parse", "bind"):
                    continue
                portal = (session, found["name"].split("/")[-1].strip())
                if found["verb"] == "statement" and found["sql"].strip().upper() in ("COMMIT", "ROLLBACK"):
                    portals = {open: transaction for open, transaction in portals.items() if open[0] != session}
                # If the execution of a portal was not logged, the first fetch of the portal counts as the call.
                is_other = portals.get(portal, row[9]) != row[9]
                is_fetch = found["verb"] == "execute fetch from" and (portal in portals and not is_other or not found["ms"])
                counts.calls_of_same_portals += is_other and found["verb"] == "execute fetch from" and not is_fetch
                if found["verb"] != "statement" and "/" in found["name"]:
                    portals[portal] = row[9]
                pending.pop(session, None)
                counts.calls += not is_fetch
                if found["ms"]:
                    counts.micros += micros(found["ms"])
                elif is_fetch:
                    fetching.add(session)
                else:
                    pending[session] = True
    counts.errors_of_workers_alone.update(error[0] for error in of_workers if error not in of_clients)
    return counts
