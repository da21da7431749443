"""Tests the module: results, nodes, batches, logs, threads, processes, memory."""

import gc
import multiprocessing
import os
import pickle
import subprocess
import sys
import textwrap
import threading
import unittest

import pgquill
from pgquill import nodes

from . import typed

LOG = b"".join(
    b"2026-01-31 12:00:00.%03d UTC [7] ann@shop LOG:  duration: 1.5 ms  statement: SELECT %d\n" % (n, n)
    for n in range(500)
)


class Answers(unittest.TestCase):
    def test_functions(self) -> None:
        self.assertEqual(pgquill.fingerprint("SELECT 1"), "50fde20626009aba")
        self.assertEqual(pgquill.normalize("SELECT 1"), "SELECT $1")
        self.assertEqual(pgquill.tables("SELECT * FROM b JOIN a.c USING (x)"), ["a.c", "b"])
        self.assertEqual(pgquill.deparse("select  1"), "SELECT 1")
        self.assertTrue(pgquill.is_valid("SELECT 1") and not pgquill.is_valid("("))
        self.assertEqual([token.text for token in pgquill.scan("SELECT 'é' -- x")], ["SELECT", "'é'", "-- x"])
        self.assertIn("PLpgSQL_function", pgquill.parse_plpgsql("DO $$ BEGIN PERFORM 1; END $$"))

    def test_split(self) -> None:
        script = "SELECT 1;\n\\d t\nSELECT ';'; COPY t FROM stdin;\n1\n\\.\nSELECT +;"
        self.assertEqual(pgquill.split(script), ["SELECT 1", "SELECT ';'", "COPY t FROM stdin", "SELECT +"])
        self.assertEqual(pgquill.split("SELECT 1; SELECT 2", method="parser"), ["SELECT 1", "SELECT 2"])
        self.assertRaises(pgquill.ParseError, pgquill.split, "(", method="parser")
        self.assertRaises(ValueError, pgquill.split, "", method="lines")

    def test_format(self) -> None:
        self.assertEqual(pgquill.format("select  1 -- one\n;"), "select 1 -- one\n;")
        self.assertEqual(pgquill.format("select a,b from t", keyword_case="upper"), "SELECT a, b FROM t")
        self.assertEqual(pgquill.format("select a,b from t where c", width=20, indent=2), "select a, b\nfrom t\nwhere c")
        with self.assertRaises(pgquill.ParseError) as caught:
            pgquill.format("select  1;\nselect +;")
        self.assertEqual((caught.exception.line, caught.exception.sqlstate), (2, "42601"))
        self.assertEqual(pgquill.format("select  1;\nselect  +;", errors="keep"), "select 1;\nselect  +;")
        with self.assertRaisesRegex(pgquill.ParseError, "2:1: the statement cannot be formatted: meta-commands"):
            pgquill.format("select 1;\nselect 2 \\set x 1\n+ 3;")
        self.assertRaises(ValueError, pgquill.format, "", keyword_case="title")
        self.assertRaises(ValueError, pgquill.format, "", errors="ignore")

    def test_placeholders(self) -> None:
        read = pgquill.replace_placeholders("SELECT 5 %% a FROM t WHERE b = %s AND c = '%%s'", "format")
        self.assertEqual(read, "SELECT 5 % a FROM t WHERE b = $1 AND c = '%s'")
        self.assertEqual(pgquill.replace_placeholders("SELECT ?, ?", "qmark"), "SELECT $1, $2")
        self.assertEqual(pgquill.replace_placeholders("SELECT 1", "qmark"), "SELECT 1")
        with self.assertRaisesRegex(ValueError, "qmark, format, pyformat"):
            pgquill.replace_placeholders("SELECT 1", "dollar")

    def test_errors(self) -> None:
        with self.assertRaises(pgquill.ParseError) as caught:
            pgquill.parse("SELECT 'é' +")
        error = caught.exception
        self.assertEqual((error.offset, error.character, error.line, error.column), (13, 12, 1, 13))
        self.assertEqual((error.sqlstate, str(error)), ("42601", "1:13: syntax error at end of input"))
        self.assertIsInstance(error, (pgquill.PgqError, ValueError))
        self.assertEqual(pickle.loads(pickle.dumps(error)).sqlstate, "42601")
        self.assertRaises(pgquill.ParseError, pgquill.parse, "SELECT '\0'")
        self.assertRaises(UnicodeEncodeError, pgquill.parse, "SELECT '\ud800'")

    def test_batches(self) -> None:
        one, none, error, other = pgquill.fingerprint_all(["SELECT 1", None, "(", "SELECT 2"])
        self.assertEqual((one, none), (other, None))
        self.assertIsInstance(error, pgquill.ParseError)
        many = [f"SELECT {n % 7}, 'x' FROM t{n % 5} WHERE a = {n}" for n in range(5000)]
        for function, single in [
            (pgquill.fingerprint_all, pgquill.fingerprint),
            (pgquill.normalize_all, pgquill.normalize),
            (pgquill.tables_all, pgquill.tables),
        ]:
            expected = [single(text) for text in many]
            for jobs in (1, 3, None):
                self.assertEqual(function(many, jobs=jobs), expected)
                # A small batch uses the cache of the single function.
                self.assertEqual(function(many[:100], jobs=jobs), expected[:100])
        self.assertRaises(TypeError, pgquill.fingerprint_all, "SELECT 1")
        self.assertRaises(TypeError, pgquill.fingerprint_all, [1])


