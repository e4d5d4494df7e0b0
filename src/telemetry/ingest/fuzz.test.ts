/**
 * 1. Any body to any address of telemetry is answered below 500 with a reason, and the queue is not harmed.
 * 2. Accepted data can be reported: every report answers, whatever was stored.
 *
 * `FUZZ_FACTOR=20` for a long search; each run sends one body.
 */
import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { longer } from "#platform/testing/longer.ts";
import { startTelemetry } from "../testing/telemetry.ts";

const FUZZ_RUNS = longer(400);

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom(
    "\0",
    "__proto__",
    "https://a.example/?q=1#x",
    "日本語",
    "\ud800",
    "1e999",
    "a".repeat(5000),
  ),
);
const anything = fc.oneof(
  { depthSize: "small" },
  fc.jsonValue({ maxDepth: 4 }),
  text,
  fc.double(),
  fc.constant(null),
);
const maybe = (arbitrary: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 9, arbitrary }, { weight: 1, arbitrary: anything });
const id = fc.constantFrom("01a1fc2d-26f7-7798-aea1-fa75d352d7ea", "another-reader-of-the-site");
const time = fc.oneof(
  fc.constant(Date.now()),
  fc.constant(new Date().toISOString()),
  fc.double(),
  fc.integer(),
  text,
);

const properties = fc.dictionary(
  fc.oneof(
    fc.constantFrom(
      "query",
      "$current_url",
      "$pathname",
      "position",
      "$survey_response",
      "$feature_flag",
      "$feature_flag_response",
      "$survey_id",
    ),
    text,
  ),
  anything,
  { maxKeys: 6 },
);
const event = fc.record(
  {
    event: maybe(
      fc.constantFrom(
        "search",
        "search_click",
        "$pageview",
        "$feature_flag_called",
        "survey sent",
        "survey shown",
      ),
    ),
    uuid: maybe(fc.uuid()),
    distinct_id: maybe(id),
    timestamp: maybe(time),
    offset: anything,
    properties: fc
      .tuple(
        properties,
        fc.record(
          { distinct_id: maybe(id), $session_id: maybe(fc.constant("session-1")) },
          { requiredKeys: ["distinct_id"] },
        ),
      )
      .map(([one, other]) => ({ ...one, ...other })),
  },
  { requiredKeys: ["event", "properties"] },
);
const rrweb = fc.record(
  {
    type: maybe(fc.nat(6)),
    timestamp: maybe(fc.oneof(fc.constant(Date.now()), fc.double())),
    data: anything,
    cv: maybe(fc.constant("2024-10")),
  },
  { requiredKeys: ["type", "timestamp"] },
);
const snapshot = fc.record({
  event: maybe(fc.constant("$snapshot")),
  properties: fc.record({
    distinct_id: maybe(id),
    $session_id: maybe(fc.constantFrom("session-1", "session-2")),
    $snapshot_data: maybe(fc.array(rrweb, { maxLength: 4 })),
  }),
});
const frame = fc.record(
  {
    filename: maybe(fc.constantFrom("https://docs.example.com/assets/a-12345678.js", "<anonymous>")),
    function: anything,
    lineno: maybe(fc.integer()),
    colno: anything,
    in_app: anything,
  },
  { requiredKeys: [] },
);
const error = fc.record(
  {
    event_id: maybe(fc.constant("a".repeat(32))),
    timestamp: time,
    exception: maybe(
      fc.record({
        values: maybe(
          fc.array(
            fc.record(
              {
                type: anything,
                value: anything,
                stacktrace: maybe(fc.record({ frames: maybe(fc.array(frame, { maxLength: 3 })) })),
              },
              { requiredKeys: [] },
            ),
            { maxLength: 3 },
          ),
        ),
      }),
    ),
    request: anything,
    message: anything,
    debug_meta: anything,
    release: anything,
  },
  { requiredKeys: ["exception"] },
);
const envelope = fc
  .tuple(
    maybe(fc.constant({ dsn: "https://a@b/1" })),
    fc.array(
      fc.tuple(
        maybe(
          fc.record(
            {
              type: maybe(fc.constantFrom("event", "session", "attachment")),
              length: fc.oneof(fc.nat(200), anything),
            },
            { requiredKeys: ["type"] },
          ),
        ),
        maybe(error),
      ),
      { maxLength: 3 },
    ),
  )
  .map(([header, items]) => [header, ...items.flat()].map((line) => JSON.stringify(line)).join("\n"));
