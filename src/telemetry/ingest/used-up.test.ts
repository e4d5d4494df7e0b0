/**
 * 1. Every endpoint refuses with 429 and Retry-After once its kind's share is used up, and the owner sees which share it was.
 * 2. Data stored before a restart outlives it, whatever is sent afterwards.
 */
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { startTelemetry } from "../testing/telemetry.ts";

const MAX_BYTES = 2_000_000;
const reader = "01a1fc2d-26f7-7798-aea1-fa75d352d7ea";
const config = {
  retentionDays: 30,
  maxBytes: MAX_BYTES,
  analytics: true,
  recording: true,
  flags: [],
  surveys: [],
};
const envelope = (payload: unknown) => `{}\n{"type":"event"}\n${JSON.stringify(payload)}\n`;

const bodies: { [path: string]: () => string } = {
  "/ingest/e/": () =>
    JSON.stringify({ event: "search", distinct_id: reader, properties: { query: "x".repeat(3000) } }),
  "/insights/1/events": () =>
    JSON.stringify({
      events: [
        { eventType: "view", eventName: "v", index: "docs", userToken: "t", objectIDs: ["x".repeat(500)] },
      ],
    }),
  "/ingest/s/": () =>
    JSON.stringify([
      {
        event: "$snapshot",
        properties: {
          distinct_id: reader,
          $session_id: reader,
          $snapshot_data: [{ type: 3, timestamp: 1, data: randomBytes(5000).toString("base64") }],
        },
      },
    ]),
  "/errors/envelope": () => envelope({ exception: { values: [{ type: "Error", value: "x".repeat(3000) }] } }),
  "/feedback": () => JSON.stringify({ path: "/docs", answer: "no", text: "x".repeat(900) }),
};

function setUp(dataDir?: string) {
  const telemetry = startTelemetry({ config, ...(dataDir && { dataDir }) });
  const send = (path: string, from: string) =>
    telemetry.request(path, {
      method: "POST",
      body: bodies[path]!(),
      headers: { "content-type": "application/json" },
      from,
    });
  /** @returns the answer that was refused */
  const sendUntilRefused = async (path: string, addressOf: (at: number) => string) => {
    for (let at = 0; at < 1000; at++) {
      const answer = await send(path, addressOf(at));
      if (answer.status >= 300) return answer;
    }
    throw new Error(`${path} took a thousand.`);
  };
  return { ...telemetry, send, sendUntilRefused };
}

test.each(Object.keys(bodies))("1. %s", async (path) => {
  const { send, sendUntilRefused, health } = setUp();
  const refused = await sendUntilRefused(path, () => "203.0.113.9");
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect(await refused.text()).toMatch(
    /This network has used up its share of the storage\. Try again in \d+ \w+\./,
  );
  expect((await send(path, "198.51.100.1")).status).toBeLessThan(300);
  const all = await sendUntilRefused(path, (at) => `198.${at % 250}.1.1`);
  expect([all.status, Number(all.headers.get("retry-after")) > 0]).toEqual([429, true]);
  const { refused: reasons, database } = await health();
  expect(reasons.map(({ endpoint, reason }) => `${endpoint} ${reason}`)).toEqual([
    `${path} network limit used up`,
    `${path} shared limit used up`,
  ]);
  expect(database.kinds.filter(({ bytes }) => bytes > 0)).toHaveLength(1);
  for (const other of Object.keys(bodies))
    if (bodyKind(other) !== bodyKind(path))
      expect((await send(other, "203.0.113.9")).status).toBeLessThan(300);
});

const bodyKind = (path: string) => (path === "/insights/1/events" ? "/ingest/e/" : path);

test("2. over restarts", async () => {
  const first = setUp();
  for (const path of ["/feedback", "/errors/envelope", "/ingest/e/"])
    expect((await first.send(path, "192.0.2.1")).status).toBeLessThan(300);
  await first.close();
  const { dataDir } = first;
  // More than four quarters: all that recordings may take.
  for (let start = 0; start < 6; start++) {
    const { sendUntilRefused, close } = setUp(dataDir);
    await sendUntilRefused("/ingest/s/", (at) => `198.${at % 250}.1.1`);
    await close();
  }
  const { health, store } = setUp(dataDir);
  await expect.poll(async () => (await health()).database.bytes, { timeout: 20_000 }).toBeLessThan(MAX_BYTES);
  const range = { from: 0, to: Date.now() + 1 };
  expect((await store.ask("errors", range)).length).toBe(1);
  const { kinds } = (await health()).database;
  expect(kinds.map(({ bytes }) => bytes > 0)).toEqual([true, true, true, true]);
});
