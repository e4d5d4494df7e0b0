/**
 * Properties of searches for a reader with a setup, on the current pages:
 * 1. Without a setup, requests and order do not change.
 * 2. With a setup, the reader's variant comes before the others, and the hit shows it.
 * 3. Nothing is hidden: the same sections are found, each once. No page that answers a question of this folder loses more
 *    than one place among the pages.
 * 4. Further pages continue the first one.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { search } from "#search/index.ts";
import { searchForSetup } from "#site/docs/anywhere/setup/search-for-setup.ts";
import { parseSetup } from "#site/docs/anywhere/setup/setup.ts";
import {
  searchQuery,
  type SearchAnswers,
  type SearchBody,
  type SearchRequest,
} from "#site/docs/search/protocol.ts";
import { pathOf } from "#docs/author/find-pages.ts";
import { openDocsSearch, type DocsSearch } from "./docs-search.ts";

let docs: DocsSearch;

beforeAll(async () => {
  docs = await openDocsSearch();
}, 60_000);

const bodies: SearchBody[] = [];

/** The server's answer to the body, without its protocol. */
async function send(body: SearchBody): Promise<SearchAnswers> {
  bodies.push(body);
  const results = body.queries.map(({ indexUid, q = "", filter, limit = 20, offset = 0 }) => {
    const { hits, total } = search(docs.index, {
      q,
      limit,
      offset,
      showScore: true,
      ...(filter && { filter }),
    });
    const shown = hits.map(({ document, score }) => ({ ...hitSchema.parse(document), _rankingScore: score }));
    return { indexUid, query: q, hits: shown, processingTimeMs: 0, estimatedTotalHits: total };
  });
  return { results };
}

const hitSchema = z.looseObject({ objectID: z.string(), url: z.string(), content: z.string() });

async function ask(query: string, setup = "", more: Partial<SearchRequest> = {}) {
  const body = { queries: [searchQuery({ indexUid: "docs", query, ...more })] };
  const { results } = await searchForSetup(send, body, parseSetup(setup));
  return results[0]!.hits.map(({ url, content }) => ({
    address: url.replace(/^https?:\/\/[^/]+/, ""),
    content,
  }));
}

const addressesOf = (hits: readonly { address: string }[]) => hits.map(({ address }) => address);
const pagesOf = (hits: readonly { address: string }[]) => [...new Set(addressesOf(hits).map(pathOf))];

test("without a setup the body is sent as it is (1)", async () => {
  bodies.length = 0;
  const body = { queries: [searchQuery({ indexUid: "docs", query: "cache", page: 1 })] };
  const answers = await searchForSetup(send, body, parseSetup("unknown"));
  expect(bodies).toEqual([body]);
  expect(answers).toEqual(await send(body));
});

describe("the reader's variant comes first (2)", () => {
  const reference = "/docs/container-builds/reference";
  test.each([
    ["the pipeline", "jenkins", `${reference}/jenkins#the-pipeline`, /./],
    ["the pipeline", "gitlab-ci", `${reference}/gitlab-ci#the-pipeline`, /./],
    ["the pipeline", "bitbucket-pipelines,arm64", `${reference}/bitbucket-pipelines#the-pipeline`, /./],
    ["install it", "pnpm", "/docs/cli/installation#install-it", /pnpm add/],
    ["install it", "yarn,zsh", "/docs/cli/installation#install-it", /yarn global add/],
    [
      "dockerfile node dependencies",
      "pnpm",
      "/docs/container-builds/how-to-guides/optimal-dockerfiles/node#the-dockerfile",
      /pnpm install/,
    ],
  ])("%s, %s", async (query, setup, address, content) => {
    const [first] = await ask(query, setup);
    expect(first?.address).toBe(address);
    expect(first?.content).toMatch(content);
    const [other] = await ask(query);
    expect(other).not.toEqual(first);
  });
});

const SETUPS = ["github-actions,amd64,npm,bash", "jenkins"];

const questionsSchema = z.record(
  z.string(),
  z.record(z.string(), z.array(z.union([z.string(), z.looseObject({ query: z.string() })]))),
);
const questions = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".yaml"))
  .flatMap((name) =>
    Object.entries(questionsSchema.parse(parse(readFileSync(join(import.meta.dirname, name), "utf8")))),
  )
  .flatMap(([wanted, ranks]) =>
    Object.values(ranks)
      .flat()
      .map((one) => ({ wanted: pathOf(wanted), query: typeof one === "string" ? one : one.query })),
  );

test.each(SETUPS)("nothing is hidden or lost for %s (3)", async (setup) => {
  const lost: string[] = [];
  for (const { query, wanted } of questions) {
    const before = pagesOf(await ask(query)).indexOf(wanted);
    const after = pagesOf(await ask(query, setup)).indexOf(wanted);
    if (before >= 0 && (after < 0 || after > before + 1))
      lost.push(`${query}: ${wanted} ${before} → ${after}`);
  }
  expect(questions.length).toBeGreaterThan(600);
  expect(lost).toEqual([]);
});

test.each(["cache", "install", "token in ci", "linux/arm64"])(
  "the same sections for %s (3)",
  async (query) => {
    const all = addressesOf(await ask(query, "", { hitsPerPage: 900 }));
    const own = addressesOf(await ask(query, SETUPS[0], { hitsPerPage: 900 }));
    expect(own).toHaveLength(all.length);
    expect([...own].sort()).toEqual([...all].sort());
  },
);

test("pages continue (4)", async () => {
  const setup = SETUPS[0];
  const whole = addressesOf(await ask("cache token", setup, { hitsPerPage: 59 }));
  const parts = await Promise.all(
    [0, 1, 2].map((page) => ask("cache token", setup, { hitsPerPage: 20, page })),
  );
  // Each requests one hit more than it shows.
  expect(parts.flatMap((part) => addressesOf(part).slice(0, 20))).toEqual(whole);
});
