/**
 * The figures of the documentation, with reports that the test chooses (a real server's are in console-server.spec.ts).
 * 1. Every page shows its report, fits the screen and 320 px, and is free of axe's findings in both themes.
 * 2. Every empty page says what will appear and how. 3. A failure says what to do; the retry works; a person who may
 *    not read learns so.
 * 4. A wait is announced, and why it is long; a late answer never replaces a newer one. 5. A session that ends in the
 *    middle keeps the page until there is another session. 6. Order, filter, length, range and view are in the address.
 * 7. Readers' input is shown as text, cut, whatever it contains.
 */
import type { Request } from "@playwright/test";
import {
  emptyReports,
  filledReports,
  hostileReports,
  hostileTexts,
  manySearches,
  now,
} from "../fixtures/telemetry/console-reports.ts";
import { ada, tellSignedIn } from "./app.ts";
import { expect, test } from "./console.ts";
import { drawFrames, whenOver } from "./fixtures.ts";
import { tryAgain } from "./try-again.ts";

const pages = [
  { path: "", title: "Overview", shows: "7,510" },
  { path: "/searches", title: "Searches", shows: "layer cache" },
  { path: "/proposals", title: "Proposals", shows: "Synonym: kubernets, kubernetes" },
  {
    path: "/pages?comments=/docs/container-builds/quickstart",
    title: "Pages",
    shows: "The example for GitLab is missing.",
  },
  { path: "/errors", title: "Errors", shows: "src/site/docs/copy-markdown.ts in copyMarkdown" },
  { path: "/errors/f1", title: "TypeError", shows: "await navigator.clipboard.writeText(text);" },
  { path: "/recordings", title: "Recordings", shows: "84 KB" },
  { path: "/recordings/s1", title: "Recording", shows: "Click on “Copy as Markdown”" },
  { path: "/surveys", title: "Surveys", shows: "Which tool should we document next?" },
  { path: "/flags", title: "Flags", shows: "The outline with numbers" },
  { path: "/health", title: "Ingest health", shows: "A network has used up its share." },
];

/** The recording's hostile page: the browser's messages when it refuses to run and to fetch. */
const refused = /Content Security Policy|Blocked script execution|elsewhere\.example/;

test.describe("filled", () => {
  test.use({ expectedErrors: refused });
  for (const { path, title, shows } of pages)
    test(`1. ${title}`, async ({ operator, page, isMobile }) => {
      await operator.open(path);
      await expect(operator.heading(title)).toBeVisible();
      await expect(page.getByText(shows).filter({ visible: true }).first()).toBeVisible();
      await expect.poll(() => operator.overflow()).toBeLessThanOrEqual(0);
      // Phones have the same colours: they are measured there only where tables, charts and the player differ.
      await operator.expectAccessible({
        withColours: !isMobile || ["Overview", "Searches", "Recording"].includes(title),
      });
      // Wide screens are never that narrow.
      if (!isMobile) return;
      await page.setViewportSize({ width: 320, height: 640 });
      await expect.poll(() => operator.overflow()).toBeLessThanOrEqual(0);
    });
});

const lessons = [
  { path: "", says: "Nothing was counted in this range", how: "Open a page of the documentation" },
  { path: "/searches", says: "No searches in this range", how: "a few seconds after the last keystroke" },
  {
    path: "/searches?kind=no-hits",
    says: "Every search found something",
    how: "There is nothing to turn on",
  },
  { path: "/searches?kind=no-clicks", says: "No search without a click", how: "telemetry.analytics: true" },
  { path: "/proposals", says: "No search needs a proposal", how: "after three searches" },
  { path: "/pages", says: "No page was opened in this range", how: "Open the documentation" },
  { path: "/errors", says: "No errors in this range", how: "throw new Error" },
  { path: "/recordings", says: "No recordings in this range", how: "telemetry.recording: true" },
  { path: "/surveys", says: "No survey is defined", how: "missing-page" },
  { path: "/flags", says: "No flag is defined", how: "new-outline" },
];

test("2. empty pages teach", async ({ operator, page }) => {
  for (const { path, says, how } of lessons) {
    await operator.open(path, emptyReports);
    await expect(page.getByRole("heading", { name: says })).toBeVisible();
    await expect(page.getByText(how).first()).toBeVisible();
    await expect.poll(() => operator.overflow(), says).toBeLessThanOrEqual(0);
  }
  await operator.open("/health", emptyReports);
  await expect(page.getByText("Nothing received yet.")).toBeVisible();
});

