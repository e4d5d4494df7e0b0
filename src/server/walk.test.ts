/**
 * Every address of the server with every kind of caller. Addresses are derived from the code: mounts, the routes of their
 * applications, the methods of the API's descriptors, the services of gRPC.
 *
 * 1. API, JSON: an unknown caller gets the reason, in the documentation's words; a kind of token that the contract does
 *    not name, a read-only token, and a member where an owner is needed get permission_denied; the others do not. Refused calls
 *    have changed nothing.
 * 2. An object of another organization is answered byte for byte like a missing object, for every caller and every field or
 *    header that names it.
 * 3. gRPC and gRPC-Web answer the same, and serve nothing else but their health service.
 * 4. Other addresses: each is named below, with the reason why it is open or with what opens it. An unnamed address, and a method
 *    that its line does not name, fail.
 * 5. The cache: without a valid token nothing is answered, at any address; a project's token, and people without an organization,
 *    may do nothing; read-only callers write nothing; no organization sees an entry of another.
 * 6. The registry: the same, and a token of a project or a job has only its own project. A read-only token pulls, and changes
 *    nothing, whatever it requests from /v2/token. A repository of others is answered like a missing one. A token from /v2/token
 *    has its caller's rights.
 */
import { hash } from "node:crypto";
import { createServer as createHttp1Server } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConnectRouter, type Transport } from "@connectrpc/connect";
import { createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createConsoleRoutes } from "#app/.server/console-routes.ts";
import { createOperatorCheck } from "#app/.server/guard.ts";
import { createAccountRoutes, createCallers, createEventRoutes, createProject } from "#accounts/index.ts";
import { openTestApi } from "#api/testing/api.ts";
import { type MethodFacts, readMethodFacts } from "#api/testing/facts.ts";
import { completeActionResult, createCacheHandler, createProtocols, createTraffic } from "#cache/index.ts";
import { createGrpcHandler } from "#platform/grpc/handler.ts";
import { createHealthService } from "#platform/grpc/health.ts";
import type { Log } from "#platform/log/log.ts";
import { createRegistryHandler, createRegistryTraffic, registryRoutes } from "#registry/index.ts";
import { createSearchRoutes, openContentService } from "#search-server/index.ts";
import { storeOf, wireDocuments } from "#search-server/testing/documents.ts";
import { openTelemetry } from "#telemetry/index.ts";
import { createApp } from "./app.ts";
import { createEdge } from "./edge.ts";
import { createMountFinder, type Part } from "./mount-table.ts";
import { createParts } from "./mounts.ts";
import { observe } from "./operator/observe.ts";
import { makeCallers, openSide, type TestApi, type TestCaller, type TestSide } from "./testing/callers.ts";
import {
  type Body,
  bodyOf,
  MIRROR_PASSWORD,
  type CallAnswer,
  callAsJson,
  callAsRpc,
  makeObjects,
  missingIds,
  type Objects,
} from "./testing/calls.ts";
import { openTestRuntime } from "./testing/runtime.ts";
import { houseOf } from "./testing/house.ts";

const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, writes: () => false, flush() {} };
const methods = readMethodFacts();

