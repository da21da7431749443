"""Compares the module's results with the command line's, over PostgreSQL's regression tests.

PGQ_PROGRAM names the program [default: pgq on the PATH], PGQ_CORPUS a folder of SQL files
[default: fixtures of the project, and the corpus that build/pins.rs names, if Cargo has it].
"""

import json
import os
import pathlib
import pickle
import shutil
import subprocess
import unittest

import pgquill

PROGRAM = os.environ.get("PGQ_PROGRAM") or shutil.which("pgq") or ""
PROJECT = pathlib.Path(__file__).parents[4]


def corpus() -> list[pathlib.Path]:
    """The files of the corpus."""
    if folder := os.environ.get("PGQ_CORPUS"):
        return sorted(pathlib.Path(folder).rglob("*.sql"))
    manifest = PROJECT / "Cargo.toml"
    command = ["cargo", "metadata", "--locked", "--format-version=1", "--manifest-path", str(manifest)]
    packages = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["packages"]
    (package,) = [package for package in packages if package["name"] == "pg_raw_parse"]
    folder = pathlib.Path(package["manifest_path"]).parent / "libpg_query/test/sql"
    return sorted(folder.rglob("*.sql")) + sorted((PROJECT / "fixtures").rglob("*.sql"))


def statements() -> list[str]:
    texts = []
    for file in corpus():
        texts += pgquill.split(file.read_text("utf-8", "surrogateescape").encode("utf-8", "replace").decode())
    # The command line's input records end in NUL, so a text must not contain it.
    return [text for text in texts if "\0" not in text and text.strip()]


def program(texts: list[str], *arguments: str) -> list[dict]:
    records = "\0".join(texts).encode()
    command = [PROGRAM, *arguments, "--from", "null", "--format", "json"]
    done = subprocess.run(command, input=records, capture_output=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


@unittest.skipUnless(PROGRAM, "no pgq: name it with PGQ_PROGRAM")
class Equality(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.texts = statements()
        cls.valid = [text for text in cls.texts if pgquill.is_valid(text)]

    def compare(self, texts, expected, key, function) -> None:
        self.assertEqual(len(texts), len(expected))
        differences = []
        for text, record in zip(texts, expected):
            try:
                answer = function(text)
            except pgquill.ParseError as error:
                answer = error.message
                record = {key: record["error"]["message"]} if "error" in record else record
            if answer != record.get(key):
                differences.append((text, answer, record))
        self.assertEqual(differences[:3], [], f"{len(differences)} of {len(texts)} differ")

    def test_the_corpus_is_there(self) -> None:
        self.assertGreater(len(self.valid), 40_000)
        self.assertGreater(len(self.texts) - len(self.valid), 100)

    def test_fingerprints(self) -> None:
        expected = program(self.texts, "fingerprint")
        self.compare(self.texts, expected, "fingerprint", pgquill.fingerprint)
        batch = [answer if isinstance(answer, str) else None for answer in pgquill.fingerprint_all(self.texts)]
        self.assertEqual(batch, [record.get("fingerprint") for record in expected])

    def test_normalized_texts(self) -> None:
        expected = program(self.texts, "normalize", "--verbatim", "--show-secrets")
        self.compare(self.texts, expected, "normalized", pgquill.normalize)
        batch = [answer if isinstance(answer, str) else None for answer in pgquill.normalize_all(self.texts)]
        self.assertEqual(batch, [record.get("normalized") for record in expected])

    def test_json(self) -> None:
        expected = program(self.texts, "parse")
        self.compare(self.texts, expected, "tree", lambda text: json.loads(pgquill.parse_json(text)))

    def test_json_and_sql_of_nodes(self) -> None:
        """A tree that was converted to Python nodes and back equals the parsed tree."""
        for text in self.valid:
            tree = pgquill.parse(text)
            tree.stmts
            self.assertEqual(tree.json(), pgquill.parse_json(text), text)
            self.assertEqual(tree.fingerprint(), pgquill.fingerprint(text), text)

    def test_deparsed_sql(self) -> None:
        def deparse_nodes(text: str) -> str:
            tree = pgquill.parse(text)
            tree.stmts
            return tree.deparse()

        expected = program(self.texts, "deparse")
        self.compare(self.texts, expected, "sql", pgquill.deparse)
        # Normalized SQL is accepted as a string, but not by parse().
        strict = [(text, record) for text, record in zip(self.texts, expected) if "error" in record or pgquill.is_valid(text)]
        self.assertGreater(len(strict), len(self.texts) - 10)
        self.compare(*zip(*strict), "sql", deparse_nodes)

    def test_pickles(self) -> None:
        for text in self.valid[::20]:
            tree = pgquill.parse(text)
            nodes = pickle.loads(pickle.dumps(tree.stmts))
            self.assertTrue(all(a.equals(b, locations=True) for a, b in zip(nodes, tree.stmts)), text)


if __name__ == "__main__":
    unittest.main()
