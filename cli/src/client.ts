/**
 * The typed client of Millrace's API, for Node.js and browsers.
 *
 *   import { createClient } from "millrace/client";
 *   const millrace = createClient("https://build.acme.example", process.env.MILLRACE_TOKEN);
 *   const { projects } = await millrace.projects.list({ pageSize: 100 });
 */
import { createClient as createServiceClient, type Client, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";
import { AccountService } from "../../src/api/gen/millrace/v1/account_service_pb.ts";
import { BuildService } from "../../src/api/gen/millrace/v1/build_service_pb.ts";
import { BuilderService } from "../../src/api/gen/millrace/v1/builder_service_pb.ts";
import { CacheService } from "../../src/api/gen/millrace/v1/cache_service_pb.ts";
import { ImageService } from "../../src/api/gen/millrace/v1/image_service_pb.ts";
import { MirrorService } from "../../src/api/gen/millrace/v1/mirror_service_pb.ts";
import { OrganizationService } from "../../src/api/gen/millrace/v1/organization_service_pb.ts";
import { ProjectService } from "../../src/api/gen/millrace/v1/project_service_pb.ts";
import { RunnerService } from "../../src/api/gen/millrace/v1/runner_service_pb.ts";
import { SessionService } from "../../src/api/gen/millrace/v1/session_service_pb.ts";
import { TokenService } from "../../src/api/gen/millrace/v1/token_service_pb.ts";
import { UsageService } from "../../src/api/gen/millrace/v1/usage_service_pb.ts";

export * from "../../src/api/gen/millrace/v1/account_service_pb.ts";
export * from "../../src/api/gen/millrace/v1/build_service_pb.ts";
export * from "../../src/api/gen/millrace/v1/builder_service_pb.ts";
export * from "../../src/api/gen/millrace/v1/cache_service_pb.ts";
export * from "../../src/api/gen/millrace/v1/image_service_pb.ts";
export * from "../../src/api/gen/millrace/v1/mirror_service_pb.ts";
export * from "../../src/api/gen/millrace/v1/organization_service_pb.ts";
export * from "../../src/api/gen/millrace/v1/project_service_pb.ts";
export * from "../../src/api/gen/millrace/v1/runner_service_pb.ts";
export * from "../../src/api/gen/millrace/v1/session_service_pb.ts";
export * from "../../src/api/gen/millrace/v1/token_service_pb.ts";
export * from "../../src/api/gen/millrace/v1/usage_service_pb.ts";

export interface ClientOptions {
  /** The organization that calls act in, by name or id, for a user of several. */
  organization?: string;
  /** `connect` sends JSON, which is easy to read in logs; `grpc-web` is smaller. Default `connect`. */
  protocol?: "connect" | "grpc-web";
  /** Milliseconds until a call fails with `deadline_exceeded`; no limit by default. */
  timeoutMs?: number;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch;
}

export interface MillraceClient {
  account: Client<typeof AccountService>;
  organizations: Client<typeof OrganizationService>;
  projects: Client<typeof ProjectService>;
  tokens: Client<typeof TokenService>;
  builds: Client<typeof BuildService>;
  builders: Client<typeof BuilderService>;
  images: Client<typeof ImageService>;
  mirrors: Client<typeof MirrorService>;
  cache: Client<typeof CacheService>;
  runners: Client<typeof RunnerService>;
  sessions: Client<typeof SessionService>;
  usage: Client<typeof UsageService>;
}

/**
 * Calls throw `ConnectError` (from `@connectrpc/connect`), whose `code` says why.
 * @param origin of the server: `https://build.acme.example`
 * @param token `mr_…`; absent for `tokens.exchangeOidcToken`, and in the server's own pages, which use the cookie
 */
export function createClient(origin: string, token?: string, options: ClientOptions = {}): MillraceClient {
  const { organization, protocol = "connect", timeoutMs, fetch } = options;
  const identify: Interceptor = (next) => (request) => {
    if (token !== undefined) request.header.set("Authorization", `Bearer ${token}`);
    if (organization !== undefined) request.header.set("Millrace-Org", organization);
    return next(request);
  };
  const createTransport = protocol === "connect" ? createConnectTransport : createGrpcWebTransport;
  const transport = createTransport({
    baseUrl: `${origin.replace(/\/+$/, "")}/api`,
    interceptors: [identify],
    jsonOptions: { useProtoFieldName: true },
    ...(timeoutMs === undefined ? {} : { defaultTimeoutMs: timeoutMs }),
    ...(fetch === undefined ? {} : { fetch }),
  });
  return {
    account: createServiceClient(AccountService, transport),
    organizations: createServiceClient(OrganizationService, transport),
    projects: createServiceClient(ProjectService, transport),
    tokens: createServiceClient(TokenService, transport),
    builds: createServiceClient(BuildService, transport),
    builders: createServiceClient(BuilderService, transport),
    images: createServiceClient(ImageService, transport),
    mirrors: createServiceClient(MirrorService, transport),
    cache: createServiceClient(CacheService, transport),
    runners: createServiceClient(RunnerService, transport),
    sessions: createServiceClient(SessionService, transport),
    usage: createServiceClient(UsageService, transport),
  };
}
