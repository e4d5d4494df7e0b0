/**
 * "My setup": a reader's choices, and the parts of a page that depend on them. A record for some readers only
 * names them in `for`, and their searches rank it a little higher (decision 039).
 *
 *   in a tab of a group that is a part of the setup      <Tabs group="package-manager"> <Tab label="pnpm">
 *   a row with a cell that is a value's name             | GitLab CI | … |
 *   a sample named like a provider's file                ```yaml title=".gitlab-ci.yml"
 *   everything on a value's own page                     `page` in the facts
 */
import type { Root } from "hast";
import { h } from "hastscript";
import { visit } from "unist-util-visit";
import type { Facts } from "./facts/facts.ts";
import type { Block } from "./types.ts";

export interface SetupValue {
  id: string;
  name: string;
  page?: string | undefined;
  file?: string | undefined;
}

export interface SetupPart {
  /** Also the name of its tab group. */
  id: string;
  name: string;
  values: SetupValue[];
}

/** All parts, the CI provider first. */
export function setupParts({ providers, setup }: Facts): SetupPart[] {
  const ci = providers.providers.map(({ id, name, page, file }) => ({ id, name, page, file }));
  return [{ id: "ci", name: "CI provider", values: ci }, ...setup.setup];
}

/** The value that a tab stands for; undefined for tabs that are unrelated to the setup. */
export function valueOfTab(parts: readonly SetupPart[], group: string, label: string): string | undefined {
  return parts.find(({ id }) => id === group)?.values.find(({ name }) => name === label)?.id;
}

/** Values whose own page this is. */
export function valuesOfPage(parts: readonly SetupPart[], path: string): string[] {
  return parts.flatMap(({ values }) => values.filter(({ page }) => page === path).map(({ id }) => id));
}

/** Adds their readers to blocks and to table rows. */
export function addReaders(blocks: readonly Block[], parts: readonly SetupPart[]): Block[] {
  const values = parts.flatMap((part) => part.values);
  const named = new Map(values.map(({ id, name }) => [name, id]));
  return blocks.map((block): Block => {
    if (block.kind === "code") {
      const { title } = block;
      const own = values.filter(({ file }) => file !== undefined && title?.startsWith(file));
      return withReaders(
        block,
        own.map(({ id }) => id),
      );
    }
    if (block.kind !== "table") return block;
    const rows = block.rows.map((row) =>
      withReaders(
        row,
        row.cells.flatMap((cell) => named.get(cell) ?? []),
      ),
    );
    return { ...block, rows };
  });
}

function withReaders<Kind extends { for?: string[] }>(one: Kind, ids: readonly string[]): Kind {
  const all = [...new Set([...(one.for ?? []), ...ids])];
  return all.length > 0 ? { ...one, for: all } : one;
}

/** Adds a link to the setup next to tabs that follow it: a dialog, or without a script the form of `?setup=`. */
export function addSetupLinks(root: Root, parts: readonly SetupPart[]): void {
  visit(root, "element", (element) => {
    if (!parts.some(({ id }) => id === element.properties.dataGroup)) return;
    const link = { className: ["tabs-setup"], href: "?setup=", rel: ["nofollow"], dataLate: "setup" };
    element.children.splice(1, 0, h("a", link, "My setup"));
  });
}
