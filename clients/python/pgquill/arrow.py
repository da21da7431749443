"""Columns of SQL, without copies: anything with `__arrow_c_stream__` or `__arrow_c_array__`.

    import polars as pl
    import pgquill.arrow as pga

    frame = frame.with_columns(pl.Series("fingerprint", pga.fingerprint(frame["sql"], errors="null")))

A result is a `Column`, which polars, pandas, pyarrow and DuckDB take as it is. NULL stays NULL. An invalid statement
raises its `ParseError`, or, with `errors="null"`, is NULL in the result and in `Column.errors` by its row.
"""

from ._native import Column
from ._native import fingerprint_column as fingerprint
from ._native import normalize_column as normalize
from ._native import tables_column as tables

__all__ = ["Column", "fingerprint", "normalize", "tables"]
