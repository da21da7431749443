// Code that TypeScript must accept. `tsc --noEmit --strict` checks this file.
import { deparse, parse, SqlError, type Node, type SelectStmt } from "../index.js";

function tables(node: Node): string[] {
  if ("RangeVar" in node) return [node.RangeVar.relname ?? ""];
  if ("SelectStmt" in node) return (node.SelectStmt.fromClause ?? []).flatMap(tables);
  if ("JoinExpr" in node) return [node.JoinExpr.larg, node.JoinExpr.rarg].flatMap((side) => (side ? tables(side) : []));
  return [];
}

export async function main(): Promise<string> {
  const tree = await parse("SELECT a FROM t");
  const select: SelectStmt = { targetList: [{ ResTarget: { val: { A_Const: { ival: { ival: 1 } } } } }], op: "SETOP_NONE" };
  try {
    return (await deparse([...tree.stmts, { SelectStmt: select }])) + tables(tree.stmts[0]!.stmt!).join();
  } catch (error) {
    if (error instanceof SqlError) return `${error.sqlDetails?.line}`;
    throw error;
  }
}
