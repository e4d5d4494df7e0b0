/**
 * 1. Every line is one JSON object with level, time and message, whatever is logged; lines below the level
 *    are not written.
 * 2. The process's secrets are in no line, wherever they appeared; nor are credentials and queries within any text.
 * 3. Fields whose names denote secrets are not written.
 * 4. Lines logged for a request have its id, even later ones; other lines have none.
 * 5. Long messages are cut; an error has its causes, and an error that is its own cause ends.
 * 6. Text from strangers cannot control a terminal, in JSON lines or readable lines.
 */
import { Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { createLog, type LogOptions } from "./create-log.ts";
import { runForRequest } from "./request-context.ts";

function start(options: LogOptions = {}) {
  const written: string[] = [];
  const stream = { write: (line: string) => void written.push(line) };
  const log = createLog({ isPretty: false, stream, ...options });
  const lines = () => written.map((line) => JSON.parse(line) as { [name: string]: unknown });
  return { log, written, lines };
}

test("1. lines of JSON", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.object({ maxDepth: 2 }), (message, fields) => {
      const { log, written, lines } = start();
      log.info(message, { some: fields });
      expect(written.join("").split("\n")).toHaveLength(2);
      expect(lines()[0]).toMatchObject({ level: "info" });
      expect(Date.parse(String(lines()[0]?.["time"]))).toBeGreaterThan(0);
    }),
  );
  const { log, lines } = start({ level: "warn" });
  for (const level of ["debug", "info", "warn", "error"] as const) log[level](`as %s {} ${level}`);
  expect(lines().map(({ message }) => message)).toEqual(["as %s {} warn", "as %s {} error"]);
  expect([log.writes("info"), log.writes("error")]).toEqual([false, true]);
});

const secretArbitrary = fc.string({ unit: "grapheme-ascii", minLength: 16, maxLength: 40 });

test("2. secrets", () => {
  fc.assert(
    fc.property(secretArbitrary, (secret) => {
      const { log, written } = start({ secrets: [secret] });
      log.error(`failed with ${secret}`, {
        error: new Error(`inner ${secret}`, { cause: new Error(secret) }),
        deep: { deeper: [secret, { deepest: `x${secret}x` }] },
        [secret]: 1,
      });
      expect(written.join("")).not.toContain(JSON.stringify(secret).slice(1, -1));
      expect(() => JSON.parse(written[0] ?? "") as unknown).not.toThrow();
    }),
  );
  const { log, written } = start();
  log.error("GET https://user:hunter2@host/a?q=cancer&token=abcdef#x failed: Bearer abc.def-123", {
    error: new Error("Authorization: Basic aHVudGVyMg== at /x?q=cancer"),
    note: "of mr_prj_Zx81kq93jd and mr_user_a-chosen_one.",
  });
  for (const gone of ["hunter2", "cancer", "abcdef", "abc.def-123", "aHVudGVyMg", "Zx81", "a-chosen"])
    expect(written[0]).not.toContain(gone);
  expect(written[0]).toContain("/a?[redacted]#x");
  expect(written[0]).toContain("of mr_prj_[redacted] and mr_user_[redacted].");
});

test("3. fields", () => {
  const { log, written, lines } = start();
  const secrets = { authorization: "one", cookie: "two", token: "three", password: "four", query: "five" };
  log.info("first", { ...secrets, request: { ...secrets, headers: { any: "six" } }, status: 200 });
  expect(written[0]).not.toMatch(/one|two|three|four|five|six/);
  expect(lines()[0]).toMatchObject({ status: 200, authorization: "[redacted]" });
});

test("4. requests", async () => {
  const { log, lines } = start();
  log.info("before");
  await Promise.all(
    ["a", "b"].map((id) =>
      runForRequest(id, async () => {
        log.info("at once", { id });
        await nextTurn();
        log.error("later", { id });
      }),
    ),
  );
  log.info("after");
  const [before, ...rest] = lines();
  const after = rest.pop();
  expect([before?.["requestId"], after?.["requestId"]]).toEqual([undefined, undefined]);
  expect(rest).toHaveLength(4);
  for (const { requestId, id } of rest) expect(requestId).toBe(id);
});

test("5. sizes", () => {
  const { log, lines } = start();
  const error = new Error("outer", { cause: new TypeError("inner") });
  const own: Error & { cause?: unknown } = new Error("own cause");
  own.cause = own;
  log.info("x".repeat(100_000));
  log.error("failed", { error });
  log.error("failed", { error: own });
  expect(String(lines()[0]?.["message"])).toHaveLength(4000);
  expect(JSON.stringify(lines()[1])).toMatch(/outer.*inner/);
  expect(lines()[2]).toMatchObject({ error: { message: "own cause" } });
});

const ORDERS =
  "\u001b]0;title\u0007 \u001b[2J\u001bc \u009b31m \u202Egnp.exe \u2066x \u0000 \u007f \r\b over \u001b]8;;javascript:alert(1)\u001b\\\\link";

// oxlint-disable-next-line no-control-regex
const OWN_COLORS = /\u001b\[\d{1,2}m/g;
// oxlint-disable-next-line no-control-regex
const SIGNS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

test.each([true, false])("6. orders to a terminal, readable: %s", async (isPretty) => {
  const written: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      done();
    },
  });
  const log = createLog({ isPretty, stream });
  log.warn(ORDERS, { path: ORDERS, [ORDERS]: { deep: [ORDERS] }, error: new Error(ORDERS) });
  await vi.waitUntil(() => written.length > 0);
  const text = written.join("");
  expect(text).toContain("gnp.exe");
  // The colors of readable lines are the log's own.
  expect(text.replaceAll(OWN_COLORS, "").match(SIGNS)).toBeNull();
  if (!isPretty) expect(JSON.parse(text)).toMatchObject({ message: ORDERS, path: ORDERS });
});
