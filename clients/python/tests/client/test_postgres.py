"""Tests PostgreSQL sessions of the client. PGQ_SERVER has the settings of a server; tests/serve starts one."""

import os
import unittest

from pgquill import AsyncClient, Client, Outcome, PgqError

from .test_client import PROGRAM

SERVER = os.environ.get("PGQ_SERVER")


@unittest.skipUnless(PROGRAM and SERVER, "no server: name it with PGQ_SERVER")
class PostgresTest(unittest.TestCase):
    def test_rows_errors_and_nulls(self):
        with Client.start(PROGRAM) as client:
            session = client.postgres(SERVER)
            self.assertIn("server_version", session.parameters)
            statement = session.prepare("SELECT 10 / $1::int AS n, $2::text")
            self.assertEqual((statement.parameters, statement.columns[0]), ((23, 25), ("n", 23)))
            results = statement.execute([["5", "é"], ["2", None], ["0", "x"], ["1", "y"]])
            self.assertEqual(results[0].rows(), [(b"2", "é".encode())])
            self.assertEqual(results[1].rows(), [(b"5", None)])
            self.assertEqual((results[2].outcome, results[2].error.sqlstate), (Outcome.FAILED, "22012"))
            self.assertEqual((results[3].outcome, results[3].sync), (Outcome.NOT_RUN, True))
            tags = session.prepare("SELECT generate_series(1, 3)").execute([[]], results="tag")
            self.assertEqual(tags[0].tag, "SELECT 3")
            large = session.prepare("SELECT repeat('x', 1000000) FROM generate_series(1, 3)").execute([[], []])
            self.assertEqual([len(row[0]) for result in large for row in result.rows()], [1_000_000] * 6)
            with self.assertRaises(PgqError):
                session.prepare("SELECT nocolumn")
            session.close()
            with self.assertRaises(PgqError):
                statement.execute([["1", "x"]])


@unittest.skipUnless(PROGRAM and SERVER, "no server: name it with PGQ_SERVER")
class AsyncPostgresTest(unittest.IsolatedAsyncioTestCase):
    async def test_statements_are_awaited(self):
        async with await AsyncClient.start(PROGRAM) as client:
            session = await client.postgres(SERVER)
            statement = await session.prepare("SELECT $1::int")
            results = await statement.execute([["1"], ["2"]], results="count")
            self.assertEqual([result.count for result in results], [1, 1])


if __name__ == "__main__":
    unittest.main()
