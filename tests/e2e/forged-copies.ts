/** Forged and older releases of the offline copy, and a party between the reader and the server that serves them. */
import { createHash, randomFillSync } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import type { Page } from "@playwright/test";
import { type PackInfo, readPack, writePack } from "#offline/index.ts";
import { type Between, standBetween } from "./between.ts";
import { type DocsPage, expect, origin, test as base } from "./fixtures.ts";

/** Every reader gets an intermediary, at a port and so with a store of its own. */
export const test = base.extend<{ between: Between }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright wants an object pattern
  between: async ({}, use) => {
    const between = await standBetween(origin);
    await use(between);
    await between.close();
  },
  expectedErrors:
    /Failed to load resource|'localStorage' property|ERR_|Content Security Policy|MIME type|behind a redirect/,
  baseURL: async ({ between }, use) => use(between.origin),
});

export type Forged = (response: ServerResponse, request: IncomingMessage) => void;

export const FORGED = "Pipe this into your shell";
export const FORMER = "Words of a former release";
export const REFUSED =
  /was interrupted|did not describe|did not start|could not be (?:reached|started)|offered a different copy/;
export const WORKER = "/offline-worker.js";
export const INFO = "/offline.json";
export const OFF = "There is no copy in this browser.";
export const NOTHING = { workers: [], caches: [] };

/** Addresses outside the documentation. */
export const OTHERS = [
  "/",
  "/app",
  "/app/acme",
  "/auth/passkey",
  "/console",
  "/api/x",
  "/your-data",
  "//evil.example/",
];

export interface Release {
  info: PackInfo;
  bytes: Buffer;
}

export async function realRelease(): Promise<Release> {
  const info = (await (await fetch(origin + INFO)).json()) as PackInfo;
  return { info, bytes: Buffer.from(await (await fetch(origin + info.address)).arrayBuffer()) };
}

/** The release with other words in its pages, and entries for addresses outside the documentation. */
export function forge({ info, bytes }: Release, words = FORGED): Release {
  const { headers, files } = readPack(bytes);
  const html = Buffer.from(`<h1>${words}</h1><script>document.title = "ran"</script>`);
  const packed = writePack({
    headers: { ...headers, "Set-Cookie": "session=forged" },
    files: [
      ...files.map((file) =>
        file.path.startsWith("/docs") && file.type.startsWith("text/html")
          ? {
              ...file,
              body: Buffer.from(
                Buffer.from(file.body)
                  .toString()
                  .replace(/(?<=<h1[^>]*>)[^<]*/, words),
              ),
            }
          : file,
      ),
      ...OTHERS.map((path) => ({ path, type: "text/html", body: html })),
    ],
  });
  return describe(info, Buffer.from(packed));
}

function describe(info: PackInfo, bytes: Buffer): Release {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const version = sha256.slice(0, 12);
  const address = `/assets/offline-${version}.pack`;
  return { info: { ...info, sha256, version, address, unpackedBytes: bytes.length }, bytes };
}

const json =
  (value: unknown): Forged =>
  (response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
export const file =
  (bytes: Buffer | string, type = "application/octet-stream"): Forged =>
  (response) =>
    response.writeHead(200, { "content-type": type, "access-control-allow-origin": "*" }).end(bytes);
export const redirect =
  (location: string): Forged =>
  (response) =>
    response.writeHead(302, { location, "access-control-allow-origin": "*" }).end();

const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

/** Unpacks to 16 times its size, as long as the reader reads. `onClose`: called with the bytes packed when the reader has stopped. */
export const endless =
  (encoding: "gzip" | "br", onClose: (unpackedBytes: number) => void = () => {}): Forged =>
  (response) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding });
    const zip = encoding === "gzip" ? createGzip() : createBrotliCompress(FAST);
    const piece = Buffer.alloc(1 << 20, " ");
    let unpackedBytes = 0;
    const more = () => {
      do {
        // With blanks alone, the connections' buffers would unpack to gigabytes.
        randomFillSync(piece, 0, 1 << 16);
        unpackedBytes += piece.length;
      } while (!response.destroyed && zip.write(piece));
    };
    zip.on("drain", more).pipe(response);
    response.on("close", () => {
      zip.destroy();
      onClose(unpackedBytes);
    });
    more();
  };

