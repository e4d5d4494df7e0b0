import { gzipSync } from "node:zlib";
import type { Attack, Stage } from "../attack.ts";
import { json, type Sent } from "../requests.ts";
import type { RunningServer } from "../server-process.ts";

/** Texts that make a backtracking regular expression try every start with every end. */
const addresses = "/? " + "http://".repeat(40_000);
/** As many as fit in an address. */
const commas = ",".repeat(7500);
const spaces = " ".repeat(100_000);
/** As many as fit in an address; only its end shows that it is not a word of capitals. */
const capitals = `${"A".repeat(8_000)}a`;

const event = (properties: object) => ({ event: "x", distinct_id: "a", properties });

function gzipped(path: string, body: unknown): Sent {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { method: "POST", path, body: gzipSync(text), headers: { "content-type": "text/plain" } };
}

function envelope(payload: object): string {
  return `{}\n{"type":"event"}\n${JSON.stringify(payload)}\n`;
}

const stack = {
  type: "Error",
  value: addresses,
  stacktrace: { frames: [{ filename: addresses, function: addresses, lineno: 1 }] },
};

export const regularExpressions: Attack = {
  item: 1,
  name: "texts that make regular expressions backtrack",
  bound: "Whatever a text looks like, reading it takes time in proportion to its length.",
  async run(stage) {
    const server = await stage.target();
    for (const [name, sent] of requests(stage.isShort)) await stage.strike(server, name, sent);
    await strikeHeaders(stage, server);
  },
};

function requests(isShort: boolean): [string, Sent][] {
  const first: [string, Sent][] = [
    ["$pathname of 280 KB in 510 bytes of gzip", gzipped("/ingest/e/", event({ $pathname: addresses }))],
    ["the same in an error report", gzipped("/errors/envelope", envelope({ message: addresses }))],
    ["capitals as the query of a page", { path: `/docs?q=${capitals}` }],
    ["sort= of a GET search", { path: `/indexes/docs/search?q=a&sort=${commas}` }],
  ];
  if (isShort) return first;
  const query = { eventType: "view", index: "docs", userToken: "a", objectIDs: ["a"] };
  return [
    ...first,
    [
      "$current_url of 280 KB",
      gzipped("/ingest/e/", event({ $current_url: addresses, $referrer: addresses })),
    ],
    ["a stack of 840 KB", gzipped("/errors/envelope", envelope({ exception: { values: [stack] } }))],
    [
      "spaces in an Insights event",
      json("/insights/1/events", { events: [{ ...query, eventName: spaces }] }),
    ],
    ["spaces as a query", json("/multi-search", { queries: [{ indexUid: "docs", q: `a${spaces}b` }] })],
    ["quotes as a query", json("/multi-search", { queries: [{ indexUid: "docs", q: '" '.repeat(50_000) }] })],
    ["a filter of spaces", json("/indexes/docs/search", { filter: `a =${spaces}` })],
    ["sort of parentheses", json("/indexes/docs/search", { sort: [`_geoPoint(${"(1,".repeat(20_000)}`] })],
    ["?q= of 14 KB", { path: `/docs?q=${"%20a".repeat(3500)}` }],
    ["a path of slashes", { path: `/docs${"/".repeat(14_000)}x/` }],
    [
      "feedback for a path of slashes",
      json("/feedback", { path: `/docs${"/a".repeat(4000)}!`, answer: "no", text: "" }),
    ],
  ];
}

/** Values that Node's parser accepts: 16 KB of headers. */
async function strikeHeaders(stage: Stage, server: RunningServer): Promise<void> {
  const values: [string, string][] = [
    ["accept", `text/markdown${";q=0".repeat(3500)}`],
    ["if-none-match", 'W/"'.repeat(4500)],
    ["accept-encoding", "gzip;q=0,".repeat(1500)],
    ["user-agent", "Mozilla/5.0 (".repeat(1100)],
    ["referer", `http://${"a.".repeat(7000)}`],
    ["content-type", `application/json${" ".repeat(14_000)}x`],
    ["authorization", `Bearer${" ".repeat(14_000)}`],
    ["cookie", "a=b;".repeat(3500)],
    ["x-forwarded-for", "1.1.1.1,".repeat(1700)],
  ];
  for (const [name, value] of stage.isShort ? values.slice(0, 2) : values)
    await stage.strike(server, `${name} of ${Math.round(value.length / 1000)} KB`, {
      path: name === "authorization" ? "/search/indexes" : "/docs?q=cache",
      headers: { [name]: value },
      ...(name === "content-type" && { path: "/multi-search", method: "POST", body: "{}" }),
    });
}
