"""Runs the benchmark of crates/pgq-postgres/examples/batches.rs with psycopg's pipeline mode."""

import sys
import time

import psycopg

QUERY = "SELECT id, name FROM harbors LIMIT %s"
server, rows, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])

with psycopg.connect(server, autocommit=True) as connection:
    cursors = [connection.cursor() for _ in range(rows)]
    executed = values = 0
    begun = time.monotonic()
    while time.monotonic() - begun < seconds:
        with connection.pipeline():
            for number, cursor in enumerate(cursors):
                cursor.execute(QUERY, (number % 10 + 1,), prepare=True)
            # The end of the block sends the only Sync.
        for cursor in cursors:
            values += sum(len(str(value)) for row in cursor.fetchall() for value in row)
        executed += rows
    print(f"{executed / (time.monotonic() - begun):.0f} {values // executed}")
