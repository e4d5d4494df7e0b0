/**
 * Chromium that cancels hundreds of requests is not taken for a rapid reset: neither when a page aborts them, while
 * their answers are under way or the server stands still, nor when the page is left. Its connection gets no GOAWAY, and
 * the next requests are answered on it.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findBrowsers } from "../../scripts/checks/browser.ts";
import { comesTrue } from "../attack/processes.ts";
import { type RunningServer, startServer } from "../attack/server-process.ts";
import { makeCertificate } from "../deploy/proxy-process.ts";
import { type FrameProxy, startFrameProxy } from "./frame-proxy.ts";

/** Twice as many as may be open: others begin in the places of canceled ones. */
const FETCHES = 200;
const UNDER_WAY = 90;
const NOTICE_MS = 20_000;
const TEST_MS = 120_000;

let server: RunningServer;
let proxy: FrameProxy;
let browser: Browser;
const folder = mkdtempSync(join(tmpdir(), "chromium-cancels-"));

beforeAll(async () => {
  const { certificate, key } = makeCertificate(folder, "localhost");
  server = await startServer();
  proxy = await startFrameProxy(server.port, { cert: readFileSync(certificate), key: readFileSync(key) });
  browser = await chromium.launch({ executablePath: findBrowsers().shell, args: ["--no-sandbox"] });
}, TEST_MS);

afterAll(async () => {
  await browser?.close();
  await proxy?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function openPage(): Promise<Page> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  Object.assign(proxy, { connections: 0, goaways: [] });
  await page.goto(`https://localhost:${proxy.port}/docs`);
  return page;
}

/** Starts searches that get no answer. */
async function begin(page: Page, at: "network" | "server"): Promise<void> {
  const before = { requests: proxy.requests, answers: proxy.answers };
  Object.assign(proxy, { resets: 0, hold: { from: 1, at } });
  await page.evaluate((searches) => {
    const stop = new AbortController();
    Object.assign(window, { stop });
    for (let number = 0; number < searches; number += 1)
      void fetch(`/indexes/docs/search?q=a${number}`, { signal: stop.signal }).catch(() => {});
  }, FETCHES);
  const isUnderWay = () =>
    proxy.requests - before.requests >= UNDER_WAY &&
    (at === "server" || proxy.answers - before.answers >= UNDER_WAY);
  expect(await comesTrue(isUnderWay, NOTICE_MS)).toBe(true);
}

async function giveUp(page: Page): Promise<void> {
  await page.evaluate(() => (window as unknown as { stop: AbortController }).stop.abort());
  expect(await comesTrue(() => proxy.resets >= UNDER_WAY, NOTICE_MS)).toBe(true);
  proxy.release();
  // Node refuses a stream that arrives in one piece with more resets than may be open.
  await expect.poll(() => ask(page), { timeout: NOTICE_MS }).toBe(200);
}

const ask = (page: Page) =>
  page.evaluate(() =>
    fetch("/docs/faq.md").then(
      ({ status }) => status,
      (error: unknown) => String(error),
    ),
  );

test.each(["network", "server"] as const)(
  "requests that are given up, whose answers the %s holds back",
  async (at) => {
    const page = await openPage();
    await begin(page, at);
    await giveUp(page);
    expect([proxy.goaways, proxy.connections]).toEqual([[], 1]);
  },
  TEST_MS,
);

test(
  "a page that is left",
  async () => {
    const page = await openPage();
    await begin(page, "network");
    const left = page.goto(`https://localhost:${proxy.port}/docs/faq`);
    proxy.release();
    expect((await left)?.status()).toBe(200);
    await expect.poll(() => ask(page), { timeout: NOTICE_MS }).toBe(200);
    expect([proxy.goaways, proxy.connections]).toEqual([[], 1]);
  },
  TEST_MS,
);
