/**
 * Real clients on one port:
 *
 * 1. curl, with the commands of the pages.
 * 2. grpcurl: answers, errors with details, streams, deadlines, an Idempotency-Key; an unknown method.
 * 3. Connect's client in Chromium: JSON, binary and gRPC-Web.
 * 4. A token that was revoked is refused by all of them.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { chromium } from "@playwright/test";
import { Hono } from "hono";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { root } from "#server/pages/build-folders.ts";
import { findBrowsers } from "../../../scripts/checks/browser.ts";
import { OWNER_TOKEN, type RunningApi, startApi } from "./api-server.ts";
import { findGrpcurl, runGrpcurl } from "./grpcurl.ts";
import { run } from "./run.ts";

const GO_MS = 10 * 60_000;
const authorization = `Bearer ${OWNER_TOKEN}`;

let api: RunningApi;
let grpcurl: string | null;
beforeAll(async () => {
  const pages = new Hono();
  pages.get("/", async (context) =>
    context.html(`<!doctype html><title>-</title><script type="module" src="/page.js"></script>`),
  );
  pages.get("/page.js", async (context) => {
    const bundle = await rolldown({ input: `${root}/tests/clients/api/browser-page.ts` });
    const { output } = await bundle.generate({ format: "esm" });
    return context.body(output[0].code, 200, { "content-type": "text/javascript" });
  });
  api = await startApi({ pages });
  grpcurl = findGrpcurl();
}, GO_MS);
afterAll(() => api[Symbol.asyncDispose]());

const curl = (method: string, body: object, ...more: string[]) =>
  run("curl", [
    "-sS",
    `${api.origin}/api/millrace.v1.${method}`,
    "-H",
    `Authorization: ${authorization}`,
    "-H",
    "Content-Type: application/json",
    ...more,
    "-d",
    JSON.stringify(body),
  ]);

test("1. curl", async () => {
  const key = ["-H", "Idempotency-Key: pipeline-4821"];
  const made = await curl("ProjectService/Create", { name: "curl" }, ...key);
  expect(JSON.parse(made.stdout).project).toMatchObject({ name: "curl", cache_size_bytes: "50000000000" });
  expect((await curl("ProjectService/Create", { name: "curl" }, ...key)).stdout).toBe(made.stdout);
  const strange = await curl("ProjectService/Create", { name: "other" }, ...key);
  expect(JSON.parse(strange.stdout)).toMatchObject({ code: "aborted", details: [] });
  const http2 = await curl("AccountService/WhoAmI", {}, "--http2-prior-knowledge");
  expect(JSON.parse(http2.stdout)).toMatchObject({ token_type: "user", organization: "default" });
  const { stdout } = await curl(
    "ProjectService/List",
    {},
    "-o",
    "/dev/null",
    "-w",
    "%{http_code}",
    "-X",
    "GET",
  );
  expect(stdout).toBe("405");
});

test("1. curl, with a body that is too large", async () => {
  const folder = mkdtempSync(join(tmpdir(), "millrace-large-"));
  const file = join(folder, "body");
  writeFileSync(file, " ".repeat(5 * 1024 * 1024));
  const send = (more: readonly string[]) =>
    run("curl", [
      "-sS",
      `${api.origin}/api/millrace.v1.ProjectService/List`,
      "-H",
      `Authorization: ${authorization}`,
      "-H",
      "Content-Type: application/json",
      "-H",
      "Expect:",
      ...more,
      "--data-binary",
      `@${file}`,
    ]);
  const refused = { code: "resource_exhausted", details: [] };
  for (const more of [[], ["-H", "Transfer-Encoding: chunked"]])
    expect(JSON.parse((await send(more)).stdout)).toMatchObject(refused);
  // Over HTTP/2 curl 7.88 may lose an answer that arrives while it still sends (exit code 92): a second try reads it.
  const read = async () => JSON.parse((await send(["--http2-prior-knowledge"])).stdout) as unknown;
  expect(await vi.waitFor(read, { timeout: 20_000, interval: 50 })).toMatchObject(refused);
  await expect(answerOverHttp2()).resolves.toMatchObject(refused);
  rmSync(folder, { recursive: true });
});

/** The same with a client that reads while it sends. */
async function answerOverHttp2(): Promise<unknown> {
  const session = connect(api.origin);
  try {
    const stream = session.request({
      ":method": "POST",
      ":path": "/api/millrace.v1.ProjectService/List",
      authorization,
      "content-type": "application/json",
    });
    stream.end(Buffer.alloc(5 * 1024 * 1024, " "));
    return JSON.parse(await text(stream)) as unknown;
  } finally {
    session.close();
  }
}

