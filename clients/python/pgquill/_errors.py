"""The exceptions of the module and of the daemon's client."""

from __future__ import annotations


class PgqError(Exception):
    """An error of SQL, of a tree, or of a daemon."""


class ParseError(PgqError, ValueError):
    """SQL that PostgreSQL's parser refuses, or a tree that cannot be deparsed.

    `offset` counts bytes of the UTF-8 text, `character` counts characters. `line` and `column` (in characters) count
    from 1. All four are None if the error has no position.
    """

    message: str
    offset: int | None
    character: int | None
    line: int | None
    column: int | None
    sqlstate: str | None
    detail: str | None
    hint: str | None

    def __init__(
        self,
        message: str,
        position: tuple[int, int, int, int] | None = None,
        sqlstate: str | None = None,
        detail: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message, position, sqlstate, detail, hint)
        self.message = message
        self.offset, self.character, self.line, self.column = position or (None, None, None, None)
        self.sqlstate = sqlstate
        self.detail = detail
        self.hint = hint

    def __str__(self) -> str:
        return self.message if self.line is None else f"{self.line}:{self.column}: {self.message}"
