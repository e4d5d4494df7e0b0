/**
 * 1. Written in pieces or in one go, an answer is what `JSON.stringify` returns, whatever it contains
 *    (oracle), and its length is right.
 * 2. Many hits take a step each, over all results; a page of hits takes none.
 */
import { Hono } from "hono";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { answerSteps } from "./answer-steps.ts";

function make(json: { [name: string]: unknown }) {
  const steps = answerSteps(json);
  for (let count = 0; ; count++) {
    const step = steps.next();
    if (step.done) return { answer: step.value, steps: count };
  }
}

async function textOf(json: { [name: string]: unknown }): Promise<string> {
  const { answer } = make(json);
  const app = new Hono().get("/", (context) => answer.send(context));
  const response = await app.request("/");
  expect(response.headers.get("content-length")).toBe(String(answer.byteLength));
  return response.text();
}

const value = fc.oneof(fc.jsonValue(), fc.string({ unit: "binary" }), fc.constant(undefined));
const hit = fc.dictionary(fc.constantFrom("id", "hits", "title", "__proto__", "é"), value, { maxKeys: 4 });
const result = fc.record({
  hits: fc.array(hit, { maxLength: 60 }),
  query: fc.string({ unit: "binary" }),
  facetDistribution: value,
  processingTimeMs: fc.integer(),
});

test("1. the same JSON", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(result, fc.record({ results: fc.array(result, { maxLength: 4 }) })),
      async (json) => {
        expect(await textOf(json)).toBe(JSON.stringify(json));
      },
    ),
    { numRuns: 100 },
  );
});

test("2. steps", () => {
  const hits = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));
  expect(make({ hits: hits(20), query: "a" }).steps).toBe(0);
  expect(make({ results: [{ hits: hits(20) }, { hits: hits(20) }] }).steps).toBe(0);
  expect(make({ hits: hits(1000) }).steps).toBeGreaterThanOrEqual(1000);
  const large = { results: Array.from({ length: 20 }, () => ({ hits: hits(100), query: "a" })) };
  expect(make(large).steps).toBeGreaterThanOrEqual(2000);
});
