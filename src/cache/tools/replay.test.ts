/**
 * Requests of real clients to a server that they accepted, replayed one by one (tests/fixtures/wire/cache):
 * 1. Misses and hits are answered as by that server, in status, length and the headers that the tool reads.
 * 2. A caller without access, with read-only access or with too large a body gets the status to which the tool reacted as its
 *    page says.
 * 3. No recording is forgotten: tests/fixtures/wire/cache/README.md says why others are not here.
 */
import { hash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { openTestServer, type TestServer } from "../testing/server.ts";

interface Recorded {
  method: string;
  path: string;
  headers: Record<string, string>;
  reqBody?: { bytes: number };
  res: { status: number; headers?: Record<string, string | number>; bytes?: number };
}

/** In this order on one server: an entry that one of them puts, the next one gets. */
const RECORDINGS: Readonly<Record<string, readonly string[]>> = {
  bazel: ["bazel-http-miss", "bazel-http-hit", "bazel-http-hit-minimal"],
  gradle: ["gradle-miss", "gradle-hit"],
  maven: ["maven-miss", "maven-hit"],
  sccache: ["sccache", "sccache-basic", "sccache-readonly-mode"],
  turbo: ["turbo", "turbo-signed-put", "turbo-signed-get", "turbo-dry", "turbo-preflight"],
};

/** Recordings with servers that refused all requests of one kind. */
const REFUSALS: readonly Refusal[] = [
  { names: ["bazel-http-all-401", "gradle-all-401", "maven-all-401", "sccache-all-401"], token: "wrong" },
  { names: ["bazel-http-all-403", "sccache-all-403"], token: "project" },
  { names: ["sccache-put-403-from-start"], token: "reader" },
  { names: ["bazel-http-put-413", "gradle-put-413", "maven-put-413", "turbo-put-413"], quotaBytes: 2 },
  { names: ["sccache-later-put-413"], quotaBytes: 100 },
];

interface Refusal {
  names: readonly string[];
  token?: "wrong" | "project" | "reader";
  quotaBytes?: number;
}

const WRONG_TOKEN = `mr_org_${"w".repeat(43)}`;
const FOLDER = new URL("../../../tests/fixtures/wire/cache/", import.meta.url);

const read = (name: string) =>
  // As recorded.
  (JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf8")) as { entries: Recorded[] }).entries;

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

test.each(Object.entries(RECORDINGS))("1. %s", async (_tool, names) => {
  const server = await openTestServer();
  onTestFinished(server.close);
  const bodies = createBodies();
  let compared = 0;
  for (const recorded of names.flatMap(read)) {
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

test.each(REFUSALS)("2. $names", async ({ names, token, quotaBytes }) => {
  const server = await openTestServer({ ...(quotaBytes && { quotaBytes }) });
  onTestFinished(server.close);
  const secret =
    token === undefined ? server.tokens.organization : { wrong: WRONG_TOKEN, ...server.tokens }[token];
  const check = "/cache/sccache/.sccache_check";
  expect((await server.ask("PUT", check, { body: "x" })).status).toBe(201);
  for (const recorded of names.flatMap(read)) {
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

test("3. none is forgotten", () => {
  const there = readdirSync(FOLDER)
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.replace(".json", ""));
  const overHttp = there.filter((name) => read(name).every((entry) => entry.method !== undefined));
  const replayed = [...Object.values(RECORDINGS).flat(), ...REFUSALS.flatMap(({ names }) => names)];
  expect(overHttp.toSorted()).toEqual(replayed.toSorted());
});
