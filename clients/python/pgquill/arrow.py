"""Functions for columns of SQL: any object with `__arrow_c_stream__` or `__arrow_c_array__`. The column is not copied.

    import polars as pl
    import pgquill.arrow as pga

    frame = frame.with_columns(pl.Series("fingerprint", pga.fingerprint(frame["sql"], errors="null")))

The result is a `Column`, which polars, pandas, pyarrow and DuckDB accept. NULL stays NULL. An invalid statement raises
`ParseError`. With `errors="null"` its result is NULL instead, and `Column.errors` has the error by row.
"""

from ._native import Column
from ._native import fingerprint_column as fingerprint
from ._native import normalize_column as normalize
from ._native import tables_column as tables

__all__ = ["Column", "fingerprint", "normalize", "tables"]