/** Methods for the pages' "owners": the contract names only kinds of tokens. */
const OWNERS_ONLY = new Set([
  "OrganizationService/Create",
  "OrganizationService/Update",
  "OrganizationService/Delete",
  "OrganizationService/UpdateMember",
  "OrganizationService/RemoveMember",
  "OrganizationService/TurnOffTwoStep",
  "OrganizationService/CreateInvitation",
  "OrganizationService/ListInvitations",
  "OrganizationService/RevokeInvitation",
  "OrganizationService/ListAuditEvents",
  "ProjectService/Delete",
  "ProjectService/Update with trust",
  "TokenService/Create",
  "CacheService/Purge",
  "MirrorService/List",
  "MirrorService/Set",
  "MirrorService/Delete",
]);
/** A person's own matters, which need no organization. */
const OWN_MATTERS =
  /^AccountService\/|^OrganizationService\/List$|^TokenService\/(?:List|Create of a person's)$/;

/** The same method with a request that needs a different right. */
const VARIANTS: readonly { name: string; of: string; more: Body }[] = [
  {
    name: "ProjectService/Update with trust",
    of: "ProjectService/Update",
    more: { trust_relationships: [{ issuer: "https://ci.example", claims: { repository: "acme/web" } }] },
  },
  { name: "TokenService/Create of a person's", of: "TokenService/Create", more: { type: "user" } },
];

interface Walked {
  method: MethodFacts;
  /** The method's name, or the variant's. */
  name: string;
  body: (objects: Objects) => Body;
}
const walked: readonly Walked[] = [
  ...methods.map((method) => ({ method, name: method.name, body: (to: Objects) => bodyOf(method, to) })),
  ...VARIANTS.map(({ name, of, more }) => {
    const method = methods.find((each) => each.name === of)!;
    return { method, name, body: (to: Objects) => ({ ...bodyOf(method, to), ...more }) };
  }),
];

let api: TestApi;
let app: Hono;
let mounts: Part[];
let origin = "";
let home: TestSide;
let foreign: TestSide;
let callers: TestCaller[];
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  api = await openTestApi("sqlite", { rateLimitFactor: 0 });
  home = await openSide(api, "default");
  foreign = await openSide(api, "evil-corp");
  callers = await makeCallers(api, home, foreign);
  const { accounts } = api;
  let client = 0;
  // Every call comes from a different client, so that no limit is reached.
  const addressOf = () => `10.${(client += 1) >> 16}.${(client >> 8) & 255}.${client & 255}`;
  const people = createAccountRoutes(accounts, {
    addressOf,
    oidc: { issuer: "https://id.example", clientId: "a", clientSecret: "b", name: "Example" },
    github: { clientId: "a", clientSecret: "b" },
  });
  const folder = mkdtempSync(join(tmpdir(), "walk-"));
  const store = storeOf("docs", wireDocuments());
  const content = await openContentService({ store, dataDir: folder });
  const adminKey = "a-master-key-of-many-characters";
  const searchRoutes = createSearchRoutes({ store, publicIndexes: ["docs"], content, adminKey, addressOf });
  const config = {
    retentionDays: 1,
    maxBytes: 10_000_000,
    analytics: true,
    recording: true,
    flags: [],
    surveys: [],
  };
  const shared = { origin: "http://localhost:3000", config, addressOf };
  const telemetry = openTelemetry({ ...shared, dataDir: folder, log: () => {} });
  const unlimited = createCallers(accounts, { rateLimitFactor: 0 });
  const events = createEventRoutes(accounts, { callers: unlimited });
  const accountApps = { people, api: api.api.app, events: events.app };
  const opened = await openTestRuntime({ accountApps, searchRoutes, telemetry });
  origin = opened.origin;
  const consoleApp = createConsoleRoutes({
    telemetry,
    config,
    checkOperator: createOperatorCheck(accounts, unlimited),
    origin,
    root: folder,
    isWritable: false,
  });
  const runtime = { ...opened.runtime, consoleApp };
  const { operatorApp } = observe({
    env: { ACCESS_LOG: "off", METRICS_TOKEN: "of-the-operator", TRUSTED_PROXIES: [] } as never,
    log: silent,
    addressOf,
    connections: { isDraining: false, size: 0, unsentBytes: 0 },
    rooms: [],
  });
  const edge = createEdge({ rateLimitFactor: 0 });
  mounts = createParts(houseOf(runtime).rooms, edge, operatorApp ?? new Hono());
  app = createApp(houseOf(runtime), edge, { log: silent, ...(operatorApp && { operatorApp }) });
  closing.push(
    () => content.close(),
    () => telemetry.close(),
    () => opened.close(),
    () => events.streams.stop(),
    () => api[Symbol.asyncDispose](),
    () => rmSync(folder, { recursive: true, force: true }),
  );
});

afterAll(async () => {
  for (const close of closing) await close();
});

/** Methods that a read-only token may call. */
const READS = new Set(["AccountService/WhoAmI", "ImageService/List", "ImageService/Get"]);

/** The documented result for a caller that names objects of the first organization. */
function expectedCode({ method, name }: Walked, caller: TestCaller): string {
  if (method.isPublic) return "permission_denied or unauthenticated for its OIDC token";
  if (caller.refusal !== null) return "unauthenticated";
  if (method.isMissing) return "unimplemented";
  const { kind, role, isReadOnly } = caller;
  if (kind === null || !method.tokens.includes(kind)) return "permission_denied";
  if (isReadOnly) return READS.has(name) ? "ok" : "permission_denied";
  if (kind === "user" && role === "none")
    return OWN_MATTERS.test(name)
      ? "ok"
      : name === "OrganizationService/Create"
        ? "permission_denied"
        : "not_found";
  if (role === "member" && OWNERS_ONLY.has(name)) return "permission_denied";
  // The server's first organization cannot be deleted.
  return name === "OrganizationService/Delete" ? "failed_precondition" : "ok";
}

const call = (walk: Walked, caller: TestCaller, body: Body, more: Readonly<Record<string, string>> = {}) =>
  callAsJson(app, origin, { method: walk.method, body, headers: { ...caller.headers, ...more } });

/** A project's token and a job's have one project. */
const objectsFor = ({ kind }: TestCaller, objects: Objects): Objects =>
  kind === "project" || kind === "job" ? { ...objects, project_id: home.projectId } : objects;

/**
 * Does now what the server would do automatically later: cancels builds whose clients have left, and removes images of deleted
 * projects. A slow machine would do it between two reads of the records.
 */
async function settle(): Promise<void> {
  const open = api.database.db.selectFrom("builds").select(["id", "organization_id"]);
  const builds = await open.where("state", "in", ["queued", "running"]).execute();
  const ownerOf = (organizationId: string) =>
    [home, foreign].find((side) => side.organizationId === organizationId)!.owner.caller;
  await Promise.all(builds.map(({ id, organization_id }) => api.builds.cancel(ownerOf(organization_id), id)));
  await api.registry.sweep();
}

/** A hash of each table that a refused call could have changed, to show where a difference is. */
async function readState(): Promise<Record<string, string>> {
  const { db } = api.accounts;
  const ofTable = (
    table:
      | "organizations"
      | "members"
      | "projects"
      | "trust_relationships"
      | "invitations"
      | "passkeys"
      | "identities"
      | "audit_events"
      | "device_codes"
      | "sign_in_links",
  ) => db.selectFrom(table).selectAll().execute();
  // A minute after its start the server removes expired sign-ins.
  const signIns = db.selectFrom("sign_ins").where("expires_at", ">", api.time.now);
  const tables = {
    organizations: ofTable("organizations"),
    members: ofTable("members"),
    projects: ofTable("projects"),
    trust_relationships: ofTable("trust_relationships"),
    invitations: ofTable("invitations"),
    passkeys: ofTable("passkeys"),
    identities: ofTable("identities"),
    audit_events: ofTable("audit_events"),
    device_codes: ofTable("device_codes"),
    tokens: db.selectFrom("tokens").select(["id", "name", "user_id", "revoked_at", "expires_at"]).execute(),
    users: db.selectFrom("users").select(["id", "name", "mail", "mail_verified_at"]).execute(),
    sign_ins: signIns.select(["id", "user_id", "expires_at"]).execute(),
    sign_in_links: ofTable("sign_in_links"),
    builds: api.database.db.selectFrom("builds").selectAll().execute(),
  };
  const hashed = Object.entries<Promise<unknown[]>>(tables).map(async ([name, rows]) => [
    name,
    hash("sha256", JSON.stringify(await rows)),
  ]);
  return Object.fromEntries(await Promise.all(hashed)) as Record<string, string>;
}

