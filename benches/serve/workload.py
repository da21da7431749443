"""Writes the statements of fixtures/oltp/pgbench_like.sql 250 times with random numbers, one statement per line.

    python3 workload.py FILE
"""

import pathlib
import random
import re
import sys

source = pathlib.Path(__file__).parents[2] / "fixtures/oltp/pgbench_like.sql"
statements = [line.rstrip(";") for line in source.read_text().splitlines() if not line.startswith("--")]
rng = random.Random(1)


def other(match: re.Match[str]) -> str:
    digits = len(match[0])
    return str(rng.randrange(10 ** (digits - 1), 10**digits))


# Shorter numbers remain, because they can be parts of dates.
lines = [re.sub(r"(?<![\w.-])[1-9]\d{3,7}(?![\w.-])", other, line) for _ in range(250) for line in statements]
pathlib.Path(sys.argv[1]).write_text("\n".join(lines) + "\n")
