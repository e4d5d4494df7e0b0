/**
 * 1. Every recorded request of posthog-js and of Sentry's SDK is answered as the SDK expects, and stored once, however often
 *    it arrives.
 * 2. Nothing of it that must not be stored is in the database's file.
 */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import * as z from "zod";
import { readerAddress, readerAgent, startTelemetry } from "./testing/telemetry.ts";

const recordedSchema = z.object({
  from: z.string(),
  method: z.enum(["GET", "POST"]),
  url: z.string(),
  contentType: z.string().nullable(),
  format: z.string(),
  body: z.unknown(),
});
type Recorded = z.infer<typeof recordedSchema>;

const recorded = readFileSync("tests/fixtures/telemetry/recorded-requests.ndjson", "utf8")
  .trim()
  .split("\n")
  .map((line) => recordedSchema.parse(JSON.parse(line)));

/** The body in the SDK's format. */
function bodyOf({ format, body }: Recorded): BodyInit | null {
  if (format === "gzip+json") return gzipSync(JSON.stringify(body));
  if (format === "json") return JSON.stringify(body);
  if (format === "base64 form")
    return `data=${encodeURIComponent(Buffer.from(JSON.stringify(body)).toString("base64"))}`;
  return typeof body === "string" ? body : null;
}

const send = (request: ReturnType<typeof startTelemetry>["request"], entry: Recorded) =>
  request(entry.url, {
    method: entry.method,
    ...(entry.method === "POST" && { body: bodyOf(entry) }),
    headers: { ...(entry.contentType && { "content-type": entry.contentType }) },
  });

test("1. every request is answered", async () => {
  const { request } = startTelemetry();
  for (const entry of recorded) {
    const name = `${entry.from} ${entry.method} ${entry.url}`;
    const response = await send(request, entry);
    // The SDK requests scripts that are bundled here; without them it continues.
    expect(response.status, name).toBe(entry.url.includes("/static/") ? 404 : 200);
    if (entry.url.endsWith("config.js"))
      expect(await response.text()).toContain('["phc_test"] = { config: {');
    else expect(typeof (await response.json()), name).toBe("object");
  }
});

test("1. stored once, 2. and cleaned", async () => {
  const { request, store, file } = startTelemetry();
  for (const entry of [...recorded, ...recorded]) await send(request, entry);
  await store.flush();
  const range = { from: 0, to: Date.now() + 60_000 };
  const events = recorded
    .filter(({ url, body }) => url.startsWith("/ingest") && JSON.stringify(body).includes('"batch"'))
    .flatMap(({ body }) => (body as { batch: { properties: { distinct_id: string } }[] }).batch)
    .filter(({ properties }) => properties.distinct_id !== "$posthog_cookieless");
  const { visitors, recordings, errors } = await store.ask("overview", range);
  expect(visitors).toBe(new Set(events.map(({ properties }) => properties.distinct_id)).size);
  expect(recordings).toBe(1);
  expect(errors).toBe(recorded.filter(({ body }) => /"type":"event"/.test(String(body))).length);
  const bytes = Buffer.concat(
    [file, `${file}-wal`].map((name) => {
      try {
        return readFileSync(name);
      } catch {
        return Buffer.alloc(0);
      }
    }),
  );
  expect(bytes.includes("$pageview")).toBe(true);
  for (const secret of [readerAddress, readerAgent, "Mozilla/", "js=ph-", "js=s-", "$device_id"])
    expect(bytes.includes(secret), secret).toBe(false);
});
