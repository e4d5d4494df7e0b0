/**
 * `/mcp` on a real port:
 * 1. The official client finds two read-only tools, searches, continues reading at an address that it received, and sees the
 *    currently served content; in the protocol's revision of 2026 and in earlier ones.
 * 2. An agent gets the same hits as a reader, in the same order, and its searches are counted like a reader's.
 * 3. A model's mistakes are reported to the model; an unknown tool and an unsupported method are protocol errors. A failing
 *    search is reported to the operator.
 * 4. Everything else is refused with the protocol's status and form, and is not a server error.
 *
 * 6. Answers of tools are also data, by the schemas that the tools name; the official client checks them.
 * 7. Pages are resources at the addresses that they have on the site: listed with cursors, each once, and read as Markdown. What is
 *    not a page, and a cursor of another server, is refused.
 * 8. Prompts carry the pages that they are about. Their choices are the pages that exist, and their arguments are bounded.
 * 5. A client may send as many requests as searches, and learns when to retry.
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { searchQuery } from "#site/docs/search/protocol.ts";
import { pageOf } from "#docs/content/checks/page-fixture.ts";
import {
  MAX_BODY_BYTES,
  MAX_JSON_DEPTH,
  MAX_JSON_VALUES,
  MAX_PROMPT_TEXT_LENGTH,
  RESOURCES_PER_LIST,
} from "#docs/mcp/limits.ts";
import { CACHE, openTestMcp, type TestMcp } from "./testing/mcp.ts";

let mcp: TestMcp;
beforeAll(async () => void (mcp = await openTestMcp()));
afterAll(() => mcp.close());

const REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"];
const NEWEST = REVISIONS[0]!;

async function connect(revision: string, { url } = mcp) {
  const client = new Client(
    { name: "tests", version: "1.0.0" },
    revision === NEWEST
      ? { versionNegotiation: { mode: { pin: revision } } }
      : { supportedProtocolVersions: [revision] },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return {
    client,
    async call(name: string, input: { [field: string]: unknown }) {
      const { content, isError = false } = await client.callTool({ name, arguments: input });
      const [first] = content;
      return { text: first?.type === "text" ? first.text : "", isError };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const urlsIn = (text: string) => [...text.matchAll(/^ {3}(http\S+)$/gm)].map(([, url = ""]) => url);

test.each(REVISIONS)("1. the official client, %s", async (revision) => {
  await using connection = await connect(revision);
  const { client, call } = connection;
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  expect(client.getServerVersion()).toMatchObject({ name: "millrace-docs" });
  expect(client.getInstructions()).toContain(mcp.origin);
  const { tools } = await client.listTools();
  expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
    ["search_docs", true],
    ["read_page", true],
  ]);
  const [url = ""] = urlsIn((await call("search_docs", { query: "eviction" })).text);
  expect(url).toBe(`${mcp.origin}/docs/cache#eviction`);
  const { text } = await call("read_page", { page: url });
  expect(text).toContain(`## Eviction\n\nThe oldest is removed. See ${mcp.origin}/docs.`);
});

test("1. what is served now", async () => {
  const own = await openTestMcp();
  await using connection = await connect(NEWEST, own);
  const read = () => connection.call("read_page", { page: "/docs/cache" });
  expect((await read()).text).toContain("One cache for all.");
  own.show([{ ...CACHE, markdown: "# Saved a moment ago\n" }]);
  expect((await read()).text).toContain("Saved a moment ago");
  expect((await connection.call("read_page", { page: "/docs/registry" })).isError).toBe(true);
  await own.close();
});

test("2. the hits of readers", async () => {
  await using connection = await connect(NEWEST);
  for (const query of ["eviction", "cache", "the cache", "regisrty", "images of the oldest"]) {
    const { results } = await mcp.ask({ queries: [searchQuery({ indexUid: "docs", query })] });
    const wanted = results[0]!.hits.map(({ url }) => url);
    mcp.counted.length = 0;
    const { text } = await connection.call("search_docs", { query, limit: 20 });
    expect(urlsIn(text), query).toEqual(wanted);
    expect(wanted.length, query).toBeGreaterThan(0);
    expect(mcp.counted).toEqual([{ query, hits: wanted.length }]);
  }
  mcp.counted.length = 0;
  await connection.call("search_docs", { query: "kubernetse" });
  expect(mcp.counted).toEqual([{ query: "kubernetse", hits: 0 }]);
});

test.each(REVISIONS)("3. what is wrong is told, %s", async (revision) => {
  await using connection = await connect(revision);
  const { client, call } = connection;
  expect(await call("search_docs", { limit: 3 })).toMatchObject({
    isError: true,
    text: expect.stringContaining("query"),
  });
  expect(await call("read_page", { page: "/docs/nothing" })).toMatchObject({ isError: true });
  await expect(client.callTool({ name: "rm", arguments: {} })).rejects.toThrow('There is no tool "rm"');
});

test("3. a method of the protocol that is not served", async () => {
  const answer = await send({ body: { ...LIST, method: "completion/complete" } });
  expect(JSON.parse(answer.text)).toMatchObject({ id: 1, error: { code: -32601 } });
});

test.each(REVISIONS)("6. answers are data, %s", async (revision) => {
  await using connection = await connect(revision);
  const { client } = connection;
  const { tools } = await client.listTools();
  for (const { outputSchema, inputSchema } of tools) {
    expect(outputSchema).toMatchObject({ type: "object", additionalProperties: false });
    expect(JSON.stringify(inputSchema)).toContain("examples");
  }
  // The client compares the answer with the schema, and throws.
  const found = await client.callTool({ name: "search_docs", arguments: { query: "eviction", limit: 1 } });
  expect(found.structuredContent).toEqual({
    query: "eviction",
    section: null,
    passages: [
      {
        title: "How the cache works › Eviction",
        section: expect.any(String),
        url: `${mcp.origin}/docs/cache#eviction`,
        text: expect.any(String),
        isPreview: false,
      },
    ],
  });
  const read = await client.callTool({ name: "read_page", arguments: { page: "/docs/cache#eviction" } });
  expect(read.structuredContent).toEqual({
    source: `${mcp.origin}/docs/cache#eviction`,
    title: "How the cache works",
    isPreview: false,
    markdown: `## Eviction\n\nThe oldest is removed. See ${mcp.origin}/docs.`,
    length: expect.any(Number),
    nextOffset: null,
  });
  const wrong = await client.callTool({ name: "read_page", arguments: { page: "/docs/nothing" } });
  expect([wrong.isError, wrong.structuredContent]).toEqual([true, undefined]);
});

test.each(REVISIONS)("7. resources, %s", async (revision) => {
  const own = await openTestMcp();
  const many = Array.from({ length: 2 * RESOURCES_PER_LIST + 1 }, (_, at) =>
    pageOf({
      path: `/docs/p${String(at).padStart(3, "0")}`,
      title: `Page ${at}`,
      markdown: `# Page ${at}\n`,
    }),
  );
  own.show([CACHE, ...many]);
  await using connection = await connect(revision, own);
  const { client } = connection;
  // The client follows the cursors.
  const { resources } = await client.listResources();
  const listed = resources.map(({ uri }) => uri);
  expect(new Set(listed).size).toBe(many.length + 1);
  expect(listed).toHaveLength(many.length + 1);
  expect(listed[0]).toBe(`${own.origin}/docs/cache.md`);
  const first = await send({ body: { ...LIST, method: "resources/list" } }, own);
  expect(JSON.parse(first.text)).toMatchObject({ result: { nextCursor: expect.any(String) } });

  const { contents } = await client.readResource({ uri: listed[0]! });
  expect(contents).toEqual([
    { uri: listed[0], mimeType: "text/markdown", text: expect.stringContaining(`See ${own.origin}/docs.`) },
  ]);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([`${own.origin}/docs/{+page}.md`]);
  for (const uri of [
    "http://other.test/docs/cache.md",
    `${own.origin}/docs/none.md`,
    "file:///etc/passwd",
    "x".repeat(5000),
  ])
    await expect(client.readResource({ uri })).rejects.toThrow();
  await expect(client.listResources({ cursor: "x" })).rejects.toThrow("cursor");
  expect(own.logged).toEqual([]);
  await own.close();
});

test.each(REVISIONS)("8. prompts, %s", async (revision) => {
  const own = await openTestMcp();
  const path = "/docs/cache/reference/turbo";
  own.show([CACHE, pageOf({ path, title: "Turborepo", markdown: "# Turborepo at {{origin}}\n" })]);
  await using connection = await connect(revision, own);
  const { client } = connection;
  const { prompts } = await client.listPrompts();
  // Prompts whose choices have no page are not offered.
  expect(prompts.map(({ name }) => name)).toEqual(["set_up_cache", "diagnose_cache_miss"]);
  expect(prompts[0]?.arguments).toEqual([
    { name: "tool", description: expect.stringContaining("turbo"), required: true },
  ]);
  const { messages } = await client.getPrompt({ name: "set_up_cache", arguments: { tool: "Turbo" } });
  expect(messages).toMatchObject([
    { role: "user", content: { type: "text", text: expect.stringContaining("Turbo") } },
    {
      content: {
        type: "resource",
        resource: { uri: `${own.origin}${path}.md`, text: `# Turborepo at ${own.origin}\n` },
      },
    },
  ]);
  const output = "miss: ninja";
  const diagnosis = await client.getPrompt({ name: "diagnose_cache_miss", arguments: { output } });
  expect(JSON.stringify(diagnosis)).toContain(output);
  await client.getPrompt({ name: "diagnose_cache_miss" });
  for (const [name, given, reason] of [
    ["none", {}, "There is no prompt"],
    ["set_up_cache", {}, "tool"],
    ["set_up_cache", { tool: "make" }, "There are pages for: turbo"],
    ["set_up_cache", { tool: "turbo", more: "x" }, "more"],
    ["diagnose_cache_miss", { output: "x".repeat(MAX_PROMPT_TEXT_LENGTH + 1) }, "output"],
  ] as [string, { [name: string]: string }, string][])
    await expect(client.getPrompt({ name, arguments: given })).rejects.toThrow(reason);
  expect(own.logged).toEqual([]);
  await own.close();
});

test("3. a search that does not answer", async () => {
  const own = await openTestMcp({ search: () => Promise.reject(new Error("the key of 10.0.0.7 is wrong")) });
  await using connection = await connect(NEWEST, own);
  const { text, isError } = await connection.call("search_docs", { query: "cache" });
  expect([isError, text]).toEqual([true, expect.not.stringContaining("10.0.0.7")]);
  expect(own.logged).toHaveLength(1);
  await own.close();
});

const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const META = {
  "io.modelcontextprotocol/protocolVersion": NEWEST,
  "io.modelcontextprotocol/clientInfo": { name: "tests", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

interface Sent {
  method?: string;
  headers?: { [name: string]: string };
  body?: string | object;
}
async function send({ method = "POST", headers = {}, body = LIST }: Sent = {}, { url } = mcp) {
  const isBodiless = method === "GET" || method === "HEAD";
  const answer = await fetch(url, {
    method,
    headers: { ...HEADERS, ...headers },
    ...(!isBodiless && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text };
}

/** A thousand short values, each visited several times. */
const wide = {
  ...LIST,
  method: "initialize",
  params: {
    protocolVersion: NEWEST,
    capabilities: {},
    clientInfo: { name: "x", version: "1", icons: Array.from({ length: MAX_JSON_VALUES }, () => ({ s: 1 })) },
  },
};
const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

