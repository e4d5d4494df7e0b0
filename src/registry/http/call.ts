/** One request to a repository, and how a part of the protocol declares its routes. */
import type { ArrivedCall } from "#platform/http/node/node-handler.ts";
import type { MessageRoom } from "#platform/grpc/message-room.ts";
import type { Grant, Registry, RegistryCaller, Right } from "../contract/registry.ts";
import type { Outcome } from "./traffic.ts";

export interface RegistryCall extends ArrivedCall {
  registry: Registry;
  /** For `holdAnswer`. */
  answers: MessageRoom | undefined;
  caller: RegistryCaller;
  grant: Grant;
  /** `/v2/acme/web` */
  base: string;
  query: URLSearchParams;
  /** For the metrics. */
  outcome: Outcome;
}

/** Answers a request of a caller who has the right. @param parts matched by the groups of the route's pattern */
export type Answer = (call: RegistryCall, ...parts: string[]) => Promise<void>;

export type Verb = "GET" | "PUT" | "POST" | "PATCH" | "DELETE";

export interface RegistryRoute {
  /** Matches what follows the repository's name: `/manifests/latest`. */
  path: RegExp;
  /** A path that matches, for tests that walk all addresses. */
  example: string;
  /** HEAD is a GET whose bytes are not sent. */
  methods: Readonly<Partial<Record<Verb, { right: Right; answer: Answer }>>>;
}
