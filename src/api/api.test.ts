/**
 * 1. Answers are JSON with every field, in snake_case; 64-bit numbers are texts, times RFC 3339.
 * 2. Errors have a code, a message and details, which name the field; internal errors reveal only an id, under which the log
 *    has the rest.
 * 3. Errors in a request's first lines, and bodies that are not a message, are answered in the same shape.
 * 4. Services of parts that do not exist say so, once the token was checked.
 * 5. A call ends at its time limit, and at the server's limit.
 * 6. A client that sends many wrong tokens has to wait.
 * 7. Calls of an organization's tokens are counted; refused calls are not, nor are those of a signed-in browser.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { MAX_JSON_DEPTH } from "#platform/grpc/guard-messages.ts";
import { addSignIn, openTestApi, OWNER_TOKEN } from "./testing/api.ts";

type TestApi = Awaited<ReturnType<typeof openTestApi>>;

describe.each(testDatabaseKinds)("%s", (kind) => {
  let server: TestApi;
  beforeAll(async () => void (server = await openTestApi(kind)));
  afterAll(() => server[Symbol.asyncDispose]());

  test("1. answers", async () => {
    const { call } = server;
    const who = await call("AccountService/WhoAmI");
    expect(who).toMatchObject({ status: 200, body: { server: "http://localhost:3000", token_type: "user" } });
    expect(who.headers.get("content-type")).toBe("application/json");
    expect(who.headers.get("cache-control")).toBe("no-store");
    const { body } = await call("ProjectService/Create", {
      name: "answers",
      cache_size_bytes: "50000000000",
    });
    expect(body.project).toEqual({
      id: expect.stringMatching(/^prj_[0-9a-z]{10}$/),
      name: "answers",
      builder_size: 4,
      cache_size_bytes: "50000000000",
      retention_days: 14,
      trust_relationships: [],
      created_at: "2026-11-22T00:00:00Z",
      revision: "1",
      immutable_tags: [],
    });
    expect((await call("TokenService/List", {})).body).toMatchObject({ next_page_token: "" });
    expect((await call("ProjectService/Delete", { project_id: body.project.id })).body).toEqual({});
  });

  test("2. errors", async () => {
    const { call, api, accounts, logged } = server;
    expect(await call("ProjectService/Get", { project_id: "prj_0000000000" })).toMatchObject({
      status: 404,
      body: { code: "not_found", message: "project prj_0000000000 was not found in default", details: [] },
    });
    const { status, body } = await call("ProjectService/Create", { name: "No Name" });
    expect([status, body.code, body.details[0].type]).toEqual([
      400,
      "invalid_argument",
      "google.rpc.BadRequest",
    ]);
    expect(body.details[0].debug.field_violations).toEqual([{ field: "name", description: body.message }]);
    const unknown = await call("AccountService/WhoAmI", {}, { authorization: "" });
    expect(unknown).toMatchObject({
      status: 401,
      body: { code: "unauthenticated", message: "no token", details: [] },
    });
    expect(unknown.headers.get("www-authenticate")).toBe("Bearer");

    const broken = vi.spyOn(accounts, "clock").mockImplementation(() => {
      throw new Error("the clock's secret");
    });
    const response = await api.app.request("/api/millrace.v1.ProjectService/Create", {
      method: "POST",
      headers: { authorization: `Bearer ${OWNER_TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "web" }),
    });
    broken.mockRestore();
    const text = await response.text();
    expect([response.status, text.includes("secret")]).toEqual([500, false]);
    const { details } = JSON.parse(text);
    expect(details[0].type).toBe("google.rpc.RequestInfo");
    expect(logged.at(-1)).toContain(details[0].debug.request_id);
    expect(logged.at(-1)).toContain("the clock's secret");
    expect(logged.join()).not.toContain(OWNER_TOKEN);
  });

  test("3. what is not a call", async () => {
    const { api, call } = server;
    const refused = async (path: string, init: RequestInit = {}) => {
      const authorization = `Bearer ${OWNER_TOKEN}`;
      const headers = { authorization, "content-type": "application/json", ...init.headers };
      const response = await api.app.request(path, { method: "POST", body: "{}", ...init, headers });
      const { code, details } = await response.json();
      expect(details).toBeInstanceOf(Array);
      return [response.status, code];
    };
    const list = "/api/millrace.v1.ProjectService/List";
    expect(await refused("/api/millrace.v1.ProjectService/Lost")).toEqual([501, "unimplemented"]);
    expect(await refused("/openapi.json")).toEqual([405, "unimplemented"]);
    expect(await refused("/api/nothing")).toEqual([404, "not_found"]);
    expect(await refused("/api")).toEqual([404, "not_found"]);
    expect(await refused(list, { method: "GET", body: null })).toEqual([405, "unimplemented"]);
    expect(await refused(list, { headers: { "content-type": "text/plain" } })).toEqual([
      415,
      "invalid_argument",
    ]);
    expect(await refused(list, { headers: { "content-type": "application/connect+json" } })).toEqual([
      415,
      "invalid_argument",
    ]);
    expect(await refused(list, { headers: { "content-encoding": "gzip" } })).toEqual([415, "unimplemented"]);
    const exchange = "/api/millrace.v1.TokenService/ExchangeOidcToken";
    for (const path of [list, exchange])
      expect(await refused(path, { body: " ".repeat(70_000) })).toEqual([413, "resource_exhausted"]);
    const invalid = async (body: string) => {
      const answer = await call("ProjectService/List", body);
      expect([answer.status, answer.body.code]).toEqual([400, "invalid_argument"]);
      return answer.body;
    };
    expect(await invalid('{"page_sise": 1}')).toMatchObject({
      message: "ProjectService/List has no field `page_sise`.",
      details: [{ debug: { field_violations: [{ field: "page_sise" }] } }],
    });
    expect(await invalid('{"page_size": "many"}')).toMatchObject({
      details: [{ debug: { field_violations: [{ field: "page_size" }] } }],
    });
    expect(await invalid('{"page_token": "a\\u0000"}')).toMatchObject({
      message: "page_token has the character NUL, which is not allowed",
      details: [{ debug: { field_violations: [{ field: "page_token" }] } }],
    });
    for (const body of ["", "{", "[]", "1", "null", '{"page_size": 1, "page_size": 2}', "\u00ff"])
      await invalid(body);
    expect((await invalid("[".repeat(MAX_JSON_DEPTH + 1))).message).toMatch(/nested lists and objects/);
    await invalid(`{"page_token": ${"[".repeat(10_000)}`);
    expect(
      await refused(list, {
        body: new Uint8Array([0xff, 0x00]),
        headers: { "content-type": "application/proto" },
      }),
    ).toEqual([400, "invalid_argument"]);
  });

  test("4. parts that do not exist", async () => {
    const { call } = server;
    expect(await call("RunnerService/ListRunners")).toMatchObject({
      status: 501,
      body: { code: "unimplemented", message: "CI runners are not part of this server yet." },
    });
    expect(await call("RunnerService/ListRunners", {}, { authorization: "" })).toMatchObject({ status: 401 });
    const frame = new Uint8Array([0, 0, 0, 0, 2, 0x7b, 0x7d]);
    const stream = await server.api.app.request("/api/millrace.v1.SessionService/Stream", {
      method: "POST",
      headers: { authorization: `Bearer ${OWNER_TOKEN}`, "content-type": "application/connect+json" },
      body: frame,
    });
    const bytes = Buffer.from(await stream.arrayBuffer());
    expect([stream.status, bytes[0], bytes.readUInt32BE(1)]).toEqual([200, 2, bytes.length - 5]);
    expect(JSON.parse(bytes.subarray(5).toString())).toMatchObject({
      error: { code: "unimplemented", message: "Agents are not part of this server yet." },
    });
  });

  test("4. a server without builds", async () => {
    await using without = await openTestApi(kind, { builds: undefined });
    expect(await without.call("BuildService/ListBuilds")).toMatchObject({
      status: 501,
      body: { code: "unimplemented", message: "Container builds are not part of this server yet." },
    });
  });

  test("5. time", async () => {
    const { call, accounts } = server;
    expect(await call("ProjectService/List", {}, { "connect-timeout-ms": "soon" })).toMatchObject({
      status: 400,
    });
    const slow = vi.spyOn(accounts.uses, "flush").mockReturnValue(new Promise(() => {}));
    const from = "2026-11-01T00:00:00Z";
    expect(await call("UsageService/GetUsage", { from }, { "connect-timeout-ms": "20" })).toMatchObject({
      status: 504,
      body: { code: "deadline_exceeded", message: "The response did not arrive in time.", details: [] },
    });
    slow.mockRestore();
  });

  test("7. counts", async () => {
    const { call } = server;
    const count = async () =>
      Number((await call("UsageService/GetUsage", { from: "2026-11-22T00:00:00Z" })).body.api_calls);
    const before = await count();
    await call("ProjectService/List");
    await call("ProjectService/Get", { project_id: "prj_0000000000" });
    // The previous count, and the list.
    expect(await count()).toBe(before + 2);
    const cookie = await addSignIn(server);
    const known = await count();
    const byBrowser = await server.api.app.request("/api/millrace.v1.ProjectService/List", {
      method: "POST",
      headers: { "content-type": "application/json", origin: "http://localhost:3000", cookie },
      body: "{}",
    });
    expect(byBrowser.status).toBe(200);
    // The previous count.
    expect(await count()).toBe(known + 1);
  });
});

test("6. many wrong tokens", async () => {
  await using server = await openTestApi("sqlite", { rateLimitFactor: 0.01, addressOf: () => "192.0.2.1" });
  const ask = () => server.call("AccountService/WhoAmI", {}, { authorization: "Bearer mr_user_wrong" });
  for (let count = 0; count < 3; count += 1) expect((await ask()).status).toBe(401);
  const answer = await ask();
  expect(answer).toMatchObject({ status: 429, body: { code: "resource_exhausted" } });
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
});