test.each<[string, number, Sent]>([
  ["a page of another site", 403, { headers: { origin: "http://evil.test" } }],
  [
    "a page that has made itself a name for this server",
    403,
    { headers: { origin: "http://evil.test:3000", host: "evil.test:3000" } },
  ],
  ["a page without an origin", 403, { headers: { origin: "null" } }],
  ["another port of this host", 403, { headers: { origin: "http://localhost:6274" } }],
  ["GET, for a stream", 405, { method: "GET" }],
  ["DELETE, of a session", 405, { method: "DELETE", headers: { "mcp-session-id": "x" } }],
  ["PUT", 405, { method: "PUT" }],
  ["OPTIONS", 405, { method: "OPTIONS" }],
  ["a client that takes no stream", 406, { headers: { accept: "application/json" } }],
  ["text", 415, { headers: { "content-type": "text/plain" } }],
  ["an unknown revision", 400, { headers: { "mcp-protocol-version": "1999-01-01" } }],
  [
    "an unknown revision in the message",
    400,
    {
      body: {
        ...LIST,
        params: { _meta: { ...META, "io.modelcontextprotocol/protocolVersion": "2999-01-01" } },
      },
    },
  ],
  ["nothing", 400, { body: "" }],
  ["no JSON", 400, { body: "{" }],
  ["null", 400, { body: "null" }],
  ["no message", 400, { body: "{}" }],
  ["another version of JSON-RPC", 400, { body: { ...LIST, jsonrpc: "1.0" } }],
  ["an empty batch", 400, { body: [] }],
  ["a batch", 400, { body: [LIST, LIST] }],
  ["a deep value", 400, { body: deep(MAX_JSON_DEPTH + 1) }],
  ["a very deep value", 400, { body: "[".repeat(MAX_BODY_BYTES - 1) }],
  ["more values than fit", 400, { body: wide }],
  ["a large value", 413, { body: { ...LIST, params: { text: "x".repeat(MAX_BODY_BYTES) } } }],
])("4. %s is answered %d", async (_, status, sent) => {
  const answer = await send(sent);
  expect(answer.status, answer.text).toBe(status);
  expect(JSON.parse(answer.text)).toMatchObject({ jsonrpc: "2.0", error: { message: expect.any(String) } });
  expect(answer.headers.get("content-type")).toContain("application/json");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  if (status === 405) expect(answer.headers.get("allow")).toBe("POST");
  expect(mcp.logged).toEqual([]);
});

