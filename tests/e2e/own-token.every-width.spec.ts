/**
 * A token for a sample, created when the reader asks for it.
 * 1. Nothing is created before the click. The token is in its block, where it is copied and works, until the page is
 *    left; it has the sample's kind, ends within a week, and is in no address, attribute, storage, log or HTML.
 * 2. Where the server wants to know that it is the person, or refuses, nothing is created and the page says why.
 * 3. axe finds nothing after it was created, in either theme, and it fits the screen.
 */
import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { CI, expect, openerOf, OWN, samplesOf, showPanel, STOREFRONT, test } from "./own.ts";
import { overflowOf } from "./overflow.ts";

test.use({ expectedErrors: /Failed to load resource/ });

const CREATE = "POST /api/millrace.v1.TokenService/Create";
const TURBO = "/docs/cache/reference/turbo";
const SECRET = /mr_(?:prj|org|user)_[A-Za-z0-9]{20,}/;
const blockOf = (page: Page, text: string) => samplesOf(page).filter({ hasText: text }).first();

/** Everywhere in the page but the text: attributes, storage, addresses. */
const elsewhere = (page: Page) =>
  page.evaluate(() =>
    [
      ...[...document.querySelectorAll("*")].flatMap((element) =>
        [...element.attributes].map(({ value }) => value),
      ),
      JSON.stringify({ ...localStorage, ...sessionStorage }),
      document.cookie,
      location.href,
      JSON.stringify(history.state),
      ...performance.getEntriesByType("resource").map(({ name }) => name),
    ].join("\n"),
  );

test("1, 3. is created on a click, shown once, and works", async ({ reader, acme, page }) => {
  const addresses: string[] = [];
  const others: string[] = [];
  page.on("request", (request) => {
    addresses.push(request.url(), request.headers()["referer"] ?? "");
    if (!request.url().includes("TokenService")) others.push(request.postData() ?? "");
  });
  await reader.open(TURBO);
  const block = blockOf(page, "export TURBO_TOKEN=");
  await expect(block).toContainText("mr_user_your_token");
  await expect(block.getByRole("button", { name: "Create this token" })).toBeVisible();
  expect(reader.asked).not.toContain(CREATE);

  await block.getByRole("button", { name: "Create this token" }).click();
  await expect(block).toContainText(/Shown once, works until \d+ \w+|Shown once, works until \w+ \d+/);
  expect(reader.asked.filter((call) => call === CREATE)).toHaveLength(1);
  const secret = SECRET.exec((await block.locator("code").textContent()) ?? "")?.[0] ?? "";
  expect(secret).toMatch(/^mr_user_/);
  await block.getByRole("button", { name: "Copy code" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`export TURBO_TOKEN=${secret}`);
  await expectAccessible(page);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);

  const call = async (method: string) => {
    const response = await fetch(`${acme.origin}/api/millrace.v1.${method}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${secret}`, "millrace-org": OWN },
      body: "{}",
    });
    return { status: response.status, body: JSON.stringify(await response.json()) };
  };
  expect(await call("ProjectService/List")).toMatchObject({ status: 200 });
  const { body } = await call("TokenService/List");
  const { tokens } = JSON.parse(body) as { tokens: { name: string; type: string; expires_at: string }[] };
  const created = tokens.find(({ name }) => name.startsWith("Documentation, "));
  expect(created).toMatchObject({ type: "user" });
  const days = (Date.parse(created!.expires_at) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(6.9);
  expect(days).toBeLessThanOrEqual(7.01);
  expect(body).not.toContain(secret);

  expect(await elsewhere(page)).not.toContain(secret);
  expect(addresses.join("\n")).not.toContain(secret);
  expect(others.join("\n")).not.toContain(secret);
  expect(acme.server.output()).not.toContain(secret);
  await block.getByRole("link", { name: "Tokens" }).click();
  await expect(page).toHaveURL(`${acme.origin}/app/${OWN}/settings/tokens`);
  await page.goBack();
  await expect(openerOf(page)).toBeVisible();
  await expect(page.getByRole("article")).not.toContainText(secret);
  await expect(block).toContainText("mr_user_your_token");
  expect(await page.content()).not.toContain(secret);
});

test(
  "1. a project's token is the chosen project's",
  { tag: "@one-width" },
  async ({ reader, acme, page }) => {
    await reader.open(CI);
    await (await showPanel(page)).getByLabel("Project").selectOption(STOREFRONT.name);
    const block = blockOf(page, "millrace tokens create");
    const created = page.waitForRequest("**/*TokenService/Create");
    await block.getByRole("button", { name: "Create this token" }).click();
    expect((await created).postDataJSON()).toMatchObject({ type: "project", project_id: STOREFRONT.id });
    await expect(block).toContainText(/mr_prj_[A-Za-z0-9]{20,}/);
    await (await showPanel(page)).getByLabel("Project").selectOption("web");
    await expect(block).toContainText("mr_prj_…");
    await expect(block).not.toContainText(/mr_prj_[A-Za-z0-9]{20,}/);
    expect(acme.server.output()).not.toMatch(SECRET);
  },
);

test("2. refusals", { tag: "@one-width" }, async ({ reader, page }) => {
  await reader.open(CI);
  const block = blockOf(page, "millrace tokens create");
  const button = block.getByRole("button", { name: "Create this token" });
  const refuse = (status: number, json: object, headers = {}) =>
    page.route("**/*TokenService/Create", (route) => route.fulfill({ status, json, headers }), { times: 1 });
  await refuse(403, { code: "permission_denied", message: "members create no such tokens" });
  await button.click();
  await expect(block).toContainText("No token was created. Members create no such tokens.");
  await refuse(403, { code: "permission_denied", message: "confirm" }, { "millrace-confirm": "required" });
  await button.click();
  await expect(block.getByRole("link", { name: "Tokens" })).toHaveAttribute(
    "href",
    `/app/${OWN}/settings/tokens?new=1`,
  );
  await refuse(401, { code: "unauthenticated", message: "sign in" });
  await button.click();
  await expect(block.getByRole("link", { name: "Sign in again" })).toBeVisible();
  await refuse(200, { secret: "$(touch pwned)" });
  await button.click();
  await expect(block).toContainText("The server's answer has an unknown form.");
  await expect(block).not.toContainText("pwned");
  await expect(block).toContainText("mr_prj_…");
});
