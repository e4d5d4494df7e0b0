/**
 * The samples of the documentation with the names of a signed-in reader, on a server of its own.
 * 1. After a sign-in, samples and what their buttons copy have the reader's organization and project; others can be
 *    chosen, a later page and a reload keep the choice, and the switch shows the printed samples again. Signing out
 *    ends it. An address of `millrace docs` chooses the terminal's names. No sample causes an error of axe in either theme, and nothing is wider than the screen.
 * 2. Names that a shell or a file would read as more than a name are not written into samples.
 * 3. "Run this" leads to the application's place for a command, or copies the whole block.
 * 4. The names and their button arrive without moving anything in the window.
 */
import type { Page } from "@playwright/test";
import type { Row } from "../fixtures/replace-records.ts";
import { expectAccessible } from "./axe.ts";
import {
  expect,
  openerOf,
  OWN,
  ownNames,
  panelOf,
  REGISTRY,
  samplesOf,
  showPanel,
  STOREFRONT,
  test,
} from "./own.ts";
import { drawFrames } from "./fixtures.ts";
import { hydrate } from "./hydrate.ts";
import { overflowOf } from "./overflow.ts";

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const proseOf = (page: Page) => page.getByRole("article").locator(".prose").innerHTML();
const sampleWith = (page: Page, text: string) => samplesOf(page).filter({ hasText: text }).first();
const hint = async (page: Page) =>
  (await page.context().cookies()).filter(({ name }) => name === "millrace-reader");

test("1. samples have the reader's names, and copy them", async ({ reader, acme, page }) => {
  const { host } = new URL(acme.origin);
  await page.context().clearCookies({ name: "millrace-reader" });
  await reader.visit(REGISTRY);
  const printed = await page.getByRole("article").innerHTML();
  expect(printed).toContain(`${host}/acme/hello:staging`);
  expect(await hint(page)).toEqual([]);
  // The application sets the cookie, for the documentation only.
  await page.goto(acme.origin + "/app");
  await expect
    .poll(() => hint(page))
    .toMatchObject([{ value: "1", path: "/docs", httpOnly: false, sameSite: "Lax" }]);

  await reader.open(REGISTRY);
  const panel = panelOf(page);
  await showPanel(page);
  await panel.getByLabel("Project").selectOption(STOREFRONT.name);
  const push = sampleWith(page, "$ docker push");
  await expect(push).toContainText(`docker push ${host}/${OWN}/${STOREFRONT.name}:staging`);
  await expect(push).not.toContainText("acme");
  await push.getByRole("button", { name: "Copy code" }).click();
  await expect.poll(() => copied(page)).toContain(`docker push ${host}/${OWN}/${STOREFRONT.name}:staging`);
  expect(await copied(page)).not.toContain("acme");
  await expect(page.getByRole("article")).not.toContainText(`${host}/acme`);
  await expectAccessible(page);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);

  // A later page in the same window.
  await page.getByRole("article").getByRole("link", { name: "crane", exact: true }).click();
  await expect(page).toHaveURL(/promotion/);
  // The former page's button may still be there when it is pressed.
  await expect(async () => {
    const project = (await showPanel(page)).getByLabel("Project");
    await expect(project).toHaveValue(STOREFRONT.id, { timeout: 1000 });
  }).toPass();
});

test("1. other names, the printed ones, and none after signing out", async ({ reader, page }) => {
  const panel = panelOf(page);
  await reader.open(REGISTRY);
  await showPanel(page);
  await panel.getByLabel("Project").selectOption(STOREFRONT.name);
  await reader.open("/docs/container-builds/quickstart");
  await expect((await showPanel(page)).getByLabel("Project")).toHaveValue(STOREFRONT.id);
  await expect(sampleWith(page, "millrace init")).toContainText(
    `Created ${STOREFRONT.id} in organization ${OWN}`,
  );
  await expect(sampleWith(page, "millrace login")).toContainText(`organization ${OWN}`);

  await showPanel(page);

  await panel.getByLabel("Organization").selectOption("acme-labs");
  await expect(sampleWith(page, "millrace login")).toContainText("organization acme-labs");
  await expect((await showPanel(page)).getByText("none yet")).toBeVisible();

  await showPanel(page);

  await panel.getByRole("button", { name: "Show sample names" }).click();
  await expect(sampleWith(page, "millrace login")).toContainText("organization acme");
  await expect(sampleWith(page, "millrace login")).not.toContainText("acme-labs");
  await expect(page.getByText(/^Run this|Copy to run this/)).toHaveCount(0);
  const restored = await proseOf(page);
  await page.reload();
  await expect((await showPanel(page)).getByText("The samples have sample names")).toBeVisible();
  const shown = await proseOf(page);
  expect(restored).toBe(shown);

  expect(
    await page.evaluate(async () => {
      const headers = { "content-type": "application/json" };
      return (await fetch("/auth/sign-out", { method: "POST", headers, body: "{}" })).status;
    }),
  ).toBe(200);
  await expect.poll(() => hint(page)).toEqual([]);
  await page.reload();
  await hydrate(page);
  await expect(openerOf(page)).toHaveCount(0);
  expect(await proseOf(page)).toBe(shown);
});

