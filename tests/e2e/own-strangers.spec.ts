/**
 * Nothing of the reader's names is there for anyone else.
 * 1. A page's HTML is the same to the byte for a stranger, with either cookie and for a reader; a stranger's browser
 *    asks for the same files as with the feature off, and never who is signed in.
 * 2. A server that fails, refuses or does not respond leaves the printed samples; the rest of the page works.
 * 3. A session that has ended: the page is printed as for everyone, and the browser does not ask again.
 * 4. Off: signing in sets no cookie, one from before is forgotten, and no page changes.
 */
import type { Page } from "@playwright/test";
import { openServer } from "./console-server.ts";
import { drawFrames } from "./fixtures.ts";
import { hydrate } from "./hydrate.ts";
import { expect, HINT, openerOf, OWN, REGISTRY, samplesOf, showPanel, test } from "./own.ts";

test.use({ expectedErrors: /Failed to load resource/ });

const QUICKSTART = "/docs/container-builds/quickstart";

/** What features that a reader asks for have in common. */
const SHARED = /^GET \/assets\/make-[\w-]+\.js$/;

/** Notes the paths that a page asks for. */
function noteRequests(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  return asked;
}

/** Opens a page and moves the pointer; resolves when all that begins with React has been asked for. */
async function openWhole(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await hydrate(page);
  await drawFrames(page);
  await page.waitForLoadState("networkidle");
}

const proseOf = (page: Page) => page.getByRole("article").locator(".prose").innerHTML();

test.describe("1. strangers", () => {
  test.use({ as: null });

  test("get the same bytes, and ask for the same files", async ({ acme, page, context, browser, reader }) => {
    const address = acme.origin + REGISTRY;
    const html = async (cookie: string) => (await fetch(address, { headers: { cookie } })).text();
    const bytes = await html("");
    await acme.enter(context, "ada");
    const [session] = (await context.cookies()).filter(({ name }) => name === "millrace-session");
    expect(await html(`millrace-session=${session!.value}; millrace-reader=1`)).toBe(bytes);
    expect(await html("millrace-reader=1")).toBe(bytes);
    expect(bytes).not.toContain(OWN);

    const stranger = await browser.newContext();
    const strangers = await stranger.newPage();
    await strangers.addInitScript(() => (localStorage["millrace-consent"] ??= "necessary"));
    const asked = noteRequests(strangers);
    await openWhole(strangers, address);
    expect(asked.filter((call) => /\/(?:auth|api|app)\/|\/own-/.test(call))).toEqual([]);
    expect(await strangers.evaluate(() => localStorage["docs-own"] as unknown)).toBeUndefined();
    await stranger.close();

    // All that a reader's browser asks for beyond that.
    const own = noteRequests(page);
    await openWhole(page, address);
    await expect
      .poll(() => own.filter((call) => !asked.includes(call) && !SHARED.test(call)).toSorted())
      .toEqual([
        expect.stringMatching(/^GET \/assets\/own-[\w-]+\.js$/),
        "GET /auth/state",
        "POST /api/millrace.v1.ProjectService/List",
      ]);
    expect(asked.filter((call) => !own.includes(call))).toEqual([]);
    await expect(openerOf(page)).toBeVisible();
    expect(reader.asked).toEqual(["GET /auth/state", "POST /api/millrace.v1.ProjectService/List"]);
  });
});

test("2. a server that fails", async ({ reader, acme, page }) => {
  await page.route("**/auth/state", (route) => route.fulfill({ status: 503, json: { message: "busy" } }));
  await reader.visit(QUICKSTART);
  await expect.poll(() => reader.asked).toContain("GET /auth/state");
  await hydrate(page);
  await expect(samplesOf(page).filter({ hasText: "organization acme" }).first()).toBeVisible();
  await expect(openerOf(page)).toHaveCount(0);
  // The reader is still signed in: the next page asks again.
  expect((await page.context().cookies(acme.origin + "/docs")).map(({ name }) => name)).toContain(
    "millrace-reader",
  );
});

test("2. an answer of another form", async ({ reader, page, context }) => {
  const pages = [
    { json: [] },
    { json: { user: { organizations: "none" }, host: 7 } },
    { json: { user: { organizations: [{ id: {}, name: null }] }, host: "x" } },
    { body: "<html>", contentType: "text/html" },
  ];
  for (const answer of pages) {
    await context.addCookies([HINT]);
    await page.route("**/auth/state", (route) => route.fulfill(answer));
    const answered = page.waitForResponse("**/auth/state");
    await reader.visit(QUICKSTART);
    await answered;
    await hydrate(page);
    await expect(samplesOf(page).filter({ hasText: "organization acme" }).first()).toBeVisible();
    await page.unroute("**/auth/state");
  }
});

test("2. an API that refuses says so in the panel", async ({ reader, page }) => {
  await page.route("**/api/millrace.v1.ProjectService/List", (route) =>
    route.fulfill({ status: 503, json: { code: "unavailable", message: "the database is unreachable" } }),
  );
  await reader.visit(QUICKSTART);
  await expect(await showPanel(page)).toContainText("The database is unreachable.");
  await expect(samplesOf(page).filter({ hasText: "organization acme" }).first()).toBeVisible();
});

test("2. a server that does not respond", async ({ reader, page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/auth/state", async (route) => {
    await held;
    await route.abort().catch(() => {});
  });
  const asked = page.waitForRequest("**/auth/state");
  await reader.visit(QUICKSTART);
  await asked;
  const before = await proseOf(page);
  // The page works meanwhile: a link leads on, and ends the wait.
  await page.getByRole("article").getByRole("link", { name: "Install the CLI" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Install/);
  await page.goBack();
  await expect.poll(() => proseOf(page)).toBe(before);
  release();
});

test("3. a session that has ended", async ({ reader, acme, page, context }) => {
  await context.clearCookies({ name: "millrace-session" });
  await reader.visit(QUICKSTART);
  await expect
    .poll(async () => (await context.cookies(acme.origin + "/docs")).map(({ name }) => name))
    .not.toContain("millrace-reader");
  await expect(openerOf(page)).toHaveCount(0);
  const count = reader.asked.length;
  await page.reload();
  await hydrate(page);
  expect(reader.asked).toHaveLength(count);
});

test("4. off", async ({ page, context }) => {
  test.setTimeout(120_000);
  const server = await openServer({ MILLRACE_DOCS_NAMES: "off" });
  try {
    await page.goto(server.origin + server.firstLink);
    await page.getByLabel("Organization").fill(OWN);
    await page.getByLabel("Your name").fill("Ada Okafor");
    await page.getByRole("button", { name: "Create without a passkey" }).click();
    await page.waitForURL(`${server.origin}/app/*`);
    const names = async () => (await context.cookies(`${server.origin}/docs`)).map(({ name }) => name);
    await expect.poll(names).toContain("millrace-session");
    expect(await names()).not.toContain("millrace-reader");

    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(server.origin + QUICKSTART);
    await hydrate(page);
    const printed = await proseOf(page);
    expect(asked).not.toContain("/auth/state");

    // From the time before the operator switched it off.
    await context.addCookies([HINT]);
    await page.reload();
    await expect.poll(() => asked).toContain("/auth/state");
    await expect.poll(names).not.toContain("millrace-reader");
    await expect(openerOf(page)).toHaveCount(0);
    expect(await proseOf(page)).toBe(printed);
  } finally {
    await server.close();
  }
});