test.describe("failures", () => {
  test.use({
    expectedErrors: /status of (401|403|404|429|503)|dynamically imported module|ERR_FAILED|ERR_CONNECTION/,
  });

  test("3. a report that cannot be read, and the retry", async ({ operator, page }) => {
    await operator.open("/pages");
    await page.route("**/console/api/pages*", (route) =>
      route.fulfill({ status: 503, json: { message: "The report cannot be read: database is locked" } }),
    );
    await page.getByRole("link", { name: "The last 24 h" }).click();
    const alert = page.getByRole("main").getByRole("alert");
    await expect(alert).toContainText("Pages cannot be read");
    await expect(alert).toContainText("database is locked");
    await operator.expectAccessible({ withColours: true });
    await operator.answerWith();
    await page.unroute("**/console/api/pages*");
    await tryAgain(alert);
    await expect(page.getByRole("link", { name: "/docs/faq" })).toBeVisible();
  });

  test("3. a server that does not answer, and what is no longer kept", async ({ operator, page }) => {
    await operator.open("/errors/gone");
    await expect(page.getByRole("heading", { name: "This error is no longer stored" })).toBeVisible();
    await operator.open("/recordings/gone");
    await expect(page.getByRole("heading", { name: "This recording is no longer stored" })).toBeVisible();
    await page.route("**/console/api/flags*", (route) => route.abort());
    await operator.goTo("Flags");
    await expect(page.getByRole("main").getByRole("alert")).toContainText("The server does not respond");
  });

  test("3. a chart whose code does not come is its table", async ({ operator, page }) => {
    await page.route("**/assets/plot-*.js", (route) => route.abort());
    await operator.open();
    await expect(page.getByRole("table", { name: "Views and searches" })).toContainText("1,059");
  });

  test("3. no one is signed in", { tag: "@one-width" }, async ({ operator, page }) => {
    await operator.enter(null);
    await page.goto("/console/pages?range=24h");
    await expect(page.getByRole("heading", { name: "Sign in", level: 1 })).toBeVisible();
    await expect(page).toHaveURL("/app/sign-in?next=%2Fconsole%2Fpages%3Frange%3D24h");
    await expect(operator.navigation).toBeHidden();
  });

  test("3. someone who does not operate the server", async ({ operator, page }) => {
    await operator.enter({ ...ada, is_operator: false });
    await page.goto("/console/pages");
    await expect(
      page.getByRole("heading", { name: "Only owners can see the documentation's figures" }),
    ).toBeVisible();
    await expect(page.getByRole("link", { name: "Read the documentation" })).toHaveAttribute("href", "/docs");
    await expect(operator.navigation.locator('a[href^="/console"]')).toHaveCount(0);
    expect(operator.asked).toEqual([]);
    await expect.poll(() => operator.overflow()).toBeLessThanOrEqual(0);
    await operator.expectAccessible();
  });

  test("5. a session that ends in the middle", async ({ operator, page }) => {
    await operator.open("/searches?find=turbo");
    await expect(page.getByRole("rowheader", { name: "turbo" })).toBeVisible();
    await page.route("**/console/api/**", (route) =>
      route.fulfill({
        status: 401,
        json: { code: "unauthenticated", message: "this browser is signed out" },
      }),
    );
    await page.getByRole("link", { name: "The last 24 h" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Your session has ended" });
    await expect(dialog.getByRole("link", { name: "Sign in" })).toBeFocused();
    // The rows behind it were dimmed for as long as they waited for an answer.
    await expect(page.locator(".report")).toHaveCSS("opacity", "1");
    await operator.expectAccessible();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeVisible();
    await expect(dialog.getByRole("link", { name: "Sign in" })).toBeFocused();
    const other = page.waitForEvent("popup");
    await page.keyboard.press("Enter");
    await expect((await other).getByRole("heading", { name: "Sign in", level: 1 })).toBeVisible();
    await operator.answerWith();
    await tellSignedIn(await other);
    await page.bringToFront();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("textbox", { name: /^Filter/ })).toHaveValue("turbo");
    await expect(page.getByRole("rowheader", { name: "turbo" })).toBeVisible();
  });
});

test("4. waiting says so, and after six seconds why", { tag: "@one-width" }, async ({ operator, page }) => {
  await page.clock.install({ time: now });
  await operator.enter();
  await operator.answerWith();
  let release = () => {};
  await page.route("**/console/api/flags*", async (route) => {
    await new Promise<void>((resolve) => (release = resolve));
    await route.fulfill({ json: filledReports["flags"] });
  });
  await page.goto("/console/flags");
  await expect(operator.heading("Flags")).toBeVisible();
  await expect(page.getByText("Loading flags...")).toBeVisible();
  await expect(page.getByText("The database is busy")).toBeHidden();
  await page.clock.runFor(6000);
  await expect(page.getByText("The database is busy")).toBeVisible();
  release();
  await expect(page.getByText("The outline with numbers")).toBeVisible();
  await expect(page.getByText("The database is busy")).toBeHidden();
});

test(
  "4. an answer that comes late does not replace a newer one",
  { tag: "@one-width" },
  async ({ operator, page }) => {
    await operator.open("/pages");
    await expect(page.getByRole("link", { name: "/docs/faq" })).toBeVisible();
    let release = () => {};
    const asksForMonth = (request: Request) => {
      const { pathname, searchParams: query } = new URL(request.url());
      return (
        pathname === "/console/api/pages" &&
        Number(query.get("to")) - Number(query.get("from")) > 8 * 86_400_000
      );
    };
    const lateAnswer = whenOver(page, asksForMonth);
    await page.route("**/console/api/pages*", async (route) => {
      const isMonth = asksForMonth(route.request());
      if (isMonth) await new Promise<void>((resolve) => (release = resolve));
      const row = {
        path: isMonth ? "/docs/of-the-month" : "/docs/of-the-day",
        views: 1,
        yes: 0,
        no: 0,
        exitsToSearch: 0,
        comments: [],
      };
      await route.fulfill({ json: [row] }).catch(() => {});
    });
    await page.getByRole("link", { name: "The last 30 days" }).click();
    await page.getByRole("link", { name: "The last 24 h" }).click();
    await expect(page.getByRole("link", { name: "/docs/of-the-day" })).toBeVisible();
    release();
    await lateAnswer;
    await drawFrames(page);
    await expect(page.getByRole("link", { name: "/docs/of-the-month" })).toHaveCount(0);
    await expect(page.getByRole("link", { name: "/docs/of-the-day" })).toBeVisible();
  },
);

test("6. the address holds what is shown", async ({ operator, page, isMobile }) => {
  await operator.open("/searches?range=30d", { ...filledReports, searches: manySearches });
  await expect(page.getByText("120 searches.")).toBeVisible();
  await expect(page.getByRole("rowheader")).toHaveCount(120);
  if (isMobile) await page.getByLabel("Sort by").selectOption({ label: "Count, lowest first" });
  else {
    await page.getByRole("button", { name: "Count", exact: true }).click();
    await expect(page.getByRole("columnheader", { name: "Count" })).toHaveAttribute("aria-sort", "ascending");
  }
  await expect(page.getByRole("rowheader").first()).toContainText("query 120");
  await page.getByRole("textbox", { name: /^Filter/ }).fill("query 11");
  await expect(page.getByText("11 of 120 searches")).toBeVisible();
  await expect(page).toHaveURL(/range=30d.*sort=count.*q=query/);
  await page.reload();
  await expect(page.getByText("11 of 120 searches")).toBeVisible();
  await expect(page.getByRole("rowheader").first()).toContainText("query 119");
  await expect(page.getByRole("link", { name: "The last 30 days" })).toHaveAttribute("aria-current", "true");
  await operator.goTo("Overview");
  await expect(page).toHaveURL("/console?range=30d");
  await page.getByRole("button", { name: "Table of views and searches" }).click();
  await expect(page.getByRole("table", { name: "Views and searches" })).toContainText("1,059");
  await expect(page).toHaveURL(/traffic=table/);
});

test("7. readers' words are text", async ({ operator, page }) => {
  await operator.open("/searches", hostileReports);
  const headers = page.getByRole("rowheader");
  await expect(headers.filter({ hasText: "<script>" })).toHaveCount(1);
  await expect(headers.filter({ hasText: hostileTexts.rightToLeft })).toHaveCount(1);
  await expect(headers.filter({ hasText: "␣gnp.exe␣" })).toHaveCount(1);
  const longest = await headers.filter({ hasText: "xxxx" }).locator("bdi").first().textContent();
  expect(longest).toHaveLength(80);
  expect(await page.locator("main img, main script").count()).toBe(0);
  expect(await page.title()).toContain("Searches");
  await expect.poll(() => operator.overflow()).toBeLessThanOrEqual(0);
});
