/**
 * Attacks on the offline copy by a party between the reader and the server: a copy is the one that its worker was built
 * with, or there is none. `offline-pack-ended.spec.ts` has further events.
 * 1. A forged description, file or worker leaves nothing, and the reader is informed. The same holds for files from
 *    another origin, endless files and those whose description agrees with them.
 * 2. A reader with a copy keeps it through all of that, and never reads a forgery. A real release takes its place.
 */
import { standBetween } from "./between.ts";
import { expect, origin } from "./fixtures.ts";
import {
  checkForNewer,
  file,
  FORGED,
  forgeries,
  FORMER,
  keepFormerCopy,
  leftOf,
  NOTHING,
  OFF,
  press,
  readOffline,
  realRelease,
  REFUSED,
  test,
} from "./forged-copies.ts";

test("1. forged on the way to who has no copy", async ({ docs, page, between }) => {
  test.setTimeout(120_000);
  const real = await realRelease();
  const elsewhere = await standBetween(origin);
  await docs.openHydrated("/your-data");
  for (const [name, answers] of await forgeries(real, elsewhere))
    await test.step(name, async () => {
      for (const [path, answer] of Object.entries(answers)) between.forged.set(path, answer);
      expect.soft(await press(page), name).toMatch(REFUSED);
      await expect.soft(page.getByText(OFF), name).toBeVisible();
      expect.soft(await leftOf(page), name).toEqual(NOTHING);
      expect.soft(await readOffline(page, "/docs/faq"), name).toBeNull();
      between.forged.clear();
      if ((await leftOf(page)).caches.length > 0) {
        await page.getByRole("button", { name: "Remove the copy" }).click();
        await expect(page.getByText(OFF)).toBeVisible();
      }
      await docs.openHydrated("/your-data");
    });
  await elsewhere.close();
  expect(await press(page)).toContain("now work without a network");
  expect(await readOffline(page, "/docs/faq")).toContain("Offline copy of");
});

test("2. forged on the way to who has the copy of a former release", async ({ docs, page, between }) => {
  test.setTimeout(120_000);
  const real = await realRelease();
  const elsewhere = await standBetween(origin);
  const before = await keepFormerCopy(docs, page, { between, real });
  const expectFormer = async (name: string) => {
    expect.soft(await leftOf(page), name).toEqual(before);
    const text = await readOffline(page, "/docs/faq");
    expect.soft(text, name).toContain("Offline copy of");
    expect.soft(text, name).toContain(FORMER);
    expect.soft(text, name).not.toContain(FORGED);
  };
  for (const [name, answers] of await forgeries(real, elsewhere))
    await test.step(name, async () => {
      for (const [path, answer] of Object.entries(answers)) between.forged.set(path, answer);
      expect.soft(await checkForNewer(page), name).toMatch(REFUSED);
      await expectFormer(name);
      between.forged.clear();
    });

  await test.step("forged pages, online, are not kept", async () => {
    between.forged.set("/docs/faq", file(`<h1>${FORGED}</h1>`, "text/html"));
    const tab = await page.context().newPage();
    await tab.goto("/docs/faq");
    await expect(tab.getByRole("heading", { name: FORGED })).toBeVisible();
    await tab.close();
    await expectFormer("a forged page");
    between.forged.clear();
  });
  await elsewhere.close();

  await test.step("the real release", async () => {
    await docs.openHydrated("/your-data");
    // The browser may have checked for it automatically a moment before.
    expect(await checkForNewer(page)).toMatch(/^Updated\.|newest copy/);
    const text = await readOffline(page, "/docs/faq");
    expect(text).toContain("Offline copy of");
    expect(text).not.toContain(FORMER);
  });
});

test("2. a real release comes by itself when the reader reads online", async ({ docs, page, between }) => {
  const real = await realRelease();
  await keepFormerCopy(docs, page, { between, real });
  await docs.open("/docs");
  await expect
    .poll(async () => (await leftOf(page)).caches, { timeout: 20_000 })
    .toEqual(["millrace-offline", `millrace-offline-${real.info.version}`]);
  expect(await readOffline(page, "/docs/faq")).not.toContain(FORMER);
});