// Some thousand calls: seconds on an idle machine, more than a minute on one with thirty times the load.
test("1. every method, every caller", async () => {
  const objects = await makeObjects(api, home, home.owner);
  await settle();
  const before = await readState();
  const admitted: [Walked, TestCaller][] = [];
  for (const walk of walked)
    for (const caller of callers) {
      if (caller.isForeign) continue;
      const wanted = expectedCode(walk, caller);
      if (wanted === "ok") {
        admitted.push([walk, caller]);
        continue;
      }
      const answer = await call(walk, caller, walk.body(objectsFor(caller, objects)));
      const who = `${walk.name} by ${caller.name}: ${answer.message}`;
      if (walk.method.isPublic) {
        expect(wanted, who).toContain(answer.code);
        expect(answer.message, who).not.toBe(caller.refusal);
        continue;
      }
      expect(answer.code, who).toBe(wanted);
      if (caller.refusal !== null) {
        expect(answer.message, who).toBe(caller.refusal);
        if (!walk.method.isStream) expect(answer.text).toContain('["www-authenticate","Bearer"]');
      }
    }
  expect(await readState()).toEqual(before);
  for (const [walk, caller] of admitted) {
    const fresh = await makeObjects(api, home, caller.person);
    const answer = await call(walk, caller, walk.body(objectsFor(caller, fresh)));
    expect(answer.text, walk.name).not.toContain(MIRROR_PASSWORD);
    expect(answer.code, `${walk.name} by ${caller.name}: ${answer.message}`).toBe("ok");
  }
  expect(admitted.length).toBeGreaterThan(100);
}, 180_000);

test("1. a request without fields is refused for its token first", async () => {
  for (const walk of walked)
    for (const caller of callers.filter(({ refusal }) => refusal !== null)) {
      if (walk.method.isPublic) continue;
      const answer = await call(walk, caller, { nonsense: 1 });
      expect([walk.name, caller.name, answer.code]).toEqual([walk.name, caller.name, "unauthenticated"]);
    }
});

/** Fields of a request that name an object, except steps, which exist only within a build. */
const ID_FIELDS = /^organization$|(?<!^step)_id$/;

/** Fields to take from another organization: all, and each alone. */
function* swaps(body: Body): Generator<string[]> {
  const fields = Object.keys(body).filter((field) => ID_FIELDS.test(field));
  if (fields.length > 0) yield fields;
  if (fields.length > 1) for (const field of fields) yield [field];
}

/** An answer without the requested ids. */
const blind = ({ text }: CallAnswer, objects: Objects) =>
  Object.values(objects).reduce((rest, id) => rest.replaceAll(id, "ID"), text);

test("2. objects of another organization", async () => {
  const theirs = await makeObjects(api, home, home.owner);
  const ofMember = await makeObjects(api, home, home.member);
  const own = await makeObjects(api, foreign, foreign.owner);
  const nothing = missingIds(theirs);
  await settle();
  const before = await readState();
  const projectToken = { ...VARIANTS[1]!, more: { type: "project" } };
  const tokens = methods.find(({ name }) => name === projectToken.of)!;
  const all = [
    ...walked,
    {
      method: tokens,
      name: "TokenService/Create of a project's",
      body: (to: Objects) => ({ type: "project", name: "x", project_id: to["project_id"]! }),
    },
  ];
  let compared = 0;
  for (const walk of all) {
    const ownBody = walk.body(own);
    for (const fields of swaps(ownBody))
      for (const caller of callers.filter(({ isForeign }) => isForeign))
        for (const objects of [theirs, ofMember]) {
          const bodyWith = (ids: Objects) => ({
            ...ownBody,
            ...Object.fromEntries(fields.map((field) => [field, ids[field]!])),
          });
          const answer = await call(walk, caller, bodyWith(objects));
          const empty = await call(walk, caller, bodyWith(nothing));
          const who = `${walk.name} by ${caller.name}, ${fields.join(" and ")}: ${answer.message}`;
          expect(blind(answer, objects), who).toBe(blind(empty, nothing));
          compared += 1;
          if (walk.method.isPublic || walk.method.isMissing) continue;
          const isKind = caller.kind !== null && walk.method.tokens.includes(caller.kind);
          const isOwners = caller.role === "member" && OWNERS_ONLY.has(walk.name);
          const isLastOfOwn = fields.length === 1 && fields[0] !== "organization";
          const wanted =
            isKind && !(isOwners && isLastOfOwn) ? ["not_found"] : ["not_found", "permission_denied"];
          expect(wanted, who).toContain(answer.code);
        }
  }
  expect(compared).toBeGreaterThan(100);
  expect(await readState()).toEqual(before);
}, 180_000);