class Nodes(unittest.TestCase):
    def test_what_type_checkers_accept_runs(self) -> None:
        typed.main()

    def test_repr_is_the_constructor(self) -> None:
        (statement,) = pgquill.parse("SELECT DISTINCT a + 1, 'x', NULL FROM t").stmts
        again = eval(repr(statement), vars(nodes))
        self.assertTrue(again.equals(statement, locations=True))

    def test_an_empty_string_is_not_an_absent_one(self) -> None:
        for sql in ("LOAD ''", "COPY t FROM ''", "COPY t FROM STDIN", "COMMENT ON TABLE t IS ''", "COMMENT ON TABLE t IS NULL"):
            tree = pgquill.parse(sql)
            tree.stmts
            self.assertEqual(tree.deparse(), sql)

    def test_mistakes_are_refused(self) -> None:
        self.assertRaises(TypeError, nodes.RangeVar, table="t")
        with self.assertRaises(AttributeError):
            nodes.RangeVar().table = "t"
        wrong = [
            nodes.RangeVar(relname=7),
            nodes.SelectStmt(whereClause="a"),
            nodes.SelectStmt(intoClause=nodes.RangeVar(relname="t")),
            nodes.SelectStmt(targetList=7),
            "SELECT 1",
        ]
        for node in wrong:
            with self.assertRaises(TypeError):
                pgquill.deparse([node])
        with self.assertRaises(pgquill.ParseError):
            pgquill.deparse(nodes.BoolExpr(boolop="NEITHER"))
        # A node that is not a statement.
        with self.assertRaises(pgquill.ParseError):
            pgquill.deparse(nodes.RangeVar(relname="t"))

    def test_lists_are_made_when_they_are_used(self) -> None:
        one, other = nodes.SelectStmt(), nodes.SelectStmt()
        one.targetList.append(nodes.ResTarget(val=nodes.ColumnRef(fields=[nodes.A_Star()])))
        self.assertEqual((len(one.targetList), len(other.targetList)), (1, 0))
        self.assertEqual(pgquill.deparse(one), "SELECT *")

    def test_a_transformer_replaces_and_removes(self) -> None:
        class Mask(nodes.Transformer):
            def visit_A_Const(self, node):
                return nodes.ParamRef(number=1)

            def visit_SortBy(self, node):
                return None

        tree = pgquill.parse("SELECT 'secret' FROM t WHERE a = 5 ORDER BY b")
        for statement in tree.stmts:
            Mask().visit(statement)
        self.assertEqual(tree.deparse(), "SELECT $1 FROM t WHERE a = $1")

    def test_deep_trees(self) -> None:
        sql = "SELECT " + "+".join(["1"] * 10_000)
        tree = pgquill.parse(sql)
        self.assertEqual(sum(isinstance(node, nodes.A_Expr) for node in tree.walk()), 9_999)
        self.assertEqual(tree.fingerprint(), pgquill.fingerprint(sql))
        self.assertTrue(tree.stmts[0].equals(pgquill.parse(sql).stmts[0]))
        del tree

    def test_trees(self) -> None:
        tree = pgquill.parse("SELECT 1; SELECT 2")
        self.assertEqual((len(tree), [type(s.stmt).__name__ for s in tree]), (2, ["SelectStmt", "SelectStmt"]))
        tree.stmts.pop()
        self.assertEqual((len(tree), tree.deparse()), (1, "SELECT 1"))
        self.assertEqual(pickle.loads(pickle.dumps(tree)).deparse(), "SELECT 1")
        self.assertEqual(pgquill.from_json(tree.json()).json(), tree.json())
        (summary,) = pgquill.parse("INSERT INTO log SELECT f(a) FROM t WHERE t.b = 1").summaries()
        self.assertEqual((summary.tables_written, summary.tables_read), (["log"], ["t"]))
        self.assertEqual((summary.functions, summary.filter_columns), (["f"], ["t.b"]))


