/**
 * The community chat, in a site whose configuration names one, against a local stand-in of the chat's public endpoint:
 * 1. The header, the phone's menu and the home page's band have the link and, once it is known, the number;
 * 2. while the endpoint is silent, pages are served at once, with the link and without a number;
 * 3. the server warns at its start that customers and partners are samples, once for each, and names what
 *    `site.config.ts` leaves open.
 */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { type SiteCopy, startSiteCopy } from "./providers/site-copy.ts";

let chat: Server;
let site: SiteCopy;
const waiting: ServerResponse[] = [];

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  test.setTimeout(300_000);
  // Silent until the test lets it speak.
  chat = createServer((_, response) => void waiting.push(response));
  await new Promise<void>((resolve) => chat.listen(0, "127.0.0.1", resolve));
  const { port } = chat.address() as AddressInfo; // it listens on a port
  const countUrl = `http://127.0.0.1:${port}/invite`;
  const community = { label: "Community chat", link: "https://chat.example/", countUrl };
  site = await startSiteCopy({ community });
});

test.afterAll(async () => {
  await site.stop();
  chat.closeAllConnections();
  chat.close();
});

test("3. the start names the samples and the file to edit", async () => {
  await expect
    .poll(() => site.output().match(/^ {2}The home page shows sample .*$/gm))
    .toEqual([
      expect.stringMatching(/sample customers\. .*content\/marketing\/home\.yaml/),
      expect.stringMatching(/sample partners\. .*content\/marketing\/home\.yaml/),
    ]);
  await expect.poll(() => site.output()).toMatch(/^ {2}site\.config\.ts: .*`trust\.securityContact`/m);
  // This site has a chat.
  expect(site.output()).not.toContain("`community`");
});

test("1, 2. the first page comes while the endpoint is silent; then the number is in header, band and menu", async ({
  page,
}) => {
  const first = await (await page.request.get(site.origin)).text();
  expect(first).toContain("Community chat");
  expect(first).not.toContain("online</span>");
  await expect.poll(() => waiting.length).toBe(1);
  waiting[0]?.end(JSON.stringify({ approximate_presence_count: 1217 }));
  await expect.poll(async () => (await page.request.get(site.origin)).text()).toContain("1,217 online");
  await page.goto(site.origin);
  const chatLink = { name: "Community chat 1,217 online" };
  const inHeader = page.getByRole("banner").getByRole("link", chatLink);
  await expect(inHeader).toBeVisible();
  await expect(inHeader).toHaveAttribute("href", "https://chat.example/");
  await expect(page.getByRole("main").getByRole("link", chatLink)).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(inHeader).toBeHidden();
  await page.getByRole("button", { name: "Open menu" }).click();
  await expect(
    page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", chatLink),
  ).toBeVisible();
  await page.getByRole("button", { name: "Close menu" }).click();
  await expect(page.getByRole("main").getByRole("link", chatLink)).toBeVisible();
});
