/**
 * Odd answers and odd neighbours of the offline copy.
 * 6. The right file under a wrong type is the copy, each page with its own type; a worker sends messages that pages of
 *    former releases know.
 * 7. A file or a description that unpacks without end is read no further than its size.
 * 8. Data, a search and a text that are redirected to another origin come from the copy; the index is never requested.
 * 9. A frame of another origin reaches neither worker nor copy, and its words are not shown.
 * 10. Two tabs that update simultaneously load one file and both have the newest copy; removing it in one tab ends the
 *    update in the other.
 * 11. Code that never comes, and a silent worker, do not keep a reader waiting.
 */
import { searchQuery } from "#site/docs/search/protocol.ts";
import { CODE_MS, FIRST_WORD_MS } from "#offline/index.ts";
import { standBetween } from "./between.ts";
import { DocsPage, expect, origin } from "./fixtures.ts";
import {
  checkForNewer,
  endless,
  file,
  FORGED,
  FORMER,
  holdBack,
  INFO,
  keepCopy,
  keepFormerCopy,
  leftOf,
  NOTHING,
  press,
  readOffline,
  realRelease,
  redirect,
  REFUSED,
  saidOf,
  test,
  WORKER,
} from "./forged-copies.ts";

test("6. right bytes under a wrong type, and messages for former pages", async ({ docs, page, between }) => {
  const { info, bytes } = await realRelease();
  between.forged.set(info.address, file(bytes, "text/html"));
  await keepCopy(docs, page);
  const types = await page.evaluate(async (version) => {
    const cache = await caches.open(`millrace-offline-${version}`);
    const typeOf = async (path: string) => (await cache.match(path))?.headers.get("content-type");
    return Promise.all(["/docs/faq", "/docs/faq.data", "/docs/faq.md", "/docs/offline.index"].map(typeOf));
  }, info.version);
  expect(types).toEqual([
    expect.stringMatching(/^text\/html/),
    expect.stringMatching(/^text\/x-script/),
    expect.stringMatching(/^text\/markdown/),
    expect.stringMatching(/^application\/octet-stream/),
  ]);
  expect(await readOffline(page, "/docs/faq")).toContain("Offline copy of");
  const said = await page.evaluate(async () => {
    const [registration] = await navigator.serviceWorker.getRegistrations();
    const { port1, port2 } = new MessageChannel();
    const types: string[] = [];
    return new Promise<string[]>((resolve) => {
      port1.addEventListener("message", ({ data }: MessageEvent<{ type: string }>) => {
        types.push(data.type);
        if (data.type !== "progress") resolve(types);
      });
      port1.start();
      registration!.active!.postMessage({ type: "install" }, [port2]);
    });
  });
  expect(said).toEqual(["progress", "done"]);
});

test("7. read no further than its size", async ({ docs, page, between }) => {
  test.setTimeout(120_000);
  const { info } = await realRelease();
  // Buffers of the browser and the machine are read ahead: here and in the packer, not in the worker.
  const AHEAD = 200e6;
  for (const encoding of ["gzip", "br"] as const)
    for (const path of [info.address, INFO])
      await test.step(`${encoding} ${path}`, async () => {
        const { promise: sent, resolve } = Promise.withResolvers<number>();
        between.forged.set(path, endless(encoding, resolve));
        await docs.openHydrated("/your-data");
        expect(await press(page)).toMatch(REFUSED);
        expect(await sent).toBeLessThan(info.unpackedBytes + AHEAD);
        expect(await leftOf(page)).toEqual(NOTHING);
        between.forged.clear();
      });
});

test("8. led to another origin", async ({ docs, page, between }) => {
  const elsewhere = await standBetween(origin);
  await keepCopy(docs, page);
  await docs.openHydrated("/docs");
  const forged = {
    "/docs/faq.data": FORGED,
    "/docs/faq.md": FORGED,
    "/multi-search": `{"results":["${FORGED}"]}`,
  };
  for (const [path, text] of Object.entries(forged)) {
    between.forged.set(path, redirect(elsewhere.origin + path));
    elsewhere.forged.set(path, file(text, "application/json"));
  }
  between.asked.length = 0;
  const read = await page.evaluate(
    async (body) => {
      const text = async (path: string, options?: RequestInit) =>
        (await fetch(path, options).catch((error: unknown) => new Response(String(error)))).text();
      return Promise.all([
        text("/docs/faq.data"),
        text("/docs/faq.md"),
        text("/multi-search", { method: "POST", headers: { "Content-Type": "application/json" }, body }),
      ]);
    },
    JSON.stringify({ queries: [searchQuery({ indexUid: "docs", query: "layer cache" })] }),
  );
  for (const text of read) expect.soft(text).not.toContain(FORGED);
  expect.soft(read[0]).toContain("Offline copy of");
  expect.soft(read[1]).toContain("# ");
  expect.soft(read[2]).toContain("layer");
  // The browser's own redirects need not be visible; the copy was not requested again.
  expect(between.asked.filter((path) => /offline/.test(path))).toEqual([]);
  await elsewhere.close();
});

