/**
 * The marketing pages agree with the documentation's facts.
 * 1. Every file of `content/marketing` and `content/changelog` is valid; each product has its page and its place on the home
 *    page.
 * 2. Every shown `millrace` command exists in `content/facts/cli.yaml`, every runner label in `runners.yaml`.
 * 3. A quoted limit is the fact's value.
 * 4. Each product page has a different demonstration.
 * 5. No promise uses superlatives.
 * 6. A diff has its column of signs in every line, including the first.
 */
import { describe, expect, it } from "vitest";
import { loadFacts } from "#docs/content/facts/facts.ts";
import { productPaths } from "../paths.ts";
import { changelog, home, products, trust } from "./content.ts";

const { facts } = loadFacts(process.cwd());
const everything = JSON.stringify([home, products, trust, changelog]);

describe("the words of the marketing pages", () => {
  it("(1) are there for every product", () => {
    expect(products.map(({ path }) => path)).toEqual(productPaths);
    const cells = [home.products.lead, ...home.products.cells].map(({ more }) => more.to);
    expect(cells).toEqual(expect.arrayContaining(productPaths));
    expect(changelog.length).toBeGreaterThan(0);
  });

  it("(2) show commands that exist", () => {
    const names = facts.cli.commands.map(({ name }) => name);
    const shown = [...everything.matchAll(/millrace ((?:[a-z][a-z-]*)(?: [a-z][a-z-]*)?)/g)].map(
      ([, words]) => words ?? "",
    );
    expect(shown.length).toBeGreaterThan(10);
    const unknown = shown.filter(
      (words) => !names.some((name) => words === name || words.startsWith(`${name} `)),
    );
    expect(unknown.filter((words) => !names.includes(words.split(" ")[0] ?? ""))).toEqual([]);
  });

  it("(2) show runner labels that exist", () => {
    const labels = new Set(facts.runners.runners.flatMap(({ label, aliases }) => [label, ...aliases]));
    const shown = [...everything.matchAll(/millrace-ubuntu-[\w.-]*\w/g)].map(([label]) => label);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.filter((label) => !labels.has(label))).toEqual([]);
  });

  it("(3) quote limits from the facts", () => {
    const quota = facts.limits.limits.find(({ id }) => id === "cache.quota")?.value;
    expect(everything).toContain(quota);
    expect(everything).not.toContain("{{limit:");
  });

  it("(4) demonstrate something else on each page", () => {
    const shown = products.map(({ demonstration }) => JSON.stringify(demonstration.artefact));
    expect(new Set(shown).size).toBe(products.length);
  });

  it("(5) have no superlatives", () => {
    const promises = /\b(fastest|best|blazing|lightning|unmatched|world-class|revolutionary|seamless)\b/i;
    expect(everything.match(promises)).toBeNull();
  });

  it("(6) keep the signs of a diff in their column", () => {
    const codes = JSON.stringify([home, products]);
    const diffs = [...codes.matchAll(/"meta":"diff[^}]*?"text":("(?:[^"\\]|\\.)*")/g)].map(
      ([, text]) => JSON.parse(text ?? "") as string,
    );
    expect(diffs).toHaveLength(4);
    for (const line of diffs.flatMap((diff) => diff.split("\n"))) expect(line).toMatch(/^[ +-]/);
  });
});
