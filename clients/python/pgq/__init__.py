"""PostgreSQL's own parser, from a `pgq serve` that runs or that this package starts.

    from pgq import Client

    with Client.start() as client:               # or Client.connect() for a daemon that runs
        client.fingerprint("SELECT 1")           # '50fde20626009aba'
        client.normalize_all(["SELECT 1", "("])  # ['SELECT $1', PgqError(…)]

A call costs a round trip; the methods that end in `_all` share one among all their texts. `AsyncClient` has the
same methods for asyncio, and calls that are not awaited one by one are pipelined.
"""

from ._aio import AsyncClient
from ._codec import Flags, PgqError
from ._postgres import Outcome, Result, Session, Statement, decode_rows, encode_row
from ._sync import Client, Pending

__all__ = [
    "AsyncClient",
    "Client",
    "Flags",
    "Outcome",
    "Pending",
    "PgqError",
    "Result",
    "Session",
    "Statement",
    "decode_rows",
    "encode_row",
]