test(
  "1. millrace docs opens a page with the terminal's names",
  { tag: "@one-width" },
  async ({ reader, page }) => {
    await reader.open(`${REGISTRY}#org=${OWN}&project=${STOREFRONT.id}`);
    await expect((await showPanel(page)).getByLabel("Project")).toHaveValue(STOREFRONT.id);
    await expect(page).toHaveURL(new RegExp(`${REGISTRY}$`));
    // Someone else's link chooses only among the reader's own organizations.
    await reader.open(`/docs/container-builds/quickstart#org=evil-corp&project=prj_0000000000`);
    await expect((await showPanel(page)).getByLabel("Project")).toHaveValue(STOREFRONT.id);
    await expect(page).toHaveURL(/quickstart$/);
  },
);

test.describe("names that are commands", () => {
  for (const name of [
    "$(touch pwned)",
    "a b",
    "x'; rm -rf /",
    `<img src=x onerror="document.title='pwned'">`,
  ])
    test(`2. ${name}`, { tag: "@one-width" }, async ({ reader, acme, page }) => {
      acme.fill((records) => {
        const own = ownNames(records);
        const rename = (row: Row) => (row["id"] === STOREFRONT.id ? { ...row, name } : row);
        return { ...own, projects: own["projects"]!.map(rename) };
      });
      await reader.open(REGISTRY);
      await (await showPanel(page)).getByLabel("Project").selectOption(STOREFRONT.id);
      const { host } = new URL(acme.origin);
      const push = sampleWith(page, "$ docker push");
      await expect(push).toContainText(`docker push ${host}/${OWN}/hello:staging`);
      await push.getByRole("button", { name: "Copy code" }).click();
      await expect.poll(() => copied(page)).toContain(`docker push ${host}/${OWN}/hello:staging`);
      await expect(page).not.toHaveTitle("pwned");
    });
});

test("3. Run this", async ({ reader, acme, page }) => {
  const { host } = new URL(acme.origin);
  await reader.open(REGISTRY);
  const push = sampleWith(page, "$ docker push");
  await push.getByRole("button", { name: "Copy to run this" }).click();
  await expect
    .poll(() => copied(page))
    .toMatch(new RegExp(`^docker pull .*\ndocker tag .*\ndocker push ${host}/${OWN}/`));
  expect(await copied(page)).not.toContain("$ ");
  await expect(push).toContainText("Copied. Paste it into a terminal.");
  await expect(page.locator("#announcer")).toHaveText("Copied. Paste it into a terminal.");

  await reader.open("/docs/container-builds/how-to-guides/continuous-integration");
  await sampleWith(page, "millrace tokens create")
    .getByRole("link", { name: "Run this in the app: create a token" })
    .click();
  await expect(page).toHaveURL(`${acme.origin}/app/${OWN}/settings/tokens?new=1`);
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("4. no layout shift", async ({ reader, page }) => {
  await page.addInitScript(() => {
    const shifts: PerformanceEntry[] = [];
    Object.assign(window, { shifts });
    const note = (list: PerformanceObserverEntryList) => shifts.push(...list.getEntries());
    new PerformanceObserver(note).observe({ type: "layout-shift", buffered: true });
  });
  // Whatever moves from then on is of the names: the fonts are there.
  await page.route("**/auth/state", async (route) => {
    await page.evaluate(() => document.fonts.ready);
    await drawFrames(page);
    await route.continue();
  });
  await reader.visit(REGISTRY);
  await expect(openerOf(page)).toBeVisible({ timeout: 15_000 });
  await expect(sampleWith(page, "$ docker push")).toContainText(OWN);
  await drawFrames(page);
  const moved = await page.evaluate(() => {
    const { responseEnd } = performance
      .getEntriesByType("resource")
      .find(({ name }) => name.endsWith("/auth/state")) as PerformanceResourceTiming;
    const { shifts } = window as unknown as { shifts: PerformanceEntry[] };
    type Source = { node?: Node; previousRect: DOMRect; currentRect: DOMRect };
    const sources = (entry: PerformanceEntry) => (entry as unknown as { sources: Source[] }).sources;
    return (
      shifts
        .filter(({ startTime }) => startTime >= responseEnd)
        .flatMap(sources)
        // The end of a line of a sample moves along the line.
        .filter(
          ({ previousRect, currentRect }) => JSON.stringify(previousRect) !== JSON.stringify(currentRect),
        )
        .map(({ node }) => node?.parentElement?.outerHTML)
    );
  });
  expect(moved).toEqual([]);
});

test("4. the panel is inside the window, and Esc closes it", async ({ reader, page }) => {
  await reader.open(REGISTRY);
  const box = await panelOf(page).boundingBox();
  expect(box!.x).toBeGreaterThanOrEqual(16);
  expect(box!.x + box!.width).toBeLessThanOrEqual(page.viewportSize()!.width - 16);
  await expectAccessible(page);
  await expect(panelOf(page).getByRole("link", { name: "Your tokens" })).toHaveAttribute(
    "href",
    `/app/${OWN}/settings/tokens`,
  );
  await page.keyboard.press("Escape");
  await expect(panelOf(page)).toBeHidden();
  await expect(openerOf(page)).toBeFocused();
  const opener = (await openerOf(page).boundingBox())!;
  const german = (await page.getByRole("link", { name: "Deutsch" }).boundingBox())!;
  const isBeside = opener.x + opener.width <= german.x || german.x + german.width <= opener.x;
  expect(isBeside || opener.y + opener.height <= german.y).toBe(true);
});
