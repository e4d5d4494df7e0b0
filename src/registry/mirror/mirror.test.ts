/**
 * 1. Content that was pulled through once is there without the upstream, after a restart too: tag, index, manifests, config,
 *    layers.
 * 2. Blobs come from another host, which sees no credentials.
 * 3. Several clients that ask at the same time cost one fetch, and one that leaves cancels nothing. A blob is sent while it
 *    arrives; slow and late clients also get all of it; a wrong blob is cut off before its end.
 * 4. A tag is requested again after 5 minutes, with HEAD, and a moved tag is followed; by digest the upstream is not asked.
 * 5. When an upstream is unreachable, busy, failing or slow, stored images are served; an upstream that no longer has a tag is
 *    believed.
 * 6. Wrong bytes, lengths, manifests and tokens are refused and leave nothing, and correct ones arrive the next time.
 * 7. An address that is private or without TLS is not requested unless the operator has listed it.
 * 8. Every token of an organization may pull; no token may push; no other host; no blob of another repository.
 * 9. The operator's name and password open what needs them, with either scheme.
 * 10. Content that an organization's own credentials open stays in the organization. Only its owners change them; the password
 *     is stored encrypted.
 */
import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, test, vi } from "vitest";
import { identify } from "#accounts/index.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { digestOf, openTestClient, type TestClient } from "../testing/client.ts";
import { asManifest, OCI_INDEX } from "../testing/images.ts";
import { parseMirrorHosts } from "./names/hosts.ts";
import type { MirrorOptions } from "./mirror.ts";
import type { Mirrors } from "../contract/mirrors.ts";
import { listUpstream, openTestUpstream, type TestUpstream } from "../testing/upstream.ts";

const BASE = "/v2/mirror/up.test/acme/web";
const MINUTE = 60_000;
const opened: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
});

interface Opened {
  upstream: TestUpstream;
  client: TestClient;
  get: (rest: string, token?: string | null) => ReturnType<TestClient["ask"]>;
  later: (ms: number) => void;
}

async function open(
  kind: Parameters<typeof openTestClient>[0] = "sqlite",
  more: MirrorOptions = {},
): Promise<Opened> {
  const upstream = await openTestUpstream();
  opened.push(upstream);
  let time = Date.now();
  const hosts = parseMirrorHosts(listUpstream(upstream));
  const client = await openTestClient(kind, { clock: () => time, mirror: { hosts, ...more } });
  opened.push(client);
  return {
    upstream,
    client,
    get: (rest, token) => client.ask("GET", BASE + rest, token === undefined ? {} : { token }),
    later: (ms) => void (time += ms),
  };
}

const answer =
  (status: number, headers: Record<string, string> = {}, body = "") =>
  (_: unknown, response: ServerResponse) => {
    response.writeHead(status, headers).end(body);
    return true;
  };