test("2. another organization in Millrace-Org", async () => {
  const own = await makeObjects(api, foreign, foreign.owner);
  const { name: current } = await api.accounts.db
    .selectFrom("organizations")
    .select("name")
    .where("id", "=", home.organizationId)
    .executeTakeFirstOrThrow();
  await settle();
  const before = await readState();
  for (const walk of walked)
    for (const caller of callers.filter(({ isForeign }) => isForeign)) {
      const body = walk.body(own);
      for (const name of [home.organizationId, current]) {
        const other = `${name.slice(0, -1)}_`;
        const [answer, empty] = await Promise.all([
          call(walk, caller, body, { "millrace-org": name }),
          call(walk, caller, body, { "millrace-org": other }),
        ]);
        if (!walk.method.isPublic) expect([walk.name, answer.code]).toEqual([walk.name, "not_found"]);
        expect(answer.text.replaceAll(name, "NAME")).toBe(empty.text.replaceAll(other, "NAME"));
      }
    }
  expect(await readState()).toEqual(before);
}, 180_000);

/** Every kind of refused and known caller; all callers would take a minute. */
const ON_GRPC =
  /^(?:no token|damaged token|another site's page|signed-out browser|revoked user|expired job|project|read-only (?:user|project)|member's browser|removed member|foreign (?:user|project))$/;

test("3. gRPC and gRPC-Web", async () => {
  const health = createHealthService();
  const routes = (router: Parameters<typeof health.routes>[0]) => {
    health.routes(router);
    api.api.routes(router);
  };
  const { handlers } = routed(routes);
  const known = methods.map(({ name }) => `/millrace.v1.${name}`);
  // Health is about the server, not about anyone's objects: load balancers ask without a token.
  const open = ["/grpc.health.v1.Health/Check", "/grpc.health.v1.Health/Watch"];
  expect(handlers.map(({ requestPath }) => requestPath).sort()).toEqual([...known, ...open].sort());

  const grpc = createGrpcHandler({ routes });
  const servers = [createHttp2Server({}, grpc), createHttp1Server(grpc)] as const;
  const [http2, http1] = await Promise.all(
    servers.map(
      (server) =>
        new Promise<string>((resolve) =>
          server.listen(0, "127.0.0.1", () =>
            // A port of TCP has an address with a port.
            resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
          ),
        ),
    ),
  );
  const transports: Transport[] = [
    createGrpcTransport({ baseUrl: http2!, sessionTimeoutMs: 1 } as never),
    createGrpcWebTransport({ baseUrl: http1!, httpVersion: "1.1" }),
  ];
  const objects = await makeObjects(api, home, home.owner);
  await settle();
  const before = await readState();
  for (const transport of transports)
    for (const walk of walked) {
      const { method } = handlers.find(({ requestPath }) => requestPath.endsWith(`.${walk.method.name}`))!;
      const one = async (caller: TestCaller) => {
        const body = walk.body(objectsFor(caller, objects));
        const namesObjects = Object.keys(body).some((field) => ID_FIELDS.test(field));
        if (caller.isForeign ? !namesObjects : expectedCode(walk, caller) === "ok") return;
        const [asRpc, { code, message }] = await Promise.all([
          callAsRpc(transport, method, { body, headers: caller.headers }),
          call(walk, caller, body),
        ]);
        const who = `${walk.name} by ${caller.name}`;
        expect({ who, ...asRpc }).toEqual({ who, code, message });
      };
      await Promise.all(callers.filter(({ name }) => ON_GRPC.test(name)).map(one));
    }
  expect(await readState()).toEqual(before);
  for (const server of servers) server.close();
}, 180_000);

function routed(routes: (router: ReturnType<typeof createConnectRouter>) => void) {
  const router = createConnectRouter();
  routes(router);
  return router;
}

/**
 * Who may use an address:
 *
 *   open      anyone, and no credentials change the answer
 *   page      anyone, or anyone with the key in the address or the body; but not a page of another site
 *   cookie    the browser's user: not a token, nor another site's page
 *   operator  an owner of the first organization, with a token or a browser
 *   member    members of the organization that the address names, with a token or a browser
 *   secret    a secret outside the accounts: a key for searches, the token for metrics
 */
type Access = "open" | "page" | "cookie" | "operator" | "member" | "secret";
/** Methods → who may use them, and why. Others are refused. */
type Line = Readonly<Record<string, readonly [Access, string]>>;

const PAGE = { GET: ["open", "a file that has no data of anybody's"] } satisfies Line;
const SEARCH = ["open", "searches of the published pages"] as const;
const READER = ["page", "readers' browsers report here, and no one is told what they reported"] as const;
const OWN_DATA = ["page", "the reader's own random id, in the body, names what is given or erased"] as const;
const SIGN_IN = ["page", "how someone without a token gets in"] as const;
const PROGRAM = ["open", "the beginning of a program's login; a person decides"] as const;
const PERSON = ["cookie", "what the person whose browser it is decides"] as const;

