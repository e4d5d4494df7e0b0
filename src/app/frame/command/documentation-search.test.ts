/**
 * 1. Hits become places of this server with their deepest title; one for each address, five at most.
 * 2. Other addresses, and answers of another shape, never become links.
 */
import { expect, test } from "vitest";
import { hitsOf } from "./documentation-search.ts";

const hit = (url: string, ...titles: (string | null)[]) => ({
  url,
  ...Object.fromEntries(titles.map((title, index) => [`hierarchy_lvl${index + 1}`, title])),
});
const answer = (...hits: unknown[]) => ({ results: [{ hits }] });

test("1. hits", () => {
  const body = answer(
    hit("https://docs.example/docs/cache/overview#limits", "Layer cache", "Limits", "null"),
    hit("https://docs.example/docs/cache/overview#limits", "Layer cache", "Limits", "Sizes"),
    hit("https://docs.example/docs/cache/overview", "<b>Layer</b> cache", null),
  );
  expect(hitsOf(body)).toEqual([
    { title: "Limits", page: "Layer cache", to: "/docs/cache/overview#limits" },
    { title: "<b>Layer</b> cache", page: "", to: "/docs/cache/overview" },
  ]);
  const many = Array.from({ length: 20 }, (_, index) => hit(`https://docs.example/docs/${index}`, "Page"));
  expect(hitsOf(answer(...many))).toHaveLength(5);
});

test("2. something else", () => {
  const bad = ["javascript:alert(1)", "https://docs.example/app/sign-out", "docs", 7, null];
  expect(
    hitsOf(answer(...bad.map((url) => ({ url, hierarchy_lvl1: "Page" })), hit("https://x/docs"))),
  ).toEqual([]);
  for (const body of [undefined, null, 7, {}, { results: [] }, { results: [{ hits: 7 }] }])
    expect(() => hitsOf(body)).toThrow("sent an invalid response");
});
