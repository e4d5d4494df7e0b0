/**
 * 1. Hits are listed in their order, each with its place, its address and its text: a paragraph, code, a row with the names
 *    of its columns, a heading's first sentence. Absent and "null" values are left out. A hit says if its part does not run
 *    yet.
 * 2. The query is the site's own: the same index, the unchanged text, and a section as a filter that no name can escape;
 *    if a section has no hits, all sections are searched.
 * 3. The model is told if nothing is found; if the search does not answer, the model gets an error without the
 *    reason, and the operator gets the reason.
 * 4. Input beyond its limits is refused before any search.
 */
import { expect, test } from "vitest";
import { pageOf } from "../content/checks/page-fixture.ts";
import { createLibrary } from "./library.ts";
import { MAX_HITS, MAX_QUERY_LENGTH } from "./limits.ts";
import { createSearchTool } from "./search-docs.ts";

const HIT = {
  url: "http://docs.test/docs/cache#limits",
  hierarchy_lvl0: "Build Cache",
  hierarchy_lvl1: "Cache",
};
const SECTION = 'Build "Cache"';

function open(answer: () => Promise<unknown>) {
  const asked: unknown[] = [];
  const errors: unknown[] = [];
  const search = (body: unknown) => {
    asked.push(body);
    return answer();
  };
  const links = ["/docs/cache", "/docs/runners"].map((to) => {
    return { to, label: "Cache", end: true, isPreview: false, links: [], more: [] };
  });
  const section = { name: SECTION, icon: "x", isPreview: false, links, subSections: [] };
  const library = createLibrary({
    pages: [pageOf({ path: "/docs/cache" }), pageOf({ path: "/docs/runners", availability: "preview" })],
    navigation: { top: [], sections: [section] },
    redirects: [],
  });
  const tool = createSearchTool({ search, onError: (error) => errors.push(error) }, library);
  const ask = async (input: unknown) => {
    const { content, isError = false } = await tool.call(input);
    return { text: content[0]?.type === "text" ? content[0].text : "", isError };
  };
  return { ask, asked, errors, tool };
}
const answering = (...hits: object[]) => open(() => Promise.resolve({ results: [{ hits, more: 1 }] }));

test("1. what a hit says", async () => {
  const { ask } = answering(
    { ...HIT, hierarchy_lvl2: "Limits", hierarchy_lvl3: "null", content: "Ten.\nEleven.", type: "content" },
    { ...HIT, hierarchy_lvl4: null, content: "bazel build", type: "code" },
    { ...HIT, content: "size\t10 GB\tmore", columns: ["Name", "Value", ""], type: "row" },
    { ...HIT, content: "null", summary: "What is kept.", type: "lvl2" },
    { ...HIT, content: "null", type: "lvl2" },
  );
  expect(await ask({ query: " cache limits " })).toEqual({
    isError: false,
    text: `5 passages, best match first, for "cache limits":

1. Cache › Limits (Build Cache)
   http://docs.test/docs/cache#limits
   Ten.
   Eleven.

2. Cache (Build Cache)
   http://docs.test/docs/cache#limits
   \`\`\`
   bazel build
   \`\`\`

3. Cache (Build Cache)
   http://docs.test/docs/cache#limits
   Name: size | Value: 10 GB | more

4. Cache (Build Cache)
   http://docs.test/docs/cache#limits
   What is kept.

5. Cache (Build Cache)
   http://docs.test/docs/cache#limits
`,
  });
});

test("1. a hit of a part that does not run yet says so", async () => {
  const url = "http://docs.test/docs/runners#labels";
  const { text } = await answering({ ...HIT, url, content: "Four CPUs." }, HIT).ask({ query: "cpus" });
  expect(text.match(/Preview/g)).toHaveLength(1);
  expect(text).toContain(
    `   ${url}\n   Preview: what this page describes does not run yet.\n   Four CPUs.\n`,
  );
});

test("2. what is asked", async () => {
  const { ask, asked, tool } = answering(HIT, HIT, HIT);
  expect((await ask({ query: "a b", limit: 2, section: SECTION })).text.match(/^\d\. /gm)).toHaveLength(2);
  expect(asked).toMatchObject([
    { queries: [{ indexUid: "docs", q: "a b", limit: 2, filter: ['hierarchy_lvl0 = "Build \\"Cache\\""'] }] },
  ]);
  await ask({ query: "a" });
  expect(JSON.stringify(asked[1])).not.toContain("filter");
  expect(tool.definition.inputSchema).toMatchObject({
    required: ["query"],
    properties: { section: { enum: [SECTION] }, query: { maxLength: MAX_QUERY_LENGTH } },
    additionalProperties: false,
  });
});

test("2. a section without hits", async () => {
  const answers = [[], [HIT]];
  const { ask, asked } = open(() => Promise.resolve({ results: [{ hits: answers.shift() }] }));
  const { text } = await ask({ query: "x", section: SECTION });
  expect(text).toMatch(
    /^Nothing was found in the section "Build "Cache"". Everywhere: One passage for "x":\n\n1\. /,
  );
  // The last query is counted as the search.
  expect(asked.map((body) => JSON.stringify(body).includes("filter"))).toEqual([true, false]);
});

test("3. no hits, no answer", async () => {
  expect(await answering().ask({ query: "kubernetse" })).toEqual({
    isError: false,
    text: 'Nothing was found for "kubernetse". Try fewer or other words.\n',
  });
  const reason = new Error("upstream at 10.0.0.7 refused the key abc");
  const { ask, errors } = open(() => Promise.reject(reason));
  expect(await ask({ query: "x" })).toEqual({
    isError: true,
    text: "Search is not responding. Try again in a minute.",
  });
  expect(errors).toEqual([reason]);
});

test.each([
  [{}, "query"],
  [undefined, "query"],
  [{ query: "  " }, "query"],
  [{ query: "x".repeat(MAX_QUERY_LENGTH + 1) }, "query"],
  [{ query: ["x"] }, "query"],
  [{ query: "x", limit: 0 }, "limit"],
  [{ query: "x", limit: MAX_HITS + 1 }, "limit"],
  [{ query: "x", limit: 1.5 }, "limit"],
  [{ query: "x", section: "Nowhere" }, "section"],
  [{ query: "x", filter: "type = code" }, "filter"],
])("4. %j is refused", async (input, field) => {
  const { ask, asked } = answering(HIT);
  const { text, isError } = await ask(input);
  expect([isError, text]).toEqual([true, expect.stringContaining(field)]);
  expect(asked).toEqual([]);
});
