/**
 * Requests of real clients to a server that they accepted, replayed one by one (tests/fixtures/wire/cache):
 * 1. Misses and hits are answered as by that server, in status, length and the headers that the tool reads.
 * 2. A caller without access, with read-only access or with too large a body gets the status to which the tool reacted as its
 *    page says.
 * 3. Each tool has recordings, except Go, whose client is our own. tests/fixtures/wire/cache/README.md says why others are not here.
 */
import { hash, randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import type { Tool } from "../contract/tools.ts";
import { groupEntries, readRecordings } from "../testing/recordings.ts";
import { openTestServer, type TestServer } from "../testing/server.ts";
import { createProtocols } from "./protocols.ts";

interface Recorded {
  method: string;
  path: string;
  headers: Record<string, string>;
  reqBody?: { bytes: number };
  res: { status: number; headers?: Record<string, string | number>; bytes?: number };
}

interface Refusal {
  token?: "wrong" | "project" | "reader";
  quotaBytes?: number;
}

/** Servers that refused all requests of one kind, by the end of the recording's name. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  "all-401": { token: "wrong" },
  "all-403": { token: "project" },
  "put-403-from-start": { token: "reader" },
  "put-413": { quotaBytes: 2 },
  "later-put-413": { quotaBytes: 100 },
};

/** Requests over gRPC have no method; `src/cache/reapi/recordings.test.ts` plays them. */
const OVER_HTTP = readRecordings().filter(({ entries }) => entries.every((entry) => "method" in entry));
const REFUSED = OVER_HTTP.filter(({ group }) => group === null);

/** Its client is `millrace gocache`, which `tests/clients` runs. */
const WITHOUT_RECORDINGS: readonly Tool[] = ["gocache"];

const WRONG_TOKEN = `mr_org_${"w".repeat(43)}`;
/** As recorded. */
const requestsOf = (entries: object[]) => entries as Recorded[];

/** Bodies were not recorded, and a key of Bazel's is the hash of one. */
function createBodies() {
  const bodies = new Map<string, Buffer>();
  const keys = new Map<string, string>();
  return {
    of({ path, reqBody }: Recorded): Buffer | undefined {
      if (!reqBody) return undefined;
      if (path.includes("/artifacts?")) return Buffer.from(JSON.stringify({ hashes: ["f692d8eb9240cd7f"] }));
      const body = randomBytes(reqBody.bytes);
      const [, key] = /\/cas\/(\w+)$/.exec(path) ?? [];
      if (key) keys.set(key, hash("sha256", body));
      bodies.set(path, body);
      return body;
    },
    sent: (path: string) => bodies.get(path),
    rename: (path: string) => path.replace(/(?<=\/cas\/)\w+$/, (key) => keys.get(key) ?? key),
  };
}

function headersOf({ headers, path }: Recorded, tokens: TestServer["tokens"]): Record<string, string> {
  const { host: _, connection: __, "content-length": ___, expect: ____, ...rest } = headers;
  const authorization = rest["authorization"]?.startsWith("Basic")
    ? `Basic ${btoa(`x-token:${tokens.organization}`)}`
    : `Bearer ${rest["authorization"]?.includes("mr_user_") ? tokens.user : tokens.organization}`;
  // The recorded server's answer to a preflight kept Turborepo from sending its token.
  const isWithout = rest["authorization"] === undefined && !path.startsWith("/cache/turbo/");
  return isWithout ? rest : { ...rest, authorization };
}

test.each(groupEntries(OVER_HTTP))("1. %s", async (_group, entries) => {
  const server = await openTestServer();
  onTestFinished(server.close);
  const bodies = createBodies();
  let compared = 0;
  for (const recorded of requestsOf(entries)) {
    const { method, path, res } = recorded;
    const body = bodies.of(recorded);
    const answer = await server.ask(method, bodies.rename(path), {
      token: null,
      headers: headersOf(recorded, server.tokens),
      ...(body && { body }),
    });
    const what = `${method} ${path}`;
    // The recorded server had no answer to a preflight; for a PUT, 200 and 201 mean the same.
    if (method === "OPTIONS") expect([what, answer.status]).toEqual([what, 204]);
    else if (method === "PUT") expect([what, [200, 201, 202].includes(answer.status)]).toEqual([what, true]);
    else expect([what, answer.status]).toEqual([what, res.status]);
    for (const [name, value] of Object.entries(res.headers ?? {}))
      if (name.startsWith("x-artifact-") || (name === "content-length" && method !== "PUT"))
        expect([what, name, answer.headers[name]]).toEqual([what, name, String(value)]);
    if (method === "GET" && bodies.sent(path))
      expect(answer.body.equals(bodies.sent(path)!), what).toBe(true);
    compared += 1;
  }
  expect(compared).toBeGreaterThan(2);
  expect(server.errors).toEqual([]);
});

test.each(REFUSED)("2. $name", async ({ name, what, entries }) => {
  const { token, quotaBytes } =
    REFUSALS[what] ?? expect.unreachable(`REFUSALS does not say who is refused in ${name}.json`);
  const server = await openTestServer({ ...(quotaBytes && { quotaBytes }) });
  onTestFinished(server.close);
  const secret =
    token === undefined ? server.tokens.organization : { wrong: WRONG_TOKEN, ...server.tokens }[token];
  const check = "/cache/sccache/.sccache_check";
  expect((await server.ask("PUT", check, { body: "x" })).status).toBe(201);
  for (const recorded of requestsOf(entries)) {
    const { method, path, headers, res } = recorded;
    const isBasic = headers["authorization"]?.startsWith("Basic") ?? false;
    const authorization = isBasic ? `Basic ${btoa(`x-token:${secret}`)}` : `Bearer ${secret}`;
    const body = Buffer.alloc(Number(headers["content-length"] ?? 0));
    const answer = await server.ask(method, path, {
      token: null,
      headers: { ...headersOf(recorded, server.tokens), authorization },
      ...(body.length > 0 && { body }),
    });
    expect([method, path, answer.status]).toEqual([method, path, res.status]);
  }
  expect(server.errors).toEqual([]);
});

test.each(createProtocols(() => Promise.resolve(null)))("3. recordings of $tool", ({ tool }) => {
  if (WITHOUT_RECORDINGS.includes(tool)) return;
  const own = OVER_HTTP.filter((recording) => recording.tool === tool);
  const message = `no recording of ${tool}: CONTRIBUTING.md, "Add a cache tool", says how to get tests/fixtures/wire/cache/${tool}-1-miss.json`;
  expect(
    own.filter(({ group }) => group !== null),
    message,
  ).not.toEqual([]);
});
