/**
 * 1. Bazel: bytes are put only under their own hash, and the empty blob is always there; a result is a hit only when it is
 *    complete; keys are hashes.
 * 2. Gradle: an entry has the same key at the cache's address and at that of Gradle's own cache node.
 * 3. Maven: paths of its form, with names that must be encoded; others are refused.
 * 4. sccache: every folder exists, files have the bytes that were put; nothing needs to be created.
 * 5. Turborepo: the team names the organization; signatures and durations come back; several artifacts are queried in one
 *    request; a preflight keeps the token; failures have Vercel's form; the linked user is shown.
 * 6. Go: one and many, small outputs with the answer, others on their own; damaged and malformed ones.
 * 7. Each address lists its methods; entries of one tool are not another's.
 */
import { hash, randomBytes } from "node:crypto";
import { readdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTestServer, type TestServer, type TestServerOptions } from "../testing/server.ts";

async function open(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await openTestServer(options);
  onTestFinished(server.close);
  return server;
}

const messageOf = (text: string) => (JSON.parse(text) as { message: string }).message;

test("1. Bazel", async () => {
  let isComplete = true;
  const seen: string[] = [];
  const { ask } = await open({
    completeActionResult: (_cache, { tool }, bytes) => {
      seen.push(`${tool} ${Buffer.from(bytes).toString()}`);
      return Promise.resolve(isComplete ? {} : null);
    },
  });
  const body = randomBytes(10_000);
  const digest = hash("sha256", body);
  const wrong = await ask("PUT", `/cache/bazel/cas/${digest}`, { body: "other" });
  expect(wrong.status).toBe(400);
  expect(messageOf(wrong.text)).toMatch(new RegExp(`not sha256:${digest}$`));
  expect((await ask("GET", `/cache/bazel/cas/${digest}`)).status).toBe(404);
  expect((await ask("PUT", `/cache/bazel/cas/${digest}`, { body })).status).toBe(200);
  expect((await ask("GET", `/cache/bazel/cas/${digest}`)).body.equals(body)).toBe(true);
  expect((await ask("GET", `/cache/bazel/ac/${digest}`)).status).toBe(404);
  const empty = await ask("GET", `/cache/bazel/cas/${hash("sha256", "")}`);
  expect([empty.status, empty.headers["content-length"], empty.text]).toEqual([200, "0", ""]);

  await ask("PUT", `/cache/bazel/ac/${digest}`, { body: "a result" });
  expect((await ask("GET", `/cache/bazel/ac/${digest}`)).text).toBe("a result");
  isComplete = false;
  expect((await ask("GET", `/cache/bazel/ac/${digest}`)).status).toBe(404);
  expect(seen).toEqual(["bazel a result", "bazel a result"]);
  expect((await ask("PUT", `/cache/bazel/ac/${digest}`, { body: randomBytes(4_000_001) })).status).toBe(413);
  for (const key of ["nonsense", digest.toUpperCase(), `${digest}0`])
    for (const method of ["GET", "PUT"])
      expect(
        (await ask(method, `/cache/bazel/cas/${key}`, { ...(method === "PUT" && { body }) })).status,
      ).toBe(400);
  for (const path of ["", "/", "/cas", "/cas/", `/other/${digest}`, `/cas/${digest}/more`])
    expect([path, (await ask("GET", `/cache/bazel${path}`)).status]).toEqual([path, 404]);
});

test("2. Gradle", async () => {
  const { ask } = await open();
  const body = randomBytes(767);
  expect((await ask("PUT", "/cache/gradle/cache/b001f775", { body })).status).toBe(200);
  const found = await ask("GET", "/cache/gradle/b001f775");
  expect(found.body.equals(body)).toBe(true);
  expect(found.headers["content-type"]).toBe("application/vnd.gradle.build-cache-artifact.v2");
  for (const path of ["/cache/gradle/", "/cache/gradle/a/b", `/cache/gradle/${"a".repeat(129)}`])
    expect((await ask("PUT", path, { body })).status).toBe(404);
});

