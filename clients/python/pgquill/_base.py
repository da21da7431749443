"""The base classes of `pgquill.nodes`, and walks over nodes."""

from __future__ import annotations

import enum
from typing import Any, Callable, Iterator


class Enum(str, enum.Enum):
    """A constant of a PostgreSQL enum. It equals its name: `BoolExprType.AND_EXPR == "AND_EXPR"`."""

    __str__ = str.__str__

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


class ListField:
    """Default of a list field: an empty list, created at the first access."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, node: Any, owner: type | None = None) -> Any:
        if node is None:
            return self
        return node.__dict__.setdefault(self.name, [])


class Node:
    """A node of a parse tree. Its fields are attributes; an unset field has its default.

    Nodes compare by identity, so they can be members of sets. `equals` compares their fields.
    """

    _fields: tuple[str, ...] = ()
    _kinds = ""
    _types: dict[str, str] = {}

    def __init__(self, **fields: Any) -> None:
        names = self._fields
        for name, value in fields.items():
            if name not in names:
                raise TypeError(f"{type(self).__name__} has no field {name!r}")
            setattr(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._fields:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}")
        object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        parts = (f"{name}={value!r}" for name, value in iter_fields(self))
        return f"{type(self).__name__}({', '.join(parts)})"

    def walk(self) -> Iterator[Node]:
        """Yields this node and its descendants, parents first."""
        return walk(self)

    def equals(self, other: object, *, locations: bool = False) -> bool:
        """Returns whether `other` has the same type and fields. Ignores locations unless `locations` is set."""
        return _equal(self, other, locations)


def iter_fields(node: Node) -> Iterator[tuple[str, Any]]:
    """Yields the name and value of each field whose value is not the default."""
    state, cls = node.__dict__, type(node)
    for name in node._fields:
        if name in state:
            value, default = state[name], getattr(cls, name)
            if value != ([] if isinstance(default, ListField) else default):
                yield name, value


def iter_children(node: Node) -> Iterator[Node]:
    """Yields the children of `node`."""
    state = node.__dict__
    for name in node._fields:
        value = state.get(name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, (list, tuple)):
            for member in value:
                if isinstance(member, Node):
                    yield member


def walk(node: Node) -> Iterator[Node]:
    """Yields `node` and its descendants, parents first. Does not recurse."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(list(iter_children(node))))


def walk_all(statements: list[Node]) -> Iterator[Node]:
    """Yields every node of every statement."""
    for statement in statements:
        yield from walk(statement)


def _equal(a: Any, b: Any, locations: bool) -> bool:
    waiting = [(a, b)]
    while waiting:
        a, b = waiting.pop()
        if isinstance(a, Node):
            if type(a) is not type(b):
                return False
            for name, kind in zip(a._fields, a._kinds):
                if locations or not (kind == "p" or name == "stmt_len"):
                    waiting.append((getattr(a, name), getattr(b, name)))
        elif isinstance(a, (list, tuple)):
            if not isinstance(b, (list, tuple)) or len(a) != len(b):
                return False
            waiting.extend(zip(a, b))
        elif a != b:
            return False
    return True


class Transformer:
    """Replaces nodes of a tree, children first. A subclass has a method `visit_X` for each type X that it changes:

        class Rename(Transformer):
            def visit_RangeVar(self, node):
                node.relname = node.relname.lower()
                return node

    The method's result replaces the node; None removes it.
    """

    def visit(self, node: Any) -> Any:
        """Visits the descendants of `node`, then `node`. Returns its replacement."""
        # Does not recurse, because a tree may be deeper than Python's recursion limit.
        order = list(walk(node))
        done: dict[int, Any] = {}
        for current in reversed(order):
            self._replace(current, done)
            done[id(current)] = self._method(current)(current)
        return done[id(node)]

    def _method(self, node: Node) -> Callable[[Any], Any]:
        return getattr(self, f"visit_{type(node).__name__}", _unchanged)

    @staticmethod
    def _replace(node: Node, done: dict[int, Any]) -> None:
        for name, value in list(node.__dict__.items()):
            if isinstance(value, Node):
                new = done.get(id(value), value)
                if new is not value:
                    setattr(node, name, new)
            elif isinstance(value, list):
                new_list = [done.get(id(member), member) for member in value]
                kept = [new for new, old in zip(new_list, value) if new is not None or old is None]
                if len(kept) != len(value) or any(new is not old for new, old in zip(kept, value)):
                    value[:] = kept


def _unchanged(node: Any) -> Any:
    return node
