"""Refuses subinterpreters, which the Rust module does not support. CPython 3.12 and newer refuse them themselves."""

import importlib
import sys


def check() -> None:
    """Raises ImportError in a subinterpreter."""
    if sys.version_info >= (3, 12):
        return
    try:
        interpreters = importlib.import_module("_xxsubinterpreters")
    except ImportError:
        return
    if interpreters.get_current() != interpreters.get_main():
        raise ImportError("pgquill works in the main interpreter of a process only, and this is another interpreter")