test("3. Maven", async () => {
  const { ask } = await open();
  const good = [
    "/v1/com.acme/basket/53fe44244d9401b2/buildinfo.xml",
    "/v1.1/com.acme/basket/53fe44244d9401b2/basket-1.0+build%20of%20%C3%A4.jar",
    "/v1.1/com.acme/basket/9d4e78e2-3898-43fb-99ba-b16cabbfae6b/build-cache-report.xml",
  ];
  for (const path of good) {
    expect((await ask("PUT", `/cache/maven${path}`, { body: path })).status).toBe(201);
    expect((await ask("GET", `/cache/maven${path}`)).text).toBe(path);
    expect((await ask("HEAD", `/cache/maven${path}`)).headers["content-length"]).toBe(String(path.length));
  }
  const [first = ""] = good;
  expect((await ask("GET", `/cache/maven${first.replace("basket", "%62asket")}`)).text).toBe(first);
  for (const path of [
    "/v1.1/com.acme/../basket/x",
    "/v1.1/com.acme/%2e%2e/basket/x",
    "/v1.1/com.acme//x",
    "/v1.1/a%2fb/x",
    "/v1.1/a%00b/x",
    "/v1.1/a%0ab/x",
    "/v1.1/a%5cb/x",
    "/v1.1/a%zzb/x",
    "/v1.1/a%ffb/x",
    `/v1.1${`/${"a".repeat(190)}`.repeat(3)}`,
  ])
    expect([path, (await ask("PUT", `/cache/maven${path}`, { body: "x" })).status]).toEqual([path, 400]);
  for (const path of ["/nothing", "/v1.1", "/v1.1/", "/v1.1/a/", `/v1.1/${"a".repeat(201)}`, "/x/com.acme/y"])
    expect([path, (await ask("PUT", `/cache/maven${path}`, { body: "x" })).status]).toEqual([path, 404]);
});

test("4. sccache", async () => {
  const { ask, tokens } = await open();
  const body = '<?xml version="1.0"?><D:propfind xmlns:D="DAV:"><D:allprop/></D:propfind>';
  for (const path of ["", "/", "/c/d/9/", "/my%20prefix%26/c/"]) {
    const folder = await ask("PROPFIND", `/cache/sccache${path}`, { body, headers: { depth: "0" } });
    expect([path, folder.status]).toEqual([path, 207]);
    expect(folder.text).toContain("<D:collection/>");
    expect(folder.text).toContain(`<D:href>/cache/sccache${path.replace("%26", "&amp;")}</D:href>`);
  }
  const file = "/cache/sccache/c/d/9/cd9d";
  expect((await ask("PROPFIND", file, { body })).status).toBe(404);
  expect((await ask("PUT", file, { body: "an object" })).status).toBe(201);
  const found = await ask("PROPFIND", file, { body });
  expect(found.status).toBe(207);
  expect(found.text).toContain("<D:getcontentlength>9</D:getcontentlength>");
  expect(found.text).not.toContain("collection");
  expect((await ask("GET", file)).text).toBe("an object");
  expect((await ask("MKCOL", "/cache/sccache/")).status).toBe(405);
  expect((await ask("MKCOL", "/cache/sccache/c/d/")).status).toBe(201);
  expect((await ask("MKCOL", "/cache/sccache/c/", { token: tokens.reader })).status).toBe(403);
  expect((await ask("OPTIONS", "/cache/sccache/")).headers["dav"]).toBe("1");
  expect((await ask("PROPFIND", "/cache/sccache/", { body: "x".repeat(300_000) })).status).toBe(413);
  expect((await ask("PUT", `/cache/sccache/${"a/".repeat(300)}x`, { body })).status).toBe(400);
});

