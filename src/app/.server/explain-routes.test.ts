/**
 * 1. The hits are the readers' hits: same index, same window, with the ranking's details; one more than is shown is requested.
 * 2. Only operators get them.
 * 3. A query has 1 to 512 characters; an engine that fails, answers something else or is absent gives 503 with the reason.
 */
import { expect, test } from "vitest";
import { startConsole } from "../testing/console.ts";

const hits = Array.from({ length: 21 }, (_, at) => ({ url: `/docs/${at}`, _rankingScore: 1 / (at + 1) }));

function open(search: (body: unknown) => Promise<unknown>) {
  const asked: unknown[] = [];
  const answer = (body: unknown) => {
    asked.push(body);
    return search(body);
  };
  return { ...startConsole({ search: answer }), asked };
}

test("1, 2. as readers get them, for operators", async () => {
  const { read, asked } = open(() => Promise.resolve({ results: [{ hits, estimatedTotalHits: 77 }] }));
  expect((await read("explain?q=cache", "somebody")).status).toBe(401);
  expect(asked).toEqual([]);
  const answer = await read("explain?q=%20layer%20cache%20");
  expect(await answer.json()).toEqual({ query: "layer cache", total: 77, hits: hits.slice(0, 20) });
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(asked).toEqual([
    {
      queries: [
        expect.objectContaining({
          indexUid: "docs",
          q: "layer cache",
          limit: 21,
          offset: 0,
          showRankingScoreDetails: true,
        }),
      ],
    },
  ]);
});

test("3. what cannot be explained", async () => {
  const { read, asked } = open((body) =>
    JSON.stringify(body).includes("away")
      ? Promise.reject(new Error("Too many searches."))
      : Promise.resolve({ results: [] }),
  );
  for (const query of ["", "%20", "x".repeat(513)])
    expect((await read(`explain?q=${query}`)).status).toBe(400);
  expect(asked).toEqual([]);
  const failed = await read("explain?q=away");
  expect([failed.status, await failed.json()]).toEqual([
    503,
    { message: "The search cannot be explained: Too many searches." },
  ]);
  expect((await read("explain?q=odd")).status).toBe(503);
  expect((await startConsole().read("explain?q=x")).status).toBe(503);
});
