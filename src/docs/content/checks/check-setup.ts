import type { Root } from "mdast";
import { visit } from "unist-util-visit";
import { attributesOf, isComponent } from "../blocks/component-nodes.ts";
import type { Facts } from "../facts/facts.ts";
import { didYouMean, lineOf, type ProblemList } from "../problem.ts";
import { type SetupPart, setupParts } from "../setup.ts";
import type { ContentProblem, Page } from "../types.ts";

/** Tabs for a part of the setup must have the names of its values, or no choice would open them. */
export function checkSetupTabs(tree: Root, parts: readonly SetupPart[], problems: ProblemList): void {
  visit(tree, (node) => {
    if (!isComponent(node) || node.name !== "Tabs") return;
    const { group } = attributesOf(node);
    const part = parts.find(({ id }) => id === group);
    if (!part || part.values.length === 0) return;
    const names = part.values.map(({ name }) => name);
    for (const tab of node.children.filter(isComponent)) {
      const { label = "" } = attributesOf(tab);
      if (names.includes(label)) continue;
      const message = `The group "${group}" has no tab "${label}".${didYouMean(label, names)}`;
      const fix = `${names.map((name) => `<Tab label="${name}">`).join(" or ")}; content/facts/setup.yaml and providers.yaml list them`;
      problems.error(lineOf(tab), "setup", message, fix);
    }
  });
}

/** Ids must be unique across all parts, because an address names values without their part; pages must exist. */
export function checkSetup(pages: readonly Page[], facts: Facts): ContentProblem[] {
  const paths = pages.map(({ path }) => path);
  const values = setupParts(facts).flatMap((part) => part.values);
  const ids = values.map(({ id }) => id);
  const repeated = [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))];
  const lost = values.flatMap(({ page }) => (page === undefined || paths.includes(page) ? [] : [page]));
  return [
    ...repeated.map((id) =>
      problem(`The id "${id}" occurs twice.`, "an id that no other value of any part or provider has"),
    ),
    ...lost.map((page) =>
      problem(`There is no page ${page}.${didYouMean(page, paths)}`, "page: the address of a page, or none"),
    ),
  ];
}

function problem(message: string, fix: string): ContentProblem {
  return { file: "content/facts/setup.yaml", line: 1, rule: "setup", severity: "error", message, fix };
}
