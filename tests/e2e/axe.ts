import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type { RunOptions } from "axe-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface AxeOptions {
  /** The part to look at; without it the whole page. */
  include?: string;
  /** Parts that do not belong to the page. */
  exclude?: string;
  /**
   * Off if the colours of another page with this template and width were measured: they take most of the
   * time. On phones, whole pages are measured only where a test asks for it, once for each kind of page: the
   * desktop's run measures those of every state.
   */
  withColours?: boolean;
}

const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** CSS pixels; wider than any phone. */
const NARROW = 640;
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];
/** Saves a second for each page: passes are not collected, and style sheets are not fetched again. */
const QUICK: RunOptions = { resultTypes: ["violations", "incomplete"], preload: false, iframes: false };

/**
 * axe finds nothing in the page's present state: every rule in the light theme, colour rules in the dark one,
 * since themes only change colours. Motion is reduced, so that no colour is measured half-way. Frames are
 * left out: the only one shows a recording.
 */
export async function expectAccessible(page: Page, options: AxeOptions = {}): Promise<void> {
  const isNarrow = (page.viewportSize()?.width ?? NARROW) < NARROW;
  const { include, exclude, withColours = !isNarrow || include !== undefined } = options;
  const context = { include: [include ?? "html"], exclude: exclude ? [exclude] : [] };
  const rules = Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: withColours }]));
  await page.emulateMedia({ reducedMotion: "reduce" });
  // Reading it takes the browser longer than some pages.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const light: RunOptions = { ...QUICK, runOnly: { type: "tag", values: STANDARDS }, rules };
  expect(await findIn(page, "light", context, light), page.url()).toEqual([]);
  if (!withColours) return;
  const dark: RunOptions = { ...QUICK, runOnly: { type: "rule", values: COLOUR_RULES } };
  expect(await findIn(page, "dark", context, dark), page.url()).toEqual([]);
}

interface Selection {
  include: string[];
  exclude: string[];
}

/** axe's findings in this theme, and text that it could not measure. */
async function findIn(page: Page, theme: "light" | "dark", context: Selection, options: RunOptions) {
  const { violations, incomplete } = await page.evaluate(
    async (run) => {
      document.documentElement.dataset["theme"] = run.theme;
      const { axe } = window as unknown as { axe: typeof import("axe-core") };
      const results = await axe.run(run.context, run.options);
      return { violations: results.violations, incomplete: results.incomplete };
    },
    { theme, context, options },
  );
  const found = violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.html).join("\n  ")}`);
  // Text over a gradient is not measured: a gradient behind a whole page would hide all of its faults.
  const unseen = incomplete
    .flatMap(({ nodes }) => nodes)
    .filter(({ any }) => any.some(({ data }) => /^bg(Gradient|Image)$/.test(data?.messageKey)));
  return [...found, ...unseen.map((node) => `behind a gradient: ${node.html}`)];
}