const click = fc.record(
  {
    eventType: maybe(fc.constantFrom("click", "view")),
    eventName: maybe(fc.constant("Hit Clicked")),
    index: maybe(fc.constant("docs")),
    userToken: maybe(id),
    objectIDs: maybe(fc.array(text, { minLength: 1, maxLength: 3 })),
    positions: maybe(fc.array(fc.nat(30), { maxLength: 3 })),
    timestamp: anything,
  },
  { requiredKeys: ["eventType", "eventName", "index", "userToken", "objectIDs"] },
);

const json = (arbitrary: fc.Arbitrary<unknown>) => arbitrary.map((value) => JSON.stringify(value) ?? "");
const bodies: [path: string, body: fc.Arbitrary<string>][] = [
  [
    "/ingest/e/",
    json(
      fc.oneof(
        event,
        fc.array(event, { maxLength: 4 }),
        fc.record({ batch: fc.array(event, { maxLength: 4 }) }),
      ),
    ),
  ],
  ["/ingest/s/", json(fc.array(snapshot, { maxLength: 2 }))],
  ["/ingest/flags/?v=2", json(fc.record({ distinct_id: maybe(id), person_properties: maybe(properties) }))],
  ["/errors/envelope", envelope],
  ["/insights/1/events", json(fc.record({ events: maybe(fc.array(click, { maxLength: 3 })) }))],
  [
    "/feedback",
    json(
      fc.record({ path: maybe(fc.constant("/docs")), answer: maybe(fc.constant("yes")), text: maybe(text) }),
    ),
  ],
  ["/your-data/export", json(fc.record({ ids: maybe(fc.array(id, { maxLength: 2 })) }))],
];

/** Unchanged, compressed, as a form, damaged, or any bytes. */
const sent = fc.oneof(
  ...bodies.map(([path, body]) =>
    fc.tuple(
      fc.constant(path),
      fc.oneof({ weight: 9, arbitrary: body }, { weight: 1, arbitrary: text }),
      fc.constantFrom("plain", "gzip", "form", "cut", "damaged"),
    ),
  ),
);

function encode(body: string, form: string): Uint8Array<ArrayBuffer> | string {
  switch (form) {
    case "gzip":
      return new Uint8Array(gzipSync(body));
    case "form":
      return `data=${encodeURIComponent(Buffer.from(body).toString("base64"))}`;
    case "cut":
      return body.slice(0, Math.floor(body.length * 0.8));
    case "damaged": {
      const bytes = new Uint8Array(gzipSync(body));
      bytes[Math.min(12, bytes.length - 1)] = 0xff;
      return bytes;
    }
    default:
      return body;
  }
}

test("1. any body, 2. and reports of what was kept", { timeout: longer(900_000) }, async () => {
  const { request, store, log } = startTelemetry({
    limits: {
      requestsPerAddress: 1e9,
      eventsPerAddress: 1e9,
      bytesPerAddress: 1e12,
      sharePerAddress: 1e9,
      sharePerDay: 1e9,
      eventsPerMinute: 1e9,
    },
    forward: { sentry: { dsn: "http://key@127.0.0.1:9/1" } },
  });
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(sent, async ([path, body, form]) => {
      const response = await request(path, {
        method: "POST",
        body: encode(body, form),
        headers: {
          "content-type": /^\/(?:ingest|errors|insights)/.test(path) ? "text/plain" : "application/json",
          host: "localhost",
        },
        from: "127.0.0.1",
      });
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      const answer = await response.text();
      expect(response.status, answer).toBeLessThan(500);
      if (response.status >= 400 && response.status !== 413)
        expect(answer).toMatch(/"(?:detail|message)":"[^"]{5,}/);
    }),
    { numRuns: FUZZ_RUNS },
  );
  await store.flush();
  expect(statuses.get(200) ?? 0).toBeGreaterThan(FUZZ_RUNS / 20);
  expect(store.status()).toMatchObject({ queued: 0, dropped: 0 });
  const range = { from: 0, to: Date.now() + 3_600_000 };
  for (const name of ["overview", "pages", "errors", "recordings", "flagValues"] as const)
    await store.ask(name, range);
  for (const kind of ["top", "no-hits", "no-clicks"] as const)
    await store.ask("searches", { ...range, kind });
  await store.ask("surveyAnswers", { ...range, ids: ["found-it"] });
  for (const session of ["session-1", "session-2"]) await store.ask("recording", { sessionId: session });
  for (const { fingerprint } of await store.ask("errors", range))
    await store.ask("error", { ...range, fingerprint });
  expect(log.filter((line) => !line.includes("accepts no copies"))).toEqual([]);
});
