/**
 * 1. A blob is sent whole, in part, or only described; not at all to a client that has it already.
 * 2. Callers get, mount and delete only what they may; to outsiders, nothing reveals that a blob exists.
 * 3. A blob is mounted from a repository that the caller may pull, named or not, and stays when it is deleted there. A blob
 *    that cannot be mounted begins an upload.
 * 4. A blob that a manifest names is not deleted, and neither is a blob of another repository.
 * 5. A request for a blob counts as a use.
 * 6. With a bucket, a GET of a plain blob is answered with an address that has its bytes; a HEAD is not.
 */
import { randomBytes } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { inTransaction } from "#platform/database/database.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { parseS3Address, type S3Address } from "#platform/blobs/s3-address.ts";
import { openS3Store } from "#platform/blobs/s3-store.ts";
import { startTestS3 } from "#platform/testing/s3.ts";
import { collectNow } from "#platform/testing/collect.ts";
import { expectParts } from "#platform/testing/node-parts.ts";
import { USE_EXACT_MS } from "../contract/limits.ts";
import { digestOf, openTestClient, type TestClient } from "../testing/client.ts";

async function open(...args: Parameters<typeof openTestClient>): Promise<TestClient> {
  const client = await openTestClient(...args);
  onTestFinished(client.close);
  return client;
}

const content = randomBytes(600_000);
const digest = digestOf(content);
const at = (repository: string, name = digest) => `/v2/${repository}/blobs/${name}`;

async function push({ ask, tokens }: TestClient, repository: string, body: Uint8Array = content) {
  const token = repository.startsWith("evil/") ? tokens.stranger : tokens.organization;
  const pushed = await ask("POST", `/v2/${repository}/blobs/uploads/?digest=${digestOf(body)}`, {
    body,
    token,
  });
  expect(pushed.status).toBe(201);
}

const references = async ({ test: { database } }: TestClient, name = digest) =>
  (
    await database.db
      .selectFrom("blobs")
      .select("reference_count")
      .where("digest", "=", name)
      .executeTakeFirst()
  )?.reference_count;

