/**
 * 1. An answer from the cache is the same answer, and a replaced index is seen immediately.
 * 2. An answer of more than a kilobyte is compressed for clients that accept it, and is the same answer.
 * 3. A kept answer is the same for clients that accept other encodings, and takes no more memory than it was
 *    sent with.
 * 4. The cache stays within its bytes; the least recently used answer goes first.
 * 5. A request that is already being searched shares that search; an answer of indexes that have changed
 *    since is not kept, and not given to requests after the change.
 * 6. A large answer is compressed once, by another thread, and is the same answer.
 */
import { gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { buildIndex, defaultSettings } from "#search/index.ts";
import { Answer } from "./answer.ts";
import { createAnswerCache } from "../searches/answer-cache.ts";
import { createSearchRoutes } from "../routes.ts";
import { PUBLIC_INDEXES, storeOf, wireDocuments, wireStore } from "../testing/documents.ts";

const app = createSearchRoutes({ publicIndexes: PUBLIC_INDEXES, store: wireStore() }).admin;

test("1. cached answers", async () => {
  const own = storeOf("docs", wireDocuments());
  const cached = createSearchRoutes({ publicIndexes: PUBLIC_INDEXES, store: own }).admin;
  const ask = async () => {
    const response = await cached.request("/multi-search", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ queries: [{ indexUid: "docs", q: "docker", limit: 3 }] }),
    });
    return response.text();
  };
  const first = await ask();
  expect(await ask()).toBe(first);
  own.replace("docs", buildIndex([{ id: 1, title: "docker" }], { ...defaultSettings(), primaryKey: "id" }));
  expect(JSON.parse(await ask())).toMatchObject({ results: [{ hits: [{ id: 1 }], estimatedTotalHits: 1 }] });
});

function ask(encoding: string, limit: number): Response | Promise<Response> {
  return app.request("/multi-search", {
    method: "POST",
    headers: { "content-type": "application/json", "accept-encoding": encoding },
    body: JSON.stringify({ queries: [{ indexUid: "docs", q: "docker", limit }] }),
  });
}

test("2. compressed answers", async () => {
  const plain = await ask("identity", 20);
  expect(plain.headers.get("content-encoding")).toBeNull();
  const text = await plain.text();
  for (const encoding of ["gzip", "deflate, gzip;q=1.0, br"]) {
    const packed = await ask(encoding, 20);
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(packed.headers.get("vary")).toBe("Accept-Encoding");
    expect(gunzipSync(await packed.arrayBuffer()).toString()).toBe(text);
  }
  expect((await ask("gzip;q=0", 20)).headers.get("content-encoding")).toBeNull();
  expect((await ask("gzip", 1)).headers.get("content-encoding")).toBeNull();
});

test("3. kept answers", async () => {
  const json = { text: "é €".repeat(1000) };
  const answer = new Answer(json);
  const site = new Hono().get("/", (context) => answer.send(context));
  const whole = answer.byteLength;
  expect(whole).toBe(Buffer.byteLength(JSON.stringify(json)));
  const plain = await site.request("/");
  expect(plain.headers.get("content-length")).toBe(String(whole));
  expect(await plain.json()).toEqual(json);
  expect(answer.keptBytes).toBe(whole);
  const packed = await site.request("/", { headers: { "accept-encoding": "gzip" } });
  expect(answer.keptBytes).toBe((await packed.arrayBuffer()).byteLength);
  expect(await (await site.request("/")).json()).toEqual(json);
});

test("4. what the cache keeps", async () => {
  const store = wireStore();
  const cache = createAnswerCache(store, 500);
  const keep = async (body: string, answer: Answer) => {
    await cache.share(body, () => Promise.resolve(answer));
    cache.set(body, answer);
  };
  const answers = ["a", "b", "c"].map((letter) => new Answer(letter.repeat(196)));
  await keep("a", answers[0]!);
  await keep("b", answers[1]!);
  expect(cache.get("a")).toBe(answers[0]);
  await keep("c", answers[2]!);
  expect(["a", "b", "c"].map((body) => cache.get(body) !== undefined)).toEqual([true, false, true]);
  await keep("large", new Answer("x".repeat(600)));
  expect(cache.get("large")).toBeUndefined();
  store.remove("blog");
  expect(cache.get("a")).toBeUndefined();
});

test("5. shared and stale answers", async () => {
  const store = wireStore();
  const cache = createAnswerCache(store, 10_000);
  let made = 0;
  const finish: ((answer: Answer) => void)[] = [];
  const make = () => {
    made++;
    return new Promise<Answer>((resolve) => finish.push(resolve));
  };
  const first = cache.share("a", make);
  const second = cache.share("a", make);
  const other = cache.share("b", make);
  expect(made).toBe(2);
  store.remove("blog");
  const later = cache.share("a", make);
  expect(made).toBe(3);
  const [old, fresh] = [new Answer("old"), new Answer("new")];
  finish[0]!(old);
  finish[1]!(new Answer("other"));
  finish[2]!(fresh);
  expect(await Promise.all([first, second])).toEqual([old, old]);
  await other;
  expect(await later).toBe(fresh);
  cache.set("a", old);
  expect(cache.get("a")).toBeUndefined();
  cache.set("a", fresh);
  expect(cache.get("a")).toBe(fresh);
  const failing = cache.share("c", () => Promise.reject(new Error("full")));
  await expect(failing).rejects.toThrow("full");
  const again = cache.share("c", make);
  finish[3]!(fresh);
  expect(await again).toBe(fresh);
});

test("6. large answers", async () => {
  const json = { text: Array.from({ length: 100_000 }, (_, at) => at) };
  const answer = new Answer(json);
  const site = new Hono().get("/", (context) => answer.send(context));
  const ask = () => site.request("/", { headers: { "accept-encoding": "gzip" } });
  const bodies = (await Promise.all([ask(), ask()])).map(async (response) => {
    expect(response.headers.get("content-encoding")).toBe("gzip");
    return Buffer.from(await response.arrayBuffer());
  });
  const [one, two] = await Promise.all(bodies);
  expect(one!.equals(two!)).toBe(true);
  expect(JSON.parse(gunzipSync(one!).toString())).toEqual(json);
  expect(answer.keptBytes).toBe(one!.length);
});
