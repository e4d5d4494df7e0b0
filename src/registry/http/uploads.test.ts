/**
 * 1. A blob arrives in chunks, in one PUT or in one POST, of any size, and is sent as it arrived; nothing else is left over.
 * 2. Chunks arrive in order, as `Content-Range` says, which must match the body; of two at the same time one is refused.
 * 3. A wrong digest ends the upload without a blob; so does cancelling it. A malformed digest is refused as such.
 * 4. Uploads of other repositories, unknown uploads and expired ones are unknown; a sweep removes their files.
 * 5. After a restart, and after a cut connection, the upload says where to continue.
 * 6. One of two requests that finish an upload at the same time succeeds, and the blob has one reference.
 * 7. A blob that is pushed again has one reference in the repository, and a damaged blob is repaired.
 */
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { collectNow } from "#platform/testing/collect.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { connectRaw } from "#platform/http/raw-client.ts";
import { consoleLog } from "#platform/log/log.ts";
import { UPLOAD_MS } from "../contract/limits.ts";
import { sweepUploads } from "../uploads/sweep.ts";
import { digestOf, openTestClient, type TestClient } from "../testing/client.ts";

const UPLOADS = "/v2/acme/web/blobs/uploads/";

async function open(...args: Parameters<typeof openTestClient>): Promise<TestClient> {
  const client = await openTestClient(...args);
  onTestFinished(client.close);
  return client;
}

async function begin({ ask }: TestClient, path = UPLOADS): Promise<string> {
  const begun = await ask("POST", path);
  expect(begun.status).toBe(202);
  return String(begun.headers["location"]);
}

/** Rows of blobs, with references, and of uploads in progress. */
async function kept({ test: { database } }: TestClient) {
  const blobs = await database.db.selectFrom("blobs").select(["digest", "reference_count"]).execute();
  const uploads = await database.db.selectFrom("registry_uploads").select("id").execute();
  const parts = await database.db.selectFrom("registry_upload_parts").select("upload_id").execute();
  const named = await database.db.selectFrom("registry_blobs").select("digest").execute();
  return {
    blobs: new Map(blobs.map(({ digest, reference_count: count }) => [digest, count])),
    named: named.length,
    underWay: uploads.length + parts.length,
  };
}

const bytes = randomBytes(3_000_000);
const digest = digestOf(bytes);

