/** Checks of a single page, before it is compiled: one function per family of rules. */
import type { Code, Root } from "mdast";
import { toString } from "mdast-util-to-string";
import { visit } from "unist-util-visit";
import { checkAddress } from "./check-address.ts";
import { checkComponents } from "./check-components.ts";
import type { Components } from "../blocks/component.ts";
import { parseFenceMeta } from "../blocks/fence-meta.ts";
import { isKnownLanguage, knownLanguages } from "../blocks/highlight.ts";
import { restorePlaceholders } from "./placeholders.ts";
import { lineOf, nearest, type ProblemList } from "../problem.ts";

export function checkPage(tree: Root, components: Components, problems: ProblemList): void {
  checkStart(tree, problems);
  checkExpressions(tree, problems);
  checkComponents(tree, components, problems);
  checkHeadings(tree, problems);
  checkImages(tree, problems);
  checkLinkSyntax(tree, problems);
  visit(tree, "code", (code) => checkFence(code, components, problems));
}

function checkStart(tree: Root, problems: ProblemList): void {
  const first = tree.children[0];
  if (!first) {
    problems.error(
      1,
      "page-start",
      "The page has no text.",
      "Say in the first sentence what the reader will have at the end.",
    );
  } else if (first.type !== "paragraph") {
    const fix = "Put a paragraph first. It says what the reader will have at the end.";
    problems.error(lineOf(first), "page-start", "The body must start with a paragraph.", fix);
  }
}

function checkExpressions(tree: Root, problems: ProblemList): void {
  visit(tree, (node) => {
    if (node.type === "mdxjsEsm") {
      const message = "Imports and exports are not allowed: a page is data.";
      problems.error(lineOf(node), "expression", message, "Remove the line: components need no import.");
    } else if (node.type === "mdxTextExpression" || node.type === "mdxFlowExpression") {
      const written = restorePlaceholders(`{${node.value}}`);
      const isComment = /^\s*\/\*/.test(node.value);
      const message = isComment
        ? "Comments are not allowed in a page."
        : "Expressions are not allowed: a page is data.";
      problems.error(lineOf(node), "expression", message, isComment ? "Remove it." : `\`${written}\``);
    }
  });
}

function checkHeadings(tree: Root, problems: ProblemList): void {
  let previous = 1;
  visit(tree, "heading", (heading) => {
    const text = restorePlaceholders(toString(heading));
    if (heading.depth === 1) {
      problems.error(
        lineOf(heading),
        "heading-level",
        "The body cannot have an h1: the title in the front matter is the h1.",
        `## ${text}`,
      );
    } else if (heading.depth > 4) {
      problems.error(
        lineOf(heading),
        "heading-level",
        "Headings cannot be deeper than level 4.",
        `#### ${text}`,
      );
    } else if (heading.depth > previous + 1) {
      const message = `The heading skips from level ${previous} to ${heading.depth}.`;
      problems.error(lineOf(heading), "heading-level", message, `${"#".repeat(previous + 1)} ${text}`);
    }
    previous = Math.max(1, heading.depth);
  });
}

function checkImages(tree: Root, problems: ProblemList): void {
  visit(tree, (node) => {
    if ((node.type === "image" || node.type === "imageReference") && !node.alt?.trim()) {
      const target = node.type === "image" ? `(${node.url})` : `[${node.identifier}]`;
      problems.error(
        lineOf(node),
        "alt",
        "The image has no alternative text.",
        `![what the image shows]${target}`,
      );
    }
  });
}

function checkLinkSyntax(tree: Root, problems: ProblemList): void {
  visit(tree, (node) => {
    if (node.type !== "link" && node.type !== "definition") return;
    const text = node.type === "link" ? restorePlaceholders(toString(node)) : node.identifier;
    checkAddress(restorePlaceholders(node.url), text, lineOf(node), problems);
  });
}

function checkFence(code: Code, components: Components, problems: ProblemList): void {
  const { meta, unknown } = parseFenceMeta(code);
  const language = code.lang ?? "";
  const line = lineOf(code);
  const report = (message: string, fix: string) => problems.error(line, "code", message, fix);
  const special = [...Object.keys(components.fences), "console"];
  if (language === "") {
    report("The code block has no language.", "```text");
  } else if (!special.includes(language) && !isKnownLanguage(language)) {
    const near = nearest(language, [...special, ...knownLanguages()]);
    const message = `The language "${language}" is unknown.${near === undefined ? "" : ` Did you mean "${near}"?`}`;
    report(message, `\`\`\`${near ?? "text"}`);
  }
  if (unknown.length > 0) {
    report(
      `"${unknown.join(" ")}" after the language is not recognized.`,
      `\`\`\`${language} title="file" {3,5-7}`,
    );
  }
  const lines = code.value.split("\n").length;
  const outside = [...meta.marked].find((number) => number < 1 || number > lines);
  if (outside !== undefined) {
    report(`Line ${outside} is marked, but the block ends at line ${lines}.`, `\`\`\`${language} {${lines}}`);
  }
  for (const found of components.fences[language]?.check(code, meta) ?? []) {
    problems.error(line + found.line, language, found.message, found.fix);
  }
}
