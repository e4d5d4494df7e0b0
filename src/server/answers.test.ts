/**
 * Answers among the other rooms:
 *
 * 1. With a model, answers to searches name it, and `/answers` is served; each client has a limit for questions.
 * 2. Without one there is no header and no address.
 * 3. A model's address without its name, a key without an address, and the reverse are refused at the start; the key is a secret.
 */
import { Hono } from "hono";
import { expect, test } from "vitest";
import { answerRoom, modelRoom } from "#answers/index.ts";
import { emptyNavigation } from "#docs/content/navigation/navigation.ts";
import { consoleLog } from "#platform/log/log.ts";
import { ANSWER_RATE } from "#platform/http/limits/request-rates.ts";
import { createSearchRoutes, searchMounts } from "#search-server/index.ts";
import { storeOf, wireDocuments } from "#search-server/testing/documents.ts";
import { createApp } from "./app.ts";
import { createEdge } from "./edge.ts";
import { parseEnvironment, secretsOf } from "./environment.ts";

const SET = { ANSWERS_URL: "http://127.0.0.1:9/v1", ANSWERS_MODEL: "small", ANSWERS_API_KEY: "a-long-key" };

const MODEL_HEADER = "Millrace-Answers";

async function open(variables: Record<string, string>) {
  const env = parseEnvironment(variables);
  const { gives } = await modelRoom.open({}, env);
  const content = { pages: [], navigation: emptyNavigation, redirects: [] };
  const { room } = await answerRoom.open(
    {
      ...gives,
      log: consoleLog,
      askQuietly: async () => ({ results: [{ hits: [] }] }),
      content: () => content,
    },
    env as never,
  );
  const routes = createSearchRoutes({ store: storeOf("docs", wireDocuments()), publicIndexes: ["docs"] });
  const pages = new Hono().all("*", (context) => context.text("No page.", 404));
  const site = { part: "site", paths: ["/*"], takesTurns: true, serve: () => pages };
  const mounts = [...searchMounts(routes, gives.searchHeaders), ...room.mounts, site];
  const app = createApp({ origin: env.SITE_ORIGIN, rooms: [{ mounts }] }, createEdge());
  return (path: string, body: object) =>
    app.request(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
}

const SEARCH = { queries: [{ indexUid: "docs", q: "cache" }] };
const QUESTION = { question: "How long are images kept?" };

test("1. with a model", async () => {
  const post = await open(SET);
  expect((await post("/multi-search", SEARCH)).headers.get(MODEL_HEADER)).toBe("small 127.0.0.1");
  const statuses: number[] = [];
  for (let count = 0; count <= ANSWER_RATE.burst; count++) {
    const answer = await post("/answers", QUESTION);
    statuses.push(answer.status);
    expect(await answer.text()).toMatch(
      count < ANSWER_RATE.burst ? /^event: unknown/ : /^Too many questions/,
    );
  }
  expect(statuses.at(-1)).toBe(429);
});

test("2. without one", async () => {
  const post = await open({});
  const search = await post("/multi-search", SEARCH);
  expect([search.status, search.headers.has(MODEL_HEADER)]).toEqual([200, false]);
  expect((await post("/answers", QUESTION)).status).toBe(404);
});

test("3. settings", () => {
  const { ANSWERS_URL, ANSWERS_MODEL, ANSWERS_API_KEY } = SET;
  expect(() => parseEnvironment({ ANSWERS_URL })).toThrow("ANSWERS_URL: also needs ANSWERS_MODEL");
  expect(() => parseEnvironment({ ANSWERS_MODEL })).toThrow("ANSWERS_MODEL: also needs ANSWERS_URL");
  expect(() => parseEnvironment({ ANSWERS_API_KEY })).toThrow("ANSWERS_API_KEY: also needs ANSWERS_URL");
  expect(() => parseEnvironment({ ...SET, ANSWERS_API: "other" })).toThrow("must be openai or anthropic");
  expect(() => parseEnvironment({ ...SET, ANSWERS_MODEL: "two words" })).toThrow("without spaces");
  expect(secretsOf(parseEnvironment(SET))).toContain(ANSWERS_API_KEY);
});
