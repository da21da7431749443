"""The Rust module. Import its names from `pgquill` and `pgquill.arrow`."""

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

    A change of a node in `stmts` changes the results of all methods. `Tree([node, …])` creates a tree of new nodes.
    """

    def __init__(self, stmts: Iterable[Node], sql: str = "") -> None: ...
    @property
    def sql(self) -> str:
        """The parsed SQL, or "" for a tree of new nodes. Locations in nodes are byte offsets in it, in UTF-8."""
    @property
    def warnings(self) -> list[str]:
        """The warnings of PostgreSQL's parser."""
    @property
    def stmts(self) -> list[RawStmt]:
        """The statements. `stmts[0].stmt` is the node of the first statement."""
    def walk(self) -> Iterator[Node]:
        """Yields every node, parents first."""
    def json(self) -> str:
        """Returns libpg_query's JSON."""
    def deparse(self, *, pretty: bool = False, verify: bool = True) -> str:
        """Returns the tree as SQL, with statements joined by `; `.

        Raises ParseError if the tree is not valid SQL. With `verify`, the SQL is parsed and its tree compared.
        """
    def fingerprint(self) -> str:
        """Returns one fingerprint for all statements: 16 hexadecimal digits."""
    def normalize(self) -> str:
        """Returns the SQL with `$n` in place of constants. A changed tree is deparsed first."""
    def tables(self) -> list[str]:
        """Returns the names of tables, sorted, without duplicates."""
    def summaries(self) -> list[Summary]:
        """Returns the summary of each statement."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[RawStmt]: ...

class Summary:
    """The tables, functions and columns of a statement. Each list is sorted and has no duplicates."""

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
        """Columns in WHERE, with their table or alias if the SQL has one."""
    @property
    def statement_kinds(self) -> list[str]:
        """Types of the statement and its nested statements: `InsertStmt`, `SelectStmt`."""

class Token:
    """A token of PostgreSQL's scanner."""

    @property
    def name(self) -> str:
        """libpg_query's name of the token: `SELECT`, `IDENT`, `ASCII_59`."""
    @property
    def keyword(self) -> str:
        """Keyword class: `NO_KEYWORD`, `RESERVED_KEYWORD`, …"""
    @property
    def start(self) -> int:
        """Offset of the first byte in UTF-8."""
    @property
    def end(self) -> int:
        """Offset after the last byte in UTF-8."""
    @property
    def text(self) -> str: ...

def parse(sql: str) -> Tree:
    """Parses statements. Raises ParseError."""

def from_json(json: str) -> Tree:
    """Returns the tree of a JSON document in libpg_query's format. Raises ParseError."""

def parse_json(sql: str) -> str:
    """Parses statements into libpg_query's JSON. Raises ParseError."""

def parse_plpgsql(sql: str) -> str:
    """Returns the PL/pgSQL functions that the SQL defines, as libpg_query's JSON. Raises ParseError."""

def is_valid(sql: str) -> bool:
    """Returns whether PostgreSQL's parser accepts the SQL."""

def fingerprint(sql: str) -> str:
    """Returns one fingerprint for all statements of the SQL: 16 hexadecimal digits. Raises ParseError."""

def normalize(sql: str) -> str:
    """Returns the SQL with `$n` in place of its constants. Raises ParseError."""

def tables(sql: str) -> list[str]:
    """Returns the names of tables in the SQL, sorted, without duplicates. Raises ParseError."""

def replace_placeholders(
    sql: str, style: Literal["qmark", "format", "pyformat", "named", "numeric", "at", "psql", "extension"]
) -> str:
    """Returns the SQL with `$n` in place of a driver's placeholders, such as `%s` for the style "format"."""

def deparse(tree: str | Tree | Node | Iterable[Node], *, pretty: bool = False, verify: bool = True) -> str:
    """Returns the SQL of a tree, a node or several nodes. A string is parsed and deparsed. Raises ParseError."""

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
    """Returns a script in pgq's layout. Changes white space and, with `keyword_case`, the case of keywords.

    Raises ParseError for the first statement that cannot be formatted: it is invalid, contains meta-commands of psql,
    or has a body (`bodies=True`) that cannot be formatted. With `errors="keep"` such statements stay as written.
    """

def split(sql: str, *, method: Literal["script", "parser", "scanner"] = "script") -> list[str]:
    """Returns the statements of a script, without semicolons.

    "script" returns the statements that psql would send, including invalid ones. Meta-commands and COPY data are left
    out. "parser" and "scanner" call libpg_query's functions, which raise ParseError.
    """

def scan(sql: str) -> list[Token]:
    """Returns the tokens of the SQL, including comments. Raises ParseError."""

def fingerprint_all(texts: Iterable[str | None], *, jobs: int | None = None) -> list[str | ParseError | None]:
    """Returns the fingerprint or the error of each text; None for None. `jobs`: threads [default: one per core]."""

def normalize_all(texts: Iterable[str | None], *, jobs: int | None = None) -> list[str | ParseError | None]:
    """Returns the normalized SQL or the error of each text; None for None."""

def tables_all(texts: Iterable[str | None], *, jobs: int | None = None) -> list[list[str] | ParseError | None]:
    """Returns the tables or the error of each text; None for None."""

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...

class Column:
    """An Arrow array of results, for any library that implements Arrow's PyCapsule interface."""

    @property
    def errors(self) -> dict[int, ParseError]:
        """The errors by row, with `errors="null"`."""
    def to_pylist(self) -> list[Any]:
        """Returns the values as Python objects."""
    def __len__(self) -> int: ...
    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]: ...
    def __arrow_c_schema__(self) -> Any: ...

def fingerprint_column(
    column: _ArrowArray | _ArrowStream, *, errors: Literal["raise", "null"] = "raise", jobs: int | None = None
) -> Column:
    """Returns a column of fingerprints: 16 hexadecimal digits each."""

def normalize_column(
    column: _ArrowArray | _ArrowStream, *, errors: Literal["raise", "null"] = "raise", jobs: int | None = None
) -> Column:
    """Returns a column of normalized SQL."""

def tables_column(
    column: _ArrowArray | _ArrowStream, *, errors: Literal["raise", "null"] = "raise", jobs: int | None = None
) -> Column:
    """Returns a column of lists of table names."""

class Record:
    """A logged statement. A field that is not in the log is None."""

    @property
    def time(self) -> datetime.datetime | None:
        """The time in UTC, or None if the log's zone is unknown."""
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
        """The values of the parameters, or None if there are no parameters or the log has truncated them."""
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
        """Whether the log has truncated the SQL."""

class LogReader:
    """The records of a log. Iterate over it once, or read it as a stream of Arrow batches."""

    @property
    def notice(self) -> str | None:
        """A message about the detected format."""
    @property
    def losses(self) -> str | None:
        """A message about the lines and messages that were lost so far, or None."""
    @property
    def counts(self) -> str | None:
        """A message with the counts of lines, messages and records so far."""
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
    """Reads a PostgreSQL log from a path, bytes, or a file opened with "rb", such as `gzip.open(path)`.

    `errors` adds failed statements. `events` adds plans, temporary files and lock waits. Raises ValueError if the
    source is not a log.
    """
