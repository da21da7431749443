"""Counts the queries of a file with one statement a line: python example.py FILE"""

import collections
import itertools
import sys

from pgquill import Client, PgqError

counts: collections.Counter[str] = collections.Counter()
with Client.start() as client, open(sys.argv[1], encoding="utf-8") as file:
    while batch := [line.strip() for line in itertools.islice(file, 1000)]:
        for answer in client.both_all(batch):
            counts["does not parse" if isinstance(answer, PgqError) else answer[1]] += 1
for query, count in counts.most_common(20):
    print(f"{count:8} {query}")
