/**
 * Faults that would cost a reader's trust on the pages around the documentation:
 * 1. two adjacent buttons never lead to the same place, and no preview's button promises a feature that does not run;
 * 2. no page speaks to the operator: keys of the configuration, "this installation";
 * 3. nothing makes a page scroll sideways, down to 320 pixels, and no picture is cut off there;
 * 4. a diagram fills its frame.
 */
import type { Page } from "@playwright/test";
import { marketingPaths, productPaths } from "#site/marketing/paths.ts";
import { expect, test } from "./fixtures.ts";
import { overflowOf } from "./overflow.ts";

// The missing page is reported in the console too.
test.use({ expectedErrors: /404 \(Not Found\)/ });

/** Products whose part runs already. */
const available = new Set(["/cache", "/container-builds", "/registry"]);
const pages = ["/", ...marketingPaths, "/status", "/no-such-page"];

test("buttons that stand together lead to different places", async ({ page }) => {
  for (const path of pages) {
    await page.goto(path);
    const rows = await page.getByRole("link").evaluateAll((links) => {
      const byParent = new Map<Element | null, string[]>();
      for (const link of links)
        if (link.matches(".btn, .more"))
          byParent.set(link.parentElement, [
            ...(byParent.get(link.parentElement) ?? []),
            (link as HTMLAnchorElement).href,
          ]);
      return [...byParent.values()];
    });
    if (path !== "/status") expect(rows.length, path).toBeGreaterThan(0);
    for (const row of rows) expect(new Set(row).size, `${path}: ${row.join(" ")}`).toBe(row.length);
  }
});

test("a product whose part is in preview leads to what can be done today", async ({ page }) => {
  for (const path of productPaths.filter((each) => !available.has(each))) {
    await page.goto(path);
    await expect(page.getByText(/^Preview: documented/), path).toBeVisible();
    const [first, second] = await page.locator(".hero-cta").first().getByRole("link").all();
    await expect(first!, path).toHaveText(/^(See what exists today|Improve a Dockerfile)$/);
    await expect(first!, path).toHaveAttribute("href", /\/(what-exists|optimal-dockerfiles)$/);
    await expect(second!, path).toHaveText("Read how it will work");
  }
});

test("a product whose part runs leads to its documentation", async ({ page }) => {
  for (const path of available) {
    await page.goto(path);
    await expect(page.getByText(/^Preview: documented/), path).toHaveCount(0);
    const [first, second] = await page.locator(".hero-cta").first().getByRole("link").all();
    await expect(first!, path).toHaveAttribute("href", new RegExp(`^/docs${path}/`));
    await expect(second!, path).toHaveText("Read how it works");
  }
});

test("no page has words for the operator", async ({ request }) => {
  for (const path of [...pages, "/docs", "/docs/no-such-page"]) {
    const html = (await (await request.get(path)).text()).replace(/<script[\s\S]*?<\/script>/g, "");
    expect(html, path).toContain("</main>");
    expect(html, path).not.toMatch(
      /site\.config|this installation|content\/marketing|isSample|securityContact/i,
    );
  }
});

test.describe("on the narrowest phones", () => {
  test.use({ viewport: { width: 320, height: 640 } });

  test("nothing scrolls sideways, and pictures are whole", async ({ page }) => {
    for (const path of pages) {
      await page.goto(path);
      // Content far from the screen is not laid out.
      await page.addStyleTag({ content: ".cells { content-visibility: visible !important }" });
      await expect.poll(() => overflowOf(page), path).toBe(0);
      const cut = await page
        .locator(".shot, .reg, .cloud, .tools, .jobs, .flow")
        .evaluateAll((pictures) =>
          pictures
            .filter((picture) => picture.scrollWidth > picture.clientWidth + 1)
            .map((picture) => `${picture.className}: ${picture.scrollWidth} > ${picture.clientWidth}`),
        );
      expect(cut, path).toEqual([]);
    }
  });
});

const diagrams = ["/docs/container-builds/overview", "/docs/managed/overview", "/docs/core-concepts"];

for (const width of [1440, 390])
  test(`diagrams fill their frames at ${width} pixels`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    for (const path of diagrams)
      for (const share of await sharesOf(page, path)) expect(share, path).toBeGreaterThan(0.85);
  });

async function sharesOf(page: Page, path: string): Promise<number[]> {
  await page.goto(path);
  const shares = await page.locator(".flow svg").evaluateAll((drawings) =>
    (drawings as SVGSVGElement[]).map((drawing) => {
      const style = getComputedStyle(drawing);
      const frame = drawing.closest("figure") ?? drawing;
      // The frame is the element with the border: the drawing itself, not the figure with its caption.
      expectNoBorder(frame);
      const room = drawing.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      const scale = room / drawing.viewBox.baseVal.width;
      return (drawing.getBBox().width * scale) / room;

      function expectNoBorder(element: Element) {
        if (getComputedStyle(element).borderTopWidth !== "0px") throw new Error("The figure has a frame.");
      }
    }),
  );
  expect(shares.length, path).toBeGreaterThan(0);
  return shares;
}
