import type { Element, ElementContent } from "hast";
import { h } from "hastscript";
import type { Code } from "mdast";
import type { FenceMeta } from "./component.ts";
import { highlight, type Token } from "./highlight.ts";

interface Line {
  tokens: Token[];
  classes: string[];
  /** Not copied. */
  prompt?: string;
}

/** A code block in the site's design. @param isPreview marks commands that do not run yet */
export async function codeBlock(code: Code, meta: FenceMeta, isPreview = false): Promise<Element> {
  const { lines, copied } = await linesOf(code, meta);
  const shown = lines
    .map((line) => (line.prompt ?? "") + line.tokens.map(({ text }) => text).join(""))
    .join("\n");
  const copy = copyButton(meta.title === null, copied === shown ? null : copied);
  const children: ElementContent[] = lines.flatMap((line, index) => {
    const classes = meta.marked.has(index + 1) ? [...line.classes, "is-hl"] : line.classes;
    const prompt =
      line.prompt === undefined ? [] : [h("span", { className: ["t-p", "prompt"] }, line.prompt)];
    const span = h("span", { className: ["line", ...classes] }, [...prompt, ...line.tokens.map(tokenNode)]);
    return index === 0 ? [span] : [{ type: "text", value: "\n" }, span];
  });
  const pre = h("pre", { tabIndex: 0 }, [h("code", children)]);
  const mark = isPreview ? [h("span", { className: ["preview"] }, "Preview")] : [];
  const frame = { className: ["code"], dataHover: "wrap" };
  if (meta.title === null) return h("figure", frame, [...mark, copy, pre]);
  const head = [h("span", { className: ["code-file"] }, meta.title), ...mark, copy];
  return h("figure", frame, [h("figcaption", { className: ["code-head"] }, head), pre]);
}

function copyButton(isFloating: boolean, text: string | null): Element {
  const properties = {
    className: isFloating ? ["copy", "copy-float"] : ["copy"],
    type: "button",
    ariaLabel: "Copy code",
    ...(text === null ? {} : { dataCopy: text }),
  };
  // Its icons come from the stylesheet (`article-icons.css`): a page has dozens of these buttons.
  return h("button", properties);
}

function tokenNode(token: Token): ElementContent {
  return token.class === null
    ? { type: "text", value: token.text }
    : h("span", { className: [token.class] }, token.text);
}

async function linesOf(code: Code, meta: FenceMeta): Promise<{ lines: Line[]; copied: string }> {
  if (code.lang === "console") return consoleLines(code.value);
  if (!meta.diff) {
    const tokens = await highlight(code.value, code.lang ?? "text");
    return { lines: tokens.map((line) => ({ tokens: line, classes: [] })), copied: code.value };
  }
  const diff = readDiff(code.value);
  const tokens = await highlight(diff.map(({ text }) => text).join("\n"), code.lang ?? "text");
  const lines = diff.map(({ change }, index) => {
    return {
      tokens: tokens[index] ?? [],
      classes: change === " " ? [] : [change === "+" ? "is-add" : "is-del"],
    };
  });
  return { lines, copied: diff.flatMap(({ text, change }) => (change === "-" ? [] : [text])).join("\n") };
}

/** Removes the signs of a diff. If all lines have the column of signs, as in a real diff, it is removed from all of them. */
function readDiff(code: string): { text: string; change: "+" | "-" | " " }[] {
  const lines = code.split("\n");
  const hasColumn = lines.every((line) => line === "" || /^[-+ ]/.test(line));
  return lines.map((line) => {
    const sign = line[0];
    if (sign === "+" || sign === "-") return { text: line.slice(1), change: sign };
    return { text: hasColumn ? line.slice(1) : line, change: " " };
  });
}

/** A command of a console block with its continued lines, and its position. */
export interface ConsoleCommand {
  text: string;
  /** Lines of the block, from 0: the first line, and the line after the last. */
  from: number;
  to: number;
}

/** Commands start with "$ "; a backslash at the end, an open quote or a here-document continues them on the next lines. */
export function consoleCommands(code: string): ConsoleCommand[] {
  const lines = code.split("\n");
  const commands: ConsoleCommand[] = [];
  for (let from = 0; from < lines.length; from += 1) {
    const first = lines[from] ?? "";
    if (!first.startsWith("$ ")) continue;
    let to = endOfLine(lines, from);
    // An unclosed quote is text ("it's"): then the command ends with its line.
    while (isInQuotes(lines.slice(from, to)) && to < lines.length) to = endOfLine(lines, to);
    if (isInQuotes(lines.slice(from, to))) to = endOfLine(lines, from);
    const end = /<<-?\s*(["']?)(\w+)\1/.exec(lines.slice(from, to).join("\n"))?.[2];
    if (end !== undefined) {
      const last = lines.findIndex((line, index) => index >= to && line.trim() === end);
      if (last >= 0) to = last + 1;
    }
    const text = [first.slice(2), ...lines.slice(from + 1, to).map((line) => line.replace(/^> /, ""))].join(
      "\n",
    );
    commands.push({ text, from, to });
    from = to - 1;
  }
  return commands;
}

/** The line after `from` and its continued lines. */
function endOfLine(lines: readonly string[], from: number): number {
  let to = from + 1;
  while (to < lines.length && lines[to - 1]?.endsWith("\\")) to += 1;
  return to;
}

function isInQuotes(lines: readonly string[]): boolean {
  const rest = lines.join("\n").replace(/\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\s#.*/g, "");
  return /['"]/.test(rest);
}

async function consoleLines(code: string): Promise<{ lines: Line[]; copied: string }> {
  const commands = consoleCommands(code);
  const lines: Line[] = code.split("\n").map((line) => ({
    tokens: line === "" ? [] : [{ text: line, class: null }],
    classes: ["is-out"],
  }));
  for (const command of commands) {
    const tokens = await highlight(command.text, "bash");
    tokens.forEach((line, index) => {
      lines[command.from + index] = { tokens: line, classes: [], ...(index === 0 ? { prompt: "$ " } : {}) };
    });
  }
  return { lines, copied: commands.length === 0 ? code : commands.map(({ text }) => text).join("\n") };
}