test("4. what is allowed", async () => {
  // JSON characters inside a text are not values.
  expect((await send({ body: { ...LIST, id: '[{,:"\\'.repeat(MAX_JSON_VALUES) } })).status).toBe(200);
  expect((await send()).text).toContain("search_docs");
  expect((await send({ headers: { origin: mcp.origin } })).status).toBe(200);
  // There are no sessions: a session id from another server is accepted.
  expect((await send({ headers: { "mcp-session-id": "long-gone" } })).status).toBe(200);
  const notice = { jsonrpc: "2.0", method: "notifications/initialized" };
  expect(await send({ body: notice })).toMatchObject({ status: 202, text: "" });
  const initialize = {
    ...LIST,
    method: "initialize",
    params: { protocolVersion: "2099-01-01", capabilities: {}, clientInfo: { name: "x", version: "1" } },
  };
  const { headers, text } = await send({ body: initialize });
  expect(JSON.parse(text)).toMatchObject({ result: { protocolVersion: "2025-11-25" } });
  expect(headers.get("mcp-session-id")).toBeNull();
});

test("4. no stream is opened", async () => {
  const headers = { "mcp-protocol-version": NEWEST, "mcp-method": "subscriptions/listen" };
  const params = { _meta: META, notifications: { toolsListChanged: true } };
  const answer = await send({ headers, body: { ...LIST, method: "subscriptions/listen", params } });
  expect(JSON.parse(answer.text)).toMatchObject({ error: { message: expect.any(String) } });
});

