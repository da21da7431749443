"""The module in Rust works in the main interpreter only. CPython 3.12 and newer refuse to import it in others."""

import importlib
import sys


def check() -> None:
    """Raises ImportError in another interpreter than the main one."""
    if sys.version_info >= (3, 12):
        return
    try:
        interpreters = importlib.import_module("_xxsubinterpreters")
    except ImportError:
        return
    if interpreters.get_current() != interpreters.get_main():
        raise ImportError("pgquill works in the main interpreter of a process only, and this is another interpreter")