describe.each(testDatabaseKinds)("%s", (kind) => {
  test.each([0, 1, 4096, 4097, 3_000_000])("1. a blob of %i bytes", async (size) => {
    const client = await open(kind);
    const { ask, files } = client;
    const content = Buffer.from(bytes.subarray(0, size));
    const ways: ((digest: string) => Promise<unknown>)[] = [
      async (name) => {
        const to = await begin(client);
        for (const part of [content.subarray(0, size >> 1), content.subarray(size >> 1)])
          expect((await ask("PATCH", to, { body: part })).status).toBe(202);
        expect((await ask("PUT", `${to}?digest=${name}`)).status).toBe(201);
      },
      async (name) => {
        const to = await begin(client);
        const sent = await ask("PATCH", to, { body: content, headers: { "transfer-encoding": "chunked" } });
        expect([sent.status, sent.headers["range"]]).toEqual([202, `0-${Math.max(0, size - 1)}`]);
        expect((await ask("PUT", `${to}?digest=${name}&other=1`)).status).toBe(201);
      },
      async (name) => {
        const to = await begin(client);
        expect((await ask("PUT", `${to}?digest=${name}`, { body: content })).status).toBe(201);
      },
      async (name) => {
        const to = await begin(client);
        await ask("PATCH", to, { body: content.subarray(0, size >> 2) });
        const last = await ask("PUT", `${to}?digest=${name}`, { body: content.subarray(size >> 2) });
        expect(last.status).toBe(201);
      },
      async (name) => {
        const put = await ask("POST", `${UPLOADS}?digest=${name}`, { body: content });
        expect([put.status, put.headers["location"]]).toEqual([201, `/v2/acme/web/blobs/${name}`]);
        expect(put.headers["docker-content-digest"]).toBe(name);
      },
    ];
    for (const algorithm of ["sha256", "sha512"])
      for (const put of ways) {
        const name = digestOf(content, algorithm);
        expect((await ask("GET", `/v2/acme/web/blobs/${name}`)).code).toBe("BLOB_UNKNOWN");
        await put(name);
        const got = await ask("GET", `/v2/acme/web/blobs/${name}`);
        expect([got.status, got.body.equals(content)]).toEqual([200, true]);
        expect(await kept(client)).toEqual({ blobs: new Map([[name, 1]]), named: 1, underWay: 0 });
        expect(files()).toHaveLength(size > 4096 ? 1 : 0);
        expect((await ask("DELETE", `/v2/acme/web/blobs/${name}`)).status).toBe(202);
        await collectNow(client.test.collector);
        expect(files()).toEqual([]);
      }
    expect(client.logged).toEqual([]);
  });

  test("2. chunks in their order", async () => {
    const client = await open(kind);
    const { ask } = client;
    const to = await begin(client);
    const patch = (range: string, body: Uint8Array) =>
      ask("PATCH", to, { body, headers: { "content-range": range } });
    expect((await patch("0-9", bytes.subarray(0, 10))).headers["range"]).toBe("0-9");
    for (const range of ["0-9", "11-20", "5-14"]) {
      const refused = await patch(range, bytes.subarray(0, 10));
      expect([refused.status, refused.code]).toEqual([416, "BLOB_UPLOAD_INVALID"]);
      expect([refused.headers["range"], refused.headers["location"]]).toEqual(["0-9", to]);
    }
    for (const range of ["10-18", "10-20"])
      expect((await patch(range, bytes.subarray(10, 20))).code).toBe("SIZE_INVALID");
    for (const range of ["10-9", "x", "10-", "-5"])
      expect((await patch(range, bytes.subarray(10, 20))).code).toBe("BLOB_UPLOAD_INVALID");
    const headers = { "content-range": "10-19", "transfer-encoding": "chunked" };
    for (const length of [9, 11])
      expect((await ask("PATCH", to, { headers, body: bytes.subarray(10, 10 + length) })).code).toBe(
        "SIZE_INVALID",
      );
    expect((await ask("PATCH", to, { headers, body: bytes.subarray(10, 20) })).status).toBe(202);
    const state = await ask("GET", to);
    expect([state.status, state.headers["range"], state.headers["location"]]).toEqual([204, "0-19", to]);
    const last = { body: bytes.subarray(20, 30), headers: { "content-range": "21-30" } };
    const name = digestOf(bytes.subarray(0, 30));
    expect((await ask("PUT", `${to}?digest=${name}`, last)).status).toBe(416);
    last.headers["content-range"] = "20-29";
    expect((await ask("PUT", `${to}?digest=${name}`, last)).status).toBe(201);
    const again = await begin(client);
    const both = await Promise.all(
      [1, 2, 3].map(() => ask("PATCH", again, { body: bytes.subarray(0, 1_000_000) })),
    );
    // The first one succeeds, and others that began at the same place are refused.
    const accepted = both.filter(({ status }) => status === 202).length;
    expect(both.filter(({ status }) => status === 416)).toHaveLength(3 - accepted);
    expect((await ask("GET", again)).headers["range"]).toBe(`0-${accepted * 1_000_000 - 1}`);
    expect(client.files()).toHaveLength(accepted);
  });

  test("3. wrong digests, and cancelling", async () => {
    const client = await open(kind);
    const { ask, files } = client;
    const wrong = digestOf("other");
    const cases: [string, number][] = [
      [wrong, 1],
      [wrong, 2],
      [digestOf("other", "sha512"), 1],
    ];
    for (const [name, parts] of cases) {
      const to = await begin(client);
      for (let at = 0; at < parts; at += 1) await ask("PATCH", to, { body: bytes });
      expect((await ask("PUT", `${to}?digest=${name}`)).code).toBe("DIGEST_INVALID");
      expect((await ask("GET", to)).code).toBe("BLOB_UPLOAD_UNKNOWN");
    }
    const whole = await begin(client);
    expect((await ask("PUT", `${whole}?digest=${wrong}`, { body: bytes })).code).toBe("DIGEST_INVALID");
    expect((await ask("GET", whole)).code).toBe("BLOB_UPLOAD_UNKNOWN");
    expect((await ask("POST", `${UPLOADS}?digest=${wrong}`, { body: bytes })).code).toBe("DIGEST_INVALID");
    const cancelled = await begin(client);
    await ask("PATCH", cancelled, { body: bytes });
    expect((await ask("DELETE", cancelled)).status).toBe(204);
    expect((await ask("DELETE", cancelled)).code).toBe("BLOB_UPLOAD_UNKNOWN");
    expect((await ask("PUT", `${cancelled}?digest=${digest}`)).status).toBe(404);
    expect(await kept(client)).toEqual({ blobs: new Map(), named: 0, underWay: 0 });
    expect(files()).toEqual([]);
    const to = await begin(client);
    for (const name of ["", "sha256:abc", "md5:d41d8cd98f00b204e9800998ecf8427e", digest.toUpperCase()]) {
      for (const [method, path] of [
        ["PUT", `${to}?digest=${name}`],
        ["POST", `${UPLOADS}?digest=${name}`],
        ["POST", `${UPLOADS}?mount=${name}&from=acme/api`],
      ] as const)
        expect([name, (await ask(method, path)).code]).toEqual([name, "DIGEST_INVALID"]);
      if (name) expect((await ask("GET", `/v2/acme/web/blobs/${name}`)).code).toBe("DIGEST_INVALID");
    }
    expect((await ask("PUT", to)).code).toBe("DIGEST_INVALID");
    expect((await ask("GET", to)).status).toBe(204);
  });

  test("4. unknown uploads, and old ones", async () => {
    let now = Date.now();
    const client = await open(kind, { clock: () => now });
    const { ask, tokens, files } = client;
    const to = await begin(client);
    await ask("PATCH", to, { body: bytes });
    const second = await begin(client);
    const foreign = await ask("POST", "/v2/evil/loot/blobs/uploads/", { token: tokens.stranger });
    const id = String(foreign.headers["docker-upload-uuid"]);
    const others = [UPLOADS + id, to.replace("web", "api"), `${UPLOADS}upl_${"0".repeat(32)}`, `${UPLOADS}x`];
    const unknown = async (path: string) => {
      for (const method of ["GET", "PATCH", "PUT", "DELETE"]) {
        const answer = await ask(method, `${path}?digest=${digest}`, method === "GET" ? {} : { body: "x" });
        expect([path, method, answer.status, answer.code]).toEqual([
          path,
          method,
          404,
          "BLOB_UPLOAD_UNKNOWN",
        ]);
      }
    };
    for (const path of others) await unknown(path);
    now += UPLOAD_MS - 1;
    expect((await ask("GET", to)).status).toBe(204);
    expect((await ask("GET", second)).status).toBe(204);
    now += 1;
    await unknown(to);
    expect(files()).toHaveLength(1);
    expect(await sweepUploads({ ...client.test, clock: () => now, log: consoleLog })).toBe(3);
    expect(files()).toEqual([]);
    expect((await kept(client)).underWay).toBe(0);
  });

  test("5. going on after a restart and a cut connection", async () => {
    const client = await open(kind);
    const { ask, tokens, files } = client;
    const large = randomBytes(8_000_000);
    const name = digestOf(large);
    const to = await begin(client);
    await ask("PATCH", to, { body: large.subarray(0, 500_000) });
    await client.test.restart();
    expect((await ask("GET", to)).headers["range"]).toBe("0-499999");
    const cut = async (lines: string, body: Uint8Array) => {
      const head = `${lines} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${tokens.organization}\r\n`;
      const connection = await connectRaw(Number(new URL(client.test.url).port));
      connection.socket.write(`${head}Content-Length: 20000000\r\n\r\n`);
      connection.socket.end(body);
      await connection.ended();
    };
    const received = async () => Number(String((await ask("GET", to)).headers["range"]).slice(2)) + 1;
    // Too few bytes to be kept.
    await cut(`PATCH ${to}`, large.subarray(500_000, 600_000));
    expect(await received()).toBe(500_000);
    // Many of the bytes are kept, except those that were still on their way through the server.
    await cut(`PATCH ${to}`, large.subarray(500_000, 3_000_000));
    await vi.waitFor(async () => expect(await received()).toBeGreaterThan(1_499_999));
    const second = await received();
    expect(second).toBeLessThanOrEqual(3_000_000);
    await cut(`PUT ${to}?digest=${name}`, large.subarray(second, second + 2_500_000));
    await vi.waitFor(async () => expect(await received()).toBeGreaterThan(second + 999_999));
    const third = await received();
    const rest = { body: large.subarray(third), headers: { "content-range": `${third}-7999999` } };
    expect((await ask("PUT", `${to}?digest=${name}`, rest)).status).toBe(201);
    // A POST has no upload to continue.
    await cut(`POST ${UPLOADS}?digest=${digestOf("x")}`, bytes.subarray(0, 2_000_000));
    await vi.waitFor(() => expect(files()).toHaveLength(1));
    await client.test.restart();
    expect((await ask("GET", `/v2/acme/web/blobs/${name}`)).body.equals(large)).toBe(true);
    expect(client.logged).toEqual([]);
  });

  test("6. two that finish at once", async () => {
    const client = await open(kind);
    const { ask, files } = client;
    for (const [parts, algorithm] of [
      [1, "sha256"],
      [3, "sha256"],
      [1, "sha512"],
    ] as const) {
      const name = digestOf(bytes, algorithm);
      const to = await begin(client);
      const length = bytes.length / parts;
      for (let at = 0; at < parts; at += 1)
        await ask("PATCH", to, { body: bytes.subarray(at * length, (at + 1) * length) });
      const answers = await Promise.all([1, 2, 3].map(() => ask("PUT", `${to}?digest=${name}`)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 404, 404]);
      expect(await kept(client)).toEqual({ blobs: new Map([[name, 1]]), named: 1, underWay: 0 });
      expect(files()).toHaveLength(1);
      await ask("DELETE", `/v2/acme/web/blobs/${name}`);
      await collectNow(client.test.collector);
    }
    const to = await begin(client);
    await ask("PATCH", to, { body: bytes });
    // Either one may come first; there is never a blob without its file.
    const [ended, finished] = await Promise.all([ask("DELETE", to), ask("PUT", `${to}?digest=${digest}`)]);
    expect([ended.status, finished.status].toSorted()).toEqual(
      ended.status === 204 ? [204, 404] : [201, 404],
    );
    expect(files()).toHaveLength(finished.status === 201 ? 1 : 0);
    expect(client.logged).toEqual([]);
  });

  test("7. again", async () => {
    const client = await open(kind);
    const { ask, files } = client;
    const push = (path = UPLOADS) => ask("POST", `${path}?digest=${digest}`, { body: bytes });
    const answers = await Promise.all([push(), push(), push(), push("/v2/acme/api/blobs/uploads/")]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect((await kept(client)).blobs).toEqual(new Map([[digest, 2]]));
    expect(files()).toHaveLength(1);
    for (const file of files()) writeFileSync(file, "damaged");
    await client.test.restart();
    expect((await ask("GET", `/v2/acme/web/blobs/${digest}`)).code).toBe("BLOB_UNKNOWN");
    expect((await ask("HEAD", `/v2/acme/api/blobs/${digest}`)).status).toBe(404);
    expect((await push()).status).toBe(201);
    expect((await kept(client)).blobs).toEqual(new Map([[digest, 2]]));
    expect((await ask("GET", `/v2/acme/api/blobs/${digest}`)).body.equals(bytes)).toBe(true);
  });
});
