"""Tests the client with a real `pgq serve`. PGQ_PROGRAM names the program [default: pgq on the PATH]."""

import asyncio
import os
import shutil
import tempfile
import threading
import unittest

from pgquill import AsyncClient, Client, PgqError

PROGRAM = os.environ.get("PGQ_PROGRAM") or shutil.which("pgq") or ""
ONE = "50fde20626009aba"  # the fingerprint of SELECT 1


@unittest.skipUnless(PROGRAM, "no pgq: name it with PGQ_PROGRAM")
class SyncTest(unittest.TestCase):
    def setUp(self):
        self.client = Client.start(PROGRAM)
        self.addCleanup(self.client.close)

    def test_every_operation_answers(self):
        client = self.client
        self.assertEqual(client.hello()["protocol"], 1)
        self.assertEqual(client.fingerprint("SELECT 1"), ONE)
        self.assertEqual(client.normalize("SELECT 'é'"), "SELECT $1")
        self.assertEqual(client.both("SELECT 1"), (ONE, "SELECT $1"))
        tree = client.tree("SELECT 'é' AS a")
        self.assertEqual(tree["stmts"][0]["stmt"]["SelectStmt"]["op"], "SETOP_NONE")
        self.assertEqual(client.deparse(tree), "SELECT 'é' AS a")
        self.assertEqual(client.deparse_protobuf(client.tree_protobuf("select  1")), "SELECT 1")
        self.assertEqual(client.reformat("select  1"), "SELECT 1")
        self.assertEqual([token["token"] for token in client.scan("SELECT 1")], ["SELECT", "ICONST"])
        self.assertEqual(client.split("SELECT 1; SELECT 2"), [(0, 8), (10, 18)])
        self.assertEqual(client.summary("SELECT * FROM a.b")[0]["tables"][0]["name"], "a.b")
        self.assertEqual(len(client.warnings("SELECT " + "a" * 70)), 1)

    def test_errors_have_their_place(self):
        with self.assertRaises(PgqError) as caught:
            self.client.fingerprint("SELECT 'é',\n  +")
        error = caught.exception
        self.assertEqual((error.code, error.offset, error.line, error.column), (1, 16, 2, 4))
        self.assertEqual((error.message, error.sqlstate), ("syntax error at end of input", "42601"))
        self.assertEqual(self.client.fingerprint("SELECT 1"), ONE)

    def test_batches_keep_errors_in_their_places(self):
        texts = ["SELECT 1", "SELECT (", "SELECT 2"] * 1000
        answers = self.client.fingerprint_all(texts)
        self.assertEqual(len(answers), 3000)
        self.assertEqual(answers[0::3], [ONE] * 1000)
        self.assertTrue(all(isinstance(answer, PgqError) for answer in answers[1::3]))
        self.assertEqual(self.client.normalize_all([]), [])
        self.assertEqual(self.client.fingerprint_all(["SELECT 1"] * 5), [ONE] * 5)

    def test_answers_of_many_frames(self):
        texts = [f"SELECT {', '.join('abcdefghij')}, {n}" for n in range(3000)]
        trees = self.client.tree_all(texts)
        self.assertEqual(len(trees), 3000)
        last = trees[-1]["stmts"][0]["stmt"]["SelectStmt"]["targetList"][-1]["ResTarget"]["val"]["A_Const"]
        self.assertEqual(last["ival"]["ival"], 2999)

    def test_options_have_handles(self):
        options = self.client.options(placeholders="qmark", one_line=True)
        self.assertEqual(self.client.normalize("SELECT ?,\n 1", options), "SELECT $1, $2")
        self.client.drop(options)
        with self.assertRaises(PgqError):
            self.client.normalize("SELECT ?", options)
        with self.assertRaises(PgqError):
            self.client.options(nonsense=1)

    def test_sent_calls_are_a_pipeline(self):
        pending = [self.client.send(self.client.tree_all, [f"SELECT {n}"] * 2000) for n in range(20)]
        failing = self.client.send(self.client.fingerprint, "SELECT (")
        self.assertEqual(self.client.fingerprint("SELECT 1"), ONE)
        self.assertRaises(PgqError, failing.result)
        self.assertTrue(all(len(each.result()) == 2000 for each in reversed(pending)))

    def test_threads_share_a_client(self):
        wrong = []

        def work(number):
            for n in range(200):
                if self.client.normalize(f"SELECT a{number} FROM t WHERE b = {n}") != f"SELECT a{number} FROM t WHERE b = $1":
                    wrong.append(n)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        self.assertEqual(wrong, [])

    def test_a_refused_frame_ends_the_client_with_its_reason(self):
        client = Client.start(PROGRAM, "--max-statement-bytes", "1kB")
        self.addCleanup(client.close)
        with self.assertRaisesRegex(PgqError, "allowed"):
            client.fingerprint("x" * 500_000)
        with self.assertRaises(Exception):
            client.fingerprint("SELECT 1")

    def test_a_closed_client_says_so(self):
        self.client.close()
        with self.assertRaisesRegex(ConnectionError, "closed"):
            self.client.hello()

    def test_a_socket_is_connected_to(self):
        import subprocess
        import time

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pgq.sock")
            daemon = subprocess.Popen([PROGRAM, "serve", "--socket", path])
            try:
                until = time.monotonic() + 60
                while True:
                    try:
                        client = Client.connect(path)
                        break
                    # The socket exists for a moment before it listens.
                    except (FileNotFoundError, ConnectionRefusedError):
                        self.assertLess(time.monotonic(), until)
                        time.sleep(0.01)
                with client:
                    self.assertEqual(client.fingerprint("SELECT 1"), ONE)
            finally:
                daemon.terminate()
                self.assertEqual(daemon.wait(60), 0)


@unittest.skipUnless(PROGRAM, "no pgq: name it with PGQ_PROGRAM")
class AsyncTest(unittest.IsolatedAsyncioTestCase):
    async def test_calls_at_the_same_time_are_a_pipeline(self):
        async with await AsyncClient.start(PROGRAM) as client:
            texts = [f"SELECT a{n}, {n}" for n in range(2000)]
            answers = await asyncio.gather(*(client.normalize(text) for text in texts))
            self.assertEqual(answers, [f"SELECT a{n}, $1" for n in range(2000)])
            batches = await asyncio.gather(*(client.tree_all(texts) for _ in range(4)))
            self.assertEqual([len(batch) for batch in batches], [2000] * 4)
            with self.assertRaises(PgqError):
                await client.fingerprint("SELECT (")

    async def test_a_cancelled_call_does_not_disturb_the_others(self):
        async with await AsyncClient.start(PROGRAM) as client:
            slow = asyncio.ensure_future(client.tree_all(["SELECT 1"] * 20_000))
            await asyncio.sleep(0)
            slow.cancel()
            self.assertEqual(await client.fingerprint("SELECT 1"), ONE)

    async def test_the_end_of_the_daemon_ends_calls(self):
        client = await AsyncClient.start(PROGRAM)
        await client.hello()
        client._process.kill()
        with self.assertRaises(ConnectionError):
            while True:
                await client.hello()
        await client.close()


if __name__ == "__main__":
    unittest.main()
