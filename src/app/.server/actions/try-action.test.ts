/**
 * 1. A synonym is tried with the reader's word, a redirect of a search with the search; both comparisons are returned.
 * 2. A redirect of an address names the page that it leads to.
 * 3. An action that could not be saved, or that changes nothing, is refused before the trial; a failed trial says why.
 * 4. Nothing is written, even where actions write.
 * 5. Only operators can try.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { json, startConsole } from "../../testing/console.ts";
import type { TryChange } from "./try-action.ts";

const hit = { path: "/docs/cache/overview", trail: "Cache" };

function open(compare: TryChange = () => Promise.resolve({ before: [], after: [hit] })) {
  const asked: unknown[] = [];
  const { change } = startConsole({
    tryChange: (request) => {
      asked.push(request);
      return compare(request);
    },
  });
  const attempt = async (action: object, headers: Record<string, string> = {}) => {
    const body = JSON.stringify(action);
    const answer = await change("searches/try", body, {
      ...json,
      "sec-fetch-site": "same-origin",
      ...headers,
    });
    return { status: answer.status, body: (await answer.json()) as unknown };
  };
  return { attempt, asked };
}

test("1, 4. before and after", async () => {
  const before = readFileSync("content/synonyms.yaml", "utf8");
  const { attempt, asked } = open();
  const words = ["a word of a reader", "cache"];
  expect(await attempt({ kind: "synonym", words })).toEqual({
    status: 200,
    body: { kind: "hits", query: "a word of a reader", before: [], after: [hit] },
  });
  await attempt({ kind: "redirect", query: "what a reader types", path: "/docs/cache/overview" });
  expect(asked).toEqual([
    { change: { kind: "synonym", words }, query: "a word of a reader" },
    {
      change: { kind: "keyword", keyword: "what a reader types", path: "/docs/cache/overview" },
      query: "what a reader types",
    },
  ]);
  expect(readFileSync("content/synonyms.yaml", "utf8")).toBe(before);
});

test("2. where it leads", async () => {
  const { attempt } = open();
  const { status, body } = await attempt({ kind: "moved", from: "/docs/no-such-page", to: "/docs" });
  expect(status).toBe(200);
  expect(body).toEqual({ kind: "lead", path: "/docs", title: expect.stringMatching(/^[A-Z]/) });
});

test("3, 5. refused", async () => {
  const { attempt, asked } = open();
  const nowhere = { kind: "moved", from: "/docs/x", to: "/docs/nowhere" };
  expect(await attempt(nowhere)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining("no page /docs/nowhere") },
  });
  expect((await attempt({ kind: "synonym", words: ["a", "A"] })).status).toBe(400);
  expect((await attempt({ kind: "relevance-test", query: "zzz", path: "/docs", within: 1 })).status).toBe(
    400,
  );
  expect((await attempt({ kind: "nothing" })).status).toBe(400);
  expect((await attempt(nowhere, { cookie: "" })).status).toBe(401);
  expect((await attempt(nowhere, { "sec-fetch-site": "cross-site" })).status).toBe(403);
  expect(asked).toEqual([]);
  const busy = open(() => Promise.reject(new Error("Another change is being tried.")));
  expect(await busy.attempt({ kind: "synonym", words: ["one thing", "another"] })).toEqual({
    status: 400,
    body: { message: "Another change is being tried." },
  });
});
