/**
 * The community chat, in a site that configures one, against a local stand-in of the chat's public endpoint:
 * 1. The header, the phone's menu and the home page's band have the link and, once it is known, the number;
 * 2. while the endpoint is silent, pages are served immediately, with the link and without a number;
 * 3. the server warns at its start that customers and partners are samples, once for each, and names what
 *    `site.config.ts` leaves open.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page, TestType } from "@playwright/test";
import { expect } from "../fixtures.ts";
import type { SiteCopy } from "./site-copy.ts";

/** A chat whose endpoint is silent until a test answers. */
export interface Chat {
  /** For `site.config.ts`. */
  community: object;
  /** Open requests for the number of people online. */
  waiting: ServerResponse[];
  close: () => void;
}

export async function openChat(): Promise<Chat> {
  const waiting: ServerResponse[] = [];
  const server = createServer((_, response) => void waiting.push(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    community: {
      label: "Community chat",
      link: "https://chat.example/",
      countUrl: `http://127.0.0.1:${port}/invite`,
    },
    waiting,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Fixtures {
  page: Page;
  site: SiteCopy;
  chat: Chat;
}

// Each file extends the fixtures by its own; only these are used here.
export function testCommunityChat<Own extends Fixtures>(test: TestType<Own, object>): void {
  test("3. the start names the samples and the file to edit", async ({ site }) => {
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
    site,
    chat: { waiting },
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
}
