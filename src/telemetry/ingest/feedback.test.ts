/**
 * 1. An answer is stored with its time, and nothing about the reader.
 * 2. Anything else is refused with a reason, and nothing is stored.
 * 3. A flood is refused, that of one address without affecting others, and answers are accepted again a minute later.
 * 4. The answers of the former file are read once.
 * 5. Other sites' pages and their forms are refused, here and for requests of a reader's own data.
 * 6. 204 means that the answer is in the database; a full disk is 507, another failure 503, and neither is forever.
 */
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectionAddress } from "#platform/http/addresses/client-address.ts";
import { DEFAULT_LIMITS } from "../contract/limits.ts";
import type { Kept } from "../thread/tally.ts";
import { origin, startTelemetry } from "../testing/telemetry.ts";
import { createFeedbackApp } from "./feedback.ts";
import { createIntake } from "./intake.ts";

function setUp(dataDir?: string) {
  let now = Date.parse("2026-11-21T10:00:00Z");
  const telemetry = startTelemetry({ clock: () => now, ...(dataDir && { dataDir }) });
  const send = (body: unknown) =>
    telemetry.post("/feedback", typeof body === "string" ? body : JSON.stringify(body));
  const pages = async () => {
    await telemetry.store.flush();
    return telemetry.store.ask("pages", { from: now - 3_600_000, to: now + 1 });
  };
  return { ...telemetry, send, pages, setTime: (time: string) => (now = Date.parse(time)) };
}

const answer = { path: "/docs/cache/overview", answer: "no", text: "Where is the limit?\nSecond line" };

test("1. an answer is kept, without anything about the reader", async () => {
  const { send, pages } = setUp();
  expect((await send(answer)).status).toBe(204);
  expect((await send({ ...answer, answer: "yes", text: "" })).status).toBe(204);
  const comments = [{ at: Date.parse("2026-11-21T10:00:00Z"), answer: "no", text: answer.text }];
  expect(await pages()).toEqual([{ path: answer.path, views: 0, yes: 1, no: 1, exitsToSearch: 0, comments }]);
});

const bad: [name: string, body: unknown][] = [
  ["no JSON", "{"],
  ["another answer", { ...answer, answer: "maybe" }],
  ["a foreign path", { ...answer, path: "https://elsewhere.example/" }],
  ["a long text", { ...answer, text: "x".repeat(2001) }],
  ["an unknown key", { ...answer, email: "a@b.c" }],
];

test("2. what is not an answer is refused with a reason", async () => {
  const { send, pages } = setUp();
  for (const [name, body] of bad) {
    const response = await send(body);
    expect(response.status, name).toBe(400);
    expect(((await response.json()) as { message: string }).message.length).toBeGreaterThan(5);
  }
  expect(await pages()).toEqual([]);
});

test("2. a body over the limit is refused", async () => {
  const { send } = setUp();
  expect((await send({ ...answer, text: "x".repeat(20_000) })).status).toBe(413);
});

test("3. a flood is refused, from one address and from all", async () => {
  const { send, setTime, request } = setUp();
  const from = (address: string) =>
    request("/feedback", {
      method: "POST",
      body: JSON.stringify(answer),
      headers: { "content-type": "application/json" },
      from: address,
    });
  for (let index = 0; index < 30; index++) expect((await send(answer)).status).toBe(204);
  const refused = await send(answer);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "2"]);
  expect((await from("198.51.100.1")).status).toBe(204);
  const statuses = new Map<number, number>();
  for (let index = 0; index < 580; index++) {
    const { status } = await from(`192.0.${index % 100}.1`);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect([...statuses]).toEqual([
    [204, 569],
    [429, 11],
  ]);
  setTime("2026-11-21T10:01:00Z");
  expect((await send(answer)).status).toBe(204);
  const ofNetwork = new Set<number>();
  for (let index = 0; index < 500; index++) ofNetwork.add((await from(`198.51.100.${index % 250}`)).status);
  expect([...ofNetwork]).toEqual([204, 429]);
  expect((await from("192.0.99.1")).status).toBe(204);
});

const foreign: [name: string, headers: Record<string, string>, status: number][] = [
  ["the site's own page", { "sec-fetch-site": "same-origin" }, 204],
  ["a form of another site", { "content-type": "text/plain", "sec-fetch-site": "cross-site" }, 403],
  ["another site", { "sec-fetch-site": "cross-site" }, 403],
  ["a sibling site", { "sec-fetch-site": "same-site" }, 403],
  ["another site in an old browser", { origin: "https://evil.example" }, 403],
  ["a form", { "content-type": "application/x-www-form-urlencoded" }, 415],
  ["text", { "content-type": "text/plain; application/json" }, 415],
];

test.each(foreign)("5. %s", async (_name, headers, status) => {
  const { request, pages } = setUp();
  for (const path of ["/feedback", "/your-data/export", "/your-data/erase"]) {
    const body = path === "/feedback" ? answer : { ids: ["nobody-has-this-identifier"] };
    const init = {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
    };
    const expected = status === 204 && path !== "/feedback" ? 200 : status;
    expect((await request(path, init)).status, path).toBe(expected);
  }
  expect((await pages()).length).toBe(status === 204 ? 1 : 0);
});

test("6. 204 after the commit; 507 on a full disk, 503 for another failure, and what ended is over", async () => {
  const outcomes: Kept[] = [
    { isKept: false, reason: "database or disk is full", isDiskFull: true },
    { isKept: false, reason: "/data/telemetry.sqlite is locked", isDiskFull: false },
    { isKept: true },
  ];
  const config = { maxBytes: 2e9, retentionDays: 30 };
  const limits = DEFAULT_LIMITS;
  const intake = createIntake({ origin, config, limits, clock: Date.now, addressOf: connectionAddress });
  const store = { write: () => Promise.resolve(outcomes.shift() ?? { isKept: true as const }) };
  const app = createFeedbackApp({ store, intake, clock: Date.now });
  const send = () =>
    app.request("/feedback", {
      method: "POST",
      body: JSON.stringify(answer),
      headers: { "content-type": "application/json" },
    });
  const full = await send();
  expect([full.status, full.headers.get("retry-after")]).toEqual([507, "10"]);
  expect(await full.json()).toEqual({ message: expect.stringContaining("The disk is full") });
  const away = await send();
  expect([away.status, away.headers.get("retry-after")]).toEqual([503, "10"]);
  // Names of the machine's files are for its operator.
  expect(await away.text()).not.toContain("sqlite");
  expect((await send()).status).toBe(204);
});

test("4. the former file is imported once", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "feedback-"));
  const file = join(dataDir, "feedback.ndjson");
  writeFileSync(file, `${JSON.stringify({ at: "2026-11-21T09:30:00.000Z", ...answer })}\nnot a line\n`);
  const first = setUp(dataDir);
  expect((await first.pages())[0]?.comments[0]?.text).toBe(answer.text);
  await first.close();
  expect([existsSync(file), existsSync(`${file}.imported`)]).toEqual([false, true]);
  expect((await setUp(dataDir).pages())[0]?.no).toBe(1);
});
