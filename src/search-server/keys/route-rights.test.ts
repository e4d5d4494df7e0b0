/**
 * 1. Every mounted route has a right or is known to be open, and every right has a route: a new route without
 *    either fails here.
 * 2. Every route with every kind of key and token answers 401, 403, or as it does for a sender with the
 *    right.
 * 3. An unknown route, or one without a right, is closed to all but the holder of all rights. Another
 *    spelling of an address is the same address, and HEAD is as closed as GET.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeKey, makeToken, MASTER_KEY, START, startKeyedApp } from "../testing/keys.ts";
import { ROUTE_RIGHTS } from "./route-rights.ts";

let session: Awaited<ReturnType<typeof startKeyedApp>>;
beforeAll(async () => void (session = await startKeyedApp()));
afterAll(() => session.content.close());

/** Open, or decided by what the body names; the others answer addresses that are not routes. */
const WITHOUT_RIGHT = [
  "ALL /multi-search",
  "POST /multi-search",
  "GET /health",
  "ALL /health",
  "ALL /indexes/:uid/search",
  "ALL /indexes/:uid/facet-search",
  "ALL /indexes/:uid/similar",
  // Whether the feature is on.
  "ALL /dynamic-search-rules",
  "ALL /dynamic-search-rules/:uid",
];
const CATCH_ALL = [
  "/version",
  "/stats",
  "/indexes",
  "/indexes/*",
  "/swap-indexes",
  "/tasks",
  "/tasks/*",
].concat(
  ["/batches", "/batches/*", "/keys", "/keys/*", "/dumps", "/snapshots", "/export", "/logs/*", "/metrics"],
  ["/render-template", "/experimental-features", "/dynamic-search-rules", "/dynamic-search-rules/*"],
  ["/chats", "/chats/*", "/network", "/network/*", "/webhooks", "/webhooks/*"],
);

test("1. every route", () => {
  const mounted = session.app.routes.map(({ method, path }) => `${method} ${path}`);
  const rights = ROUTE_RIGHTS.map(({ method, path }) => `${method} ${path}`);
  const known = new Set([...rights, ...WITHOUT_RIGHT, "ALL /*", ...CATCH_ALL.map((path) => `ALL ${path}`)]);
  expect(mounted.filter((route) => !known.has(route))).toEqual([]);
  // One of them is its guard, the other the route itself.
  for (const route of rights)
    expect([route, mounted.filter((one) => one === route).length > 1]).toEqual([route, true]);
});

interface Row {
  /** The status for a sender with the right. */
  status: number;
  body?: unknown;
}