const NAMED: Readonly<Record<string, Line>> = {
  "/multi-search": { POST: SEARCH },
  "/indexes/:uid/search": { GET: SEARCH, POST: SEARCH },
  "/indexes/:uid/facet-search": { POST: SEARCH },
  "/search/multi-search": { POST: SEARCH },
  "/search/indexes/:uid/search": { GET: SEARCH, POST: SEARCH },
  "/search/indexes/:uid/facet-search": { POST: SEARCH },
  "/search/indexes/:uid/similar": { GET: SEARCH, POST: SEARCH },
  "/mcp": { POST: ["page", "searches of the published pages and the pages themselves, for agents"] },
  "/mcp/*": {},
  "/health": { GET: ["open", "for who watches the search"] },
  "/search/health": { GET: ["open", "for who watches the search"] },

  ...Object.fromEntries(
    ["e", "i/v0/e", "batch", "capture", "track", "s", "flags", "decide"].flatMap((name) => [
      [`/ingest/${name}`, { POST: READER }],
      [`/ingest/${name}/`, { POST: READER }],
    ]),
  ),
  "/ingest/array/:token/config": { GET: ["open", "the settings of the reporting script"] },
  "/ingest/array/:token/config.js": { GET: ["open", "the settings of the reporting script"] },
  "/ingest/api/surveys": { GET: ["open", "the questions that readers are asked"] },
  "/ingest/api/surveys/": { GET: ["open", "the questions that readers are asked"] },
  "/ingest/*": {},
  "/insights/1/events": { POST: READER },
  "/insights/*": {},
  "/errors/envelope": { POST: READER },
  "/errors/envelope/": { POST: READER },
  "/errors/*": {},
  "/feedback": { POST: ["page", "what a reader says of a page"] },
  "/your-data/export": { POST: OWN_DATA },
  "/your-data/erase": { POST: OWN_DATA },

  "/auth/*": {},
  "/auth/state": { GET: ["cookie", "tells a page whose browser it is, and strangers nothing of anybody"] },
  "/auth/sign-out": { POST: ["cookie", "ends this browser's own sign-in; who has none loses none"] },
  "/auth/start/:key": { GET: SIGN_IN, POST: SIGN_IN },
  "/auth/passkey/options": { POST: SIGN_IN },
  "/auth/passkey/sign-in": { POST: SIGN_IN },
  "/auth/passkey": { POST: PERSON },
  "/auth/second-step/options": { POST: SIGN_IN },
  "/auth/second-step": { POST: SIGN_IN },
  "/auth/two-step": { GET: PERSON },
  "/auth/two-step/passkey": { POST: PERSON },
  "/auth/two-step/off": { POST: PERSON },
  "/auth/two-step/recovery-codes": { POST: PERSON },
  "/auth/two-step/totp/begin": { POST: PERSON },
  "/auth/two-step/totp": { POST: PERSON },
  "/auth/confirm/options": { POST: PERSON },
  "/auth/confirm": { POST: PERSON },
  "/auth/mail": { POST: SIGN_IN },
  "/auth/mail/:key": { POST: SIGN_IN },
  "/auth/oidc": { GET: ["cookie", "goes to the provider; with link=1 it is the person's to ask for"] },
  "/auth/github": { GET: ["cookie", "goes to the provider; with link=1 it is the person's to ask for"] },
  "/auth/oidc/callback": { GET: SIGN_IN },
  "/auth/github/callback": { GET: SIGN_IN },
  "/auth/invitation/:key": { GET: SIGN_IN, POST: SIGN_IN },
  "/oauth/*": {},
  "/oauth/device_authorization": { POST: PROGRAM },
  "/oauth/token": { POST: PROGRAM },
  "/oauth/device": { GET: PERSON },
  "/oauth/device/approve": { POST: PERSON },
  "/oauth/device/deny": { POST: PERSON },

  "/install.sh": { GET: ["open", "installs the CLI of this server"] },
  "/install.ps1": { GET: ["open", "the same on Windows"] },
  "/cli/*": { GET: ["open", "the CLI, and the buildx that it runs"] },

  "/openapi.json": { GET: ["open", "what there is, the same for everyone"] },
  // Methods are tested above; here, that there is nothing else.
  "/api/*": {},
  "/app": PAGE,
  "/app/*": PAGE,
  "/app/:organization/events": { GET: ["member", "what happens in the organization"] },
  "/app/:organization/first-run": { GET: ["member", "what the organization has done already"] },
  "/device": PAGE,
  "/console": PAGE,
  "/console/*": PAGE,
  "/healthz": { GET: ["open", "for process managers"] },
  "/readyz": { GET: ["open", "for load balancers"] },
  "/metrics": { GET: ["secret", "METRICS_TOKEN"] },
  "/*": PAGE,
};

/** Parts in which every address not named above is closed. */
const CLOSED: Readonly<Record<string, Access>> = { "search-api": "secret", "console-api": "operator" };

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** The patterns in the code: of mounts, and of their applications' routes. */
function listAddresses(): { part: string; pattern: string; path: string }[] {
  const find = createMountFinder(mounts);
  const addresses = mounts.flatMap(({ part, paths, app: { routes } }) => {
    // Middleware is also registered at `/*`, which is not an address.
    const inside = routes.map(({ path }) => path).filter((path) => path !== "/*");
    return [...new Set([...paths, ...inside])].map((pattern) => ({
      part,
      pattern: pattern.replaceAll(/\{[^}]*\}+/g, ""),
      path: pattern.replaceAll(/:uid/g, "docs").replaceAll(/:\w+(?:\{[^}]*\}+)?|\*/g, "nothing"),
    }));
  });
  // Some applications know addresses that another part owns.
  return addresses.filter(({ part, path }) => find(path).part === part);
}

const lineOf = (part: string, pattern: string): Line | undefined => {
  const closed = CLOSED[part];
  if (!closed) return NAMED[pattern];
  const rest = METHODS.map((method) => [method, [closed, "closed as a whole"]] as const);
  return { ...Object.fromEntries(rest), ...NAMED[pattern] };
};