test("5. Turborepo", async () => {
  const { ask, tokens, organizationId, owner } = await open();
  const artifact = "/cache/turbo/v8/artifacts/969d4d0a3862f092";
  const kept = {
    "x-artifact-duration": "629",
    "x-artifact-tag": "iGv11IutrmCtHm4gNn/YyvwvSWjx6qgsqtd9eaHoB2w=",
    "x-artifact-sha": "6572b0356f58c4a8be6522f3fe9fe97a63393c37",
    "x-artifact-dirty-hash": "025616779da452017b550cae58dd04d2",
  };
  const put = await ask("PUT", `${artifact}?slug=acme`, { body: "tasks", headers: kept });
  expect([put.status, JSON.parse(put.text)]).toEqual([202, { urls: ["/v8/artifacts/969d4d0a3862f092"] }]);
  const found = await ask("GET", `${artifact}?teamId=${organizationId}`, { token: tokens.user });
  expect([found.text, found.headers]).toEqual(["tasks", expect.objectContaining(kept)]);
  expect((await ask("HEAD", artifact)).headers).toMatchObject(kept);
  for (const team of ["slug=evil-corp", "teamId=team_1", `slug=evil-corp&teamId=${organizationId}`]) {
    const refused = await ask("GET", `${artifact}?${team}`, { token: tokens.user });
    expect(refused.status).toBe(403);
    expect(JSON.parse(refused.text)).toEqual({
      error: {
        code: "permission_denied",
        message: expect.stringMatching(/^organization .* was not found$/) as string,
      },
    });
  }
  for (const [name, value] of [
    ["x-artifact-duration", "soon"],
    ["x-artifact-tag", "a b"],
    ["x-artifact-tag", "a".repeat(601)],
    ["x-artifact-sha", "xyz"],
  ] as const)
    expect((await ask("PUT", artifact, { body: "x", headers: { [name]: value } })).status).toBe(400);

  expect(JSON.parse((await ask("GET", "/cache/turbo/v8/artifacts/status")).text)).toEqual({
    status: "enabled",
  });
  const events = JSON.stringify([{ sessionId: "x", source: "LOCAL", event: "HIT", hash: "9", duration: 1 }]);
  expect((await ask("POST", "/cache/turbo/v8/artifacts/events", { body: events })).text).toBe("{}");
  const many = await ask("POST", "/cache/turbo/v8/artifacts?slug=acme", {
    body: JSON.stringify({ hashes: ["969d4d0a3862f092", "0", "__proto__"] }),
  });
  expect(new Map(Object.entries(JSON.parse(many.text) as object))).toEqual(
    new Map<string, unknown>([
      ["969d4d0a3862f092", { size: 5, taskDurationMs: 0 }],
      ["0", null],
      ["__proto__", null],
    ]),
  );
  for (const body of [
    "",
    "[]",
    '{"hashes":"x"}',
    '{"hashes":["/"]}',
    JSON.stringify({ hashes: Array(1001).fill("a") }),
  ])
    expect((await ask("POST", "/cache/turbo/v8/artifacts", { body })).status).toBe(400);

  const preflight = await ask("OPTIONS", artifact);
  expect(preflight.headers["access-control-allow-headers"]).toMatch(/^Authorization, /);
  // A page of another site cannot read it.
  expect(preflight.headers["access-control-allow-origin"]).toBeUndefined();
  const user = await ask("GET", "/cache/turbo/v2/user", { token: tokens.user });
  expect(JSON.parse(user.text)).toMatchObject({ user: { id: owner.userId, username: "ada" } });
  for (const token of [tokens.user, tokens.organization])
    expect(JSON.parse((await ask("GET", "/cache/turbo/v2/teams", { token })).text)).toMatchObject({
      teams: [{ id: organizationId, slug: "acme" }],
    });
});

const action = (name: string) => hash("sha256", name);

