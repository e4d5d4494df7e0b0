/** One request to the cache, and how a tool's protocol declares its routes. */
import type { ArrivedCall } from "#platform/http/node/node-handler.ts";
import type { MessageRoom } from "#platform/grpc/message-room.ts";
import type { Cache, Grant } from "../contract/cache.ts";
import type { Tool } from "../contract/tools.ts";
import type { Outcome } from "../figures/traffic.ts";

export interface CacheCall extends ArrivedCall {
  cache: Cache;
  /** For `holdAnswer`. */
  answers: MessageRoom | undefined;
  grant: Grant;
  /** Below the tool's address, decoded: `/ac/0123…`. */
  path: string;
  query: URLSearchParams;
  /** For the metrics. */
  outcome: Outcome;
}

/** Answers a request whose sender may send it. @param parts matched by the groups of the route's pattern */
export type Answer = (call: CacheCall, ...parts: string[]) => Promise<void>;

export type Verb = "GET" | "PUT" | "POST" | "OPTIONS" | "PROPFIND" | "MKCOL";

export interface ToolRoute {
  /** Matches the path below the tool's address. */
  path: RegExp;
  /** A path that matches, for tests that walk all addresses. */
  example: string;
  /** HEAD is a GET whose bytes are not sent; without an entry, OPTIONS lists the methods. */
  methods: Readonly<Partial<Record<Verb, Answer>>>;
}

/** How a tool speaks over HTTP. */
export interface HttpProtocol {
  routes: readonly ToolRoute[];
  /** The organization that a request names in the tool's own way. */
  organizationOf?: (query: URLSearchParams) => string | undefined;
  /** The body of a failure, if it is not the API's. */
  failureBody?: (failure: { code: string; message: string }) => object;
}

export interface ToolProtocol extends HttpProtocol {
  tool: Tool;
}
