/**
 * Further events around the offline copy in a browser.
 * 3. No address outside the documentation is answered, whatever is in the copy; its worker runs for no other scope.
 * 4. Only a page's plain "install" and "remove" are acts; no other message, and no frame without an origin, causes one.
 * 5. A worker that is ended in the middle, and a disk that fills up in the middle, leave the former copy or none, and
 *    the reader is informed.
 */
import { readPack } from "#offline/index.ts";
import { expect } from "./fixtures.ts";
import {
  checkForNewer,
  file,
  forge,
  FORMER,
  holdBack,
  INFO,
  keepFormerCopy,
  leftOf,
  NOTHING,
  OFF,
  OTHERS,
  press,
  readAway,
  readOffline,
  realRelease,
  saidOf,
  test,
  WORKER,
} from "./forged-copies.ts";

test("3. nothing outside the documentation", async ({ docs, page, context, between }) => {
  await keepFormerCopy(docs, page, { between, real: await realRelease() });
  for (const scope of ["/", "/app", "/docs/faq"])
    await page.evaluate(
      ({ script, options }) => navigator.serviceWorker.register(script, options).then(() => {}),
      { script: WORKER, options: { scope } },
    );
  await expect.poll(async () => (await leftOf(page)).workers).toEqual([`${new URL(page.url()).origin}/docs`]);
  for (const path of [...OTHERS, "/docs/../app", "/docs/%2e%2e/app"])
    expect(await readOffline(page, path), path).toBeNull();
  expect(await readOffline(page, "/docs/faq")).toContain(FORMER);
  expect((await context.cookies()).filter(({ value }) => value === "forged")).toEqual([]);
});

test("4. invalid messages, and a frame without an origin", async ({ docs, page, between }) => {
  await docs.openHydrated("/your-data");
  await page.evaluate(async (script) => {
    const { serviceWorker } = navigator;
    const { installing, active } = await serviceWorker.register(script, { scope: "/docs" });
    const worker = active ?? installing!;
    const { port1, port2 } = new MessageChannel();
    for (const message of [
      null,
      "install",
      1,
      {},
      { type: "Install" },
      { type: ["install"] },
      { type: "erase" },
    ])
      worker.postMessage(message, []);
    // A message that gets an answer: then the earlier ones have also been read.
    const answered = new Promise((resolve) => port1.addEventListener("message", resolve));
    port1.start();
    worker.postMessage({ type: "remove" }, [port2]);
    await answered;
  }, WORKER);
  expect(between.asked).not.toContain(INFO);
  expect((await leftOf(page)).caches).toEqual([]);

  const script = `let said; try { navigator.serviceWorker.getRegistrations().then(() => parent.postMessage("reached", "*"), (e) => parent.postMessage(e.name, "*")) } catch (e) { parent.postMessage(e.name, "*") }`;
  between.forged.set("/frame", file(`<script>${script}</script>`, "text/html"));
  between.forged.set(
    "/top",
    file(
      `<script>addEventListener("message", ({ data }) => (document.title = data))</script><iframe sandbox="allow-scripts" src="/frame"></iframe>`,
      "text/html",
    ),
  );
  await page.goto("/top");
  await expect(page).toHaveTitle("SecurityError");
});

test("5. ended in the middle of the download", async ({ docs, page, between }) => {
  const real = await realRelease();
  const browser = await page.context().newCDPSession(page);
  await browser.send("ServiceWorker.enable");
  const { asked } = holdBack(between, real);
  await docs.openHydrated("/your-data");
  const said = press(page);
  await expect.poll(asked).toBe(true);
  await browser.send("ServiceWorker.stopAllWorkers");
  expect(await said).toContain("The browser stopped the offline reader.");
  await expect(page.getByText(OFF)).toBeVisible();
  expect(await leftOf(page)).toEqual(NOTHING);
  await expect(readAway(page, between, "/docs/faq")).rejects.toThrow("ERR_EMPTY_RESPONSE");
  between.forged.clear();
  expect(await press(page)).toContain("now work without a network");
});

test("5. ended while a newer copy is written", async ({ docs, page, between }) => {
  const real = await realRelease();
  const browser = await page.context().newCDPSession(page);
  await browser.send("ServiceWorker.enable");
  await keepFormerCopy(docs, page, { between, real });
  const newer = `millrace-offline-${real.info.version}`;
  await page.getByRole("button", { name: "Check for a newer copy" }).click();
  // Writing takes longer than one check.
  await expect.poll(() => page.evaluate((name) => caches.has(name), newer), { intervals: [5] }).toBe(true);
  await browser.send("ServiceWorker.stopAllWorkers");
  await expect(saidOf(page)).not.toBeEmpty({ timeout: 20_000 });
  // Whichever copy is in use is whole.
  const { kept, version } = await page.evaluate(async () => {
    const { info } = (await (await caches.match("/offline.json", {
      cacheName: "millrace-offline",
    }))!.json()) as {
      info: { version: string };
    };
    const files = await (await caches.open(`millrace-offline-${info.version}`)).keys();
    return { kept: files.length, version: info.version };
  });
  const release = version === real.info.version ? real : forge(real, FORMER);
  expect(kept).toBe(readPack(release.bytes).files.length);
  const text = await readAway(page, between, "/docs/faq");
  expect(text).toContain("Offline copy of");
  expect(text.includes(FORMER)).toBe(release !== real);
  expect(await checkForNewer(page)).toMatch(/^Updated\.|newest copy/);
  expect((await leftOf(page)).caches).toEqual(["millrace-offline", newer]);
});

test("5. full in the middle", async ({ docs, page, between }) => {
  const real = await realRelease();
  const browser = await page.context().newCDPSession(page);
  const before = await keepFormerCopy(docs, page, { between, real });
  const { rest, asked } = holdBack(between, real);
  await page.getByRole("button", { name: "Check for a newer copy" }).click();
  await expect.poll(asked).toBe(true);
  const usage = await page.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0);
  const quota = { origin: between.origin, quotaSize: usage + 1_000_000 };
  await browser.send("Storage.overrideQuotaForOrigin", quota);
  rest();
  await expect(saidOf(page)).toContainText("The browser has no room for the", { timeout: 20_000 });
  expect(await leftOf(page)).toEqual(before);
  expect(await readOffline(page, "/docs/faq")).toContain(FORMER);
  await browser.send("Storage.overrideQuotaForOrigin", { origin: between.origin });
  between.forged.clear();
  expect(await checkForNewer(page)).toBe("Updated.");
});
