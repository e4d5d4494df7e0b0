/**
 * 1. Searches in vain come with proposals, from a real database and the served index; words made less than three times are in no
 *    answer. 2. The effect is measured on all past searches that may be shown. 3. Without an index, and for actions that change
 *    no hits or cannot be saved, the answer says why. 4. Only operators ask. 5. Cancelling ends the work.
 */
import { expect, test } from "vitest";
import { buildDocsIndex } from "#docs/docs-index.ts";
import { createChangeTrials } from "#docs/try-search/try-change.ts";
import { dayOf } from "#telemetry/index.ts";
import { json, startConsole } from "../testing/console.ts";
import type { IndexTrials } from "./proposal-routes.ts";

const bytes = buildDocsIndex(
  [
    {
      objectID: "cache",
      url: "https://millrace.example.com/docs/cache/overview",
      anchor: "null",
      hierarchy_lvl0: "Cache",
      hierarchy_lvl1: "Layer cache",
      hierarchy_lvl2: "null",
      hierarchy_lvl3: "null",
      hierarchy_lvl4: "null",
      content: "Layers of images, kept for the next build.",
      type: "lvl1",
      level: 100,
      position: 0,
    },
  ],
  [],
);
const hit = { path: "/docs/cache/overview", trail: "Cache › Layer cache" };
const fromIndex = createChangeTrials(() => Promise.resolve(bytes));

async function open(trials: IndexTrials | undefined = fromIndex) {
  const { store, state, read, change } = startConsole(trials && { trials });
  const day = dayOf(state.now);
  const searches = (count: number, words: string, isFound: boolean) =>
    Array.from({ length: count }, () => ({ day, words, isFound }));
  store.write({
    views: [],
    searches: [
      ...searches(5, "strata", false),
      ...searches(4, "cache", true),
      ...searches(2, "my own secret", false),
    ],
    events: ["a", "b", "c"].flatMap((reader, index) =>
      [
        { name: "search", properties: { query: "strata" } },
        { name: "search", properties: { query: "layers" } },
        { name: "search_click", properties: { query: "layers", url: "/docs/cache/overview" } },
      ].map(({ name, properties }, step) => ({
        uuid: `${reader}${step}`,
        at: state.now - 60_000 + index * 10 + step,
        name,
        source: "posthog" as const,
        distinctId: reader,
        sessionId: reader,
        windowId: null,
        path: "/docs",
        properties: JSON.stringify(properties),
      })),
    ),
  });
  await store.flush();
  const headers = { ...json, "sec-fetch-site": "same-origin" };
  const measure = async (action: object, more: Record<string, string> = {}) => {
    const answer = await change("searches/effect", JSON.stringify(action), { ...headers, ...more });
    return { status: answer.status, body: (await answer.json()) as unknown };
  };
  return { read, measure };
}

const synonym = { kind: "synonym", words: ["strata", "layers"] };

test("1, 2. proposals and their effect", async () => {
  const { read, measure } = await open();
  const answer = await read("searches/proposals");
  const text = await answer.text();
  expect(JSON.parse(text)).toEqual([
    {
      query: "strata",
      alike: [],
      count: 5,
      lastDay: expect.any(Number),
      outcome: "nothing",
      proposals: [
        { ...synonym, evidence: "3 readers then searched for “layers” and opened a hit." },
        expect.objectContaining({ kind: "redirect", path: "/docs/cache/overview" }),
        expect.objectContaining({ kind: "page", title: "Strata" }),
      ],
    },
  ]);
  expect(text).not.toContain("secret");
  const csv = await read("searches/proposals?format=csv");
  expect(csv.headers.get("content-disposition")).toContain("searches-proposals.csv");
  const { status, body } = await measure(synonym);
  expect(status).toBe(200);
  expect(body).toEqual({
    kept: 2,
    tried: 2,
    emptyBefore: 1,
    found: { searches: 1, times: 5, rows: [{ query: "strata", count: 5, before: [], after: [hit] }] },
    changed: { searches: 0, times: 0, rows: [] },
  });
});

test("3, 4. refused", async () => {
  const { read, measure } = await open();
  const relevance = { kind: "relevance-test", query: "strata", path: "/docs", within: 1 };
  expect(await measure(relevance)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining("changes no search results") },
  });
  expect((await measure({ kind: "synonym", words: ["a", "A"] })).status).toBe(400);
  expect((await measure({ kind: "redirect", query: "x", path: "/docs/nowhere" })).status).toBe(400);
  expect((await measure(synonym, { cookie: "" })).status).toBe(401);
  expect((await read("searches/proposals", "")).status).toBe(401);
});

test("3. no index", async () => {
  const { store, read } = startConsole();
  await store.flush();
  const answer = await read("searches/proposals");
  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual({ message: "This server has no search index to try changes on." });
});

test("5. cancelled", async () => {
  const controller = new AbortController();
  const trials = createChangeTrials(() => {
    controller.abort();
    return Promise.resolve(bytes);
  });
  const change = { kind: "synonym", words: ["strata", "layers"] } as const;
  const searches = [{ query: "strata", count: 5 }];
  await expect(trials.measureEffect({ change, searches }, controller.signal)).rejects.toThrow();
  const later = new AbortController();
  const running = fromIndex.measureEffect({ change, searches }, later.signal);
  setImmediate(() => later.abort());
  await expect(running).rejects.toThrow(/cancelled|aborted/);
  // The next one is not blocked.
  expect(await fromIndex.measureEffect({ change, searches })).toMatchObject({ tried: 1 });
});
