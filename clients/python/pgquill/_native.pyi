"""The part in Rust. Import from `pgquill` and `pgquill.arrow`."""

import datetime
import os
from collections.abc import Iterable, Iterator
from typing import Any, Literal, Protocol

from ._errors import ParseError as ParseError
from ._errors import PgqError as PgqError
from .nodes import Node, RawStmt

__version__: str
postgres_version: str

class Tree:
    """A parse tree: the statements of a text.

    A tree is its nodes: what is changed in `stmts` changes every answer. `Tree([node, …])` makes one of new nodes.
    """

    def __init__(self, stmts: Iterable[Node], sql: str = "") -> None: ...
    @property
    def sql(self) -> str:
        """The text that was parsed; empty for a tree that was built. Locations in nodes count its bytes in UTF-8."""
    @property
    def warnings(self) -> list[str]:
        """What PostgreSQL warns of while it parses."""
    @property
    def stmts(self) -> list[RawStmt]:
        """The statements: `stmts[0].stmt` is the first one's node."""
    def walk(self) -> Iterator[Node]:
        """Yields every node, a node before those inside it."""
    def json(self) -> str:
        """Returns libpg_query's JSON."""
    def deparse(self, *, pretty: bool = False, verify: bool = True) -> str:
        """Returns the tree as SQL, statements joined by `; `.

        Raises ParseError for a tree that is no SQL: with `verify`, the SQL is parsed and its tree compared.
        """
    def fingerprint(self) -> str:
        """Returns the fingerprint of all statements together: 16 hexadecimal digits."""
    def normalize(self) -> str:
        """Returns the text with `$n` in place of constants; of a changed tree, that of its SQL."""
    def tables(self) -> list[str]:
        """Returns the names of tables, sorted, each once."""
    def summaries(self) -> list[Summary]:
        """Returns what each statement refers to."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[RawStmt]: ...

class Summary:
    """What a statement refers to. Each list is sorted and has a name once."""

    @property
    def tables(self) -> list[str]: ...
    @property
    def tables_read(self) -> list[str]: ...
    @property
    def tables_written(self) -> list[str]: ...
    @property
    def ctes(self) -> list[str]: ...
    @property
    def functions(self) -> list[str]: ...
    @property
    def filter_columns(self) -> list[str]:
        """Columns in WHERE, with their table or alias where one is written."""
    @property
    def statement_kinds(self) -> list[str]:
        """Types of the statement and of the statements in it: `InsertStmt`, `SelectStmt`."""

class Token:
    """A token of PostgreSQL's scanner."""

    @property
    def name(self) -> str:
        """Its name in libpg_query: `SELECT`, `IDENT`, `ASCII_59`."""
    @property
    def keyword(self) -> str:
        """Its class as a keyword: `NO_KEYWORD`, `RESERVED_KEYWORD`, …"""
    @property
    def start(self) -> int:
        """The offset of its first byte in UTF-8."""
    @property
    def end(self) -> int:
        """The offset after its last byte in UTF-8."""
    @property
    def text(self) -> str: ...

def parse(sql: str) -> Tree:
    """Parses statements. Raises ParseError."""

def from_json(json: str) -> Tree:
    """Returns the tree of a JSON document in libpg_query's format. Raises ParseError."""

def parse_json(sql: str) -> str:
    """Parses statements into libpg_query's JSON. Raises ParseError."""

def parse_plpgsql(sql: str) -> str:
    """Returns the functions in PL/pgSQL that a text defines, as libpg_query's JSON. Raises ParseError."""

def is_valid(sql: str) -> bool:
    """Returns whether PostgreSQL's parser accepts the text."""

def fingerprint(sql: str) -> str:
    """Returns the fingerprint of a text: 16 hexadecimal digits. Raises ParseError."""

def normalize(sql: str) -> str:
    """Returns the text with `$n` in place of its constants. Raises ParseError."""

def tables(sql: str) -> list[str]:
    """Returns the names of tables in a text, sorted, each once. Raises ParseError."""

def deparse(tree: str | Tree | Node | Iterable[Node], *, pretty: bool = False, verify: bool = True) -> str:
    """Returns SQL: of a tree, a node or several, or of SQL in PostgreSQL's own layout. Raises ParseError."""

def format(
    sql: str,
    *,
    width: int = 88,
    indent: int = 4,
    keyword_case: Literal["keep", "upper", "lower"] = "keep",
    comma_first: bool = False,
    bodies: bool = False,
    errors: Literal["raise", "keep"] = "raise",
) -> str:
    """Returns a script in another layout: white space changes and, if asked for, the case of keywords.

    Raises ParseError for the first statement that would stay as written: it is invalid, psql's meta-commands are
    inside of it, or a body (`bodies=True`) cannot be formatted. With `errors="keep"` such statements stay as written.
    """

