/**
 * The rule of `check-states.ts` for texts that are not on pages: in facts, in marketing files, and in the output of the
 * application, the CLI and the marketing pages. Texts that are derived from the facts are exempt: a YAML text that quotes a state
 * (`{{parts:preview}}`, `{{preview:managed}}`) or is the `preview` of something, which is shown only during the preview; in code,
 * a template that names `parts`, and text after a condition on the state (`isPreview && …`).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "vite";
import { isPair, isScalar, LineCounter, parseDocument, visit } from "yaml";
import { root } from "#server/pages/build-folders.ts";
import { findStates, stateProblem } from "#docs/content/checks/check-states.ts";
import type { ContentProblem } from "#docs/content/types.ts";
import { isCode, isTest } from "../imports/import-graph.ts";
import { listFiles } from "../imports/list-files.ts";

const YAML_FOLDERS = /^content\/(?:facts|marketing)\/.*\.yaml$/;
const CODE_FOLDERS = /^(?:cli\/src|src\/app|src\/site\/marketing)\/(?!gen\/)/;

const ASKS_STATE = /preview|\btoCome\b|\bisWaiting\b/i;

interface Words {
  text: string;
  line: number;
}

export function checkStateWords(): ContentProblem[] {
  return listFiles().flatMap((file) => {
    const isYaml = YAML_FOLDERS.test(file);
    if (!isYaml && !(CODE_FOLDERS.test(file) && isCode(file) && !isTest(file))) return [];
    const source = readFileSync(join(root, file), "utf8");
    return statesIn(file, isYaml ? wordsOfYaml(source) : wordsOfCode(file, source));
  });
}

const statesIn = (file: string, words: readonly Words[]): ContentProblem[] =>
  words.flatMap(({ text, line }) =>
    findStates(text).map((found) =>
      stateProblem({ file, line, words: found.words, fix: "Make the words of the part's state." }),
    ),
  );

export function wordsOfYaml(source: string): Words[] {
  const lines = new LineCounter();
  const words: Words[] = [];
  visit(parseDocument(source, { lineCounter: lines }), {
    Scalar(key, { value, range }, path) {
      const pair = path.at(-1);
      const isOfPreview = isPair(pair) && isScalar(pair.key) && pair.key.value === "preview";
      if (key === "key" || typeof value !== "string" || isOfPreview || /\{\{p(?:arts|review):/.test(value))
        return;
      words.push({ text: value.replace(/\s+/g, " "), line: lines.linePos(range?.[0] ?? 0).line });
    },
  });
  return words;
}

/** Strings, templates and element text; values known only at run time count as one word, "`…`". */
export function wordsOfCode(file: string, source: string): Words[] {
  const words: Words[] = [];
  const asked: Node[] = [];
  const guard = (node: Node, { start, end }: Node) =>
    void (ASKS_STATE.test(source.slice(start, end)) && asked.push(node));
  const add = (node: Node, text: string) => {
    if (asked.some(({ start, end }) => start <= node.start && node.end <= end)) return;
    words.push({ text: text.replace(/\s+/g, " "), line: source.slice(0, node.start).split("\n").length });
  };
  // An element's text includes that of its child elements.
  const inner = new Set<unknown>();
  const element = (node: Node & JsxNode) => {
    if (!inner.has(node)) add(node, textOfElement(node, inner));
  };
  new Visitor({
    ConditionalExpression: (node) => guard(node, node.test),
    LogicalExpression: (node) => guard(node, node.left),
    Literal: (node) => void (typeof node.value === "string" && add(node, node.value)),
    TemplateLiteral({ quasis, expressions, ...node }) {
      const isOfFacts = expressions.some(({ start, end }) => /\bparts\b/.test(source.slice(start, end)));
      if (!isOfFacts) add(node, quasis.map(({ value }) => value.cooked ?? "").join("`…`"));
    },
    JSXElement: element,
    JSXFragment: element,
  }).visit(parseSync(file, source).program);
  return words;
}

interface Node {
  start: number;
  end: number;
}

interface JsxNode {
  type: string;
  value?: unknown;
  expression?: object;
  children?: readonly JsxNode[];
}

function textOfElement({ children = [] }: JsxNode, inner: Set<unknown>): string {
  const texts = children.map((child) => {
    if (child.type === "JSXText") return String(child.value);
    // {" "}
    if (child.expression && "value" in child.expression) return String(child.expression.value);
    if (child.type !== "JSXElement" && child.type !== "JSXFragment") return "`…`";
    inner.add(child);
    return textOfElement(child, inner);
  });
  return texts.join("");
}
