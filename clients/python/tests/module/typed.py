"""Code that type checkers must accept. `mypy --strict` and pyright check this file, and tests run it."""

from __future__ import annotations

import pgquill
from pgquill.nodes import A_Const, A_Expr, BoolExprType, ColumnRef, Integer, Node, RangeVar, ResTarget, SelectStmt, String
from pgquill.nodes import A_Expr_Kind, Transformer


def columns(node: Node) -> list[str]:
    """Returns the names of the columns in a tree, by structural matching."""
    names: list[str] = []
    for inner in node.walk():
        match inner:
            case ColumnRef(fields=[*_, String(sval=name)]):
                names.append(name)
    return names


class Prefix(Transformer):
    """Puts every table into a schema."""

    def visit_RangeVar(self, node: RangeVar) -> RangeVar:
        node.schemaname = node.schemaname or "shop"
        return node


def tenant(tree: pgquill.Tree) -> str:
    """Adds a condition to each SELECT."""
    for statement in tree.stmts:
        match statement.stmt:
            case SelectStmt(whereClause=None) as select:
                select.whereClause = A_Expr(
                    kind=A_Expr_Kind.AEXPR_OP,
                    name=[String(sval="=")],
                    lexpr=ColumnRef(fields=[String(sval="tenant")]),
                    rexpr=A_Const(val=Integer(ival=7)),
                )
    return tree.deparse()


def main() -> None:
    tree = pgquill.parse("SELECT a, t.b FROM t")
    assert columns(tree.stmts[0]) == ["a", "b"]
    assert tenant(tree) == "SELECT a, t.b FROM t WHERE tenant = 7"
    assert tree.tables() == ["t"]
    Prefix().visit(tree.stmts[0])
    assert tree.deparse() == "SELECT a, t.b FROM shop.t WHERE tenant = 7"
    built = pgquill.deparse(SelectStmt(targetList=[ResTarget(val=A_Const(val=Integer(ival=1)))]))
    assert built == "SELECT 1"
    assert BoolExprType.AND_EXPR == "AND_EXPR"


if __name__ == "__main__":
    main()