test("9. a frame of another origin", async ({ docs, page, between }) => {
  const elsewhere = await standBetween(origin);
  const real = await realRelease();
  const before = await keepFormerCopy(docs, page, { between, real });
  elsewhere.forged.set(
    "/frame",
    file(
      `<script>
        new BroadcastChannel("millrace-offline-problem").postMessage("${FORGED}");
        (async () => {
          const workers = (await navigator.serviceWorker.getRegistrations()).length;
          const names = (await caches.keys()).length;
          const refused = await navigator.serviceWorker.register("${between.origin}${WORKER}").catch((e) => e.name);
          await caches.delete("millrace-offline");
          navigator.locks.request("millrace-offline-state", () => new Promise(() => {}));
          parent.postMessage([workers, names, refused].join(" "), "*");
        })();
      </script>`,
      "text/html",
    ),
  );
  between.forged.set(
    "/top",
    file(
      `<script>addEventListener("message", ({ data }) => (document.title = data))</script><iframe src="${elsewhere.origin}/frame"></iframe>`,
      "text/html",
    ),
  );
  const top = await page.context().newPage();
  await top.goto("/top");
  await expect(top).toHaveTitle("0 0 SecurityError");
  expect(await leftOf(page)).toEqual(before);
  // A file that cannot be used, so that there is a problem to report.
  between.forged.set(real.info.address, file("x"));
  expect(await checkForNewer(page)).toMatch(REFUSED);
  between.forged.delete(real.info.address);
  expect(await checkForNewer(page)).toMatch(/^Updated\.|newest copy/);
  await elsewhere.close();
});

test("10. two tabs at once", async ({ docs, page, between }) => {
  const real = await realRelease();
  await keepFormerCopy(docs, page, { between, real });
  const other = await page.context().newPage();
  await new DocsPage(other).openHydrated("/your-data");
  const { rest, asked } = holdBack(between, real);
  between.asked.length = 0;
  const said = [checkForNewer(page)];
  await expect.poll(asked).toBe(true);
  said.push(checkForNewer(other));
  await expect(other.getByText("Downloading")).toBeVisible();
  rest();
  for (const text of await Promise.all(said)) expect(text).toMatch(/^Updated\.|newest copy/);
  expect(between.asked.filter((path) => path === real.info.address)).toHaveLength(1);
  expect((await leftOf(page)).caches).toEqual(["millrace-offline", `millrace-offline-${real.info.version}`]);
  const text = await readOffline(page, "/docs/faq");
  expect(text).toContain("Offline copy of");
  expect(text).not.toContain(FORMER);
});

test("10. one removes what the other updates", async ({ docs, page, between }) => {
  const real = await realRelease();
  await keepFormerCopy(docs, page, { between, real });
  const other = await page.context().newPage();
  await new DocsPage(other).openHydrated("/your-data");
  const { asked } = holdBack(between, real);
  const said = checkForNewer(page);
  await expect.poll(asked).toBe(true);
  await other.getByRole("button", { name: "Remove the copy" }).click();
  await expect(saidOf(other)).toContainText("The copy was removed from this browser.");
  // Although the rest of the file never arrives.
  expect(await said).toContain("The copy was removed in the meantime.");
  await expect.poll(() => leftOf(page)).toEqual(NOTHING);
});

test("11. no one answers", async ({ docs, page, between }) => {
  test.setTimeout(60_000);
  await page.clock.install();
  const giveUp = async (milliseconds: number) => {
    await docs.openHydrated("/your-data");
    await page.getByRole("button", { name: "Keep a copy…" }).click();
    between.asked.length = 0;
    await page.getByRole("button", { name: /^Download/ }).click();
    await expect.poll(() => between.asked).toContain(WORKER);
    return page.clock.fastForward(milliseconds);
  };
  await test.step("code that never comes", async () => {
    let end = () => {};
    between.forged.set(WORKER, (response) => void (end = () => response.destroy()));
    await giveUp(CODE_MS);
    await expect(saidOf(page)).toContainText("The server could not be reached.");
    end();
  });
  await test.step("a worker that says nothing", async () => {
    between.forged.set(WORKER, file("addEventListener('install', () => skipWaiting())", "text/javascript"));
    await giveUp(0);
    await expect
      .poll(() =>
        page.evaluate(async () => (await navigator.serviceWorker.getRegistrations())[0]?.active?.state),
      )
      .toBe("activated");
    await expect(async () => {
      await page.clock.fastForward(FIRST_WORD_MS);
      // Longer than its cleanup, which this clock would otherwise cut short.
      await expect(saidOf(page)).toContainText("The browser stopped the offline reader.", {
        timeout: 10_000,
      });
    }).toPass();
  });
  expect(await leftOf(page)).toEqual(NOTHING);
});