test("4. below it is nothing", async () => {
  for (const below of ["/", "/sse", "/x/y"]) {
    const answer = await fetch(mcp.url + below, {
      method: "POST",
      headers: HEADERS,
      body: JSON.stringify(LIST),
    });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { message: "The MCP server is at /mcp." } });
  }
});

test("4. any message", async () => {
  const method = fc.oneof(
    fc
      .constantFrom("tools/call", "tools/list", "initialize", "ping", "server/discover")
      .chain((one) =>
        fc.constantFrom(one, "resources/list", "resources/read", "prompts/list", "prompts/get"),
      ),
    fc.string(),
  );
  const message = fc.record(
    {
      jsonrpc: fc.constantFrom("2.0", "1.0"),
      id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
      method,
      params: fc.oneof(
        fc.record(
          {
            name: fc.constantFrom("search_docs", "read_page", "diagnose_cache_miss", "x"),
            uri: fc.oneof(fc.constant("/docs/cache.md"), fc.jsonValue()),
            cursor: fc.jsonValue(),
            arguments: fc.jsonValue(),
            _meta: fc.oneof(fc.constant(META), fc.jsonValue()),
          },
          { requiredKeys: [] },
        ),
        fc.jsonValue(),
      ),
    },
    { requiredKeys: [] },
  );
  const revision = fc.constantFrom(...REVISIONS, "x");
  await fc.assert(
    fc.asyncProperty(fc.oneof(message, fc.jsonValue()), revision, async (body, version) => {
      const { status, text } = await send({
        headers: { "mcp-protocol-version": version },
        body: JSON.stringify(body),
      });
      expect(status, text).toBeLessThan(500);
      if (text !== "") expect(JSON.parse(text)).toMatchObject({ jsonrpc: "2.0" });
    }),
    { numRuns: 300 },
  );
  expect(mcp.logged).toEqual([]);
});

test("5. too many", async () => {
  // A burst of 1500, scaled down to 3.
  const own = await openTestMcp({ rateLimitFactor: 0.002 });
  const answers = [];
  for (let at = 0; at < 4; at += 1) answers.push(await send({}, own));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  const { headers, text } = answers[3]!;
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect(JSON.parse(text)).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32000 } });
  await own.close();
});
