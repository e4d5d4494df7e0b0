/**
 * `/mcp`: the documentation for agents, over the Model Context Protocol's streamable HTTP
 * (https://modelcontextprotocol.io/specification). The SDK implements the protocol, the revisions of 2026 and 2025;
 * requests beyond its checks are refused here, before anything reads them.
 *
 *     POST /mcp {"method":"tools/call","params":{"name":"search_docs",…}}     one message, one answer in JSON
 *
 * Requests share no state: no session, no stream, no subscription.
 */
import {
  createMcpHandler,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isLegacyRequest,
  PARSE_ERROR,
  ProtocolError,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { type Context, Hono } from "hono";
import { siteConfig } from "#config";
import { BODY_FAILURE } from "#platform/http/failure.ts";
import { BodyError, readText } from "#platform/http/read-body.ts";
import { isSameOrigin } from "#platform/http/addresses/same-origin.ts";
import { exceededLimit } from "#platform/text/json-depth.ts";
import { answerMcpFailure } from "./answer-failure.ts";
import type { Library } from "./library.ts";
import { BODY_MS, MAX_BODY_BYTES, MAX_JSON_DEPTH, MAX_JSON_VALUES } from "./limits.ts";
import { createPrompts, type Prompts } from "./prompts.ts";
import { createReadTool } from "./read-page.ts";
import { createResources, type Resources } from "./resources.ts";
import { type AskSearch, createSearchTool } from "./search-docs.ts";
import type { DocsTool } from "./tool.ts";

export interface McpOptions {
  /** `https://docs.example.com`: the origin of every address in an answer, and of the only pages that may call. */
  origin: string;
  /** The server's version for clients, not the protocol's. */
  version: string;
  /** Returns the current library; it changes in development. */
  library: () => Library;
  search: AskSearch;
  /** Called with errors that the operator has to fix. */
  onError: (error: unknown) => void;
}

export function createMcpApp(options: McpOptions): Hono {
  const answer = createProtocol(options);
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    context.header("Cache-Control", "no-store");
  });
  app.post("/mcp", refuseOtherSites(options.origin), async (context) => {
    const text = await readText(context.req.raw, { maxBytes: MAX_BODY_BYTES, timeoutMs: BODY_MS });
    const exceeded = exceededLimit(text, { depth: MAX_JSON_DEPTH, values: MAX_JSON_VALUES });
    if (exceeded === "depth")
      return refuse(INVALID_REQUEST, `The body is nested more than ${MAX_JSON_DEPTH} levels deep.`);
    if (exceeded === "values")
      return refuse(INVALID_REQUEST, `The body has more than ${MAX_JSON_VALUES} values.`);
    const message = parse(text);
    if (message === undefined) return refuse(PARSE_ERROR, "The body is not JSON.");
    // Revisions before June 2025 had batches; the rate limit would count all searches of a batch as one.
    if (Array.isArray(message))
      return refuse(INVALID_REQUEST, "Batches are not supported: send one message per request.");
    return answer(context.req.raw, message);
  });
  app.all("/mcp", (context) =>
    answerMcpFailure(context, {
      reason: "method not allowed",
      message: `The documentation's MCP server accepts only POST. See ${options.origin}/docs/agents/overview/mcp for how to connect a client.`,
      allow: "POST",
    }),
  );
  app.all("/mcp/*", (context) =>
    answerMcpFailure(context, { reason: "not found", message: "The MCP server is at /mcp." }),
  );
  app.onError(answerBodyError);
  return app;
}

/** @throws errors that are not about the body */
function answerBodyError(error: Error, context: Context): Response {
  if (!(error instanceof BodyError)) throw error;
  return answerMcpFailure(context, { reason: BODY_FAILURE[error.problem], message: error.message });
}

/**
 * A page of another site could make its reader's browser call a server that only the reader can reach, through a name that
 * resolves to that server's address (DNS rebinding). Such requests have the site in `Origin`; programs send no `Origin`.
 */
function refuseOtherSites(origin: string) {
  const own = new URL(origin).origin;
  return async (context: Context, next: () => Promise<void>) => {
    const from = context.req.header("origin") ?? own;
    // `Host` is not trusted here: in such a request it is the other site's name.
    if (from === own && isSameOrigin(context.req.raw, own)) return next();
    return refuse(-32000, `Only pages of ${own} can call this server.`, 403);
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const refuse = (code: number, message: string, status = 400): Response =>
  Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status });

/** One message and its answer. Each request has its own server, as the SDK requires. */
function createProtocol(options: McpOptions) {
  const { library, origin } = options;
  let made: (Offer & { from: Library }) | null = null;
  const createServer = () => {
    const from = library();
    // Creating the tools' schemas takes longer than a search.
    if (made?.from !== from) {
      const resources = createResources(origin, from);
      const tools = [createSearchTool(options, from), createReadTool(origin, from)];
      made = { from, tools, resources, prompts: createPrompts(from, resources, origin) };
    }
    return createDocsServer(options, made);
  };
  const modern = createMcpHandler(createServer, { legacy: "reject", keepAliveMs: 0, maxSubscriptions: 0 });
  return async (request: Request, message: unknown): Promise<Response> => {
    if (!(await isLegacyRequest(request, message))) return modern.fetch(request, { parsedBody: message });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const server = createServer();
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody: message });
    } finally {
      await server.close();
    }
  };
}

/** What clients can use. */
interface Offer {
  tools: readonly DocsTool[];
  resources: Resources;
  prompts: Prompts;
}

function createDocsServer({ origin, version, onError }: McpOptions, offer: Offer): Server {
  const { tools, resources, prompts } = offer;
  const server = new Server(
    { name: `${siteConfig.name.toLowerCase()}-docs`, title: `Documentation of ${siteConfig.name}`, version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: `The documentation of ${siteConfig.name} at ${origin}, for exactly the version that runs there. Look up commands, settings and limits with search_docs before you write them, read more with read_page, and cite the address of each answer.`,
    },
  );
  server.setRequestHandler("resources/list", ({ params }) => resources.list(params?.cursor));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: resources.templates }));
  server.setRequestHandler("resources/read", ({ params }) => ({ contents: [resources.read(params.uri)] }));
  server.setRequestHandler("prompts/list", () => ({ prompts: prompts.list }));
  server.setRequestHandler("prompts/get", ({ params }) => prompts.get(params.name, params.arguments));
  server.setRequestHandler("tools/list", () => ({ tools: tools.map(({ definition }) => definition) }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const tool = tools.find(({ definition }) => definition.name === params.name);
    if (!tool) throw new ProtocolError(INVALID_PARAMS, `There is no tool "${params.name.slice(0, 100)}".`);
    return tool.call(params.arguments).catch((error: unknown) => {
      onError(error);
      return {
        content: [
          { type: "text" as const, text: "Something went wrong on our side. Try again in a moment." },
        ],
        isError: true,
      };
    });
  });
  return server;
}
