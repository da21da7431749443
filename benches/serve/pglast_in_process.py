"""Statements a second of pglast, in process: pglast_in_process.py WORKLOAD SECONDS"""

import pathlib
import sys
import time

from pglast import parser

texts = pathlib.Path(sys.argv[1]).read_text().splitlines()
for name, call in [("fingerprint", parser.fingerprint), ("normalize", getattr(parser, "normalize", None))]:
    if call is None:
        continue
    count, begun = 0, time.monotonic()
    while time.monotonic() - begun < float(sys.argv[2]):
        for text in texts[:2000]:
            call(text)
        count += 2000
    print(f"{name}, pglast, in process\t{count / (time.monotonic() - begun):.0f}", flush=True)