describe.each(testDatabaseKinds)("on %s", (kind) => {
  test("1. what was pulled through is there without the upstream", async () => {
    const { upstream, client, get, later } = await open(kind);
    const image = await upstream.push("amd", { layers: ["one", "two"] });
    const index = asManifest(OCI_INDEX, {
      manifests: [{ ...image.descriptor, platform: { os: "linux", architecture: "amd64" } }],
    });
    const pushed = { headers: { "content-type": OCI_INDEX }, body: index.bytes };
    await upstream.client.ask("PUT", "/v2/acme/web/manifests/1.0", pushed);
    const all = [
      "/manifests/1.0",
      `/manifests/${index.digest}`,
      `/manifests/${image.digest}`,
      ...[image.config, ...image.layers].map(({ digest }) => `/blobs/${digest}`),
    ];
    const first = [];
    for (const rest of all) first.push(await get(rest));
    expect(first.map(({ status }) => status)).toEqual(all.map(() => 200));
    expect(first[0]!.body).toEqual(index.bytes);
    expect(first[0]!.headers).toMatchObject({
      "content-type": OCI_INDEX,
      "docker-content-digest": index.digest,
    });
    expect(digestOf(first.at(-1)!.body)).toBe(image.layers[1]!.digest);
    // By digest it was stored already.
    expect(upstream.content().filter((asked) => asked.includes("/manifests/"))).toHaveLength(2);
    upstream.behave = (_, response) => Boolean(response.destroy());
    await client.test.restart();
    later(60 * MINUTE);
    for (const [at, rest] of all.entries()) expect((await get(rest)).body).toEqual(first[at]!.body);
    const repositories = await client.test.database.db
      .selectFrom("registry_repositories")
      .select(["organization_id", "mirror"])
      .execute();
    expect(repositories).toEqual([{ organization_id: "", mirror: "up.test/acme/web" }]);
  });

  test("3. several who ask at once cost one fetch, and who leaves cancels nothing", async () => {
    const { upstream, client, get } = await open(kind);
    const { layers } = await upstream.push("1", { layers: ["large ".repeat(100_000)] });
    const digest = layers[0]!.digest;
    let go = () => {};
    const held = new Promise<void>((resolve) => (go = resolve));
    const arrived = new Promise<void>((resolve) => {
      upstream.behave = ({ at }, response) => {
        if (at !== "cdn") return false;
        resolve();
        const url = `/v2/acme/web/blobs/${digest}`;
        void held.then(async () => response.end((await upstream.client.ask("GET", url)).body));
        return true;
      };
    });
    const leaving = new AbortController();
    const authorization = `Bearer ${client.tokens.organization}`;
    const left = fetch(`${client.test.url}${BASE}/blobs/${digest}`, {
      headers: { authorization },
      signal: leaving.signal,
    });
    await arrived;
    const others = [1, 2, 3].map(() => get(`/blobs/${digest}`, client.tokens.stranger));
    leaving.abort();
    await expect(left).rejects.toThrow();
    go();
    for (const { status, body } of await Promise.all(others))
      expect([status, digestOf(body)]).toEqual([200, digest]);
    expect(upstream.content()).toEqual([`GET /v2/acme/web/blobs/${digest}`]);
    const rows = await client.test.database.db.selectFrom("blobs").select("reference_count").execute();
    expect(rows).toEqual([{ reference_count: 1 }]);
  });

  test("4. a tag is asked for again after 5 minutes", async () => {
    const { upstream, get, later } = await open(kind);
    const old = await upstream.push("1");
    const pull = async () => (await get("/manifests/1")).headers["docker-content-digest"];
    expect(await pull()).toBe(old.digest);
    upstream.forget();
    later(4 * MINUTE);
    const young = await upstream.push("1", { layers: ["newer"] });
    expect(await pull()).toBe(old.digest);
    expect(upstream.asked).toEqual([]);
    later(2 * MINUTE);
    expect(await pull()).toBe(young.digest);
    expect(upstream.content()).toEqual([
      "HEAD /v2/acme/web/manifests/1",
      `GET /v2/acme/web/manifests/${young.digest}`,
    ]);
    upstream.forget();
    later(6 * MINUTE);
    expect(await pull()).toBe(young.digest);
    expect(upstream.content()).toEqual(["HEAD /v2/acme/web/manifests/1"]);
    // Back to a stored image: it is not fetched again.
    const body = old.bytes;
    const headers = { "content-type": old.descriptor.mediaType };
    await upstream.client.ask("PUT", "/v2/acme/web/manifests/1", { headers, body });
    upstream.forget();
    later(6 * MINUTE);
    expect(await pull()).toBe(old.digest);
    expect(upstream.content()).toEqual(["HEAD /v2/acme/web/manifests/1"]);
    upstream.forget();
    expect((await get(`/manifests/${young.digest}`)).body).toEqual(young.bytes);
    expect(upstream.asked).toEqual([]);
  });
});

test("2. blobs come from another host, which sees no credentials", async () => {
  const { upstream, get } = await open();
  const image = await upstream.push("1");
  expect((await get(`/blobs/${image.config.digest}`)).status).toBe(200);
  const told = upstream.asked.map(({ at, authorization }) => `${at} ${authorization}`);
  expect(told).toEqual(["registry ", "tokens ", "registry Bearer upstream-token", "cdn "]);
});

