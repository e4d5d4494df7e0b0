/**
 * The tool `search_docs`: the readers' search, queried like a page with `?q=`, with its hits as text.
 *
 *     2. How the cache works › Eviction (Build Cache)
 *        https://docs.example.com/docs/cache/overview#eviction
 *        When a namespace is full, what was not read for longest is removed.
 */
import * as z from "zod";
import { siteConfig } from "#config";
import { previewNote } from "../content/page/preview-note.ts";
import type { SearchRecord } from "../records/types.ts";
import type { Library } from "./library.ts";
import { DEFAULT_HITS, EXAMPLE_QUERIES, MAX_HITS, MAX_QUERY_LENGTH } from "./limits.ts";
import { createTool, type DocsTool, type ToolAnswer, ToolError } from "./tool.ts";

/** Answers a body of /multi-search, with the site's provider. @throws if it cannot */
export type AskSearch = (body: {
  queries: {
    indexUid: string;
    q: string;
    filter?: string[];
    limit: number;
    attributesToRetrieve: string[];
  }[];
}) => Promise<unknown>;

interface SearchOptions {
  search: AskSearch;
  onError: (error: unknown) => void;
}

export function createSearchTool({ search, onError }: SearchOptions, { sections, pages }: Library): DocsTool {
  return createTool({
    name: "search_docs",
    title: `Search the documentation of ${siteConfig.name}`,
    description: `Searches the documentation of ${siteConfig.name} with the site's own search and returns passages, best match first, each with its address. Use words rather than sentences; identifiers, commands, settings and error messages work too. To read more, pass an address to read_page.`,
    input: z.strictObject({
      query: z
        .string()
        .trim()
        .min(1)
        .max(MAX_QUERY_LENGTH)
        .describe("What to search for, as you would type it into a search box.")
        .meta({ examples: exampleQueries(pages) }),
      limit: z
        .int()
        .min(1)
        .max(MAX_HITS)
        .default(DEFAULT_HITS)
        .describe("Maximum number of passages to return."),
      section: z
        .enum(sections)
        .optional()
        .describe("Return only passages of this section of the documentation, if it has any."),
    }),
    output: answerSchema,
    async answer({ query, limit, section }) {
      const find = async (within?: string) => {
        const found = await search({ queries: [questionOf(query, limit, within)] });
        return answersSchema.parse(found).results[0]?.hits.slice(0, limit) ?? [];
      };
      try {
        const hits = await find(section);
        if (hits.length > 0 || section === undefined)
          return answerOf(query, hits, { pages, section: section ?? null });
        // The second search keeps a query that only chose the wrong section out of the list of searches without hits.
        const { text, data } = answerOf(query, await find(), { pages, section: null });
        return { text: `Nothing was found in the section "${section}". Everywhere: ${text}`, data };
      } catch (error) {
        onError(error);
        throw new ToolError("Search is not responding. Try again in a minute.");
      }
    },
  });
}

/** Questions that readers ask, from the front matter of pages far apart, so that they show what can be asked. */
function exampleQueries(pages: Library["pages"]): string[] {
  const questions = [...pages.values()].flatMap((page) => page.questions[0] ?? []);
  const step = Math.max(1, Math.floor(questions.length / EXAMPLE_QUERIES));
  return questions.filter((_, at) => at % step === 0).slice(0, EXAMPLE_QUERIES);
}

const answerSchema = z.object({
  query: z.string(),
  section: z.string().nullable().describe("The section that was searched; null: all of them."),
  passages: z
    .array(
      z.object({
        title: z.string().describe("The page and the headings above the passage."),
        section: z.string().describe("The section of the documentation; may be empty."),
        url: z.string().describe("The passage's address, for read_page and for citing."),
        text: z.string().describe("Markdown; may be empty for a heading."),
        isPreview: z.boolean().describe("Whether the page is about a part that does not run yet."),
      }),
    )
    .max(MAX_HITS)
    .describe("Best match first."),
});

function answerOf(
  query: string,
  hits: readonly Hit[],
  { pages, section }: { pages: Library["pages"]; section: string | null },
): ToolAnswer<z.infer<typeof answerSchema>> {
  const passages = hits.map((hit) => ({
    title: titleOf(hit),
    section: hit.hierarchy_lvl0,
    url: hit.url,
    text: passageOf(hit),
    isPreview: pageOf(hit, pages)?.availability === "preview",
  }));
  return { text: describeHits(query, hits, pages), data: { query, section, passages } };
}

function describeHits(query: string, hits: readonly Hit[], pages: Library["pages"]): string {
  if (hits.length === 0) return `Nothing was found for "${query}". Try fewer or other words.\n`;
  const count = hits.length === 1 ? "One passage" : `${hits.length} passages, best match first,`;
  const lines = hits.map((hit, at) => `${at + 1}. ${describeHit(hit, pages)}`);
  return `${count} for "${query}":\n\n${lines.join("\n\n")}\n`;
}

const questionOf = (query: string, limit: number, section: string | undefined) => ({
  indexUid: siteConfig.search.indexName,
  q: query,
  limit,
  attributesToRetrieve: [...SHOWN],
  ...(section !== undefined && { filter: [`hierarchy_lvl0 = ${JSON.stringify(section)}`] }),
});

const LEVELS = ["hierarchy_lvl1", "hierarchy_lvl2", "hierarchy_lvl3", "hierarchy_lvl4"] as const;
const SHOWN = [
  "url",
  "type",
  "hierarchy_lvl0",
  ...LEVELS,
  "content",
  "columns",
  "summary",
] as const satisfies readonly (keyof SearchRecord)[];

/** The literal "null" stands for an absent value. */
const text = z
  .string()
  .nullish()
  .transform((value) => (value === "null" ? "" : (value ?? "")));

const hitSchema = z.object({
  url: z.string(),
  type: z.string().optional(),
  hierarchy_lvl0: text,
  hierarchy_lvl1: text,
  hierarchy_lvl2: text,
  hierarchy_lvl3: text,
  hierarchy_lvl4: text,
  content: text,
  columns: z.array(z.string()).optional(),
  summary: text,
});
const answersSchema = z.object({ results: z.array(z.object({ hits: z.array(hitSchema) })) });
type Hit = z.infer<typeof hitSchema>;

const titleOf = (hit: Hit): string =>
  LEVELS.map((level) => hit[level])
    .filter((name) => name !== "")
    .join(" › ");

const pageOf = ({ url }: Hit, pages: Library["pages"]) =>
  pages.get(URL.parse(url, "http://docs.invalid")?.pathname ?? "");

function describeHit(hit: Hit, pages: Library["pages"]): string {
  const section = hit.hierarchy_lvl0 && ` (${hit.hierarchy_lvl0})`;
  const page = pageOf(hit, pages);
  const lines = [
    titleOf(hit) + section,
    hit.url,
    ...(page ? previewNote(page) : []),
    ...passageOf(hit).split("\n"),
  ];
  return lines
    .filter((line) => line !== "")
    .map((line, at) => (at === 0 ? line : `   ${line}`))
    .join("\n");
}

function passageOf({ type, content, columns = [], summary }: Hit): string {
  if (content === "") return summary;
  if (type === "code") return `\`\`\`\n${content}\n\`\`\``;
  if (type !== "row") return content;
  const cells = content.split("\t").map((cell, at) => (columns[at] ? `${columns[at]}: ${cell}` : cell));
  return cells.join(" | ");
}