const search = { q: "docker", limit: 1 };
/** Route → the request. `:uid` is `blog`, which is not public. */
const rows: { [route: string]: Row } = {
  "GET /indexes/:uid/search": { status: 200 },
  "POST /indexes/:uid/search": { status: 200, body: search },
  "POST /indexes/:uid/facet-search": { status: 200, body: { facetName: "section" } },
  "GET /indexes/:uid/similar": { status: 400 },
  "POST /indexes/:uid/similar": { status: 400, body: {} },
  "GET /version": { status: 200 },
  "GET /stats": { status: 200 },
  "GET /indexes/:uid/stats": { status: 200 },
  "GET /indexes": { status: 200 },
  "POST /indexes": { status: 202, body: { uid: "blog" } },
  "GET /indexes/:uid": { status: 200 },
  "PATCH /indexes/:uid": { status: 202, body: {} },
  "DELETE /indexes/:uid": { status: 202 },
  "POST /indexes/:uid/fields": { status: 200, body: {} },
  "POST /swap-indexes": { status: 202, body: [] },
  "GET /indexes/:uid/documents": { status: 200 },
  "POST /indexes/:uid/documents/fetch": { status: 200, body: {} },
  "GET /indexes/:uid/documents/:id": { status: 200 },
  "POST /indexes/:uid/documents": { status: 202, body: [] },
  "PUT /indexes/:uid/documents": { status: 202, body: [] },
  "ALL /indexes/:uid/documents/edit": { status: 400 },
  "DELETE /indexes/:uid/documents": { status: 202 },
  "DELETE /indexes/:uid/documents/:id": { status: 202 },
  "POST /indexes/:uid/documents/delete-batch": { status: 202, body: [] },
  "POST /indexes/:uid/documents/delete": { status: 202, body: { filter: "section = CLI" } },
  "GET /indexes/:uid/settings": { status: 200 },
  "PATCH /indexes/:uid/settings": { status: 202, body: {} },
  "DELETE /indexes/:uid/settings": { status: 202 },
  "GET /indexes/:uid/settings/:setting": { status: 200 },
  "PUT /indexes/:uid/settings/:setting": { status: 202, body: null },
  "PATCH /indexes/:uid/settings/:setting": { status: 202, body: null },
  "DELETE /indexes/:uid/settings/:setting": { status: 202 },
  "ALL /indexes/:uid/settings/chat": { status: 400 },
  "GET /tasks": { status: 200 },
  "GET /tasks/:uid": { status: 200 },
  "GET /tasks/:uid/documents": { status: 404 },
  "POST /tasks/cancel": { status: 202 },
  "DELETE /tasks": { status: 202 },
  "GET /batches": { status: 200 },
  "GET /batches/:uid": { status: 200 },
  "GET /keys": { status: 200 },
  "GET /keys/:key": { status: 200 },
  "POST /keys": { status: 201, body: { actions: ["search"], indexes: ["blog"], expiresAt: null } },
  "PATCH /keys/:key": { status: 200, body: { name: "named" } },
  "DELETE /keys/:key": { status: 204 },
  "GET /experimental-features": { status: 200 },
  "PATCH /experimental-features": { status: 200, body: {} },
  "ALL /chats": { status: 400 },
  "ALL /chats/*": { status: 400 },
  "ALL /network": { status: 400 },
  "ALL /network/*": { status: 400 },
  ...Object.fromEntries(
    ["dumps", "snapshots", "export", "logs/*", "metrics", "indexes/:uid/compact"].map(
      (path): [string, Row] => [`ALL /${path}`, { status: 400 }],
    ),
  ),
  // The feature is off.
  "POST /render-template": { status: 400, body: { template: {} } },
  "POST /dynamic-search-rules": { status: 400, body: {} },
  "DELETE /dynamic-search-rules": { status: 400 },
  "GET /dynamic-search-rules/:uid": { status: 400 },
  "PATCH /dynamic-search-rules/:uid": { status: 400, body: {} },
  "DELETE /dynamic-search-rules/:uid": { status: 400 },
  "GET /webhooks": { status: 200 },
  "POST /webhooks": { status: 201, body: { url: "https://example.com" } },
  "GET /webhooks/:uuid": { status: 404 },
  "PATCH /webhooks/:uuid": { status: 404, body: {} },
  "DELETE /webhooks/:uuid": { status: 404 },
  // Decided by the indexes that they name.
  "POST /multi-search": { status: 200, body: { queries: [{ indexUid: "blog", ...search }] } },
};
/** A request to `docs`, which is public, for each route with an index of its own. */
const PUBLIC_SEARCHES = [
  "GET /indexes/:uid/search",
  "POST /indexes/:uid/search",
  "POST /indexes/:uid/facet-search",
  "GET /indexes/:uid/similar",
  "POST /indexes/:uid/similar",
];

/** Fills in harmless values, and none of the names above. */
const target = (path: string, keyUid: string) =>
  path
    .replace("/indexes/:uid", "/indexes/blog")
    .replace(/\/(tasks|batches)\/:uid/, "/$1/0")
    .replace("/tasks/cancel", "/tasks/cancel?uids=999")
    .replace(/^\/tasks$/, "/tasks?uids=999")
    .replace(":id", "doc-1")
    .replace(":setting", "synonyms")
    .replace(":key", keyUid)
    .replace(":uuid", keyUid)
    .replace("*", "x");

/** Kind → the header to send; `opens` says which rows it opens. */
async function credentials() {
  const { keys } = session;
  const right = await makeKey(keys, { indexes: ["bl*"] });
  const other = await makeKey(keys, { indexes: ["other"] });
  const deleted = await makeKey(keys, { actions: ["*"] });
  const over = await makeKey(keys, { actions: ["*"], expiresAt: new Date(START - 1).toISOString() });
  const writer = await makeKey(keys, { actions: ["documents.*", "tasks.get"], indexes: ["blog"] });
  const all = await makeKey(keys, { actions: ["*"] });
  const tenant = await makeKey(keys, { actions: ["*"], indexes: ["blog"] });
  await keys.remove(deleted.record.uid);
  const rules = { blog: {} };
  const token = (key: typeof right, claims: object = {}) =>
    makeToken(key.value, { apiKeyUid: key.record.uid, searchRules: rules, ...claims });
  const isSearch = (route: string) => PUBLIC_SEARCHES.includes(route) || route === "POST /multi-search";
  const isWrite = (route: string) =>
    /documents(?!\/edit)|^GET \/(tasks|batches)/.test(route) || route === "ALL /indexes/:uid/documents/edit";
  const isOfServer = (route: string) =>
    /webhooks|dynamic-search-rules|^PATCH \/experimental-features/.test(route);
  const never = () => false;
  const [head, , signature] = token(right).split(".");
  const none = makeToken("", { apiKeyUid: right.record.uid, searchRules: rules }, { alg: "none" });
  const widened = Buffer.from(JSON.stringify({ apiKeyUid: right.record.uid, searchRules: ["*"] }));
  const kinds: { [kind: string]: [key: string | null, opens: (route: string) => boolean] } = {
    "no key": [null, never],
    "a wrong key": ["0".repeat(64), never],
    "an empty key": ["", never],
    "the master key": [MASTER_KEY, () => true],
    "an admin key": [all.value, () => true],
    "an admin key of one index": [tenant.value, (route) => !isOfServer(route)],
    "a search key": [right.value, isSearch],
    "a search key of another index": [other.value, never],
    "a key that writes": [writer.value, isWrite],
    "an expired key": [over.value, never],
    "a deleted key": [deleted.value, never],
    "a key's uid": [right.record.uid, never],
    "a token": [token(right), isSearch],
    "a token of a key that may all": [token(all), isSearch],
    "a token for another index": [token(all, { searchRules: ["other"] }), never],
    "a token of a key of another index": [token(other, { searchRules: ["*"] }), never],
    "a token of a key that does not search": [token(writer), never],
    "a token of a deleted key": [token(deleted), never],
    "a token of an expired key": [token(over), never],
    "an expired token": [token(right, { exp: START / 1000 - 1 }), never],
    "a token without a signature": [none.replace(/[^.]*$/, ""), never],
    "a token signed for alg none": [none, never],
    "a token with other rules": [`${head}.${widened.toString("base64url")}.${signature}`, never],
    "a token signed with its uid": [
      makeToken(right.record.uid, { apiKeyUid: right.record.uid, searchRules: rules }),
      never,
    ],
    "a token signed with the master key": [
      makeToken(MASTER_KEY, { apiKeyUid: right.record.uid, searchRules: rules }),
      never,
    ],
  };
  return kinds;
}