describe("3. a blob that is on its way", () => {
  const content = randomBytes(20_000_000);
  const digest = digestOf(content);
  const half = content.length / 2;

  /** An upstream that sends the first half, and the rest when the test says so. */
  async function begin(rest: Buffer = content.subarray(half)) {
    const opened = await open();
    const told = Promise.withResolvers<void>();
    opened.upstream.behave = ({ at }, response) => {
      if (at !== "cdn") return false;
      response.writeHead(200, { "content-length": content.length }).write(content.subarray(0, half));
      void told.promise.then(() => response.end(rest));
      return true;
    };
    const authorization = `Bearer ${opened.client.tokens.organization}`;
    const ask = () =>
      fetch(`${opened.client.test.url}${BASE}/blobs/${digest}`, { headers: { authorization } });
    return { ...opened, ask, goOn: told.resolve };
  }

  test("is sent while it comes, to who keeps up, is slow or late", async () => {
    const { ask, goOn, upstream, client } = await begin();
    const first = await ask();
    const slow = await ask();
    const reader = first.body!.getReader();
    const chunks: Uint8Array[] = [];
    for (let received = 0; received < half; received += chunks.at(-1)!.length)
      chunks.push((await reader.read()).value!);
    // The first bytes are no longer in memory.
    const late = ask();
    goOn();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      chunks.push(value);
    }
    expect(digestOf(Buffer.concat(chunks))).toBe(digest);
    for (const answer of [slow, await late])
      expect(digestOf(Buffer.from(await answer.arrayBuffer()))).toBe(digest);
    expect(upstream.asked.filter(({ at }) => at === "cdn")).toHaveLength(1);
    expect((await ask()).status).toBe(200);
    expect(client.logged).toEqual([]);
  });

  test("is cut off when it turns out to be wrong, and is not kept", async () => {
    const { ask, goOn, client } = await begin(randomBytes(half));
    const first = await ask();
    const late = ask();
    goOn();
    await expect(first.arrayBuffer()).rejects.toThrow();
    await expect(late.then((answer) => answer.arrayBuffer())).rejects.toThrow();
    expect(client.files()).toEqual([]);
  });
});

describe("5. an upstream that does not answer", () => {
  test.each([
    ["is unreachable", (_: unknown, response: ServerResponse) => Boolean(response.destroy())],
    ["limits requests", answer(429, { "retry-after": "77" })],
    ["fails", answer(503)],
    ["is silent", () => true],
  ])("that %s: what is here is served", async (_, behave) => {
    // Long enough for a busy machine to ask, and no longer than an upstream may be silent.
    const { upstream, get, later, client } = await open("sqlite", { silentMs: 2000, staleAfterMs: 1500 });
    const image = await upstream.push("1");
    await get("/manifests/1");
    later(6 * MINUTE);
    upstream.behave = behave;
    upstream.forget();
    expect((await get("/manifests/1")).body).toEqual(image.bytes);
    expect(client.logged).toHaveLength(1);
    expect(upstream.asked).toHaveLength(1);
    // For a while no request waits for it again.
    expect((await get("/manifests/1")).body).toEqual(image.bytes);
    expect(upstream.asked).toHaveLength(1);
    const missing = await get("/manifests/2");
    expect(missing.headers["retry-after"]).toBeDefined();
    expect(missing.text).toContain("up.test");
    expect(missing.status === 429 ? missing.headers["retry-after"] : missing.status).toBe(
      missing.status === 429 ? "77" : 503,
    );
    upstream.behave = null;
    const next = await upstream.push("1", { layers: ["newer"] });
    // Once the new image has arrived; a busy machine may serve the older one before.
    await vi.waitFor(
      async () => {
        later(MINUTE);
        expect((await get("/manifests/1")).body).toEqual(next.bytes);
      },
      { timeout: 20_000 },
    );
  });

  test("that has no such tag any more is believed", async () => {
    const { upstream, get, later } = await open();
    await upstream.push("1");
    await get("/manifests/1");
    await upstream.client.ask("DELETE", "/v2/acme/web/manifests/1");
    later(6 * MINUTE);
    expect(await get("/manifests/1")).toMatchObject({ status: 404, code: "MANIFEST_UNKNOWN" });
    expect(await get(`/blobs/sha256:${"0".repeat(64)}`)).toMatchObject({ status: 404, code: "BLOB_UNKNOWN" });
  });
});

