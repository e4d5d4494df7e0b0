/**
 * 1. A body over the limit is refused, with a declared length and without.
 * 2. So are too many queries, long and deep filters, and queries that come too late; too many words are cut.
 */
import { expect, test } from "vitest";
import { createSearchApp } from "./app.ts";
import { PUBLIC_INDEXES, wireStore } from "./test-documents.ts";
import { createSender, errorSchema } from "./test-requests.ts";

const store = wireStore();
const { send, errorOf } = createSender(createSearchApp({ publicIndexes: PUBLIC_INDEXES, store }));

const small = createSearchApp({
  publicIndexes: PUBLIC_INDEXES,
  store,
  limits: { searchBodyBytes: 1000, queriesPerRequest: 2, filterLength: 50 },
});
const post = (body: BodyInit, headers: { [name: string]: string } = {}) =>
  small.request("/multi-search", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
    duplex: "half",
  } as RequestInit);

test("1. bodies", async () => {
  const long = JSON.stringify({ queries: [{ indexUid: "docs", q: "x".repeat(2000) }] });
  const declared = await post(long, { "content-length": String(long.length) });
  expect(declared.status).toBe(413);
  const chunks = new ReadableStream({
    start(controller) {
      for (let at = 0; at < long.length; at += 100) {
        controller.enqueue(new TextEncoder().encode(long.slice(at, at + 100)));
      }
      controller.close();
    },
  });
  const streamed = await post(chunks);
  expect(streamed.status).toBe(413);
  expect(errorSchema.parse(await streamed.json()).code).toBe("payload_too_large");
});

test("2. queries, filters, words", async () => {
  const query = { indexUid: "docs", limit: 1 };
  const many = await post(JSON.stringify({ queries: [query, query, query] }));
  expect(errorSchema.parse(await many.json()).message).toContain("at most 2");
  const filter = `section = "${"x".repeat(60)}"`;
  const long = await post(JSON.stringify({ queries: [{ ...query, filter }] }));
  expect(errorSchema.parse(await long.json()).code).toBe("invalid_search_filter");
  let time = 0;
  const slow = createSearchApp({
    publicIndexes: PUBLIC_INDEXES,
    store,
    limits: { requestMs: 10 },
    now: () => (time += 8),
  });
  const late = await slow.request("/multi-search", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ queries: [query, query, query] }),
  });
  expect(late.status).toBe(503);
  expect(errorSchema.parse(await late.json()).message).toMatch(/^Inside `\.queries\[1\]`: .*10 ms/);
  const deep = await errorOf("/indexes/docs/search", { filter: "(".repeat(5000) });
  expect(deep.message).toContain("maximum depth");
  const { status } = await send("/indexes/docs/search", { q: "docker ".repeat(5000) });
  expect(status).toBe(200);
});
