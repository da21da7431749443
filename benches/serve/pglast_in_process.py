"""Measures the statements per second of pglast: pglast_in_process.py WORKLOAD SECONDS"""

import pathlib
import sys

from measure import measure
from pglast import parser

texts = pathlib.Path(sys.argv[1]).read_text().splitlines()


def each(call):
    for text in texts[:2000]:
        call(text)
    return 2000


for name in ["fingerprint", "normalize"]:
    measure(f"{name}, pglast, in process", float(sys.argv[2]), lambda: each(getattr(parser, name)))