describe("6. an upstream that lies", () => {
  const at =
    (place: string, behave: (response: ServerResponse) => unknown) =>
    (asked: { at: string; url: string; authorization: string }, response: ServerResponse) => {
      if (asked.at !== place || (place === "registry" && asked.authorization === "")) return false;
      behave(response);
      return true;
    };
  const large = Buffer.alloc(5_000_000, "x");

  test.each([
    ["other bytes", at("cdn", (response) => response.end("another layer"))],
    ["a part of the bytes", at("cdn", (response) => response.end("a lay"))],
    [
      "less than it says",
      at("cdn", (response) => {
        response.writeHead(200, { "content-length": 1000 }).write("a layer");
        response.destroy();
      }),
    ],
    [
      "redirects without end",
      at("registry", (response) => response.writeHead(307, { location: "/v2/acme/web/blobs/x" }).end()),
    ],
    [
      "a broken address",
      at("registry", (response) => response.writeHead(307, { location: "http://[" }).end()),
    ],
    ["an invalid token", at("tokens", (response) => response.end('{"token":"a\\nb"}'))],
    ["a token server that sends without end", at("tokens", (response) => response.end(large))],
    ["no JSON", at("tokens", (response) => response.end("<html>"))],
  ])("about a blob, with %s", async (_, behave) => {
    const { upstream, client, get } = await open();
    const { layers } = await upstream.push("1");
    const files = client.files().length;
    upstream.behave = behave;
    const refused = await get(`/blobs/${layers[0]!.digest}`);
    expect(refused).toMatchObject({ status: 503, code: "UNAVAILABLE" });
    expect(refused.text).toMatch(/up\.test (?:sent|redirects|names|cannot)/);
    expect(client.files()).toHaveLength(files);
    const kept = await client.test.database.db.selectFrom("registry_blobs").selectAll().execute();
    expect(kept).toEqual([]);
    upstream.behave = null;
    expect((await get(`/blobs/${layers[0]!.digest}`)).text).toBe("a layer");
  });

  test.each([
    ["too many bytes", (response: ServerResponse) => response.end(large), ""],
    ["no manifest", (response: ServerResponse) => response.end("{}"), ""],
    [
      "the manifest of another digest",
      (response: ServerResponse) => response.end("{}"),
      `sha256:${"1".repeat(64)}`,
    ],
    [
      "a tag's manifest of a different digest from the one that its answer names",
      (response: ServerResponse) => {
        response.setHeader("docker-content-digest", `sha256:${"1".repeat(64)}`);
        response.setHeader("content-type", OCI_INDEX);
        response.end(asManifest(OCI_INDEX, { manifests: [] }).bytes);
      },
      "",
    ],
  ])("about a manifest, with %s", async (_, behave, digest) => {
    const { upstream, client, get } = await open();
    const image = await upstream.push("1");
    upstream.behave = at("registry", (response) => {
      response.setHeader("content-type", "application/vnd.oci.image.manifest.v1+json");
      behave(response);
    });
    expect(await get(`/manifests/${digest || "1"}`)).toMatchObject({ status: 503, code: "UNAVAILABLE" });
    const kept = await client.test.database.db.selectFrom("registry_manifests").selectAll().execute();
    expect(kept).toEqual([]);
    upstream.behave = null;
    expect((await get("/manifests/1")).body).toEqual(image.bytes);
  });
});

