"""Measures for a number of seconds, and prints a line of the table: the name, statements a second, and processor
time of a statement in nanoseconds, here and in the daemon of PGQ_DAEMON."""

import glob
import os
import time


def daemon_time():
    """Returns the CPU time of the daemon's threads in nanoseconds, as Linux counts it; 0 without a daemon."""
    threads = glob.glob(f"/proc/{os.environ.get('PGQ_DAEMON', '')}/task/*/schedstat")
    return sum(int(open(thread).read().split()[0]) for thread in threads)


def measure(name, seconds, once):
    """Measures `once`, which returns its number of statements."""
    once()  # caches and buffers
    count, begun, own, daemon = 0, time.monotonic(), time.process_time_ns(), daemon_time()
    while time.monotonic() - begun < seconds:
        count += once()
    elapsed, own, daemon = time.monotonic() - begun, time.process_time_ns() - own, daemon_time() - daemon
    print(f"{name}\t{count / elapsed:.0f}\t{own / count:.0f}\t{daemon / count:.0f}", flush=True)
