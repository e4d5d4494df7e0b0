/**
 * 1. Without a key on the server only health and searches of public indexes are open, and an index that is
 *    not public looks like one that does not exist.
 * 2. Below `/search` every address belongs to the protocol: unknown addresses and methods are answered in its
 *    form, and errors name the requested address.
 * 3. At the root are searches and health; every other address belongs to the surrounding application.
 * 4. Both places share counts and kept answers.
 */
import { Hono } from "hono";
import { expect, test } from "vitest";
import { openContentService } from "./changes/content-service.ts";
import { createKeyStore } from "./keys/key-store.ts";
import { WRONG_KEYS_PER_MINUTE } from "./protocol/limits.ts";
import { createSearchRoutes } from "./routes.ts";
import { wireStore } from "./testing/documents.ts";
import { createSender, errorSchema } from "./testing/requests.ts";

const app = createSearchRoutes({
  publicIndexes: ["docs"],
  store: wireStore(),
  adminKey: "x".repeat(20),
}).admin;
const { send, errorOf } = createSender(app);

test("1. without keys", async () => {
  const authorization = `Bearer ${"x".repeat(20)}`;
  for (const [method, path] of [
    ["GET", "/indexes"],
    ["GET", "/tasks"],
    ["DELETE", "/indexes/docs"],
    ["POST", "/indexes/docs/documents"],
    ["PATCH", "/indexes/docs/settings"],
    ["GET", "/keys"],
    ["GET", "/stats"],
    ["GET", "/version"],
  ] as const) {
    const response = await app.request(path, { method, headers: { authorization } });
    expect([path, response.status]).toEqual([path, 404]);
    expect(errorSchema.parse(await response.json()).message).toContain("SEARCH_ADMIN_KEY");
  }
  expect((await send("/indexes/docs/search", { q: "docker" }, { authorization: "Bearer" })).status).toBe(200);
  expect((await app.request("/indexes/docs/search?q=docker&limit=1")).status).toBe(200);
  expect((await app.request("/health")).status).toBe(200);
  for (const uid of ["blog", "nowhere"]) {
    const message = `Index \`${uid}\` not found.`;
    expect(await errorOf(`/indexes/${uid}/search`, {})).toMatchObject({ status: 404, message });
    expect(await errorOf("/multi-search", { queries: [{ indexUid: uid }] })).toMatchObject({
      status: 404,
      message: `Inside \`.queries[0]\`: ${message}`,
    });
  }
});

const SITE = "the site";
const ADMIN_KEY = "an-admin-key-for-tests";

async function startSite() {
  const store = wireStore();
  const content = await openContentService({ store, dataDir: null });
  let clock = 0;
  const { admin, public: open } = createSearchRoutes({
    publicIndexes: ["docs"],
    store,
    content,
    keys: createKeyStore({ masterKey: ADMIN_KEY, clock: () => clock }),
    limits: { requestWork: Number.MAX_SAFE_INTEGER },
  });
  const site = new Hono();
  site.route("/search", admin);
  site.route("/", open);
  site.all("*", (context) => context.text(SITE));
  const wait = (ms: number) => void (clock += ms);
  return { site, content, wait };
}

const master = { authorization: `Bearer ${ADMIN_KEY}` };

test("2. below the prefix", async () => {
  const { site, content } = await startSite();
  const answers: [string, string, number, string][] = [
    ["DELETE", "/search/multi-search", 405, "method_not_allowed"],
    ["POST", "/search/health", 405, "method_not_allowed"],
    ["PUT", "/search/indexes/docs/search", 405, "method_not_allowed"],
  ];
  for (const [method, path, status, code] of answers) {
    const response = await site.request(path, { method, headers: master });
    const error = errorSchema.parse(await response.json());
    expect([path, response.status, error.code]).toEqual([path, status, code]);
    expect(error.message).toContain(path);
  }
  for (const path of ["/search", "/search/nothing/of/the/kind", "/search/indexes/docs/nothing"]) {
    const response = await site.request(path, { headers: master });
    expect([path, response.status, await response.text()]).toEqual([path, 404, ""]);
  }
  for (const path of ["indexes", "keys", "tasks", "stats", "version", "health", "indexes/docs/search?q=a"]) {
    const response = await site.request(`/search/${path}`, { headers: master });
    expect([path, response.status]).toEqual([path, 200]);
  }
  await content.close();
});

test("3. at the root", async () => {
  const { site, content } = await startSite();
  const foreign = ["/", "/docs", "/indexes", "/indexes/docs", "/indexes/docs/documents", "/keys", "/tasks"];
  for (const path of [...foreign, "/stats", "/version", "/dumps", "/indexes/docs/similar", "/searches"])
    for (const method of ["GET", "POST", "DELETE"])
      expect(await (await site.request(path, { method, headers: master })).text()).toBe(SITE);
  expect((await site.request("/health")).status).toBe(200);
  expect((await site.request("/indexes/docs/search?q=docker")).status).toBe(200);
  expect((await site.request("/indexes/blog/search?q=docker")).status).toBe(401);
  expect((await site.request("/indexes/blog/search?q=docker", { headers: master })).status).toBe(200);
  const wrong = await site.request("/multi-search", { method: "DELETE" });
  expect([wrong.status, errorSchema.parse(await wrong.json()).code]).toEqual([405, "method_not_allowed"]);
  await content.close();
});

test("4. one count of wrong keys", async () => {
  const { site, content, wait } = await startSite();
  const paths = ["/search/keys", "/indexes/blog/search?q=a"];
  const statusOf = async (path: string, headers: { [name: string]: string }) =>
    (await site.request(path, { headers })).status;
  for (let at = 0; at < WRONG_KEYS_PER_MINUTE; at++)
    expect(await statusOf(paths[at % 2]!, { authorization: `Bearer wrong-${at}` })).toBe(403);
  for (const path of paths) {
    expect(await statusOf(path, { authorization: "Bearer wrong" })).toBe(429);
    expect(await statusOf(path, master)).toBe(429);
  }
  wait(60_000);
  for (const path of paths) expect(await statusOf(path, master)).toBe(200);
  await content.close();
});
