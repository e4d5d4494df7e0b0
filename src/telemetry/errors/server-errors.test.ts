/**
 * 1. A server error is reported like a browser's: its type, message, function and source line, the path of the request
 *    without its query, release and environment; nothing of the machine.
 * 2. Any thrown value is reported, but a flood of errors is not: 60 in a minute, and as many again in the next.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { expect, test } from "vitest";
import { startTelemetry } from "../testing/telemetry.ts";

const range = { from: Date.now() - 3_600_000, to: Date.now() + 3_600_000 };

/** Reports pass through the SDK's own queue. */
const patience = { timeout: 20_000 };

function failOnPurpose(): never {
  throw new RangeError("The index has 17 holes.");
}

test("1. an error with its source line", async () => {
  const { reportError, store } = startTelemetry({ release: "1a2b3c", environment: "development" });
  const typed = randomUUID();
  try {
    failOnPurpose();
  } catch (error) {
    reportError(error, `/docs/cache?q=${typed}`);
  }
  await expect.poll(() => store.flush().then(() => store.ask("errors", range)), patience).toHaveLength(1);
  const [group] = await store.ask("errors", range);
  expect(group).toMatchObject({
    type: "RangeError",
    value: "The index has 17 holes.",
    culprit: "src/telemetry/errors/server-errors.test.ts in failOnPurpose",
    platform: "server",
    releases: ["1a2b3c"],
  });
  const report = await store.ask("error", { ...range, fingerprint: group?.fingerprint ?? "" });
  const [frame] = report?.frames ?? [];
  expect(frame?.context?.lines[frame.context.at]).toContain("throw new RangeError");
  expect(report?.paths).toEqual([{ path: "/docs/cache", count: 1 }]);
  const json = JSON.stringify(report);
  for (const text of [process.cwd(), hostname(), typed]) expect(json).not.toContain(text);
});

test("2. anything thrown, but no flood", async () => {
  let now = range.from + 3_600_000;
  const { reportError, store } = startTelemetry({ clock: () => now });
  for (const thrown of [
    "a text",
    null,
    undefined,
    17,
    { code: 1 },
    new Error("boom", { cause: new Error("deep") }),
  ])
    reportError(thrown, null);
  const flood = () => {
    for (let number = 0; number < 500; number++) reportError(new Error(`flood ${number}`), null);
  };
  const total = async () => {
    await store.flush();
    return (await store.ask("errors", range)).reduce((sum, group) => sum + group.count, 0);
  };
  flood();
  await expect.poll(total, patience).toBeGreaterThan(40);
  expect(await total()).toBeLessThanOrEqual(60);
  now += 60_000;
  flood();
  await expect.poll(total, patience).toBeGreaterThan(80);
  expect(await total()).toBeLessThanOrEqual(120);
});
