/** `/console/api/explain?q=…`: readers' hits with the ranking's details for each. Not counted as a search. */
import type { Hono } from "hono";
import * as z from "zod";
import { siteConfig } from "#config";
import { EXPLAIN_PARAMETERS } from "#platform/text/explain-hit.ts";
import { type ExplainReport, MAX_QUERY_LENGTH } from "../screens/documentation/explain/hits.ts";

/** Answers a `/multi-search` body; rejects when the engine cannot. */
export type AskSearch = (body: unknown) => Promise<unknown>;

const HITS = 20;
/** The same request as from readers' pages, with one more hit than is shown: the window decides how many are ranked in full. */
const WINDOW = { limit: HITS + 1, offset: 0 };

const querySchema = z.string().trim().min(1).max(MAX_QUERY_LENGTH);
const answerSchema = z.object({
  results: z.tuple([
    z.object({
      hits: z.array(z.record(z.string(), z.unknown())),
      estimatedTotalHits: z.number().optional(),
    }),
  ]),
});

/** @param search absent when no engine answers */
export function addExplainRoute(app: Hono, search: AskSearch | undefined): void {
  app.get("/console/api/explain", async (context) => {
    const query = querySchema.safeParse(context.req.query("q") ?? "");
    if (!query.success)
      return context.json({ message: `q must be a search of 1 to ${MAX_QUERY_LENGTH} characters.` }, 400);
    try {
      return context.json(await explainSearch(search, query.data));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return context.json({ message: `The search cannot be explained: ${reason}` }, 503);
    }
  });
}

async function explainSearch(search: AskSearch | undefined, q: string): Promise<ExplainReport> {
  if (!search) throw new Error("this server has no search engine.");
  const query = { indexUid: siteConfig.search.indexName, q, ...EXPLAIN_PARAMETERS, ...WINDOW };
  const { results } = answerSchema.parse(await search({ queries: [query] }));
  const [{ hits, estimatedTotalHits }] = results;
  return { query: q, total: estimatedTotalHits ?? hits.length, hits: hits.slice(0, HITS) };
}
