// @vitest-environment happy-dom
// @vitest-environment-options {"url": "https://site.test/docs?q=cachng&section=Cache"}
/**
 * 1. A press shows which words of a hit matched and how, and its score by each rule, from the same search with details: the
 *    page's query and filters, down to the hit's place. Another press closes it. 2. A missing hit and a server that does
 *    not answer show a message.
 */
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, expect, test, vi } from "vitest";
import { WhyThisResult } from "./why-this-result.tsx";

vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
afterEach(() => document.body.replaceChildren());

const hit = { objectID: "a", url: "https://site.test/docs/cache", content: "Caching" };
const detailed = {
  ...hit,
  _formatted: { content: "__ais-highlight__Caching__/ais-highlight__" },
  _rankingScore: 0.25,
  _rankingScoreDetails: { title: { order: 0, score: 0.5, weight: 0.4 } },
};

async function open(answer: () => Promise<unknown>, index = 0) {
  const asked: { url: string; body: unknown }[] = [];
  vi.stubGlobal("fetch", (url: string, init: { body: string }) => {
    asked.push({ url, body: JSON.parse(init.body) as unknown });
    return answer().then((json) => ({ json: () => Promise.resolve(json) }));
  });
  const container = document.body.appendChild(document.createElement("div"));
  await act(() => createRoot(container).render(createElement(WhyThisResult, { hit, index })));
  const press = () => act(async () => container.querySelector("button")?.click());
  await press();
  return { container, asked, press };
}

test("1. why", async () => {
  const { container, asked, press } = await open(
    () => Promise.resolve({ results: [{ hits: [detailed] }] }),
    20,
  );
  expect(container.textContent).toContain("Score 0.250. caching: 1 typo in “cachng”, in content.");
  expect([...container.querySelectorAll("tbody td")].map((cell) => cell.textContent)).toEqual([
    "0.500",
    "0.400",
    "0.200",
  ]);
  expect(asked).toEqual([
    {
      url: "/multi-search",
      body: {
        queries: [
          expect.objectContaining({
            q: "cachng",
            limit: 41,
            showRankingScoreDetails: true,
            filter: expect.anything(),
          }),
        ],
      },
    },
  ]);
  await press();
  expect(container.querySelector("table")).toBeNull();
});

test("2. what cannot be told", async () => {
  const gone = await open(() => Promise.resolve({ results: [{ hits: [] }] }));
  expect(gone.container.textContent).toContain("search again");
  const away = await open(() => Promise.reject(new TypeError("fetch failed")));
  expect(away.container.textContent).toContain("is not responding");
});
