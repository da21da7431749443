"""Runs the examples of docs/python.md. A comment after an expression is its expected value. Some need polars."""

import ast
import contextlib
import io
import os
import pathlib
import re
import tempfile
import unittest

from .test_module import LOG

PAGE = pathlib.Path(__file__).parents[4] / "docs/python.md"


class Docs(unittest.TestCase):
    def test_the_examples_run(self) -> None:
        try:
            import polars
        except ImportError:
            polars = None
        blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.M | re.S)
        self.assertGreater(len(blocks), 6)
        names: dict[str, object] = {}
        values = 0
        with tempfile.TemporaryDirectory() as folder, moved(folder):
            pathlib.Path("postgresql.log").write_bytes(LOG)
            for block in blocks:
                if polars is None and "pl." in block:
                    continue
                values += self.run_block(block, names)
        self.assertGreater(values, 4)

    def run_block(self, block: str, names: dict[str, object]) -> int:
        """Runs the statements one by one. Returns the number of compared values."""
        values = 0
        lines = block.splitlines()
        for statement in ast.parse(block).body:
            line = lines[statement.end_lineno - 1]
            comment = re.search(r"  # (['\[{].*)$", line)
            code = ast.Module([statement], [])
            if comment and "…" not in comment[1] and isinstance(statement, ast.Expr):
                found = eval(compile(ast.Expression(statement.value), str(PAGE), "eval"), names)
                self.assertEqual(found, ast.literal_eval(comment[1]), line)
                values += 1
            else:
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(code, str(PAGE), "exec"), names)
        return values


@contextlib.contextmanager
def moved(folder: str):
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


if __name__ == "__main__":
    unittest.main()
