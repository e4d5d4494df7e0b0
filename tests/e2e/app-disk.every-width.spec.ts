/**
 * 1. While the server's disk has too little room, owners see so on every page, with the space left and what to do; the
 *    message comes and goes without a reload, fits the screen, and axe finds nothing in it, in both themes. 2. Members
 *    do not see it; owners who do not run the server see whom to ask.
 */
import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./acme.ts";
import { overflowOf } from "./overflow.ts";

const LOW = { level: "low", free_bytes: 312_000_000, total_bytes: 50_000_000_000 };
const FULL = { level: "full", free_bytes: 0, total_bytes: 50_000_000_000 };
/** How often a page asks, normally and while it shows the message. */
const [ASKS_MS, ASKS_SOON_MS] = [60_000, 10_000];

interface State {
  user: { is_operator: boolean; organizations: { role: string }[] };
}

/** Changes the server's state of the disk and the user from now on. */
async function answerState(page: Page, change: (state: State) => object) {
  await page.unroute("**/auth/state");
  await page.route("**/auth/state", async (route) => {
    const answer = await route.fetch();
    const state = (await answer.json()) as State;
    await route.fulfill({ response: answer, json: { ...state, ...change(state) } });
  });
}

const band = (page: Page) => page.getByRole("status").filter({ hasText: "disk is" });

test("1. low and full", async ({ page, acme }) => {
  await page.clock.install();
  await answerState(page, () => ({ disk: LOW }));
  await page.goto(acme.at("settings/tokens"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Tokens");
  await page.clock.runFor(ASKS_MS);
  await expect(band(page)).toHaveText(
    "The server’s disk is almost full. Uploads to caches and the registry are refused. 312 MB of 50 GB are free. What to do",
  );
  await expect(band(page).getByRole("link")).toHaveAttribute(
    "href",
    "/docs/managed/overview/monitoring#when-a-disk-is-full",
  );
  await answerState(page, () => ({ disk: FULL }));
  await page.clock.runFor(ASKS_SOON_MS);
  await expect(band(page)).toHaveText(
    /^The server’s disk is full\. The server stores nothing new\..* 0 B of 50 GB are free\./,
  );
  expect(await overflowOf(page)).toBe(0);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, { include: ".band" });
  }
  await answerState(page, () => ({}));
  await page.clock.runFor(ASKS_SOON_MS);
  await expect(band(page)).toHaveCount(0);
});

test("2. who is told", { tag: "@one-width" }, async ({ page, acme }) => {
  await page.clock.install();
  const as = (role: string) =>
    answerState(page, ({ user }) => ({
      disk: { level: "low" },
      user: {
        ...user,
        is_operator: false,
        organizations: user.organizations.map((one) => ({ ...one, role })),
      },
    }));
  await as("owner");
  await page.goto(acme.at("settings/tokens"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Tokens");
  await page.clock.runFor(ASKS_MS);
  await expect(band(page)).toHaveText(/Ask whoever runs this server to free space\.$/);
  await as("member");
  await page.clock.runFor(ASKS_SOON_MS);
  await expect(band(page)).toHaveCount(0);
});
