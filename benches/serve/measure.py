"""Measures throughput and prints a row with the name, the statements per second, and the CPU time per statement in this
process and in the daemon, in nanoseconds. PGQ_DAEMON is the daemon's process ID."""

import glob
import os
import time


def daemon_time():
    """Returns the CPU time of the daemon's threads in nanoseconds, or 0 without a daemon."""
    threads = glob.glob(f"/proc/{os.environ.get('PGQ_DAEMON', '')}/task/*/schedstat")
    return sum(int(open(thread).read().split()[0]) for thread in threads)


def measure(name, seconds, once):
    """Measures `once`, which returns its number of statements."""
    once()  # fills caches and buffers
    count, begun, own, daemon = 0, time.monotonic(), time.process_time_ns(), daemon_time()
    while time.monotonic() - begun < seconds:
        count += once()
    elapsed, own, daemon = time.monotonic() - begun, time.process_time_ns() - own, daemon_time() - daemon
    print(f"{name}\t{count / elapsed:.0f}\t{own / count:.0f}\t{daemon / count:.0f}", flush=True)
