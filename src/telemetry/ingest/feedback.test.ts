/**
 * 1. An answer is kept with its time, and nothing about the reader.
 * 2. What is not an answer is refused with a reason and keeps nothing.
 * 3. A flood is refused, and answers are taken again a minute later.
 * 4. The answers of the former file are read once.
 */
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startTelemetry } from "../test-telemetry.ts";

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

test("2. what is no answer is refused with a reason", async () => {
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

test("3. a flood is refused for the minute", async () => {
  const { send, setTime } = setUp();
  for (let index = 0; index < 120; index++) expect((await send(answer)).status).toBe(204);
  expect((await send(answer)).status).toBe(429);
  setTime("2026-11-21T10:01:00Z");
  expect((await send(answer)).status).toBe(204);
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