test.each([0, 1, 4096, 4097, 600_000])("1. %i bytes", async (size) => {
  const client = await open();
  const { ask } = client;
  const body = Buffer.from(content.subarray(0, size));
  const path = at("acme/web", digestOf(body));
  await push(client, "acme/web", body);
  const head = await ask("HEAD", path);
  const etag = `"${digestOf(body)}"`;
  expect([head.status, head.body.length]).toEqual([200, 0]);
  expect(head.headers).toMatchObject({
    "content-length": String(size),
    "content-type": "application/octet-stream",
    "docker-content-digest": digestOf(body),
    "accept-ranges": "bytes",
    "cache-control": "private, max-age=31536000, immutable",
    etag,
  });
  const whole = await ask("GET", path.replace("sha256:", "sha256%3A"));
  expect([whole.status, whole.body.equals(body)]).toEqual([200, true]);
  await expectParts((headers) => ask("GET", path, { headers }), { body, etag });
  const outcomes = new Map(client.test.traffic.requests());
  expect([outcomes.get("pushed"), outcomes.get("cut"), outcomes.get("failed")]).toEqual([1, 0, 0]);
});

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("2. who may not", async () => {
    const client = await open(kind);
    const { ask, tokens } = client;
    for (const repository of ["acme/api", "evil/loot"]) await push(client, repository);
    const uploads = "/v2/acme/web/blobs/uploads/";
    const cases: [string, string, string, number, string][] = [
      [tokens.stranger, "GET", at("acme/api"), 404, "NAME_UNKNOWN"],
      [tokens.stranger, "DELETE", at("acme/api"), 404, "NAME_UNKNOWN"],
      [tokens.organization, "GET", at("acme/web"), 404, "BLOB_UNKNOWN"],
      [tokens.organization, "HEAD", at("acme/web"), 404, ""],
      [tokens.organization, "GET", at("evil/loot"), 404, "NAME_UNKNOWN"],
      [tokens.reader, "DELETE", at("acme/api"), 403, "DENIED"],
      [tokens.reader, "POST", uploads, 403, "DENIED"],
      [tokens.reader, "POST", `${uploads}?mount=${digest}&from=acme/api`, 403, "DENIED"],
      // These tokens may push, but not pull from there: as if there were nothing to mount.
      [tokens.organization, "POST", `${uploads}?mount=${digest}&from=evil/loot`, 202, ""],
      [tokens.project, "POST", `${uploads}?mount=${digest}&from=acme/api`, 202, ""],
      [tokens.project, "POST", `${uploads}?mount=${digest}`, 202, ""],
      [tokens.stranger, "POST", `/v2/evil/loot/blobs/uploads/?mount=${digestOf("none")}`, 202, ""],
    ];
    for (const [token, method, path, status, code] of cases) {
      const answer = await ask(method, path, { token });
      expect([method, path, answer.status, answer.code]).toEqual([method, path, status, code]);
    }
    expect(await references(client)).toBe(2);
  });

  test("3. mounts", async () => {
    const client = await open(kind);
    const { ask, files } = client;
    await push(client, "acme/api");
    const mount = (more: string) => ask("POST", `/v2/acme/web/blobs/uploads/?mount=${digest}${more}`);
    for (const from of ["acme/web", "acme/nothing", "no", "acme/api/x", "mirror/docker.io/library/alpine"]) {
      const begun = await mount(`&from=${from}`);
      expect([from, begun.status]).toEqual([from, 202]);
      expect(begun.headers["location"]).toMatch(/^\/v2\/acme\/web\/blobs\/uploads\/upl_[\da-f]{32}$/);
    }
    for (const more of ["&from=acme/api", "&from=acme%2Fapi", "", "&from=acme/web"]) {
      const mounted = await mount(more);
      expect([more, mounted.status, mounted.headers["location"]]).toEqual([more, 201, at("acme/web")]);
      expect(await references(client)).toBe(2);
    }
    expect((await ask("DELETE", at("acme/api"))).status).toBe(202);
    expect((await ask("DELETE", at("acme/api"))).code).toBe("BLOB_UNKNOWN");
    await collectNow(client.test.collector);
    expect((await ask("GET", at("acme/web"))).body.equals(content)).toBe(true);
    expect((await mount("&from=acme/api")).status).toBe(202);
    await ask("DELETE", at("acme/web"));
    await collectNow(client.test.collector);
    expect([await references(client), files()]).toEqual([undefined, []]);
    expect((await mount("")).status).toBe(202);
  });

  test("4. deletes", async () => {
    const client = await open(kind);
    const { ask, projects } = client;
    for (const repository of ["acme/web", "acme/api"]) await push(client, repository);
    const manifest = { repository_id: projects.web, manifest_digest: digestOf("manifest") };
    await client.test.database.db
      .insertInto("registry_references")
      .values({ ...manifest, position: 0, digest, kind: "layer", media_type: "", size: 1, platform: "" })
      .execute();
    const refused = await ask("DELETE", at("acme/web"));
    expect([refused.status, refused.code]).toEqual([403, "DENIED"]);
    expect(refused.text).toContain(digestOf("manifest"));
    expect((await ask("DELETE", at("acme/api"))).status).toBe(202);
    expect((await ask("GET", at("acme/web"))).status).toBe(200);
    expect(await references(client)).toBe(1);
  });

  test("5. uses", async () => {
    let now = Date.now();
    const client = await open(kind, { clock: () => now });
    const { ask, test } = client;
    const usedAt = async () =>
      (await test.database.db.selectFrom("registry_blobs").select("used_at").executeTakeFirstOrThrow())
        .used_at;
    const pushedAt = now;
    await push(client, "acme/web");
    now += USE_EXACT_MS;
    await ask("HEAD", at("acme/web"));
    expect(await usedAt()).toBe(pushedAt);
    for (const use of [
      () => ask("HEAD", at("acme/web")),
      () => ask("GET", at("acme/web")),
      () => push(client, "acme/web"),
      () => ask("POST", `/v2/acme/web/blobs/uploads/?mount=${digest}`),
    ]) {
      now += USE_EXACT_MS + 1;
      await use();
      expect(await usedAt()).toBe(now);
    }
  });
});

test("6. redirects", async () => {
  const s3 = await startTestS3();
  // The caller has checked it.
  const store = await openS3Store(parseS3Address(s3.url) as S3Address);
  const client = await open("sqlite", { openStore: () => Promise.resolve(store), redirectBlobs: true });
  onTestFinished(async () => {
    await store.close();
    await s3.close();
  });
  const { ask, test } = client;
  await push(client, "acme/web");
  const small = Buffer.from("in the database");
  await push(client, "acme/web", small);
  const head = await ask("HEAD", at("acme/web"));
  expect([head.status, head.headers["content-length"]]).toEqual([200, String(content.length)]);
  const sent = await ask("GET", at("acme/web"));
  expect([sent.status, sent.body.length, sent.headers["cache-control"]]).toEqual([307, 0, "no-store"]);
  const address = new URL(String(sent.headers["location"]));
  expect(address.searchParams.get("X-Amz-Expires")).toBe("1200");
  expect(address.searchParams.get("X-Amz-Signature")).toMatch(/^[\da-f]{64}$/);
  const fetched = await fetch(address, { headers: { range: "bytes=5-" } });
  expect(fetched.status).toBe(206);
  expect(Buffer.from(await fetched.arrayBuffer()).equals(content.subarray(5))).toBe(true);
  expect((await ask("GET", at("acme/web", digestOf(small)))).text).toBe("in the database");
  // As the cache stores it.
  const zeros = Buffer.alloc(1_000_000, randomBytes(5_000));
  const upload = test.blobs.receive({ maxBytes: zeros.length, encoding: "zstd" });
  await upload.write(zstdCompressSync(zeros));
  const received = await upload.finish(digestOf(zeros));
  await inTransaction(test.database, (transaction) => test.blobs.keep(transaction, received));
  await push(client, "acme/web", zeros);
  const decoded = await ask("GET", at("acme/web", digestOf(zeros)));
  expect([decoded.status, decoded.body.equals(zeros)]).toEqual([200, true]);
});
