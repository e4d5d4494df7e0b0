/**
 * 1. Wrong keys are counted by address: after some of them 429 with the time to wait, for that address only.
 *    Valid keys and tokens are accepted from everywhere, the master key from everywhere else.
 * 2. Deleted keys, expired keys and expired tokens stop working at that moment, and so do their tokens.
 * 3. Lists only show what a key covers; a forbidden index looks like one that does not exist.
 * 4. A key with more rights than the sender's can be neither made nor read nor deleted.
 * 5. An answer from an index that is not public, or narrowed by a rule, is never sent to anyone else.
 * 6. A key that may not create indexes cannot, neither by documents nor by settings.
 * 7. A header that is too long counts as a wrong key; HS256, HS384 and HS512 are accepted.
 */
import { expect, test } from "vitest";
import { MAX_CREDENTIAL_LENGTH, WRONG_KEYS_PER_MINUTE } from "../protocol/limits.ts";
import { makeKey, makeToken, MASTER_KEY, START, startKeyedApp } from "../testing/keys.ts";

const search = "/indexes/blog/search?limit=1";
const codeOf = async (response: Response) => ((await response.json()) as { code?: string }).code;

test("1. wrong keys", async () => {
  const { ask, keys, content, state } = await startKeyedApp();
  const key = await makeKey(keys, {});
  const token = makeToken(key.value, { apiKeyUid: key.record.uid, searchRules: ["*"] });
  const attacker = "198.51.100.7";
  const statuses: number[] = [];
  for (let attempt = 0; attempt < WRONG_KEYS_PER_MINUTE + 20; attempt++)
    statuses.push((await ask("GET", "/keys", { key: `guess-${attempt}`, from: attacker })).status);
  const refused = statuses.filter((status) => status === 403).length;
  expect([refused, statuses.length - refused]).toEqual([WRONG_KEYS_PER_MINUTE, 20]);
  const late = await ask("GET", "/keys", { key: MASTER_KEY, from: attacker });
  expect([late.status, Number(late.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect(await codeOf(late)).toBe("too_many_requests");
  for (const right of [key.value, token])
    expect((await ask("GET", search, { key: right, from: attacker })).status).toBe(200);
  for (let at = 0; at < 50; at++)
    expect((await ask("GET", "/keys", { key: MASTER_KEY, from: "203.0.113.9" })).status).toBe(200);
  // Searching the documentation needs no key, and a wrong one does not count.
  for (let at = 0; at < 50; at++)
    expect((await ask("GET", "/indexes/docs/search", { key: "x", from: "203.0.113.5" })).status).toBe(200);
  expect((await ask("GET", "/keys", { key: MASTER_KEY, from: "203.0.113.5" })).status).toBe(200);
  state.now += 60_000;
  expect((await ask("GET", "/keys", { key: MASTER_KEY, from: attacker })).status).toBe(200);
  await content.close();
});

test("2. deleted and expired", async () => {
  const { ask, keys, content, state } = await startKeyedApp();
  const expiresAt = new Date(START + 10_000).toISOString();
  const [short, long] = [await makeKey(keys, { expiresAt }), await makeKey(keys, {})];
  const tokens = [short, long].map(({ value, record }) =>
    makeToken(value, { apiKeyUid: record.uid, searchRules: ["*"], exp: START / 1000 + 20 }),
  );
  const answers = async () =>
    Promise.all(
      [short.value, tokens[0]!, long.value, tokens[1]!].map(
        async (key) => (await ask("GET", search, { key })).status,
      ),
    );
  expect(await answers()).toEqual([200, 200, 200, 200]);
  state.now += 10_000;
  expect(await answers()).toEqual([403, 403, 200, 200]);
  state.now += 11_000;
  expect(await answers()).toEqual([403, 403, 200, 403]);
  state.now = START;
  await ask("DELETE", `/keys/${long.record.uid}`, { key: MASTER_KEY });
  expect(await answers()).toEqual([200, 200, 403, 403]);
  await content.close();
});

test("3. lists", async () => {
  const { ask, keys, content } = await startKeyedApp();
  for (const uid of ["a1", "a2", "b1"])
    await ask("POST", "/indexes", { key: MASTER_KEY, body: { uid, primaryKey: "id" } });
  await ask("POST", "/swap-indexes", { key: MASTER_KEY, body: [{ indexes: ["a1", "a2"] }] });
  await ask("POST", "/swap-indexes", { key: MASTER_KEY, body: [{ indexes: ["a1", "b1"] }] });
  await content.tasks.settled();
  const { value: key } = await makeKey(keys, {
    actions: ["indexes.*", "tasks.*", "stats.get", "settings.*", "documents.*"],
    indexes: ["a*"],
  });
  const read = async <T>(path: string) => (await (await ask("GET", path, { key })).json()) as T;
  interface List {
    total: number;
    results: { uid: string | number; indexUid?: string | null }[];
  }
  const indexes = await read<List>("/indexes");
  expect([indexes.total, indexes.results.map(({ uid }) => uid)]).toEqual([2, ["a1", "a2"]]);
  const { indexes: stats } = await read<{ indexes: object }>("/stats");
  expect(Object.keys(stats)).toEqual(["a1", "a2"]);
  const tasks = await read<List>("/tasks");
  expect([tasks.total, tasks.results.map(({ uid }) => uid)]).toEqual([3, [3, 1, 0]]);
  const batches = await read<List>("/batches");
  expect(batches.results.map(({ uid }) => uid)).toEqual([3, 1, 0]);
  for (const path of ["/tasks/2", "/tasks/4", "/tasks/99", "/batches/2", "/batches/99"])
    expect([path, (await ask("GET", path, { key })).status]).toEqual([path, 404]);
  await ask("DELETE", "/tasks?statuses=succeeded", { key });
  const { total } = (await (await ask("GET", "/tasks", { key: MASTER_KEY })).json()) as List;
  // Two of five belonged to others, and the deletion is itself a task.
  expect(total).toBe(3);

  const told = async (method: string, path: string, body?: unknown) => {
    const answers = ["b1", "nowhere"].map(async (uid) => {
      const text = JSON.stringify(body ?? null).replaceAll("UID", uid);
      const sent = body === undefined ? {} : { body: JSON.parse(text) as unknown };
      const response = await ask(method, path.replace("UID", uid), { key, ...sent });
      return [response.status, (await response.text()).replaceAll(uid, "x")];
    });
    return Promise.all(answers);
  };
  for (const [method, path, body] of [
    ["GET", "/indexes/UID"],
    ["GET", "/indexes/UID/settings"],
    ["GET", "/indexes/UID/documents"],
    ["GET", "/indexes/UID/search"],
    ["POST", "/multi-search", { queries: [{ indexUid: "UID" }] }],
    ["POST", "/multi-search", { queries: [{ indexUid: "UID" }], federation: {} }],
    ["POST", "/indexes", { uid: "UID" }],
    ["POST", "/swap-indexes", [{ indexes: ["a1", "UID"] }]],
  ] as const) {
    const [forbidden, absent] = await told(method, path, body);
    expect([path, forbidden]).toEqual([path, absent]);
    expect([path, forbidden?.[0]]).toEqual([path, 403]);
  }
  await content.close();
});

test("4. keys of others", async () => {
  const { ask, keys, content } = await startKeyedApp();
  const soon = new Date(START + 60_000).toISOString();
  const maker = await makeKey(keys, {
    actions: ["keys.*", "search", "documents.add"],
    indexes: ["a*", "b"],
    expiresAt: soon,
  });
  const admin = keys.list().find(({ record }) => record.actions.includes("*"))!;
  const key = maker.value;
  const make = async (rights: object) =>
    (
      await ask("POST", "/keys", {
        key,
        body: { actions: ["search"], indexes: ["a1"], expiresAt: soon, ...rights },
      })
    ).status;
  expect(await make({})).toBe(201);
  for (const more of [
    { actions: ["documents.*"] },
    { actions: ["*"] },
    { actions: ["*.get"] },
    { indexes: ["*"] },
    { indexes: ["b*"] },
    { indexes: ["c"] },
    { expiresAt: null },
    { expiresAt: new Date(START + 60_001).toISOString() },
  ])
    expect([more, await make(more)]).toEqual([more, 403]);
  const { results } = (await (await ask("GET", "/keys", { key })).json()) as { results: { uid: string }[] };
  expect(results.map(({ uid }) => uid)).toContain(maker.record.uid);
  expect(results.map(({ uid }) => uid)).not.toContain(admin.record.uid);
  for (const method of ["GET", "DELETE", "PATCH"] as const) {
    const body = method === "PATCH" ? { body: { name: "x" } } : {};
    for (const named of [admin.record.uid, admin.value, "00000000-0000-4000-8000-000000000000"])
      expect((await ask(method, `/keys/${named}`, { key, ...body })).status).toBe(404);
  }
  const everyRead = await makeKey(keys, { actions: ["*.get"] });
  expect((await ask("GET", "/indexes", { key: everyRead.value })).status).toBe(200);
  expect((await ask("GET", "/keys", { key: everyRead.value })).status).toBe(403);
  await content.close();
});

test("5. kept answers", async () => {
  const { ask, keys, content } = await startKeyedApp();
  const { value, record } = await makeKey(keys, {});
  const narrow = makeToken(value, {
    apiKeyUid: record.uid,
    searchRules: { "*": { filter: "section = CLI" } },
  });
  const send = async (indexUid: string, key: string | null) => {
    const response = await ask("POST", "/multi-search", {
      key,
      body: { queries: [{ indexUid, limit: 100 }] },
    });
    const { results } = (await response.json()) as { results?: { hits: unknown[] }[] };
    return results?.[0]?.hits.length ?? response.status;
  };
  for (const round of [1, 2]) {
    expect([round, await send("blog", value)]).toEqual([round, 57]);
    expect([round, await send("blog", null)]).toEqual([round, 401]);
    expect([round, await send("blog", narrow)]).toEqual([round, 11]);
    expect([round, await send("docs", narrow)]).toEqual([round, 11]);
    expect([round, await send("docs", null)]).toEqual([round, 57]);
    expect([round, await send("docs", value)]).toEqual([round, 57]);
    expect([round, await send("docs", narrow)]).toEqual([round, 11]);
  }
  await content.close();
});

test("6. indexes are not made in passing", async () => {
  const { ask, keys, content, store } = await startKeyedApp();
  const { value: key } = await makeKey(keys, { actions: ["documents.add", "settings.update"] });
  await ask("POST", "/indexes/new/documents", { key, body: [{ id: 1 }] });
  await ask("PATCH", "/indexes/new/settings", { key, body: { stopWords: ["a"] } });
  await content.tasks.settled();
  const refused = { status: "failed", error: { code: "index_not_found" } };
  expect(content.tasks.all()).toMatchObject([refused, refused]);
  expect(store.get("new")).toBeUndefined();
  await ask("POST", "/indexes/blog/documents", { key, body: [{ id: "new" }] });
  await content.tasks.settled();
  expect(store.require("blog").index.documentCount).toBe(58);
  await content.close();
});

test("7. forms", async () => {
  const { ask, keys, content } = await startKeyedApp();
  const { value, record } = await makeKey(keys, { indexes: ["blog"] });
  const claims = { apiKeyUid: record.uid, searchRules: { blog: null }, iat: 1 };
  const statusOf = async (key: string) => (await ask("GET", search, { key })).status;
  for (const alg of ["HS256", "HS384", "HS512"])
    expect([alg, await statusOf(makeToken(value, claims, { alg, typ: "JWT" }))]).toEqual([alg, 200]);
  for (const [header, changed] of [
    [{ alg: "RS256" }, {}],
    [{ alg: "hs256" }, {}],
    [{ alg: "HS256", crit: ["exp"] }, {}],
    [{ alg: "HS256" }, { searchRules: undefined }],
    [{ alg: "HS256" }, { searchRules: { blog: { fliter: "section = CLI" } } }],
    [{ alg: "HS256" }, { searchRules: { blog: { filter: 5 } } }],
    [{ alg: "HS256" }, { exp: "never" }],
    [{ alg: "HS256" }, { padding: "x".repeat(MAX_CREDENTIAL_LENGTH) }],
  ] as const)
    expect([changed, await statusOf(makeToken(value, { ...claims, ...changed }, header))]).toEqual([
      changed,
      403,
    ]);
  await content.close();
});
