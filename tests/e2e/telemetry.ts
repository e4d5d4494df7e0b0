import { gunzipSync } from "node:zlib";
import type { Page, Request } from "@playwright/test";
import { expect, origin, test as base } from "./fixtures.ts";

/** Telemetry's endpoints, and the files that it loads. */
const endpoints = /\/(?:ingest|insights|errors)\//;
const sdkFiles = /\/assets\/(?:posthog|recorder|insights|error-reports)-/;

/**
 * A reader who is asked, in a browser that does not look automated: PostHog's SDK sends nothing for robots.
 */
export const test = base.extend({
  consent: null,
  page: async ({ page }, use) => {
    await page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, "webdriver", { get: () => false });
    });
    await use(page);
  },
});

export interface RecordedRequests {
  /** Requests to the endpoints. */
  sent: Request[];
  /** Names of the SDKs' files, without their hash. */
  files: string[];
}

export function recordTelemetry(page: Page): RecordedRequests {
  const recorded: RecordedRequests = { sent: [], files: [] };
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (endpoints.test(pathname)) recorded.sent.push(request);
    const name = /\/assets\/([a-z-]+?)-[\w-]{8}\.js$/.exec(pathname)?.[1];
    if (name && sdkFiles.test(pathname)) recorded.files.push(name);
  });
  return recorded;
}

/** The choice itself, the scroll positions, and the searches that the box offers again: only the reader sees them. */
const necessary = new Set(["millrace-consent", "react-router-scroll-positions", "searches"]);

/** Names of stored entries beyond the necessary ones. */
export async function storedNames(page: Page): Promise<string[]> {
  const names = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
  const cookies = await page.context().cookies();
  return [...names.filter((name) => !necessary.has(name)), ...cookies.map((cookie) => cookie.name)].sort();
}

/** The question, or the choices. */
export const consentNotice = (page: Page) =>
  page
    .getByRole("region", { name: "Notices" })
    .getByRole("article", { name: /how these pages are used|choices/ });

export const press = (page: Page, name: string) =>
  consentNotice(page).getByRole("button", { name, exact: true }).click();

/** Opens the three switches, from the footer. */
export const openChoices = (page: Page) =>
  page.getByRole("contentinfo").getByRole("link", { name: "Privacy choices" }).click();

interface Kept {
  events: { name: string; path: string | null; properties: { [name: string]: unknown } }[];
  clickEvents: { name: string; properties: { [name: string]: unknown } }[];
  recordings: { events: { type: number; data: unknown }[] }[];
}

/** The identifiers that the browser holds. */
export async function idsOf(page: Page): Promise<string[]> {
  const stored = await page.evaluate(() => localStorage.getItem("ph_millrace_posthog"));
  const id = (JSON.parse(stored ?? "{}") as { distinct_id?: string }).distinct_id;
  const cookie = (await page.context().cookies()).find(({ name }) => name === "_ALGOLIA")?.value;
  return [id, cookie].filter((each) => each !== undefined);
}

/** The server's stored data about a reader. */
export async function keptOf(page: Page, ids: string[]): Promise<Kept> {
  const answer = await page.request.post(`${origin}/your-data/export`, { data: { ids } });
  expect(answer.status(), await answer.text()).toBe(200);
  return (await answer.json()) as Kept;
}

/** An event as the SDK sent it. */
interface SentEvent {
  event: string;
  properties: { [name: string]: unknown };
}

/** The events that the browser has sent until now. */
export function sentEvents({ sent }: RecordedRequests): SentEvent[] {
  const bodies = sent.filter((request) => /\/ingest\/(?:e|i\/v0\/e|s)\//.test(request.url()));
  return bodies.flatMap((request) => {
    const bytes = request.postDataBuffer() ?? Buffer.from("[]");
    const json = bytes[0] === 0x1f ? gunzipSync(bytes) : bytes;
    // The SDK's own two forms: a batch with its key, and a list of events.
    const body = JSON.parse(json.toString()) as SentEvent[] | { batch: SentEvent[] };
    return Array.isArray(body) ? body : body.batch;
  });
}

/** Waits until an event of this name has been sent. */
export async function expectSent(
  recorded: RecordedRequests,
  name: string,
  properties: { [name: string]: unknown } = {},
) {
  await expect
    .poll(() => sentEvents(recorded).filter(({ event }) => event === name), { timeout: 10_000 })
    .toContainEqual(expect.objectContaining({ properties: expect.objectContaining(properties) }));
}