/** Bodies with which a request reaches the check of its caller. */
const BODIES: Readonly<Record<string, unknown>> = {
  "/auth/passkey": {
    state: "x",
    response: { id: "x", rawId: "x", type: "public-key", response: { clientDataJSON: "x" } },
    name: "key",
  },
  "/auth/two-step/totp": { state: "x", code: "123456" },
  "/oauth/device/approve": { code: "WDJB-MJHT", organization: "default" },
  "/oauth/device/deny": { code: "WDJB-MJHT" },
  "/mcp": { jsonrpc: "2.0", id: 1, method: "tools/list" },
};
const QUERIES: Readonly<Record<string, string>> = {
  "/auth/oidc": "?link=1",
  "/auth/github": "?link=1",
  "/oauth/device": "?code=WDJB-MJHT",
};

async function ask(method: string, path: string, { headers, pattern }: { headers: object; pattern: string }) {
  const body = ["GET", "HEAD"].includes(method) ? null : JSON.stringify(BODIES[pattern] ?? {});
  const answer = await app.request(origin + path + (QUERIES[pattern] ?? ""), {
    method,
    headers: {
      ...headers,
      "content-type": "application/json",
      ...(pattern === "/mcp" && { accept: "application/json, text/event-stream" }),
    },
    body,
  });
  const text = await answer.text();
  // No page may read responses to cookies from another origin.
  expect(answer.headers.get("access-control-allow-credentials"), path).toBeNull();
  // Times, counts and ids of a request.
  return { status: answer.status, text: text.replaceAll(/[\da-f]{8}-[\da-f-]{27}|\d+/g, "#") };
}

/** Callers that might get a different answer where all must get the same. */
const ON_OPEN =
  /^(?:user|organization|job|read-only (?:user|project)|owner's browser|damaged token|revoked user|another site's page|foreign user)$/;

const isCrossSite = ({ headers }: TestCaller) =>
  "cookie" in headers && (/cross|same-site/.test(headers["sec-fetch-site"] ?? "") || "origin" in headers);
/** Whether the cookie is valid; other credentials do not count where only cookies do. */
const isBrowser = ({ headers, person }: TestCaller) =>
  headers["cookie"]?.endsWith(`=${person.cookie}`) === true;

test("4. every other address is named, and nothing is named that is not there", () => {
  const addresses = listAddresses();
  const unnamed = addresses.filter(({ part, pattern }) => !lineOf(part, pattern));
  expect(unnamed, "Say in NAMED who may use these, and why.").toEqual([]);
  const patterns = new Set(addresses.map(({ pattern }) => pattern));
  expect(Object.keys(NAMED).filter((pattern) => !patterns.has(pattern))).toEqual([]);
  expect(new Set(addresses.map(({ part }) => part)).size).toBe(mounts.length);
});

test("4. every other address, every method, every caller", async () => {
  const [nobody] = callers.filter(({ name }) => name === "no token");
  await settle();
  const before = await readState();
  for (const { part, pattern, path } of listAddresses())
    for (const method of METHODS) {
      const rule = lineOf(part, pattern)?.[method === "HEAD" ? "GET" : method];
      // Tested last, below, because it ends the browser's session.
      if (pattern === "/auth/sign-out" && method === "POST") continue;
      const alone = await ask(method, path, { headers: nobody!.headers, pattern });
      if (!rule) expect(alone.status, `${method} ${path}`).toBeGreaterThanOrEqual(400);
      const access = rule?.[0] ?? "open";
      const isOpen = access === "open" || access === "page";
      for (const caller of callers) {
        if (isOpen && !ON_OPEN.test(caller.name)) continue;
        const { status, text } = await ask(method, path, { headers: caller.headers, pattern });
        const who = `${method} ${path} by ${caller.name}: ${status} ${text.slice(0, 200)}`;
        if (access === "open") expect({ status, text }, who).toEqual(alone);
        if (access === "secret") expect([401, 403, 404, 405], who).toContain(status);
        // No organization has the name in the pattern.
        if (access === "member") expect(status, who).toBe(caller.refusal === null ? 404 : 401);
        if (access === "page") {
          if (isCrossSite(caller) && method === "POST") expect(status, who).toBe(403);
          else expect({ status, text }, who).toEqual(alone);
        }
        if (access === "operator") {
          const { kind, role, isReadOnly, isForeign, refusal } = caller;
          const isOperator = kind === "user" && role === "owner" && !isReadOnly && !isForeign;
          if (refusal !== null)
            expect([status, text], who).toEqual([
              401,
              method === "HEAD" ? "" : expect.stringContaining(refusal),
            ]);
          else if (isOperator) expect([401, 403], who).not.toContain(status);
          else expect(status, who).toBe(403);
        }
        if (access === "cookie") {
          if (isCrossSite(caller)) {
            if (method === "POST") expect(status, who).toBe(403);
          } else if (!isBrowser(caller)) {
            expect({ status, text }, who).toEqual(alone);
            if (pattern !== "/auth/state") expect(status, who).toBe(401);
          } else {
            expect([401, 403], who).not.toContain(status);
            if (pattern === "/auth/state" && method === "GET")
              expect(text.replaceAll("#", ""), who).toContain(caller.person.userId.replaceAll(/\d+/g, ""));
          }
        }
      }
    }
  expect(await readState()).toEqual(before);
}, 180_000);

