/**
 * Every address of the server with every sort of caller. Addresses are taken from the code: mounts, the routes of their
 * applications, the methods of the API's descriptors, the services of gRPC.
 *
 * 1. API, JSON: whoever shows nothing good is told what is wrong with it, in the documentation's words; a kind of token
 *    that content/facts/api.yaml does not name, a read-only one, and a member where an owner is needed get
 *    permission_denied; the others do not. What was refused has changed nothing.
 * 2. An object of another organization is answered byte for byte like one that does not exist, whoever asks, whichever
 *    field or header names it.
 * 3. gRPC and gRPC-Web answer the same, and serve nothing else but their health service.
 * 4. Other addresses: each is named below, with the reason why it is open or with what opens it. One that is not named,
 *    and a method that its line does not name, fail.
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
import type { Hono } from "hono";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createConsoleRoutes } from "#app/.server/console-routes.ts";
import { createOperatorCheck } from "#app/.server/guard.ts";
import { createAccountRoutes } from "#accounts/index.ts";
import { openTestApi } from "#api/test-api.ts";
import { createGrpcHandler } from "#platform/grpc/handler.ts";
import { createHealthService } from "#platform/grpc/health.ts";
import type { Log } from "#platform/log/log.ts";
import { createSearchRoutes, openContentService } from "#search-server/index.ts";
import { storeOf, wireDocuments } from "#search-server/test-documents.ts";
import { createApp } from "./app.ts";
import { createEdge } from "./edge.ts";
import { createMountFinder, type Mount } from "./mount-table.ts";
import { createMounts } from "./mounts.ts";
import { observe } from "./observe.ts";
import { makeCallers, openSide, type TestApi, type TestCaller, type TestSide } from "./test-callers.ts";
import {
  type Body,
  bodyOf,
  type CallAnswer,
  callAsJson,
  callAsRpc,
  makeObjects,
  type MethodFacts,
  missingIds,
  type Objects,
  readMethodFacts,
} from "./test-calls.ts";
import { openTestRuntime } from "./test-runtime.ts";

const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, writes: () => false, flush() {} };
const methods = readMethodFacts();

/** The pages' "owners", where content/facts/api.yaml names kinds of tokens only. */
const OWNERS_ONLY = new Set([
  "OrganizationService/Create",
  "OrganizationService/Update",
  "OrganizationService/Delete",
  "OrganizationService/UpdateMember",
  "OrganizationService/RemoveMember",
  "OrganizationService/CreateInvitation",
  "OrganizationService/ListInvitations",
  "OrganizationService/RevokeInvitation",
  "OrganizationService/ListAuditEvents",
  "ProjectService/Delete",
  "ProjectService/Update with trust",
  "TokenService/Create",
]);
/** What belongs to a person, who needs no organization for it. */
const OWN_MATTERS =
  /^AccountService\/|^OrganizationService\/List$|^TokenService\/(?:List|Create of a person's)$/;

/** The same method with a request that needs another right. */
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
let mounts: Mount[];
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
  // Every call comes from another client, so that none is one too many.
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
  const opened = await openTestRuntime({ accountApps: { people, api: api.api.app }, searchRoutes });
  origin = opened.origin;
  const consoleApp = createConsoleRoutes({
    telemetry: opened.runtime.telemetry as never,
    config: { flags: [], surveys: [] },
    checkOperator: createOperatorCheck(accounts),
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
  mounts = createMounts(runtime, edge, operatorApp);
  app = createApp(runtime, edge, { log: silent, ...(operatorApp && { operatorApp }) });
  closing.push(
    () => content.close(),
    () => opened.close(),
    () => api[Symbol.asyncDispose](),
    () => rmSync(folder, { recursive: true, force: true }),
  );
});

afterAll(async () => {
  // oxlint-disable-next-line no-await-in-loop -- in this order
  for (const close of closing) await close();
});

/** What the documentation promises to a caller who names objects of the first organization. */
function expectedCode({ method, name }: Walked, caller: TestCaller): string {
  if (method.isPublic) return "permission_denied or unauthenticated for its OIDC token";
  if (caller.refusal !== null) return "unauthenticated";
  if (method.isMissing) return "unimplemented";
  const { kind, role, isReadOnly } = caller;
  if (kind === null || !method.tokens.includes(kind)) return "permission_denied";
  if (isReadOnly) return name === "AccountService/WhoAmI" ? "ok" : "permission_denied";
  if (kind === "user" && role === "none")
    return OWN_MATTERS.test(name)
      ? "ok"
      : name === "OrganizationService/Create"
        ? "permission_denied"
        : "not_found";
  if (role === "member" && OWNERS_ONLY.has(name)) return "permission_denied";
  // The server's first organization stays.
  return name === "OrganizationService/Delete" ? "failed_precondition" : "ok";
}

const call = (walk: Walked, caller: TestCaller, body: Body, more: Readonly<Record<string, string>> = {}) =>
  callAsJson(app, origin, { method: walk.method, body, headers: { ...caller.headers, ...more } });

/** A project's token and a job's have one project. */
const objectsFor = ({ kind }: TestCaller, objects: Objects): Objects =>
  kind === "project" || kind === "job" ? { ...objects, project_id: home.projectId } : objects;

/** Everything that a refused call could have changed. */
async function readState(): Promise<string> {
  const { db } = api.accounts;
  const ofTable = (table: "organizations" | "members" | "projects" | "trust_relationships") =>
    db.selectFrom(table).selectAll().execute();
  const others = ["invitations", "passkeys", "identities", "audit_events", "device_codes"] as const;
  const tokens = db.selectFrom("tokens").select(["id", "name", "user_id", "revoked_at", "expires_at"]);
  const people = db.selectFrom("users").select(["id", "name", "mail", "mail_verified_at"]);
  const rows = await Promise.all([
    ofTable("organizations"),
    ofTable("members"),
    ofTable("projects"),
    ofTable("trust_relationships"),
    ...others.map((table) => db.selectFrom(table).selectAll().execute()),
    tokens.execute(),
    people.execute(),
    db.selectFrom("sign_ins").select(["id", "user_id", "expires_at"]).execute(),
    db.selectFrom("sign_in_links").selectAll().execute(),
  ]);
  // A difference of megabytes says less than that there is one.
  return hash("sha256", JSON.stringify(rows));
}

test("1. every method, every caller", async () => {
  const objects = await makeObjects(api, home, home.owner);
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
  expect(await readState()).toBe(before);
  for (const [walk, caller] of admitted) {
    const fresh = await makeObjects(api, home, caller.person);
    const answer = await call(walk, caller, walk.body(objectsFor(caller, fresh)));
    expect(answer.code, `${walk.name} by ${caller.name}: ${answer.message}`).toBe("ok");
  }
  expect(admitted.length).toBeGreaterThan(100);
}, 60_000);

test("1. a request without fields is refused for its token first", async () => {
  for (const walk of walked)
    for (const caller of callers.filter(({ refusal }) => refusal !== null)) {
      if (walk.method.isPublic) continue;
      const answer = await call(walk, caller, { nonsense: 1 });
      expect([walk.name, caller.name, answer.code]).toEqual([walk.name, caller.name, "unauthenticated"]);
    }
});

/** Fields of a request that name an object. */
const ID_FIELDS = /^organization$|_id$/;

/** Which of the ids are another organization's: all, and each alone. */
function* swaps(body: Body): Generator<string[]> {
  const fields = Object.keys(body).filter((field) => ID_FIELDS.test(field));
  if (fields.length > 0) yield fields;
  if (fields.length > 1) for (const field of fields) yield [field];
}

/** An answer without the ids that it was asked for. */
const blind = ({ text }: CallAnswer, objects: Objects) =>
  Object.values(objects).reduce((rest, id) => rest.replaceAll(id, "ID"), text);

test("2. objects of another organization", async () => {
  const theirs = await makeObjects(api, home, home.owner);
  const ofMember = await makeObjects(api, home, home.member);
  const own = await makeObjects(api, foreign, foreign.owner);
  const nothing = missingIds(theirs);
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
  expect(await readState()).toBe(before);
}, 60_000);

test("2. another organization in Millrace-Org", async () => {
  const own = await makeObjects(api, foreign, foreign.owner);
  const { name: current } = await api.accounts.db
    .selectFrom("organizations")
    .select("name")
    .where("id", "=", home.organizationId)
    .executeTakeFirstOrThrow();
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
  expect(await readState()).toBe(before);
}, 60_000);

/** Each way to be refused, and to be somebody; all of them take a minute. */
const ON_GRPC =
  /^(?:no token|damaged token|another site's page|signed-out browser|revoked user|expired job|project|read-only user|member's browser|removed member|foreign (?:user|project))$/;

test("3. gRPC and gRPC-Web", async () => {
  const health = createHealthService();
  const routes = (router: Parameters<typeof health.routes>[0]) => {
    health.routes(router);
    api.api.routes(router);
  };
  const { handlers } = routed(routes);
  const known = methods.map(({ name }) => `/millrace.v1.${name}`);
  // What health says is of the server, not of anybody's objects: load balancers ask without a token.
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
  expect(await readState()).toBe(before);
  for (const server of servers) server.close();
}, 60_000);

function routed(routes: (router: ReturnType<typeof createConnectRouter>) => void) {
  const router = createConnectRouter();
  routes(router);
  return router;
}
