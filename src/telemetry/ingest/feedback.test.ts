/**
 * 1. An answer is stored as one JSON line with its time, and nothing about the reader.
 * 2. What is not an answer is refused with a reason and stores nothing.
 * 3. A flood is refused, and answers are taken again a minute later.
 */
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFeedbackApp } from "./feedback.ts";

async function setUp() {
  const file = join(await mkdtemp(join(tmpdir(), "feedback-")), "data", "feedback.ndjson");
  let now = new Date("2026-11-21T10:00:00Z");
  const app = createFeedbackApp({ file, clock: () => now });
  const send = (body: unknown) =>
    app.request("/feedback", {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { "Content-Type": "application/json", "User-Agent": "a reader's browser" },
    });
  return { file, send, setTime: (time: string) => (now = new Date(time)) };
}

const answer = { path: "/docs/cache/overview", answer: "no", text: "Where is the limit?\nSecond line" };

test("1. an answer is one JSON line, without anything about the reader", async () => {
  const { file, send } = await setUp();
  expect((await send(answer)).status).toBe(204);
  expect((await send({ ...answer, answer: "yes", text: "" })).status).toBe(204);
  const lines = (await readFile(file, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  expect(lines[0]).toEqual({ at: "2026-11-21T10:00:00.000Z", ...answer });
  expect(lines).toHaveLength(2);
});

test.each([
  ["no JSON", "{"],
  ["another answer", { ...answer, answer: "maybe" }],
  ["a foreign path", { ...answer, path: "https://elsewhere.example/" }],
  ["a long text", { ...answer, text: "x".repeat(2001) }],
  ["an unknown key", { ...answer, email: "a@b.c" }],
])("2. %s is refused with a reason", async (_name, body) => {
  const { file, send } = await setUp();
  const response = await send(body);
  expect(response.status).toBe(400);
  expect(((await response.json()) as { message: string }).message.length).toBeGreaterThan(5);
  await expect(readFile(file)).rejects.toThrow("ENOENT");
});

test("2. a body over the limit is refused", async () => {
  const { send } = await setUp();
  expect((await send({ ...answer, text: "x".repeat(20_000) })).status).toBe(413);
});

test("3. a flood is refused for the minute", async () => {
  const { send, setTime } = await setUp();
  for (let index = 0; index < 120; index++) expect((await send(answer)).status).toBe(204);
  expect((await send(answer)).status).toBe(429);
  setTime("2026-11-21T10:01:00Z");
  expect((await send(answer)).status).toBe(204);
});
