/**
 * A day of readers, sent to a running server through its real endpoints: views, searches, events of readers who agreed,
 * answers, an error and a recording. Used by the console's tests; by hand: `node tests/e2e/seed-telemetry.ts http://localhost:3000`.
 */
import { randomUUID } from "node:crypto";
import { pathToFileURL } from "node:url";
import { recordedVisit } from "../fixtures/telemetry/recorded-visit.ts";

const readers = Array.from({ length: 6 }, (_, index) => `reader-${index + 1}`);
const agents = [
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
  "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/27.0 Safari/605.1.15",
];
const pages = ["/docs", "/docs/container-builds/quickstart", "/docs/cache/overview", "/docs/faq", "/"];
const referrers = ["https://github.com/", "https://news.ycombinator.com/item?id=1", undefined, undefined];

/** Queries with how often they are asked, whether they have hits and whether readers click one. */
const seededSearches = [
  { query: "layer cache", count: 5, clicks: 3 },
  { query: "github actions", count: 3, clicks: 0 },
  { query: "xqzvwkjy", count: 2, clicks: 0 },
];

const seededError = {
  type: "TypeError",
  value: "Cannot read properties of undefined (reading 'writeText')",
};

export interface Seeded {
  sessionId: string;
}

/** @param events of rrweb, instead of the small invented visit. */
export async function seedTelemetry(
  origin: string,
  events: unknown[] = recordedVisit(Date.now() - 60_000),
): Promise<Seeded> {
  const sessionId = randomUUID();
  const send = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const response = await fetch(origin + path, {
      method: "POST",
      body: text,
      headers: { "Content-Type": "application/json", ...headers },
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    await response.arrayBuffer();
  };

  await openPages(origin);
  // The console shows words that were searched three times.
  for (const [index, { query }] of seededSearches.entries())
    for (let visit = 0; visit < 3; visit += 1)
      await send(
        "/multi-search",
        { queries: [{ indexUid: "docs", q: query }] },
        { "User-Agent": `${agents[0]} ${index} ${visit}` },
      );
  await send("/ingest/e/", { api_key: "millrace", batch: eventsOfReaders(sessionId) });
  await send("/ingest/s/", [snapshotOf(sessionId, events)]);
  await send("/errors/envelope", envelope(origin), {
    "Content-Type": "text/plain",
    "User-Agent": agents[1] ?? "",
  });
  await send("/feedback", { path: "/docs/faq", answer: "no", text: "How do I mirror <b>Docker Hub</b>?" });
  await send("/feedback", { path: "/docs/faq", answer: "yes", text: "" });
  return { sessionId };
}

async function openPages(origin: string): Promise<void> {
  for (let visit = 0; visit < 24; visit += 1) {
    const referrer = referrers[visit % referrers.length];
    const headers = {
      "User-Agent": agents[visit % agents.length] ?? "",
      ...(referrer && { Referer: referrer }),
    };
    const response = await fetch(origin + pages[visit % pages.length], { headers });
    await response.arrayBuffer();
  }
}

function eventsOfReaders(sessionId: string) {
  const now = Date.now();
  const event = (name: string, reader: string, properties: object = {}, minutesAgo = 0) => ({
    uuid: randomUUID(),
    event: name,
    distinct_id: reader,
    timestamp: new Date(now - minutesAgo * 60_000).toISOString(),
    properties: {
      $session_id: reader === readers[0] ? sessionId : `session-of-${reader}`,
      $current_url: "https://docs.example.com/docs/faq",
      $pathname: "/docs/faq",
      ...properties,
    },
  });
  return [
    ...readers.map((reader, index) => event("$pageview", reader, {}, index)),
    ...readers.map((reader, index) =>
      event("$feature_flag_called", reader, {
        $feature_flag: "new-outline",
        $feature_flag_response: index % 2 === 0,
      }),
    ),
    ...seededSearches.flatMap(({ query, count, clicks }) => [
      ...Array.from({ length: count }, (_, index) =>
        event("search", readers[index] ?? "reader-1", { query, hits: 7 }),
      ),
      ...Array.from({ length: clicks }, (_, index) =>
        event("search_click", readers[index] ?? "reader-1", { query, position: index + 1 }),
      ),
    ]),
  ];
}

function snapshotOf(sessionId: string, events: unknown[]) {
  return {
    event: "$snapshot",
    properties: {
      distinct_id: readers[0],
      $session_id: sessionId,
      $window_id: randomUUID(),
      $snapshot_bytes: JSON.stringify(events).length,
      $snapshot_data: events,
    },
  };
}

/** As the browser's SDK sends it: three lines, one JSON each. */
function envelope(origin: string): string {
  const eventId = randomUUID().replaceAll("-", "");
  const frame = (name: string, file: string, line: number) => ({
    function: name,
    filename: `${origin}/assets/${file}`,
    lineno: line,
    colno: 9,
    in_app: true,
  });
  const event = {
    event_id: eventId,
    timestamp: Date.now() / 1000,
    platform: "javascript",
    release: "2026.11.21",
    environment: "production",
    request: { url: `${origin}/docs/faq` },
    exception: {
      values: [
        {
          ...seededError,
          stacktrace: {
            frames: [frame("onClick", "docs-app.js", 40), frame("copyMarkdown", "docs-app.js", 14)],
          },
        },
      ],
    },
  };
  return [{ event_id: eventId, sent_at: new Date().toISOString() }, { type: "event" }, event]
    .map((line) => JSON.stringify(line))
    .join("\n");
}

const isCommand = process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href;
if (isCommand) {
  const origin = process.argv[2] ?? "http://localhost:3000";
  const { sessionId } = await seedTelemetry(origin);
  console.log(`Sent a day of readers to ${origin}; the recording is /console/recordings/${sessionId}`);
}
