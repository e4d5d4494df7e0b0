import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

interface AxeOptions {
  /** The part to look at; without it the whole page. */
  include?: string;
  /** What is not the page's own. */
  exclude?: string;
}

/**
 * axe finds nothing: every rule in the light theme, and those of colours in the dark one, in the state in which the page is.
 * A theme changes colours and nothing else. Motion is reduced, so that no colour is measured half-way.
 */
export async function expectAccessible(page: Page, { include, exclude }: AxeOptions = {}): Promise<void> {
  const axe = () => {
    // The same findings in a third of the time: nothing is collected of what passes, and no second page joins results of
    // frames from other origins; there are none.
    const builder = new AxeBuilder({ page })
      .options({ resultTypes: ["violations", "incomplete"] })
      .setLegacyMode();
    if (include) builder.include(include);
    return exclude ? builder.exclude(exclude) : builder;
  };
  const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  await page.emulateMedia({ reducedMotion: "reduce" });
  await setTheme(page, "light");
  await expectNothing(page, axe().withTags(standards));
  await setTheme(page, "dark");
  await expectNothing(page, axe().withRules(["color-contrast", "link-in-text-block"]));
}

async function setTheme(page: Page, theme: "light" | "dark") {
  await page.evaluate((name) => (document.documentElement.dataset["theme"] = name), theme);
}

async function expectNothing(page: Page, builder: AxeBuilder) {
  const { violations, incomplete } = await builder.analyze();
  const found = violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.html).join("\n  ")}`);
  // Text over a gradient is not measured: one behind a whole page would hide every fault of it.
  const unseen = incomplete
    .flatMap(({ nodes }) => nodes)
    .filter(({ any }) => any.some(({ data }) => /^bg(Gradient|Image)$/.test(data?.messageKey)));
  expect([...found, ...unseen.map((node) => `behind a gradient: ${node.html}`)], page.url()).toEqual([]);
}