describe("2. grpcurl", () => {
  const call = (method: string, body: object = {}, headers: Record<string, string> = { authorization }) =>
    runGrpcurl(grpcurl ?? "", { port: api.port, method: `millrace.v1.${method}`, body, headers });

  test("answers", async ({ skip }) => {
    if (grpcurl === null) return skip("there is no grpcurl");
    expect(JSON.parse((await call("AccountService/WhoAmI")).stdout)).toMatchObject({ tokenType: "user" });
    const key = { authorization, "idempotency-key": "k" };
    const made = await call("TokenService/Create", { name: "ci", type: "org" }, key);
    expect(JSON.parse(made.stdout).secret).toMatch(/^mr_org_/);
    expect((await call("TokenService/Create", { name: "ci", type: "org" }, key)).stdout).toBe(made.stdout);
    return undefined;
  });

  test("errors", async ({ skip }) => {
    if (grpcurl === null) return skip("there is no grpcurl");
    const invalid = await call("ProjectService/Create", { name: "No Name" });
    expect([invalid.status, invalid.stderr]).toEqual([64 + 3, expect.stringContaining("InvalidArgument")]);
    expect(invalid.stderr).toContain("google.rpc.BadRequest");
    const stranger = await call("ProjectService/List", {}, {});
    expect([stranger.status, stranger.stderr]).toEqual([64 + 16, expect.stringContaining("no token")]);
    const stream = await call("SessionService/Stream", { session_id: "ses_0000000000" });
    expect([stream.status, stream.stderr]).toEqual([64 + 12, expect.stringContaining("Agents are not part")]);
    const wrong = await call("SessionService/Stream", {}, { authorization: "Bearer mr_user_wrong" });
    expect([wrong.status, wrong.stderr]).toEqual([64 + 16, expect.stringContaining("Unauthenticated")]);
    return undefined;
  });
});

test("3. a browser", async () => {
  const browser = await chromium.launch({ executablePath: findBrowsers().shell, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    await page.goto(api.origin);
    await page.waitForFunction(() => "runClients" in window);
    const results = await page.evaluate((token) => window.runClients(token), OWNER_TOKEN);
    for (const name of ["json", "binary", "grpc-web"])
      expect(results[name]).toEqual({
        name,
        size: "50000000000",
        listed: 1,
        violation: ["InvalidArgument", "name"],
        stranger: ["Unauthenticated", "no token"],
        stream: ["Unimplemented", "Container builds are not part of this server yet."],
      });
  } finally {
    await browser.close();
  }
});

test("4. a revoked token", async () => {
  const { stdout } = await curl("TokenService/Create", { name: "soon gone", type: "org" });
  const { secret, token } = JSON.parse(stdout);
  const headers = { authorization: `Bearer ${secret}` };
  const list = () =>
    run("curl", [
      "-sS",
      `${api.origin}/api/millrace.v1.ProjectService/List`,
      "-H",
      `Authorization: Bearer ${secret}`,
      "-H",
      "Content-Type: application/json",
      "-d",
      "{}",
    ]);
  expect(JSON.parse((await list()).stdout).projects).toBeInstanceOf(Array);
  await curl("TokenService/Revoke", { token_id: token.id });
  expect(JSON.parse((await list()).stdout)).toMatchObject({
    code: "unauthenticated",
    message: "token is revoked",
  });
  if (grpcurl === null) return;
  const refused = await runGrpcurl(grpcurl, {
    port: api.port,
    method: "millrace.v1.ProjectService/List",
    headers,
  });
  expect([refused.status, refused.stderr]).toEqual([64 + 16, expect.stringContaining("token is revoked")]);
});