test("4. signing out", async () => {
  const pattern = "/auth/sign-out";
  const signOut = ({ headers }: TestCaller) => ask("POST", pattern, { headers, pattern });
  const [nobody] = callers.filter(({ name }) => name === "no token");
  const alone = await signOut(nobody!);
  await settle();
  const before = await readState();
  for (const caller of callers.filter((each) => !isBrowser(each) || isCrossSite(each))) {
    const { status, text } = await signOut(caller);
    if (isCrossSite(caller)) expect([caller.name, status]).toEqual([caller.name, 403]);
    else expect({ name: caller.name, status, text }).toEqual({ name: caller.name, ...alone });
  }
  expect(await readState()).toEqual(before);
  const whoAmI = walked.find(({ name }) => name === "AccountService/WhoAmI")!;
  const browser = callers.find(({ name }) => name === "member's browser")!;
  expect((await call(whoAmI, browser, {})).code).toBe("ok");
  await signOut(browser);
  expect((await call(whoAmI, browser, {})).message).toBe("this browser is signed out");
});

/** Whether a caller may read from the cache, and write to it. */
function cacheRights({ kind, role, refusal, isReadOnly }: TestCaller): "none" | "read" | "write" {
  const isSomebody = refusal === null && kind !== null && kind !== "project";
  if (!isSomebody || (kind === "user" && role === "none")) return "none";
  // Jobs may read, unless their trust relationship says more.
  return isReadOnly || kind === "job" ? "read" : "write";
}

