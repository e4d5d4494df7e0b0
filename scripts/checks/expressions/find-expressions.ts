import { parseAst } from "vite";

/** A regular expression literal, or one that the program creates at run time. */
export interface FoundExpression {
  file: string;
  /** From 1. */
  line: number;
  /** Null if its text is known only at run time. */
  source: string | null;
  flags: string;
  /** As in the source. */
  code: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [name: string]: unknown;
}

/** Literals, and `RegExp(…)` with or without `new`. */
export function findExpressions(file: string, code: string): FoundExpression[] {
  const found: FoundExpression[] = [];
  const add = (node: Node, source: string | null, flags: string) => {
    const line = code.slice(0, node.start).split("\n").length;
    found.push({ file, line, source, flags, code: code.slice(node.start, node.end) });
  };
  // The parser types each kind of node; here any kind is accepted.
  const tree: unknown = parseAst(code, { lang: file.endsWith("x") ? "tsx" : "ts" }, file);
  visit(tree, (node) => {
    const literal = node["regex"] as { pattern: string; flags: string } | undefined;
    if (node.type === "Literal" && literal) add(node, literal.pattern, literal.flags);
    if (!isRegExpCall(node)) return;
    const [first, second] = node["arguments"] as Node[];
    // A literal is found on its own.
    if (first && first["regex"]) return;
    const [source, flags] = [textOf(first), second ? textOf(second) : ""];
    add(node, flags === null ? null : source, flags ?? "");
  });
  return found;
}

function isRegExpCall(node: Node): boolean {
  const callee = node["callee"] as Node | undefined;
  return (node.type === "NewExpression" || node.type === "CallExpression") && callee?.["name"] === "RegExp";
}

/** The text of a constant expression; null for any other. */
function textOf(node: Node | undefined): string | null {
  if (!node) return null;
  if (node.type === "Literal") return typeof node["value"] === "string" ? node["value"] : null;
  if (node.type === "BinaryExpression" && node["operator"] === "+") {
    const [left, right] = [textOf(node["left"] as Node), textOf(node["right"] as Node)];
    return left === null || right === null ? null : left + right;
  }
  if (node.type !== "TemplateLiteral" || (node["expressions"] as Node[]).length > 0) return null;
  const [part] = node["quasis"] as { value: { cooked: string } }[];
  return part?.value.cooked ?? null;
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) visit(item, see);
    return;
  }
  if ("type" in value && "start" in value) see(value as Node);
  for (const part of Object.values(value)) if (typeof part === "object") visit(part, see);
}
