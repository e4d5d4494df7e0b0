/**
 * 1. Content that no one has pulled for 30 days is removed, with its tags and blobs; a manifest that an index names stays as
 *    long as the index.
 * 2. A tag that clients only compare is in use.
 * 3. Above the quota, content that was pulled the longest ago is removed first; content in use stays.
 * 4. Projects lose nothing.
 */
import { afterEach, describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { openTestClient, type TestClient } from "../../testing/client.ts";
import { asManifest, makeImage, OCI_INDEX } from "../../testing/images.ts";
import { parseMirrorHosts } from "../names/hosts.ts";
import { listUpstream, openTestUpstream, type TestUpstream } from "../../testing/upstream.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const BASE = "/v2/mirror/up.test/acme/web";
const opened: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
});

async function open(kind: Parameters<typeof openTestClient>[0], quotaBytes?: number) {
  const upstream = await openTestUpstream();
  opened.push(upstream);
  let time = Date.now();
  const mirror = { hosts: parseMirrorHosts(listUpstream(upstream)), ...(quotaBytes && { quotaBytes }) };
  const client = await openTestClient(kind, { clock: () => time, mirror });
  opened.push(client);
  const later = (ms: number) => void (time += ms);
  return { upstream, client, later };
}

const push = (client: TestClient, reference: string, { bytes }: { bytes: Buffer }, type: string) =>
  client.ask("PUT", `/v2/acme/web/manifests/${reference}`, {
    headers: { "content-type": type },
    body: bytes,
  });

/** Pulls all of an image, as a client does. */
async function pull(client: TestClient, references: readonly string[]): Promise<void> {
  for (const reference of references)
    expect((await client.ask("GET", `${BASE}/${reference}`)).status).toBe(200);
}

/** References of stored content, rows of blobs and of manifests by digest. */
async function rowsOf({ test: { database } }: TestClient) {
  const { db } = database;
  const [blobs, manifests, tags, references, kept] = await Promise.all([
    db.selectFrom("registry_blobs").select("digest").orderBy("digest").execute(),
    db.selectFrom("registry_manifests").select("digest").orderBy("digest").execute(),
    db.selectFrom("registry_tags").select("name").orderBy("name").execute(),
    db.selectFrom("registry_references").select("digest").orderBy("digest").execute(),
    db.selectFrom("blobs").select("reference_count").where("reference_count", ">", 0).execute(),
  ]);
  return { blobs, manifests, tags, references, kept };
}

describe.each(testDatabaseKinds)("on %s", (kind) => {
  test("1. what no one pulls goes; 4. projects lose nothing", async () => {
    const { upstream, client, later } = await open(kind);
    const image = await upstream.push("amd", { layers: ["one"] });
    const index = asManifest(OCI_INDEX, { manifests: [image.descriptor] });
    await push(upstream.client, "all", index, OCI_INDEX);
    const own = await makeImage(client.test, client.projects.api, { layers: ["one"] });
    await client.ask("PUT", "/v2/acme/api/manifests/1", {
      headers: { "content-type": own.descriptor.mediaType },
      body: own.bytes,
    });
    const before = await rowsOf(client);
    const blobs = [image.config, ...image.layers].map(({ digest }) => `blobs/${digest}`);
    await pull(client, ["manifests/all", `manifests/${image.digest}`, ...blobs]);
    const pulled = await rowsOf(client);
    later(29 * DAY_MS);
    await client.test.registry.sweep();
    expect(await rowsOf(client)).toEqual(pulled);
    await pull(client, ["manifests/all"]);
    // Pulls are written every few seconds.
    await client.test.restart();
    later(2 * DAY_MS);
    await client.test.registry.sweep();
    expect(await rowsOf(client)).toEqual(pulled);
    later(31 * DAY_MS);
    await client.test.registry.sweep();
    expect(await rowsOf(client)).toEqual(before);
    const mirrors = client.test.database.db.selectFrom("registry_repositories").select("mirror");
    expect(await mirrors.where("mirror", "!=", "").execute()).toEqual([]);
    await pull(client, ["manifests/all"]);
  });

  test("2. a tag that clients only compare is in use", async () => {
    const { upstream, client, later } = await open(kind);
    await upstream.push("1");
    await pull(client, ["manifests/1"]);
    for (let days = 0; days < 40; days += 10) {
      later(10 * DAY_MS);
      expect((await client.ask("HEAD", `${BASE}/manifests/1`)).status).toBe(200);
      await client.test.registry.sweep();
    }
    upstream.behave = (_, response) => Boolean(response.destroy());
    await pull(client, ["manifests/1"]);
  });

  test("3. above the quota, what was pulled the longest ago goes first", async () => {
    const { upstream, client, later } = await open(kind, 25_000);
    const pullAll = async (tag: string) => {
      const { layers } = await upstream.push(tag, { layers: [tag.repeat(10_000)] });
      await pull(client, [`manifests/${tag}`, `blobs/${layers[0]!.digest}`]);
    };
    const tags = async () => (await rowsOf(client)).tags.map(({ name }) => name).toSorted();
    const sweep = async () => {
      await client.test.restart();
      await client.test.registry.sweep();
    };
    await pullAll("a");
    later(DAY_MS);
    await pullAll("b");
    later(DAY_MS);
    await pull(client, ["manifests/a"]);
    later(DAY_MS);
    await sweep();
    expect(await tags()).toEqual(["a", "b"]);
    await pullAll("c");
    await sweep();
    expect(await tags()).toEqual(["a", "c"]);
    await pullAll("d");
    await sweep();
    expect(await tags()).toEqual(["c", "d"]);
    // All of it is in use.
    await pullAll("e");
    await sweep();
    expect(await tags()).toEqual(["c", "d", "e"]);
    expect(client.logged).toContainEqual({ quotaBytes: 25_000 });
    const { kept, manifests, blobs } = await rowsOf(client);
    expect(kept).toHaveLength(manifests.length + blobs.length);
  });
});

test("room is made soon after something has come", async () => {
  const { upstream, client, later } = await open("sqlite", 25_000);
  const has = async (upstreams: TestUpstream, tag: string) => {
    const { layers } = await upstreams.push(tag, { layers: [tag.repeat(10_000)] });
    await pull(client, [`manifests/${tag}`, `blobs/${layers[0]!.digest}`]);
    later(DAY_MS);
  };
  await has(upstream, "a");
  await has(upstream, "b");
  await has(upstream, "c");
  await expect
    .poll(async () => (await rowsOf(client)).tags.map(({ name }) => name).toSorted())
    .toEqual(["b", "c"]);
});
