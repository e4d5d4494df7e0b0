/**
 * Against a local stand-in for the chat's public endpoint.
 * 1. A number that arrives is put into every page with a place for it, in all encodings, with a new ETag;
 *    other files stay.
 * 2. It is requested at most once a minute, however many requests arrive.
 * 3. If the endpoint fails, hangs or returns nonsense, no number is shown; nothing is thrown.
 * 4. A known number stays for an hour of failures, and no longer.
 */
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { OnlineCount } from "../marketing/chat-link.tsx";
import { createCommunityCount } from "./community-count.ts";
import type { StaticFile, StaticFiles } from "#platform/http/static-files.ts";

const minute = 60_000;
let server: Server | undefined;
let requests = 0;

async function standIn(answer: RequestListener): Promise<string> {
  requests = 0;
  server = createServer((request, response) => {
    requests += 1;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address object.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/invite`;
}

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
});

const page = (html: string, type = "text/html; charset=utf-8"): StaticFile => ({
  type,
  etag: '"old"',
  cacheControl: "public, no-cache",
  csp: "default-src 'self'",
  identity: Buffer.from(html),
});

/** The element for the number, as in the pages. */
const place = renderToStaticMarkup(createElement(OnlineCount));

function someFiles(): StaticFiles {
  return new Map([
    ["/", page(`<a>${place}</a><p>${place}</p>`)],
    ["/docs", page("<p>No place</p>")],
    ["/x.txt", page(place, "text/plain")],
  ]);
}

/** Far above what the stand-in needs on a busy machine; the test of a hanging endpoint uses less. */
const patience = { answers: 10_000, hangs: 500 };

async function countAfter(answer: RequestListener, answerMs = patience.answers) {
  const files = someFiles();
  const url = await standIn(answer);
  const clock = { time: 0 };
  const count = createCommunityCount({ url, files, now: () => clock.time, answerMs });
  await count.refresh();
  return { files, count, clock, shown: () => files.get("/")?.identity.toString() ?? "" };
}

const json =
  (body: unknown): RequestListener =>
  (_request, response) =>
    response.end(JSON.stringify(body));

describe("an endpoint that answers", () => {
  it("(1) puts the number into the pages", async () => {
    const { files, shown } = await countAfter(json({ approximate_presence_count: 1217, guild: {} }));
    expect(shown().match(/1,217 online/g)).toHaveLength(2);
    const home = files.get("/");
    expect(brotliDecompressSync(home?.br ?? "").toString()).toBe(shown());
    expect(gunzipSync(home?.gzip ?? "").toString()).toBe(shown());
    expect(home?.etag).not.toBe('"old"');
    expect(home?.csp).toBe("default-src 'self'");
    expect(files.get("/docs")?.etag).toBe('"old"');
    expect(files.get("/x.txt")?.etag).toBe('"old"');
  });

  it("(2) is asked once a minute", async () => {
    const { count, clock } = await countAfter(json({ approximate_presence_count: 3 }));
    for (clock.time = 1; clock.time < minute; clock.time += 5_000) await count.refresh();
    expect(requests).toBe(1);
    clock.time = minute;
    await Promise.all([count.refresh(), count.refresh()]);
    expect(requests).toBe(2);
  });

  it("(1) follows the number", async () => {
    let online = 5;
    const { count, clock, shown } = await countAfter((_request, response) =>
      response.end(JSON.stringify({ approximate_presence_count: online })),
    );
    online = 6;
    clock.time = minute;
    await count.refresh();
    expect(shown()).toContain(">6 online<");
    expect(shown()).not.toContain("5 online");
  });
});

describe("an endpoint that does not help", () => {
  const answers: [string, RequestListener][] = [
    [
      "fails",
      (_request, response) => response.writeHead(500).end(JSON.stringify({ approximate_presence_count: 1 })),
    ],
    ["is busy", (_request, response) => response.writeHead(429).end("{}")],
    ["drops the connection", (request) => request.socket.destroy()],
    ["hangs", () => {}],
    [
      "hangs in the middle",
      (_request, response) => void response.writeHead(200).write('{"approximate_presence_count": 1'),
    ],
    ["redirects", (_request, response) => response.writeHead(302, { Location: "/invite" }).end()],
    ["says HTML", (_request, response) => response.end("<h1>Sign in</h1>")],
    ["says nothing", (_request, response) => response.end()],
    ["says too much", json({ approximate_presence_count: 1, more: "x".repeat(70_000) })],
    ...[-1, 1.5, "217", null, 9e9, true, [3]].map((value): [string, RequestListener] => [
      `claims ${JSON.stringify(value)}`,
      json({ approximate_presence_count: value }),
    ]),
    ["leaves the field out", json({ approximate_member_count: 4 })],
    ["answers a list", json([1, 2])],
  ];

  it.each(answers)("(3) that %s: no number", async (name, answer) => {
    const { shown } = await countAfter(answer, name.startsWith("hangs") ? patience.hangs : patience.answers);
    expect(requests).toBeGreaterThan(0);
    expect(shown()).toBe(someFiles().get("/")?.identity.toString());
  });

  it("(4) keeps what was known for an hour", async () => {
    let isBroken = false;
    const { count, clock, shown } = await countAfter((_request, response) =>
      isBroken
        ? response.writeHead(500).end()
        : response.end(JSON.stringify({ approximate_presence_count: 42 })),
    );
    isBroken = true;
    clock.time = 59 * minute;
    await count.refresh();
    expect(shown()).toContain("42 online");
    clock.time = 60 * minute;
    await count.refresh();
    expect(shown()).not.toContain("online<");
  });
});