describe("7. addresses that no one has listed", () => {
  const PRIVATE = [
    "https://127.0.0.1:1/",
    "https://[::1]:1/",
    "https://10.0.0.1/",
    "http://1.1.1.1/",
    "https://inner.test/",
  ];
  const resolve: MirrorOptions["resolve"] = (_host, _options, done) =>
    done(null, [{ address: "192.168.1.1", family: 4 }]);

  test.each(PRIVATE)("%s is not asked, whether for a blob or for a token", async (address) => {
    const { upstream, get } = await open("sqlite", { resolve });
    const { layers } = await upstream.push("1");
    upstream.behave = ({ authorization }, response) => {
      if (authorization === "") return false;
      return answer(307, { location: address })(null, response);
    };
    const blob = await get(`/blobs/${layers[0]!.digest}`);
    expect(blob).toMatchObject({ status: 503, code: "UNAVAILABLE" });
    expect(blob.text).toMatch(/no public address|https:\/\//);
    upstream.behave = answer(401, { "www-authenticate": `Bearer realm="${address}",service="x"` });
    const manifest = await get("/manifests/1");
    expect(manifest.text).toMatch(/no public address|https:\/\//);
  });
});

test("8. who may pull", async () => {
  const { upstream, client, get } = await open();
  const image = await upstream.push("1");
  const { tokens } = client;
  const { organization, user, reader, project, projectReader, stranger } = tokens;
  for (const token of [organization, user, reader, project, projectReader, stranger])
    expect((await get("/manifests/1", token)).status).toBe(200);
  expect(await get("/manifests/1", null)).toMatchObject({ status: 401, code: "UNAUTHORIZED" });
  for (const token of [organization, reader, projectReader]) {
    const put = await client.ask("PUT", `${BASE}/manifests/2`, { token, body: image.bytes });
    expect(put).toMatchObject({ status: 403, code: "DENIED" });
    expect(put.text).toContain("accepts no pushes");
  }
  const deleted = await client.ask("DELETE", `${BASE}/manifests/1`);
  expect(deleted).toMatchObject({ status: 403, code: "DENIED" });
  const other = await client.ask("GET", "/v2/mirror/elsewhere.test/a/b/manifests/1");
  expect(other).toMatchObject({ status: 403, code: "DENIED" });
  expect(other.text).toContain("MILLRACE_MIRROR_HOSTS");
  const digest = image.layers[0]!.digest;
  expect((await get(`/blobs/${digest}`)).status).toBe(200);
  // The upstream is asked whether this repository has it.
  upstream.behave = answer(404);
  const elsewhere = await client.ask("GET", `/v2/mirror/up.test/acme/api/blobs/${digest}`);
  expect(elsewhere).toMatchObject({ status: 404, code: "BLOB_UNKNOWN" });
});

describe("9. the operator's name and password", () => {
  const credentials = new Map([["up.test", { username: "ann", password: "secret:1" }]]);

  test.each([true, false])("open what needs them (Basic: %s)", async (isBasic) => {
    const { upstream, get } = await open("sqlite", { credentials });
    Object.assign(upstream, { login: "ann:secret:1", isBasic });
    const image = await upstream.push("1");
    expect((await get("/manifests/1")).body).toEqual(image.bytes);
    expect((await get(`/blobs/${image.config.digest}`)).status).toBe(200);
  });

  test("are asked for", async () => {
    const { upstream, get } = await open();
    upstream.login = "ann:secret:1";
    await upstream.push("1");
    expect(await get("/manifests/1")).toMatchObject({ status: 403, code: "DENIED" });
  });
});

describe.each(testDatabaseKinds)("10. an organization's own credentials, on %s", (kind) => {
  test("open what stays in the organization", async () => {
    const { upstream, client, get, later } = await open(kind);
    const { registry, database } = client.test;
    const { caller } = client.owner;
    const { tokens } = client;
    upstream.login = "ann:secret:1";
    const image = await upstream.push("1");
    const digest = image.layers[0]!.digest;
    expect((await get("/manifests/1")).status).toBe(403);
    const login = { host: "up.test", username: "ann", password: "secret:1" };
    await registry.mirrors?.set(caller, login);
    expect(await registry.mirrors?.list(caller)).toMatchObject([{ host: "up.test", username: "ann" }]);
    for (const token of [tokens.organization, tokens.user, tokens.project])
      expect((await get("/manifests/1", token)).body).toEqual(image.bytes);
    expect((await get(`/blobs/${digest}`)).status).toBe(200);
    // Another organization gets what it could fetch itself: nothing, by tag or by digest, although it is stored.
    for (const rest of ["/manifests/1", `/manifests/${image.digest}`, `/blobs/${digest}`])
      expect(await get(rest, tokens.stranger)).toMatchObject({ status: 403, code: "DENIED" });
    const kept = await database.db.selectFrom("registry_mirror_credentials").selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain("secret");
    // New credentials are used immediately.
    upstream.login = "ann:secret:2";
    later(6 * MINUTE);
    await registry.mirrors?.set(caller, { ...login, password: "secret:2" });
    expect((await get("/manifests/1")).status).toBe(200);
    await registry.mirrors?.delete(caller, "up.test");
    expect((await get("/manifests/1")).status).toBe(403);
    expect((await get(`/blobs/${digest}`)).status).toBe(403);
    await expect(registry.mirrors?.delete(caller, "up.test")).rejects.toThrow("no credentials for up.test");
    const audited = await database.db.selectFrom("audit_events").select("action").execute();
    expect(audited.filter(({ action }) => action.startsWith("mirror.")).map(({ action }) => action)).toEqual([
      "mirror.login",
      "mirror.login",
      "mirror.logout",
    ]);
  });

  test("are the owners'", async () => {
    const { client } = await open(kind);
    const { registry, accounts } = client.test;
    const { caller } = client.owner;
    const login = { host: "up.test", username: "ann", password: "secret" };
    const actor = await identify(accounts, { bearer: client.tokens.organization });
    for (const act of [
      (mirrors: Mirrors) => mirrors.set({ actor, address: "" }, login),
      (mirrors: Mirrors) => mirrors.list({ actor, address: "" }),
      (mirrors: Mirrors) => mirrors.delete({ actor, address: "" }, "up.test"),
    ])
      await expect(act(registry.mirrors!)).rejects.toMatchObject({ code: "permission_denied" });
    for (const wrong of [
      { host: "elsewhere.test" },
      { username: "a:b" },
      { username: "" },
      { password: "a\nb" },
    ])
      await expect(registry.mirrors?.set(caller, { ...login, ...wrong })).rejects.toMatchObject({
        code: "invalid_argument",
        field: Object.keys(wrong)[0],
      });
  });
});