test("2. every route with every key", async () => {
  const { ask, keys, state } = session;
  expect(Object.keys(rows).toSorted()).toEqual(
    [...ROUTE_RIGHTS.map(({ method, path }) => `${method} ${path}`), "POST /multi-search"].toSorted(),
  );
  // For the routes of tasks and batches.
  await ask("POST", "/indexes/blog/documents", { key: MASTER_KEY, body: [] });
  await session.content.tasks.settled();
  const kinds = await credentials();
  let asked = 0;
  for (const [kind, [key, opens]] of Object.entries(kinds)) {
    for (const [route, { status, body }] of Object.entries(rows)) {
      const [method = "", path = ""] = route.split(" ");
      const { record } = await makeKey(keys, { indexes: ["blog"] });
      // Each from a network of its own, because wrong keys are counted.
      const from = `10.${Math.floor(asked / 200)}.${asked % 200}.1`;
      const options = { key, from, ...(body !== undefined && { body }) };
      const response = await ask(method === "ALL" ? "GET" : method, target(path, record.uid), options);
      const expected = opens(route) ? status : key === null ? 401 : 403;
      expect(`${kind}: ${route}: ${response.status}`).toBe(`${kind}: ${route}: ${expected}`);
      if (PUBLIC_SEARCHES.includes(route)) {
        const open = await ask(method, target(path, "").replace("blog", "docs"), options);
        expect(`${kind}: ${route}: ${open.status}`).toBe(`${kind}: ${route}: ${status}`);
      }
      await session.content.tasks.settled();
      session.store.replace("blog", session.store.require("docs").bytes);
      if (keys.findByUid(record.uid)) await keys.remove(record.uid);
      asked += 1;
    }
    state.now = START;
  }
  expect(asked).toBe(Object.keys(kinds).length * Object.keys(rows).length);
});

test("3. what is not a route", async () => {
  const { ask, keys } = session;
  const writer = await makeKey(keys, { actions: ["documents.*", "indexes.*"] });
  for (const path of ["/indexes/blog/nothing", "/indexes/blog/documents/", "/tasks/0/nothing", "/stats/"]) {
    const statuses: number[] = [];
    for (const key of [null, writer.value, MASTER_KEY])
      statuses.push((await ask("POST", path, { key })).status);
    // An address that the protocol does not know is the site's: 404 for all.
    expect([path, statuses]).toEqual([path, path === "/stats/" ? [404, 404, 404] : [401, 403, 404]]);
  }
});

test("3. other ways to write it", async () => {
  const { ask, keys } = session;
  const { value: key } = await makeKey(keys, { actions: ["*"], indexes: ["docs*"] });
  for (const path of [
    "/indexes/bl%6Fg/search",
    "/indexes/bl%6Fg/documents",
    "/indexes/%62log",
    "/indexes/bl%256Fg/documents",
    "/indexes/docs%2F..%2Fblog/documents",
    "/indexes/docs/../blog/documents",
    "/indexes/blog/./documents",
    "//indexes/blog/documents",
    "/indexes//blog/documents",
    "/INDEXES/blog/documents",
    "/indexes/blog/documents?uid=docs",
    "/indexes/blog%00/documents",
    "/indexes/docs%0Ablog/documents",
  ])
    for (const method of ["GET", "HEAD"])
      for (const sent of [null, key]) {
        const response = await ask(method, path, { key: sent });
        expect([path, method, response.status >= 400 && response.status < 500]).toEqual([path, method, true]);
      }
  expect((await ask("HEAD", "/indexes", { key: null })).status).toBe(401);
  expect((await ask("HEAD", "/indexes", { key })).status).toBe(200);
});
