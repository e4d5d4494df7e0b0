/** One request to the cache, and how a tool's protocol says which it answers. */
import type { ArrivedCall } from "#platform/http/node/door.ts";
import type { MessageRoom } from "#platform/grpc/message-room.ts";
import type { Cache, Grant } from "../cache.ts";
import type { Tool } from "../tools.ts";
import type { Outcome } from "../traffic.ts";

export interface CacheCall extends ArrivedCall {
  cache: Cache;
  /** For `holdAnswer`. */
  answers: MessageRoom | undefined;
  grant: Grant;
  /** Below the tool's address, decoded: `/ac/0123…`. */
  path: string;
  query: URLSearchParams;
  /** Of the answer, for the metrics. */
  outcome: Outcome;
}

/** Answers a request whose sender may send it. @param parts what the groups of the route's pattern have found */
export type Answer = (call: CacheCall, ...parts: string[]) => Promise<void>;

export type Verb = "GET" | "PUT" | "POST" | "OPTIONS" | "PROPFIND" | "MKCOL";

export interface ToolRoute {
  /** Of what is below the tool's address. */
  path: RegExp;
  /** One that matches, for tests that walk all addresses. */
  example: string;
  /** HEAD is a GET whose bytes are not sent; without a line, OPTIONS says what there is. */
  methods: Readonly<Partial<Record<Verb, Answer>>>;
}

export interface ToolProtocol {
  tool: Tool;
  routes: readonly ToolRoute[];
  /** The organization that a request names in the tool's own way. */
  organizationOf?: (query: URLSearchParams) => string | undefined;
  /** The body of a failure, where it is not the API's. */
  failureBody?: (failure: { code: string; message: string }) => object;
}
