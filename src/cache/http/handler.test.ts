/**
 * 1. A token is required first, whatever the address; errors in it are explained in the documentation's words. `Bearer` and
 *    `Basic` with any user name are read; cookies are not.
 * 2. A caller that may only read gets a refusal, and writes nothing; a project's token may do nothing.
 * 3. The organization that a request names is used; another organization is refused, and is not a miss.
 * 4. An address with too many wrong tokens waits, but not with a token that was good before.
 * 5. An entry is sent whole, in part, or only described; not at all to a client that has it already. For an invalid range the
 *    client is told how long the entry is.
 * 6. An entry that is too large is refused before its body is sent, with `Expect` and without; chunked bodies are counted.
 * 7. A broken-off upload leaves nothing: no entry, no blob, no file.
 * 8. With two writers of one key, one wins, whole.
 * 9. Damaged entries are a miss, or a cut connection; never an answer that ends as if it were whole.
 * 10. Random paths and headers get an answer below 500, and nothing is logged.
 * 11. Over HTTP/2 it is the same.
 * 12. Requests and bytes are counted for each tool.
 */
import { randomBytes } from "node:crypto";
import { readdirSync, truncateSync, writeFileSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { expectParts } from "#platform/testing/node-parts.ts";
import { connectRaw } from "#platform/http/raw-client.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { TOOLS } from "../contract/tools.ts";
import { openTestServer, type TestServer, type TestServerOptions } from "../testing/server.ts";

const KEY = "/cache/gradle/5d2b0f1e7a6c48939be1d02f7c55a8e4";

async function open(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await openTestServer(options);
  onTestFinished(server.close);
  return server;
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const json = (text: string) => JSON.parse(text) as { code: string; message: string };

test("1. tokens", async () => {
  const { ask, tokens, owner, accounts } = await open();
  for (const path of [KEY, "/cache/bazel/ac/nonsense", "/cache/nothing/at-all", "/cache/"]) {
    const answer = await ask("GET", path, { token: null });
    expect([path, answer.status]).toEqual([path, 401]);
    expect(answer.headers["www-authenticate"]).toMatch(/^Bearer .*Basic /);
    expect(json(answer.text)).toEqual({ code: "unauthenticated", message: "no token" });
  }
  const cookie = `millrace-session=${owner.cookie}`;
  expect((await ask("GET", KEY, { token: null, headers: { cookie } })).status).toBe(401);
  const mistyped = await ask("GET", KEY, { token: `${tokens.user}x` });
  expect(json(mistyped.text).message).toBe("token is mistyped or cut off");
  for (const user of ["x-token", "ada", ""]) {
    const authorization = `Basic ${btoa(`${user}:${tokens.user}`)}`;
    expect((await ask("GET", KEY, { token: null, headers: { authorization } })).status).toBe(404);
  }
  for (const authorization of ["Basic", "Basic !!!", `Basic ${btoa("no colon")}`, "Bearer", tokens.user])
    expect((await ask("GET", KEY, { token: null, headers: { authorization } })).status).toBe(401);
  await accounts.db.updateTable("tokens").set({ revoked_at: 1 }).where("name", "=", "a org token").execute();
  expect(json((await ask("GET", KEY)).text).message).toBe("token is revoked");
});

test("2. who may write", async () => {
  const { ask, tokens, cache, folder } = await open();
  expect(json((await ask("GET", KEY, { token: tokens.project })).text)).toEqual({
    code: "permission_denied",
    message: "project tokens may not use the cache",
  });
  for (const token of [tokens.reader, tokens.job]) {
    const refused = await ask("PUT", KEY, { token, body: randomBytes(10_000) });
    expect(refused.status).toBe(403);
    expect(json(refused.text).message).toMatch(/^this token may read only: /);
    expect((await ask("GET", KEY, { token })).status).toBe(404);
  }
  expect(filesIn(folder)).toEqual([]);
  for (const token of [tokens.user, tokens.organization, tokens.writingJob]) {
    const body = randomBytes(100);
    expect((await ask("PUT", KEY, { token, body })).status).toBe(200);
    const found = await ask("GET", KEY, { token: tokens.job });
    expect(found.body.equals(body)).toBe(true);
  }
  expect(cache.accounts.refusalReports.counts).toBeDefined();
});

test("3. the organization", async () => {
  const { ask, tokens, organizationId } = await open();
  const status = async (name: string, token = tokens.user) =>
    (await ask("GET", KEY, { token, headers: { "millrace-org": name } })).status;
  expect(await status("acme")).toBe(404);
  expect(await status(organizationId)).toBe(404);
  expect(await status("evil-corp")).toBe(403);
  expect(await status("evil-corp", tokens.organization)).toBe(403);
});

test("4. wrong tokens", async () => {
  const { ask, tokens } = await open({ rateLimitFactor: 0.01 });
  expect((await ask("GET", KEY)).status).toBe(404);
  const statuses: number[] = [];
  for (let at = 0; at < 6; at += 1) statuses.push((await ask("GET", KEY, { token: "wrong" })).status);
  expect(statuses).toEqual([401, 401, 401, 429, 429, 429]);
  const limited = await ask("GET", KEY, { token: "wrong" });
  expect(Number(limited.headers["retry-after"])).toBeGreaterThan(0);
  expect((await ask("GET", KEY)).status).toBe(404);
  // A token that was never seen before.
  expect((await ask("GET", KEY, { token: tokens.user })).status).toBe(404);
  // A client without a token must learn what to send.
  expect((await ask("GET", KEY, { token: "" })).status).toBe(401);
});

describe.each(testDatabaseKinds)("%s", (kind) => {
  test.each([0, 1, 4096, 4097, 300_000, 1_000_000])("5. an entry of %i bytes", async (size) => {
    const { ask } = await open({ kind });
    const body = randomBytes(size);
    expect((await ask("PUT", KEY, { body })).status).toBe(200);
    const whole = await ask("GET", KEY);
    expect([whole.status, whole.headers["content-length"]]).toEqual([200, String(size)]);
    expect(whole.body.equals(body)).toBe(true);
    expect(whole.headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-request-id": expect.stringMatching(/^[\da-f-]{36}$/) as string,
    });
    const head = await ask("HEAD", KEY);
    expect([head.status, head.headers["content-length"], head.body.length]).toEqual([200, String(size), 0]);
    const etag = whole.headers["etag"]?.toString() ?? "";
    expect(etag).toMatch(/^"sha256:[\da-f]{64}"$/);
    await expectParts((headers) => ask("GET", KEY, { headers }), { body, etag });
    expect((await ask("GET", KEY, { headers: { range: "bytes=5-2" } })).status).toBe(416);
    for (const range of ["bytes=0-1,3-4", "lines=1-2", "bytes=-", "bytes=x-y"])
      expect((await ask("GET", KEY, { headers: { range } })).status).toBe(200);
    const stale = await ask("GET", KEY, { headers: { range: "bytes=0-0", "if-range": '"other"' } });
    expect(stale.status).toBe(200);
  });
});

test("6. too large", async () => {
  const { ask, port, tokens, folder } = await open({ quotaBytes: 50_000 });
  const body = randomBytes(50_001);
  const sorts: Record<string, string>[] = [
    {},
    { expect: "100-continue" },
    { "content-length": "2000000001" },
  ];
  for (const headers of sorts)
    expect((await ask("PUT", KEY, { body, headers }).catch(() => ({ status: 413 }))).status).toBe(413);
  const lines = (more: string) =>
    `PUT ${KEY} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${tokens.user}\r\n${more}\r\n\r\n`;
  // Refused before it has sent anything, and without "100 Continue".
  const waiting = await connectRaw(port, lines("Expect: 100-continue\r\nContent-Length: 50001"));
  expect(await waiting.ended()).toMatch(/^HTTP\/1\.1 413 [^]*connection: close[^]*"resource_exhausted"/i);
  // A client that sends without waiting also reads the answer, and may continue on the connection.
  const eager = await connectRaw(port, lines("Content-Length: 50001"));
  eager.socket.write(body);
  eager.socket.write(lines("Content-Length: 5") + "small");
  const text = await eager.until("200 OK");
  expect(text).toMatch(/^HTTP\/1\.1 413 [^]*HTTP\/1\.1 200 OK/);
  eager.socket.destroy();
  // The length is unknown in advance.
  const chunked = await ask("PUT", KEY, { body, headers: { "transfer-encoding": "chunked" } });
  expect(chunked.status).toBe(413);
  const welcome = await connectRaw(port, lines("Expect: 100-continue\r\nContent-Length: 5"));
  await welcome.until("100 Continue");
  welcome.socket.write("small");
  expect(await welcome.until("200 OK")).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  welcome.socket.destroy();
  expect(filesIn(folder)).toEqual([]);
  const forms: Record<string, string>[] = [
    { "content-encoding": "gzip" },
    { "content-range": "bytes 0-4/5" },
  ];
  for (const headers of forms)
    expect([400, 415]).toContain((await ask("PUT", KEY, { body: "small", headers })).status);
});

const nothingKept = async ({ folder, database }: TestServer) => {
  await vi.waitFor(() => expect(filesIn(folder)).toEqual([]));
  expect(await database.db.selectFrom("blobs").selectAll().execute()).toEqual([]);
  expect(await database.db.selectFrom("cache_entries").selectAll().execute()).toEqual([]);
};

test("7. broken off", async () => {
  const server = await open();
  const { port, tokens, traffic, http2Url, folder } = server;
  const lines = `PUT ${KEY} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${tokens.user}\r\n`;
  const cuts = [
    `${lines}Content-Length: 100000\r\n\r\n`,
    `${lines}Content-Length: 1000\r\n\r\nhalf`,
    `${lines}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`,
  ];
  for (const [at, sent] of cuts.entries()) {
    const client = await connectRaw(port, sent);
    if (at === 0) {
      client.socket.write(randomBytes(50_000));
      await vi.waitFor(() => expect(filesIn(folder)).toHaveLength(1));
    }
    client.socket.destroy();
    await vi.waitFor(() => expect(new Map(traffic.requests()).size).toBe(1));
  }
  await vi.waitFor(() => expect([...traffic.requests()]).toEqual([[["gradle", "cut"], 3]]));
  const session = connectHttp2(http2Url);
  onTestFinished(() => session.destroy());
  const path = { ":method": "PUT", ":path": KEY, authorization: `Bearer ${tokens.user}` };
  session.on("error", () => {});
  const stream = session.request({ ...path, "content-length": "100000" }).on("error", () => {});
  stream.write(randomBytes(50_000));
  await vi.waitFor(() => expect(filesIn(folder)).toHaveLength(1));
  stream.close(8);
  await vi.waitFor(() => expect(filesIn(folder)).toEqual([]));
  session
    .request(path)
    .on("error", () => {})
    .write(randomBytes(50_000));
  await vi.waitFor(() => expect(filesIn(folder)).toHaveLength(1));
  session.destroy();
  await nothingKept(server);
  expect(server.errors).toEqual([]);
});

test("8. two writers", async () => {
  const { ask, folder } = await open();
  const bodies = Array.from({ length: 8 }, () => randomBytes(200_000));
  const answers = await Promise.all(bodies.map((body) => ask("PUT", KEY, { body })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const { body: found } = await ask("GET", KEY);
  expect(bodies.some((body) => body.equals(found))).toBe(true);
  expect(filesIn(folder).length).toBeLessThanOrEqual(bodies.length);
});

test("9. damaged", async () => {
  const { ask, folder, errors, traffic } = await open();
  const damage: ((file: string) => void)[] = [
    (file) => truncateSync(file, 10),
    (file) => writeFileSync(file, randomBytes(200_000)),
  ];
  for (const [at, harm] of damage.entries()) {
    const key = `/cache/gradle/small${at}`;
    await ask("PUT", key, { body: randomBytes(200_000) });
    filesIn(folder).forEach(harm);
    expect((await ask("GET", key)).status).toBe(404);
    expect((await ask("GET", key)).status).toBe(404);
  }
  const large = randomBytes(2_000_000);
  await ask("PUT", KEY, { body: large });
  for (const file of filesIn(folder)) writeFileSync(file, Buffer.from(large).fill(0, 1_900_000));
  await expect(ask("GET", KEY)).rejects.toThrow(/aborted|hang up|ECONNRESET/);
  expect((await ask("GET", KEY)).status).toBe(404);
  await ask("PUT", KEY, { body: large });
  expect((await ask("GET", KEY)).body.equals(large)).toBe(true);
  // The operator is notified of the damage that a client has noticed.
  expect(errors.map(({ error }) => String(error))).toEqual([expect.stringMatching(/are damaged/)]);
  expect(new Map([...traffic.requests()].map(([[, outcome], sum]) => [outcome, sum]))).toEqual(
    new Map([
      ["hit", 1],
      ["miss", 5],
      ["stored", 4],
      ["failed", 1],
    ]),
  );
});

const METHODS = ["GET", "HEAD", "PUT", "POST", "DELETE", "PATCH", "OPTIONS", "PROPFIND", "MKCOL", "PURGE"];
const NAMES = [...TOOLS, "other", ""];

test("10. random requests", async () => {
  const { ask, errors, tokens } = await open({ rateLimitFactor: 0 });
  const name = fc.oneof(
    fc.constantFrom(
      "ac",
      "cas",
      "cache",
      "v8",
      "artifacts",
      "v1.1",
      "find",
      "..",
      ".",
      "",
      "%2e",
      "%2F",
      "%00",
      "%",
      "%ff",
    ),
    fc.string({ maxLength: 20 }).map(encodeURIComponent),
    fc.stringMatching(/^[\da-f]{1,64}$/),
  );
  const headers = fc.record(
    {
      range: fc.stringMatching(/^[ -~]{0,20}$/),
      "if-none-match": fc.stringMatching(/^[ -~]{0,20}$/),
      "content-type": fc.stringMatching(/^[ -~]{0,20}$/),
      "x-output-id": fc.stringMatching(/^[ -~]{0,70}$/),
      "x-artifact-tag": fc.stringMatching(/^[ -~]{0,70}$/),
      "millrace-org": fc.stringMatching(/^[ -~]{0,20}$/),
      "x-request-id": fc.stringMatching(/^[ -~]{0,20}$/),
      authorization: fc.stringMatching(/^(?:Bearer|Basic) [ -~]{0,40}$/),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...METHODS),
      fc.constantFrom(...NAMES),
      fc.array(name, { maxLength: 6 }),
      headers,
      fc.option(fc.uint8Array({ maxLength: 200 }), { nil: undefined }),
      async (method, tool, names, more, body) => {
        const path = `/cache/${tool}${names.map((each) => `/${each}`).join("")}`;
        const answer = await ask(method, path, {
          token: tokens.organization,
          headers: more,
          ...(body && { body }),
        });
        expect(answer.status, `${method} ${path}`).toBeLessThan(500);
        expect(answer.headers["x-content-type-options"]).toBe("nosniff");
      },
    ),
    { numRuns: 400 },
  );
  expect((await ask("GET", `/cache/gradle/${"a".repeat(3000)}`)).status).toBe(414);
  expect(errors).toEqual([]);
}, 60_000);

test("11. HTTP/2", async () => {
  const { http2Url, tokens } = await open({ quotaBytes: 5_000_000 });
  const session = connectHttp2(http2Url);
  onTestFinished(() => session.destroy());
  const ask = (method: string, body: Buffer | null, more: object = {}) =>
    new Promise<{ status: unknown; body: Buffer }>((resolve, reject) => {
      const authorization = `Bearer ${tokens.user}`;
      const stream = session.request({ ":method": method, ":path": KEY, authorization, ...more });
      let status: unknown;
      const chunks: Buffer[] = [];
      stream
        .once("response", (headers) => (status = headers[":status"]))
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .once("error", reject)
        .once("end", () => resolve({ status, body: Buffer.concat(chunks) }));
      if (body) stream.end(body);
      else stream.end();
    });
  expect((await ask("GET", null)).status).toBe(404);
  const body = randomBytes(3_000_000);
  expect((await ask("PUT", body)).status).toBe(200);
  expect((await ask("GET", null)).body.equals(body)).toBe(true);
  expect((await ask("GET", null, { range: "bytes=10-19" })).body.equals(body.subarray(10, 20))).toBe(true);
  const refused = await ask("PUT", randomBytes(6_000_000), { "content-length": "6000000" });
  expect(refused.status).toBe(413);
  expect(json(refused.body.toString()).code).toBe("resource_exhausted");
  expect((await ask("PUT", randomBytes(6_000_000))).status).toBe(413);
  // The session still works.
  expect((await ask("HEAD", null)).status).toBe(200);
});

test("12. counts", async () => {
  const { ask, traffic, tokens } = await open();
  await ask("PUT", KEY, { body: randomBytes(1000) });
  await ask("GET", KEY);
  await ask("GET", `${KEY}0`);
  await ask("GET", KEY, { token: "wrong" });
  await ask("PUT", KEY, { token: tokens.reader, body: "x" });
  await vi.waitFor(() =>
    expect(new Map([...traffic.requests()].map(([[, outcome], sum]) => [outcome, sum]))).toEqual(
      new Map([
        ["stored", 1],
        ["hit", 1],
        ["miss", 1],
        ["refused", 2],
      ]),
    ),
  );
  expect([...traffic.bytes()]).toEqual([
    [["gradle", "in"], 1000],
    [["gradle", "out"], 1000],
  ]);
});
