/** A small Millrace for tests of the CLI: the services of the API in memory, the device login, and the docs search. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Code, ConnectError, type ConnectRouter, type HandlerContext } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  AccountService,
  CacheService,
  MirrorService,
  OrganizationService,
  ProjectService,
  TokenService,
} from "../../cli/src/client.ts";
import { addBuildServices, type CliBuilds, createCliBuilds } from "./cli-builds-server.ts";

export const USER_TOKEN = `mr_user_${"a".repeat(38)}`;
export const ORGANIZATION_TOKEN = `mr_org_${"b".repeat(38)}`;
const CREATED_AT = timestampFromMs(Date.UTC(2026, 10, 3));

export interface CliServer {
  origin: string;
  /** Names that the server gives, which a test may make hostile. */
  names: { user: string; organization: string; version: string };
  projects: {
    id: string;
    name: string;
    builderSize: number;
    cacheSizeBytes: bigint;
    retentionDays: number;
    trust: Trust[];
  }[];
  tokens: {
    id: string;
    name: string;
    type: string;
    projectId: string;
    readOnly: boolean;
    expiresAt?: Date;
  }[];
  /** Credentials for other registries, by host. */
  mirrors: Map<string, { username: string; password: string }>;
  /** Tools whose cache was emptied. */
  resets: string[];
  builds: CliBuilds;
  /** `Idempotency-Key` of each create, in order. */
  keys: string[];
  /** `Millrace-Org` of the last call. */
  organizationHeader: string | null;
  revoked: Set<string>;
  /** Answers of `/oauth/token` before it gives a token. */
  deviceErrors: string[];
  /** Tokens that the device login gave. */
  given: string[];
  /** OIDC tokens that were sent for an exchange. */
  exchanged: { projectId: string; oidcToken: string }[];
  /** Answers instead of the server, until it returns false. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  close: () => Promise<void>;
}

type Trust = { issuer: string; claims: { [name: string]: string }; cache: string };

export async function startCliServer(host = "127.0.0.1"): Promise<CliServer> {
  const state: CliServer = {
    origin: "",
    names: { user: "ada", organization: "acme", version: "0.1.0" },
    projects: [],
    tokens: [],
    mirrors: new Map(),
    resets: [],
    builds: createCliBuilds(),
    keys: [],
    organizationHeader: null,
    revoked: new Set(),
    deviceErrors: [],
    given: [],
    exchanged: [],
    intercept: undefined,
    close: async () => {},
  };
  const api = connectNodeAdapter({
    routes: (router) => addServices(router, state),
    requestPathPrefix: "/api",
  });
  const server: Server = createServer((request, response) => {
    if (state.intercept?.(request, response)) return;
    if (request.url?.startsWith("/api/")) api(request, response);
    else void answerOther(request, response, state);
  });
  server.listen(0, host);
  await once(server, "listening");
  state.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  state.close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return state;
}

function caller({ requestHeader }: HandlerContext, state: CliServer): string {
  const [, token] = /^Bearer (.+)$/.exec(requestHeader.get("authorization") ?? "") ?? [];
  state.organizationHeader = requestHeader.get("millrace-org");
  if (token === undefined) throw new ConnectError("no token", Code.Unauthenticated);
  if (state.revoked.has(token)) throw new ConnectError("token is revoked", Code.Unauthenticated);
  const isKnown =
    [USER_TOKEN, ORGANIZATION_TOKEN, ...state.given].includes(token) || token.startsWith("mr_job_");
  if (!isKnown) throw new ConnectError("token is unknown", Code.Unauthenticated);
  const key = requestHeader.get("idempotency-key");
  if (key !== null) state.keys.push(key);
  return token;
}

function addMirrors(router: ConnectRouter, state: CliServer): void {
  const shown = (host: string) => {
    const { username = "" } = state.mirrors.get(host) ?? {};
    return { host, username, setBy: state.names.user, setAt: CREATED_AT };
  };
  router.service(MirrorService, {
    list(_, context) {
      caller(context, state);
      return { credentials: [...state.mirrors.keys()].toSorted().map(shown) };
    },
    set({ host, ...login }, context) {
      caller(context, state);
      state.mirrors.set(host, { username: login.username, password: login.password });
      return { credentials: shown(host) };
    },
    delete({ host }, context) {
      caller(context, state);
      if (state.mirrors.delete(host)) return {};
      throw new ConnectError(`the organization has no credentials for ${host}`, Code.NotFound);
    },
  });
}

function addServices(router: ConnectRouter, state: CliServer): void {
  const { names } = state;
  const organization = () => ({
    id: "org_9f2kd71xqe",
    name: names.organization,
    role: "owner",
    createdAt: CREATED_AT,
  });
  const project = (id: string) => {
    const found = state.projects.find((candidate) => candidate.id === id);
    if (!found) throw new ConnectError("project was not found", Code.NotFound);
    return found;
  };
  const shown = ({ trust, ...rest }: CliServer["projects"][number]) => ({
    ...rest,
    trustRelationships: trust,
    createdAt: CREATED_AT,
  });
  router.service(AccountService, {
    whoAmI(_, context) {
      const token = caller(context, state);
      const type = token.split("_")[1]!;
      const isUser = type === "user";
      return {
        server: "https://other.example",
        version: names.version,
        tokenType: type,
        tokenId: `tok_${token.slice(-10)}`,
        user: isUser ? names.user : "",
        role: isUser ? "owner" : "",
        organization: names.organization,
        organizationId: "org_9f2kd71xqe",
        projectId: type === "job" ? "prj_7q4hx2n9ds" : "",
      };
    },
  });
  router.service(OrganizationService, {
    get({ organization: name }, context) {
      caller(context, state);
      if (name === "acme-labs")
        return { organization: { ...organization(), id: "org_4t8bz0mw2s", name, role: "member" } };
      if (!["", names.organization, "org_9f2kd71xqe"].includes(name))
        throw new ConnectError(`organization ${name} was not found`, Code.NotFound);
      return { organization: organization() };
    },
    list(_, context) {
      caller(context, state);
      return { organizations: [organization(), { id: "org_4t8bz0mw2s", name: "acme-labs", role: "member" }] };
    },
    listMembers: () => ({
      members: [
        { userId: "usr_1", name: names.user, role: "owner" },
        { userId: "usr_2", name: "grace", role: "member" },
      ],
    }),
  });
  router.service(CacheService, {
    getUsage({ tool }, context) {
      caller(context, state);
      const held = { entries: 418n, sizeBytes: 1_312_000_000n, quotaBytes: 50_000_000_000n };
      const tools = tool === "" ? ["gradle", "turbo"] : [tool];
      return { namespaces: tools.map((name) => ({ tool: name, ...held, hits: 377n, misses: 41n })) };
    },
    reset({ tool }, context) {
      caller(context, state);
      state.resets.push(tool);
      return { freedBytes: 1_312_000_000n };
    },
  });
  addMirrors(router, state);
  addBuildServices(router, state.builds, (context) => caller(context, state));
  router.service(ProjectService, {
    create({ name, builderSize = 4, cacheSizeBytes = 50n * 1000n ** 3n, retentionDays = 14 }, context) {
      caller(context, state);
      if (state.projects.some((other) => other.name === name))
        throw new ConnectError(`project ${name} exists`, Code.AlreadyExists);
      const id = `prj_${String(state.projects.length).padStart(10, "0")}`;
      state.projects.push({ id, name, builderSize, cacheSizeBytes, retentionDays, trust: [] });
      return { project: shown(project(id)) };
    },
    get({ projectId }, context) {
      caller(context, state);
      return { project: shown(project(projectId)) };
    },
    // Pages of two, so that a list has several.
    list({ pageToken }, context) {
      caller(context, state);
      const start = Number(pageToken || 0);
      const next = start + 2;
      return {
        projects: state.projects.slice(start, next).map(shown),
        nextPageToken: next < state.projects.length ? String(next) : "",
      };
    },
    update({ projectId, trustRelationships, clearTrustRelationships, ...settings }, context) {
      caller(context, state);
      const changed = project(projectId);
      for (const [name, value] of Object.entries(settings))
        if (value !== undefined && !name.startsWith("$")) Object.assign(changed, { [name]: value });
      if (clearTrustRelationships) changed.trust = [];
      else if (trustRelationships.length > 0) changed.trust = trustRelationships;
      return { project: shown(changed) };
    },
    getCacheUsage({ projectId }, context) {
      caller(context, state);
      project(projectId);
      const held = { layers: 214n, sizeBytes: 8_400_000_000n, quotaBytes: 50_000_000_000n };
      return { caches: [{ platform: "linux/amd64", ...held }] };
    },
    resetCache({ projectId, platform }, context) {
      caller(context, state);
      state.resets.push(`${project(projectId).id} ${platform}`.trim());
      return { freedBytes: 8_400_000_000n };
    },
    delete({ projectId }, context) {
      caller(context, state);
      state.projects.splice(state.projects.indexOf(project(projectId)), 1);
      return {};
    },
  });
  router.service(TokenService, {
    create({ name, type, projectId, readOnly, expiresAt }, context) {
      caller(context, state);
      const id = `tok_${String(state.tokens.length).padStart(10, "0")}`;
      state.tokens.push({ id, name, type, projectId, readOnly });
      return {
        token: { id, name, type, projectId, readOnly, owner: names.user, createdAt: CREATED_AT, expiresAt },
        secret: `mr_${type === "project" ? "prj" : type}_${"c".repeat(38)}`,
      };
    },
    list(_, context) {
      caller(context, state);
      return { tokens: state.tokens.map((token) => ({ ...token, owner: names.user, expiresAt: undefined })) };
    },
    revoke({ tokenId }, context) {
      const token = caller(context, state);
      if (tokenId === `tok_${token.slice(-10)}`) state.revoked.add(token);
      else if (!state.tokens.some(({ id }) => id === tokenId))
        throw new ConnectError("token was not found", Code.NotFound);
      return {};
    },
    exchangeOidcToken({ projectId, oidcToken }) {
      state.exchanged.push({ projectId, oidcToken });
      if (oidcToken === "untrusted")
        throw new ConnectError(
          "no trust relationship matches: repository is evil/web",
          Code.PermissionDenied,
        );
      return { secret: `mr_job_${"d".repeat(38)}` };
    },
  });
}

async function answerOther(
  request: IncomingMessage,
  response: ServerResponse,
  state: CliServer,
): Promise<void> {
  let body = "";
  for await (const chunk of request) body += chunk;
  const answer = (status: number, value: unknown) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  const path = request.url?.split("?")[0];
  if (path === "/oauth/device_authorization")
    answer(200, {
      device_code: "secret-device-code",
      user_code: "WDJB-MJHT",
      verification_uri: `${state.origin}/device`,
      verification_uri_complete: `${state.origin}/device?code=WDJB-MJHT`,
      expires_in: 60,
      interval: 0.01,
    });
  else if (path === "/oauth/token") {
    const error = state.deviceErrors.shift();
    if (error !== undefined) return void answer(400, { error, error_description: `because of ${error}` });
    const token = `mr_user_${String(state.given.length).padStart(38, "0")}`;
    state.given.push(token);
    answer(200, {
      access_token: token,
      token_type: "Bearer",
      organization: state.names.organization,
      user: state.names.user,
    });
  } else if (path === "/multi-search") answer(200, { results: [{ hits: hitsFor(body, state.origin) }] });
  // Stands in for GitHub and a proxy.
  else if (path === "/github-oidc")
    answer(200, {
      value: `oidc:${new URL(request.url!, state.origin).searchParams.get("audience")}:${request.headers.authorization}`,
    });
  else response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not found</h1>");
}

function hitsFor(body: string, origin: string): object[] {
  const [query] = (
    JSON.parse(body) as { queries: { q: string; highlightPreTag: string; highlightPostTag: string }[] }
  ).queries;
  const { q, highlightPreTag: start, highlightPostTag: end } = query!;
  if (q === "nothing") return [];
  return [
    {
      url: `${origin}/docs/container-builds/overview#layer-cache`,
      hierarchy_lvl1: "How container builds work",
      hierarchy_lvl2: "Layer cache",
    },
    {
      url: `${origin}/docs/container-builds/overview#layer-cache`,
      hierarchy_lvl1: "How container builds work",
      hierarchy_lvl2: "Layer cache",
      content: "x",
    },
    {
      url: `${origin}/docs/core-concepts#layer-cache`,
      hierarchy_lvl1: "Core \u001b[31mconcepts",
      hierarchy_lvl2: "Layer cache",
    },
    { url: "javascript:alert(1)", hierarchy_lvl1: "Elsewhere" },
  ].map((hit) => ({
    ...hit,
    _formatted: { hierarchy_lvl1: hit.hierarchy_lvl1, hierarchy_lvl2: `${start}Layer${end} cache` },
  }));
}