def split(sql: str, *, method: Literal["script", "parser", "scanner"] = "script") -> list[str]:
    """Returns the statements of a text, without semicolons.

    "script": as psql would send them; meta-commands and COPY data are left out, and invalid statements are kept.
    "parser" and "scanner": as libpg_query's functions; both raise ParseError.
    """

def scan(sql: str) -> list[Token]:
    """Returns the tokens of a text, comments included. Raises ParseError."""

def fingerprint_all(texts: Iterable[str | None], *, jobs: int | None = None) -> list[str | ParseError | None]:
    """Returns the fingerprint of each text, or its error; None for None. `jobs` threads; by default one per core."""

def normalize_all(texts: Iterable[str | None], *, jobs: int | None = None) -> list[str | ParseError | None]:
    """Returns each text normalized, or its error; None for None."""

def tables_all(texts: Iterable[str | None], *, jobs: int | None = None) -> list[list[str] | ParseError | None]:
    """Returns the tables in each text, or its error; None for None."""

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...

class Column:
    """An Arrow array of answers, for any program that knows Arrow's PyCapsule interface."""

    @property
    def errors(self) -> dict[int, ParseError]:
        """The errors by row, with `errors="null"`."""
    def to_pylist(self) -> list[Any]:
        """Returns the values as Python's objects."""
    def __len__(self) -> int: ...
    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]: ...
    def __arrow_c_schema__(self) -> Any: ...

def fingerprint_column(
    column: _ArrowArray | _ArrowStream, *, errors: Literal["raise", "null"] = "raise", jobs: int | None = None
) -> Column:
    """Returns a column of fingerprints, each 16 hexadecimal digits."""

def normalize_column(
    column: _ArrowArray | _ArrowStream, *, errors: Literal["raise", "null"] = "raise", jobs: int | None = None
) -> Column:
    """Returns a column of normalized texts."""

def tables_column(
    column: _ArrowArray | _ArrowStream, *, errors: Literal["raise", "null"] = "raise", jobs: int | None = None
) -> Column:
    """Returns a column with a list of tables for each text."""

class Record:
    """A statement that a log reports. A field that the log does not have is None."""

    @property
    def time(self) -> datetime.datetime | None:
        """The time in UTC; None where the log's zone is unknown."""
    @property
    def time_text(self) -> str | None:
        """The time as written in the log."""
    @property
    def user(self) -> str | None: ...
    @property
    def database(self) -> str | None: ...
    @property
    def application(self) -> str | None: ...
    @property
    def host(self) -> str | None: ...
    @property
    def session(self) -> str | None: ...
    @property
    def sql(self) -> str | None: ...
    @property
    def params(self) -> str | None:
        """The parameters as written in the log."""
    @property
    def parameters(self) -> list[str | None] | None:
        """The values of the parameters; None where there are none, or the log has lost their end."""
    @property
    def message(self) -> str | None: ...
    @property
    def sqlstate(self) -> str | None: ...
    @property
    def query_id(self) -> str | None: ...
    @property
    def command_tag(self) -> str | None: ...
    @property
    def pid(self) -> int | None: ...
    @property
    def severity(self) -> str: ...
    @property
    def duration_ms(self) -> float | None: ...
    @property
    def truncated(self) -> bool:
        """Whether the log has lost an end of the SQL."""

class LogReader:
    """The records of a log: by iteration, once, or as a stream of Arrow batches."""

    @property
    def notice(self) -> str | None:
        """What was detected, in words."""
    @property
    def losses(self) -> str | None:
        """What of the log was lost so far, in words; None if nothing was."""
    @property
    def counts(self) -> str | None:
        """Counts of what was read so far, in words."""
    def __iter__(self) -> LogReader: ...
    def __next__(self) -> Record: ...
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...

class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...

def read_log(
    source: str | os.PathLike[str] | bytes | _Readable,
    *,
    format: Literal["auto", "stderr", "csvlog", "jsonlog"] = "auto",
    line_prefix: str | None = None,
    errors: bool = False,
    events: bool = False,
) -> LogReader:
    """Reads a log of PostgreSQL: a path, bytes, or a file opened with "rb", such as `gzip.open(path)`.

    `errors` adds statements that failed, `events` plans, temporary files and waits for locks. Raises ValueError for
    what is not a log.
    """