async function openCacheServer() {
  const { cache, database } = api;
  const protocols = createProtocols(completeActionResult);
  const traffic = createTraffic();
  const callers = createCallers(api.accounts, { rateLimitFactor: 0 });
  const handle = createCacheHandler({ cache, callers, protocols, traffic, log: silent });
  const server = createHttp1Server(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.unshift(() => server.close());
  // A port of TCP has an address with a port.
  return { protocols, database, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const CACHE_METHODS = [...METHODS, "PROPFIND", "MKCOL"];

test("5. the cache", async () => {
  const { protocols, url, database } = await openCacheServer();
  const addresses: { path: string; answered: Partial<Record<string, unknown>> }[] = protocols.flatMap(
    ({ tool, routes }) =>
      routes.map(({ example, methods: answered }) => ({ path: `/cache/${tool}${example}`, answered })),
  );
  const others = ["/cache/", "/cache/other/x", "/cache/bazel", "/cache/turbo/v9/x", "/cache/gradle/%zz"];
  const send = async (method: string, path: string, { headers }: TestCaller) => {
    const isBodiless = method === "GET" || method === "HEAD";
    const more = path.includes("/gocache/") && { "x-output-id": "0".repeat(64), "x-time": "1" };
    const answer = await fetch(url + path, {
      method,
      headers: { ...headers, ...more },
      body: isBodiless ? null : "{}",
    });
    return { status: answer.status, text: await answer.text() };
  };
  const countEntries = async () =>
    (await database.db.selectFrom("cache_entries").selectAll().execute()).length;
  // Callers without access must not find out whether an entry exists.
  const [writer] = callers.filter(({ name }) => name === "organization");
  for (const { path, answered } of addresses) if (answered["PUT"]) await send("PUT", path, writer!);
  const before = await countEntries();
  expect(before).toBeGreaterThan(3);
  const all: typeof addresses = [...addresses, ...others.map((path) => ({ path, answered: {} }))];
  for (const { path, answered } of all)
    for (const method of CACHE_METHODS)
      for (const caller of callers) {
        const isWrite = method === "PUT" || method === "MKCOL";
        const rights = cacheRights(caller);
        // Basic credentials are valid here.
        const isBasic = caller.name === "another scheme";
        const who = `${method} ${path} by ${caller.name}`;
        if (rights === "write" && isWrite) continue;
        // A refused caller is refused before the method is read.
        if (method !== "GET" && method !== "PUT" && !ON_OPEN.test(caller.name)) continue;
        const { status, text } = await send(method, path, isBasic ? { ...caller, headers: {} } : caller);
        // A cookie is not a token here.
        const hasToken = "authorization" in caller.headers && caller.refusal === null;
        if (!hasToken) {
          expect([who, status], text).toEqual([who, 401]);
          continue;
        }
        const isKnown = Object.hasOwn(answered, method) || (method === "HEAD" && "GET" in answered);
        if (rights === "none" || (rights === "read" && isWrite))
          expect([403, 404], `${who}: ${status} ${text}`).toContain(status);
        else if (!isKnown && method !== "OPTIONS")
          expect([400, 404, 405], `${who}: ${status}`).toContain(status);
        if (rights === "none" && isKnown) expect([who, status]).toEqual([who, 403]);
        if (caller.isForeign && method === "GET" && answered["PUT"])
          expect([who, status]).toEqual([who, rights === "none" ? 403 : 404]);
      }
  expect(await countEntries()).toBe(before);
}, 180_000);

async function openRegistryServer() {
  const { accounts, registry, database } = api;
  const callers = createCallers(accounts, { rateLimitFactor: 0 });
  const handle = createRegistryHandler({ registry, callers, traffic: createRegistryTraffic(), log: silent });
  const server = createHttp1Server(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.unshift(() => server.close());
  // A port of TCP has an address with a port.
  return { registry, database, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** A caller's rights to images of the first organization's project `web`, and of its other projects. */
function imageRights({ kind, role, refusal, isReadOnly, isForeign, name, headers }: TestCaller): {
  web: string[];
  other: string[];
} {
  // A cookie is not a token here.
  const isSomebody = "authorization" in headers && refusal === null && !isForeign;
  if (!isSomebody || (kind === "user" && role === "none")) return { web: [], other: [] };
  const web = isReadOnly ? ["pull"] : ["pull", "push"];
  const isWide = kind === "user" || kind === "organization" || name === "job of a runner";
  return { web, other: isWide ? web : [] };
}

test("6. the registry", async () => {
  const { registry, database, url } = await openRegistryServer();
  const { db } = api.accounts;
  const { name: organization } = await db
    .selectFrom("organizations")
    .select("name")
    .where("id", "=", home.organizationId)
    .executeTakeFirstOrThrow();
  const other = await createProject(api.accounts, home.owner.caller, { name: "other-images" });
  const repositories = { web: `${organization}/web`, other: `${organization}/${other.name}` };
  for (const name of Object.values(repositories)) {
    const grant = await registry.grant({ actor: home.owner.caller.actor, scopes: null }, name, "push");
    const bytes = Buffer.from('{"there":true}');
    await registry.manifests.put(grant, { reference: "latest", bytes, mediaType: "application/vnd.example" });
  }
  const send = async (method: string, path: string, headers: Readonly<Record<string, string>>) => {
    const isBodiless = method === "GET" || method === "HEAD";
    const answer = await fetch(url + path, { method, headers, body: isBodiless ? null : "{}" });
    return {
      status: answer.status,
      text: await answer.text(),
      challenge: answer.headers.get("www-authenticate"),
    };
  };
  // Basic credentials are valid here.
  const headersOf = ({ name, headers }: TestCaller) => (name === "another scheme" ? {} : headers);
  const isSomebody = (caller: TestCaller) => "authorization" in headersOf(caller) && caller.refusal === null;
  const readRows = async () => {
    const tables = ["registry_manifests", "registry_tags", "registry_blobs", "registry_uploads"] as const;
    const read = (table: (typeof tables)[number]) => database.db.selectFrom(table).selectAll().execute();
    const rows = await Promise.all(tables.map(read));
    // The sweep records its next run; the first one is a minute after the registry was opened, perhaps right now.
    return JSON.stringify(rows, (column, value: unknown) => (column === "sweep_at" ? undefined : value));
  };
  await settle();
  const before = await readRows();
  const routes = registryRoutes.map(({ example, methods: answered }) => ({ example, answered }));
  expect(routes.length).toBeGreaterThan(5);
  const admitted: (() => Promise<void>)[] = [];
  for (const { example, answered } of routes)
    for (const method of METHODS)
      for (const caller of callers) {
        const isKnown = Object.hasOwn(answered, method) || (method === "HEAD" && "GET" in answered);
        // A refused caller is refused before the method is read.
        if (!isKnown && !ON_OPEN.test(caller.name)) continue;
        const rights = imageRights(caller);
        for (const [which, name] of Object.entries(repositories) as ["web" | "other", string][]) {
          // An unknown caller is refused for every repository.
          if (!isSomebody(caller) && which === "other") continue;
          const call = () => send(method, `/v2/${name}${example}`, headersOf(caller));
          const { right = "" } = answered[method === "HEAD" ? "GET" : (method as "GET")] ?? {};
          if (rights[which].includes(right) && isKnown) {
            admitted.push(async () => {
              const { status, text } = await call();
              expect([401, 403, 500], `${method} ${name}${example} by ${caller.name}: ${text}`).not.toContain(
                status,
              );
            });
            continue;
          }
          const { status, text, challenge } = await call();
          const who = `${method} ${name}${example} by ${caller.name}: ${status} ${text}`;
          if (!isSomebody(caller)) {
            expect(status, who).toBe(401);
            expect(challenge, who).toMatch(/^Bearer realm="http:\/\/localhost:3000\/v2\/token"/);
          } else if (!isKnown) expect([404, 405], who).toContain(status);
          else if (caller.isForeign || (caller.kind === "user" && caller.role === "none")) {
            expect(status, who).toBe(404);
            const nowhere = await send(method, `/v2/${organization}/nowhere${example}`, headersOf(caller));
            expect(text.replaceAll(name, `${organization}/nowhere`), who).toBe(nowhere.text);
          } else expect(status, who).toBe(403);
        }
      }
  expect(await readRows()).toBe(before);
  for (const call of admitted) await call();
  expect(admitted.length).toBeGreaterThan(100);
  for (const caller of callers) {
    const names = Object.entries(repositories) as ["web" | "other", string][];
    const scope = names.map(([which, name]) => `repository:${name}:${which === "web" ? "pull,push" : "*"}`);
    const { status, text } = await send("GET", `/v2/token?scope=${scope.join(" ")}`, headersOf(caller));
    const who = `a token for ${caller.name}: ${status} ${text}`;
    expect(status, who).toBe(isSomebody(caller) ? 200 : 401);
    const rights = imageRights(caller);
    const expected = names
      .filter(([which]) => rights[which].length > 0)
      .map(([which, name]) => `repository:${name}:${rights[which].join(",")}`)
      .join(" ");
    if (isSomebody(caller)) expect((JSON.parse(text) as { scope: string }).scope, who).toBe(expected);
    for (const path of ["/v2/", "/v2/_catalog", "/v2/x", `/v2/${organization}/web`, "/v2/%2e%2e/healthz"]) {
      const answer = await send("GET", path, headersOf(caller));
      const wanted = isSomebody(caller) ? (path === "/v2/" ? 200 : 404) : 401;
      expect([path, caller.name, answer.status]).toEqual([path, caller.name, wanted]);
    }
  }
}, 180_000);