class Logs(unittest.TestCase):
    def test_records(self) -> None:
        records = list(pgquill.read_log(LOG))
        self.assertEqual(len(records), 500)
        first = records[0]
        self.assertEqual((first.sql, first.user, first.database, first.pid), ("SELECT 0", "ann", "shop", 7))
        self.assertEqual((first.duration_ms, first.time.isoformat()), (1.5, "2026-01-31T12:00:00+00:00"))
        self.assertIsNone(first.parameters)
        self.assertRaises(AttributeError, getattr, first, "nothing")

    def test_sources(self) -> None:
        import io
        import pathlib
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "postgresql.log")
            path.write_bytes(LOG)
            for source in (path, str(path), io.BytesIO(LOG)):
                self.assertEqual(sum(1 for _ in pgquill.read_log(source)), 500)
            self.assertRaises(ValueError, pgquill.read_log, b"SELECT 1;\n")
            self.assertRaises(OSError, pgquill.read_log, path / "nothing")
            self.assertRaises(OSError, pgquill.read_log, io.StringIO("text"))


class Processes(unittest.TestCase):
    def test_threads(self) -> None:
        answers: list[set[str]] = []

        def work() -> None:
            answers.append({pgquill.fingerprint(f"SELECT {n}") for n in range(500)})

        threads = [threading.Thread(target=work) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(answers, [{"50fde20626009aba"}] * 16)

    def test_threads_share_a_tree(self) -> None:
        tree = pgquill.parse("SELECT a FROM t WHERE b = 1")
        results: list[tuple[str, str, int]] = []
        threads = [
            threading.Thread(target=lambda: results.append((tree.fingerprint(), tree.json(), id(tree.stmts))))
            for _ in range(16)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(results)), 1)

    @unittest.skipUnless(hasattr(os, "fork"), "no fork")
    def test_fork(self) -> None:
        texts = ["SELECT 1"] * 5000
        pgquill.fingerprint_all(texts, jobs=2)
        context = multiprocessing.get_context("fork")
        with context.Pool(2) as pool:
            self.assertEqual(pool.map(pgquill.fingerprint, ["SELECT 1"] * 8), ["50fde20626009aba"] * 8)
            self.assertEqual(pool.apply(pgquill.fingerprint_all, (texts,)), ["50fde20626009aba"] * 5000)

    def test_another_interpreter_is_refused(self) -> None:
        code = textwrap.dedent(
            """
            import pgquill
            pgquill.fingerprint("SELECT 1")
            try:
                import _interpreters as interpreters
            except ImportError:
                import _xxsubinterpreters as interpreters
            lines = ["import os, sys", "sys.path[:] = %r" % (sys.path,), "import pgquill", "try:",
                     "    pgquill.fingerprint('SELECT 1')", "    os.write(1, b'works')",
                     "except ImportError as error:", "    os.write(1, b'refused: ' + str(error).encode())"]
            interpreters.run_string(interpreters.create(), chr(10).join(lines))
            """
        )
        done = subprocess.run([sys.executable, "-c", "import sys\n" + code], capture_output=True, text=True)
        self.assertRegex(done.stdout, "^refused: .*interpreter", done.stderr)


class Memory(unittest.TestCase):
    """PGQ_CALLS sets the number of calls [default: 100,000]."""

    def test_memory_is_flat(self) -> None:
        calls = int(os.environ.get("PGQ_CALLS", "100000"))
        sql = "SELECT a, b + 1 FROM t JOIN u USING (id) WHERE c IN (1, 2, 'x') ORDER BY 1"

        def use(count: int) -> None:
            for _ in range(count // 10):
                pgquill.fingerprint(sql)
                pgquill.fingerprint(sql)
                pgquill.fingerprint(sql)
                pgquill.normalize(sql)
                pgquill.normalize(sql)
                pgquill.parse_json(sql)
                pgquill.tables(sql)
                pgquill.scan(sql)
                tree = pgquill.parse(sql)
                tree.stmts
                tree.deparse()
                try:
                    pgquill.parse("(")
                except pgquill.ParseError:
                    pass

        use(20_000)
        gc.collect()
        before = resident_bytes()
        use(calls)
        gc.collect()
        self.assertLess(resident_bytes() - before, 4 << 20)

    def test_memory_is_flat_over_batches(self) -> None:
        texts = [f"SELECT {n} FROM t" for n in range(2000)]
        for _ in range(20):
            pgquill.fingerprint_all(texts, jobs=2)
        before = resident_bytes()
        for _ in range(1500):  # more threads than available keys of thread-local values
            pgquill.fingerprint_all(texts, jobs=2)
        self.assertLess(resident_bytes() - before, 16 << 20)


def resident_bytes() -> int:
    try:
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        raise unittest.SkipTest("no /proc") from None


if __name__ == "__main__":
    unittest.main()