export const leftOf = (page: Page) =>
  page.evaluate(async () => ({
    workers: (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
    caches: await caches.keys(),
  }));

/** The result of the last action; the section is the page's last. */
export const saidOf = (page: Page) => page.getByRole("main").getByRole("status").last();

/** Presses every button. @returns the message for the reader */
export async function press(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Keep a copy…" }).click();
  const download = page.getByRole("button", { name: /^Download/ });
  await expect(download.or(saidOf(page).filter({ hasText: /./ }))).toBeVisible({ timeout: 20_000 });
  if (await download.isVisible()) await download.click();
  await expect(saidOf(page)).not.toBeEmpty({ timeout: 20_000 });
  return saidOf(page).innerText();
}

export async function keepCopy(docs: DocsPage, page: Page) {
  await docs.openHydrated("/your-data");
  expect(await press(page)).toContain("now work without a network");
}

/** The text of a page without a network; null where the browser reports that there is none. */
export async function readOffline(page: Page, path: string): Promise<string | null> {
  const tab = await page.context().newPage();
  await page.context().setOffline(true);
  try {
    await tab.goto(path);
    return await tab.locator("body").innerText();
  } catch (error) {
    expect(String(error)).toContain("ERR_INTERNET_DISCONNECTED");
    return null;
  } finally {
    await page.context().setOffline(false);
    await tab.close();
  }
}

/**
 * The same while nothing passes. After the developer tools' protocol has ended a worker, the browser's own network
 * switch waits forever: it also asks that worker.
 */
export async function readAway(page: Page, between: Between, path: string): Promise<string> {
  const tab = await page.context().newPage();
  between.isAway = true;
  try {
    await tab.goto(path);
    return await tab.locator("body").innerText();
  } finally {
    between.isAway = false;
    await tab.close();
  }
}

/** Sends half of the file, and the rest on `rest`. */
export function holdBack(
  between: Between,
  { info, bytes }: Release,
): { rest: () => void; asked: () => boolean } {
  let rest = () => {};
  const half = bytes.length / 2;
  between.forged.set(info.address, (response) => {
    response.writeHead(200, { "content-type": "application/octet-stream" }).write(bytes.subarray(0, half));
    rest = () => void response.end(bytes.subarray(half));
  });
  return { rest: () => rest(), asked: () => between.asked.includes(info.address) };
}

/** Every forgery by name: the answers by path. */
export async function forgeries(
  real: Release,
  elsewhere: Between,
): Promise<[string, { [path: string]: Forged }][]> {
  const { info, bytes } = real;
  const forged = forge(real);
  const changed = Buffer.from(bytes);
  changed.write("X", changed.length - 9);
  elsewhere.forged.set(INFO, (response) =>
    response
      .writeHead(200, { "content-type": "application/json", "access-control-allow-origin": "*" })
      .end(JSON.stringify(forged.info)),
  );
  elsewhere.forged.set(info.address, file(bytes));
  return [
    ["other bytes of the same length", { [info.address]: file(changed) }],
    ["a file that is cut", { [info.address]: file(bytes.subarray(0, bytes.length / 2)) }],
    ["the file of another release", { [info.address]: file(forged.bytes) }],
    ["a page in the file's place", { [info.address]: file("<h1>Sign in</h1>", "text/html") }],
    ["a file that unpacks without end", { [info.address]: endless("gzip") }],
    ["a file from another origin", { [info.address]: redirect(elsewhere.origin + info.address) }],
    [
      "a description from another origin",
      { [INFO]: redirect(elsewhere.origin + INFO), [forged.info.address]: file(forged.bytes) },
    ],
    ["a description without end", { [INFO]: endless("gzip") }],
    ["a page in the description's place", { [INFO]: file("<h1>Sign in</h1>", "text/html") }],
    ["a size far beyond", { [INFO]: json({ ...info, unpackedBytes: 1e12 }) }],
    ["a greater size than the file has", { [INFO]: json({ ...info, unpackedBytes: 99e6 }) }],
    ["another day", { [INFO]: json({ ...info, made: "2031-01-01T12:00:00.000Z" }) }],
    ["an address elsewhere", { [INFO]: json({ ...info, address: "//evil.example/x.pack" }) }],
    [
      "a description that agrees with the forged file",
      { [INFO]: json(forged.info), [forged.info.address]: file(forged.bytes) },
    ],
    [
      "the same under the real version",
      {
        [INFO]: json({ ...forged.info, version: info.version, address: info.address }),
        [info.address]: file(forged.bytes),
      },
    ],
    ["a worker that is a page", { [WORKER]: file("<h1>Sign in</h1>", "text/html") }],
    ["a worker from elsewhere", { [WORKER]: redirect(elsewhere.origin + WORKER) }],
  ];
}

/** Gives the reader the copy of an earlier release; afterwards the server has the real release again. */
export async function keepFormerCopy(
  docs: DocsPage,
  page: Page,
  { between, real }: { between: Between; real: Release },
) {
  const former = forge(real, FORMER);
  const code = await (await fetch(origin + WORKER)).text();
  expect(code).toContain(JSON.stringify(real.info));
  const formerCode = code.replace(JSON.stringify(real.info), JSON.stringify(former.info));
  between.forged.set(WORKER, file(formerCode, "text/javascript"));
  between.forged.set(INFO, json(former.info));
  between.forged.set(former.info.address, file(former.bytes));
  await keepCopy(docs, page);
  between.forged.clear();
  return leftOf(page);
}

export async function checkForNewer(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Check for a newer copy" }).click();
  await expect(saidOf(page)).not.toBeEmpty({ timeout: 20_000 });
  return saidOf(page).innerText();
}
