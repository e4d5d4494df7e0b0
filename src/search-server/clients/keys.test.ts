/**
 * Keys and tenant tokens with the official client `meilisearch` 0.57 against a running server.
 *
 * 1. A key is made, listed, read, named and deleted, and grants its rights until then; another key takes its
 *    place.
 * 2. The client's `generateTenantToken` makes tokens that search by their rules.
 * 3. Errors have Meilisearch's codes.
 */
import { serve } from "@hono/node-server";
import { Meilisearch } from "meilisearch";
import { generateTenantToken } from "meilisearch/token";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeOf, startTestSession, succeeds, type TestSession } from "../testing/session.ts";

let session: TestSession;
let admin: Meilisearch;
const as = (apiKey: string) =>
  new Meilisearch({ host: session.url, apiKey, defaultWaitOptions: { interval: 5 } });

beforeAll(async () => {
  session = await startTestSession(serve);
  admin = as(session.adminKey);
  await succeeds(
    admin.index("books").addDocuments([
      { id: 1, owner: "ann" },
      { id: 2, owner: "bob" },
    ]),
  );
  await succeeds(admin.index("books").updateFilterableAttributes(["owner"]));
});
afterAll(() => session.close());

test("1. a key's life", async () => {
  const expiresAt = new Date(Date.now() + 3_600_000);
  const made = await admin.createKey({
    name: "Books",
    actions: ["search", "documents.add", "tasks.get"],
    indexes: ["book*"],
    expiresAt,
  });
  expect(made.key).toMatch(/^[0-9a-f]{64}$/);
  expect(new Date(made.expiresAt)).toEqual(expiresAt);
  const { results, total } = await admin.getKeys({ limit: 1 });
  expect([results.map(({ uid }) => uid), total]).toEqual([[made.uid], 3]);
  expect(await admin.getKey(made.key)).toEqual(made);
  const named = await admin.updateKey(made.uid, { description: "For the shop" });
  expect(named).toMatchObject({ name: "Books", description: "For the shop", key: made.key });
  const client = as(made.key);
  await succeeds(client.index("books").addDocuments([{ id: 3, owner: "ann" }]));
  expect((await client.index("books").search("ann")).hits).toHaveLength(2);
  expect(await codeOf(client.index("books").deleteDocument(3))).toBe("invalid_api_key");
  expect(await codeOf(client.index("films").search(""))).toBe("invalid_api_key");
  expect(await codeOf(client.getKeys())).toBe("invalid_api_key");
  const next = await admin.createKey({ actions: ["search"], indexes: ["books"], expiresAt: null });
  await admin.deleteKey(made.uid);
  expect(await codeOf(client.index("books").search("ann"))).toBe("invalid_api_key");
  expect((await as(next.key).index("books").search("ann")).hits).toHaveLength(2);
  expect(await codeOf(admin.getKey(made.uid))).toBe("api_key_not_found");
  expect(await codeOf(as("").index("books").search(""))).toBe("missing_authorization_header");
});

test("2. tenant tokens", async () => {
  const { results } = await admin.getKeys();
  const { key: apiKey, uid: apiKeyUid } = results.find(({ actions }) => actions.includes("search"))!;
  for (const algorithm of ["HS256", "HS384", "HS512"] as const) {
    const searchRules = { books: { filter: "owner = bob" } };
    const token = await generateTenantToken({
      apiKey,
      apiKeyUid,
      algorithm,
      searchRules,
      expiresAt: new Date(Date.now() + 60_000),
    });
    const tenant = as(token);
    const owners = async (filter?: string) =>
      (await tenant.index("books").search("", { ...(filter && { filter }) })).hits.map(
        ({ owner }) => owner as string,
      );
    expect(await owners()).toEqual(["bob"]);
    expect(await owners("owner = ann")).toEqual([]);
    expect(await owners("owner = ann OR owner = bob")).toEqual(["bob"]);
    const { results: several } = await tenant.multiSearch({
      queries: [
        { indexUid: "books", q: "" },
        { indexUid: "docs", q: "docker", limit: 1 },
      ],
    });
    expect(several.map(({ hits }) => hits.length)).toEqual([1, 1]);
    expect(await codeOf(tenant.index("nowhere").search(""))).toBe("invalid_api_key");
    expect(await codeOf(tenant.index("books").getDocuments())).toBe("invalid_api_key");
  }
  const over = await generateTenantToken({ apiKey, apiKeyUid, expiresAt: 1_000_000_000 });
  expect(await codeOf(as(over).index("books").search(""))).toBe("invalid_api_key");
  expect((await as(over).index("docs").search("docker")).hits).toHaveLength(20);
});

test("3. mistakes", async () => {
  const { uid } = await admin.createKey({ actions: ["search"], indexes: ["a"], expiresAt: null });
  const send = async (method: string, path: string, body: unknown) => {
    const response = await fetch(session.url + path, {
      method,
      headers: { authorization: `Bearer ${session.adminKey}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return [response.status, ((await response.json()) as { code: string }).code];
  };
  const right = { actions: ["search"], indexes: ["a"], expiresAt: null };
  const without = (name: keyof typeof right) => ({ ...right, [name]: undefined });
  for (const [body, code] of [
    [without("actions"), "missing_api_key_actions"],
    [without("indexes"), "missing_api_key_indexes"],
    [without("expiresAt"), "missing_api_key_expires_at"],
    [{ ...right, actions: ["searching"] }, "invalid_api_key_actions"],
    [{ ...right, actions: "search" }, "invalid_api_key_actions"],
    [{ ...right, indexes: ["a b"] }, "invalid_api_key_indexes"],
    [{ ...right, indexes: ["*a"] }, "invalid_api_key_indexes"],
    [{ ...right, expiresAt: "2010-11-13" }, "invalid_api_key_expires_at"],
    [{ ...right, expiresAt: "soon" }, "invalid_api_key_expires_at"],
    [{ ...right, expiresAt: 5 }, "invalid_api_key_expires_at"],
    [{ ...right, uid: "5" }, "invalid_api_key_uid"],
    [{ ...right, name: 5 }, "invalid_api_key_name"],
    [{ ...right, description: "x".repeat(501) }, "invalid_api_key_description"],
    [{ ...right, key: "mine" }, "bad_request"],
  ] as const)
    expect([code, ...(await send("POST", "/keys", body))]).toEqual([code, 400, code]);
  expect(await send("POST", "/keys", { ...right, uid })).toEqual([409, "api_key_already_exists"]);
  for (const [field, code] of [
    ["uid", "immutable_api_key_uid"],
    ["actions", "immutable_api_key_actions"],
    ["indexes", "immutable_api_key_indexes"],
    ["expiresAt", "immutable_api_key_expires_at"],
    ["createdAt", "immutable_api_key_created_at"],
    ["updatedAt", "immutable_api_key_updated_at"],
  ] as const)
    expect(await send("PATCH", `/keys/${uid}`, { [field]: "x" })).toEqual([400, code]);
  expect(await send("PATCH", "/keys/nobody", { name: "x" })).toEqual([404, "api_key_not_found"]);
  for (const expiresAt of [
    "2099-01-01",
    "2099-01-01 10:00:00",
    "2099-01-01T10:00:00",
    "2099-01-01T10:00:00+02:00",
  ])
    expect([expiresAt, ...(await send("POST", "/keys", { ...right, expiresAt }))]).toEqual([
      expiresAt,
      201,
      undefined,
    ]);
});