test("6. Go", async () => {
  const { ask, folder, tokens, traffic } = await open();
  const put = (name: string, body: Buffer | string, more: Record<string, string> = {}) =>
    ask("PUT", `/cache/gocache/${action(name)}`, {
      body,
      headers: { "x-output-id": action(`output ${name}`), "x-time": "1764000000000000000", ...more },
    });
  expect((await put("hello", "hello")).status).toBe(201);
  expect((await put("empty", "")).status).toBe(201);
  const large = randomBytes(64_001);
  await put("large", large);
  const found = await ask("GET", `/cache/gocache/${action("large")}`);
  expect(found.body.equals(large)).toBe(true);
  expect(found.headers).toMatchObject({
    "x-output-id": action("output large"),
    "x-time": "1764000000000000000",
  });
  const forms = [
    ["x-output-id", "x"],
    ["x-output-id", ""],
    ["x-time", "now"],
    ["x-time", "-1"],
  ] as const;
  for (const [name, value] of forms) expect((await put("bad", "bad", { [name]: value })).status).toBe(400);
  expect((await ask("GET", "/cache/gocache/x")).status).toBe(400);

  const find = async (names: readonly string[], token = tokens.organization) => {
    const body = JSON.stringify({ actions: names.map(action) });
    const answer = await ask("POST", "/cache/gocache/find", { body, token });
    expect(answer.status).toBe(200);
    const end = answer.body.indexOf(10);
    const line = JSON.parse(answer.body.subarray(0, end).toString()) as {
      entries: Record<string, unknown>[];
    };
    return { entries: line.entries, rest: answer.body.subarray(end + 1) };
  };
  const entry = (name: string, size: number, inline: boolean) => ({
    action: action(name),
    output: action(`output ${name}`),
    time: "1764000000000000000",
    size,
    inline,
  });
  const many = await find(["nothing", "large", "hello", "empty", "hello"], tokens.job);
  expect(many.entries).toEqual([
    entry("large", 64_001, false),
    entry("hello", 5, true),
    entry("empty", 0, true),
  ]);
  expect(many.rest.toString()).toBe("hello");

  const names = Array.from({ length: 80 }, (_, at) => `number ${at}`);
  for (const name of names) await put(name, Buffer.alloc(60_000, name));
  const bounded = await find(names);
  expect(bounded.entries.filter(({ inline }) => inline)).toHaveLength(66);
  expect(bounded.entries).toHaveLength(80);
  expect(bounded.rest.length).toBe(66 * 60_000);
  expect(bounded.rest.subarray(-60_000).equals(Buffer.alloc(60_000, names[65]!))).toBe(true);

  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (file.isFile()) truncateSync(join(file.parentPath, file.name), 5);
  const rest = await find(["hello", "number 1", "number 2"]);
  expect(rest.entries.map((each) => each["action"])).toEqual([action("hello")]);
  for (const body of [
    "",
    "null",
    "{}",
    '{"actions":[1]}',
    '{"actions":["x"]}',
    JSON.stringify({ actions: Array(1001).fill(action("a")) }),
  ])
    expect((await ask("POST", "/cache/gocache/find", { body })).status).toBe(400);
  expect([...traffic.bytes()][1]?.[1]).toBeGreaterThan(66 * 60_000);
});

test("7. methods and namespaces", async () => {
  const { ask } = await open();
  for (const [path, allow] of [
    [`/cache/bazel/cas/${"0".repeat(64)}`, "GET, HEAD, PUT, OPTIONS"],
    ["/cache/gocache/find", "POST, OPTIONS"],
    ["/cache/turbo/v8/artifacts/status", "GET, HEAD, OPTIONS"],
    ["/cache/sccache/c/", "PROPFIND, MKCOL, OPTIONS"],
  ] as const) {
    for (const method of ["DELETE", "PATCH", "LOCK"]) {
      const refused = await ask(method, path);
      expect([path, refused.status, refused.headers["allow"]]).toEqual([path, 405, allow]);
    }
  }
  expect((await ask("OPTIONS", "/cache/gradle/a")).headers["allow"]).toBe("GET, HEAD, PUT, OPTIONS");
  await ask("PUT", "/cache/gradle/abc", { body: "gradle's" });
  for (const path of ["/cache/sccache/abc", "/cache/sccache/gradle/abc", "/cache/turbo/v8/artifacts/abc"])
    expect((await ask("GET", path)).status).toBe(404);
});
