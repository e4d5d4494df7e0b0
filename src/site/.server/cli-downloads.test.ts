/**
 * 1. The CLI and its scripts are served from memory to everyone: GET and HEAD, with types, checksums, and the server's own
 *    address; the name with a version is cached forever, the name without one while its tag stays the same.
 * 2. Every answer of the API names the server's CLI.
 * 3. buildx is served from the operator's folder, for GET and HEAD, with its checksum; a replaced file gets a new
 *    checksum. Other names are never read, and a missing program is explained.
 * 4. Concurrent downloads are limited; the next client is asked to wait until a download has ended, however it ends.
 */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BUILT_ADDRESS } from "#docs/address/site-address.ts";
import { createApp } from "#server/app.ts";
import { buildFolders } from "#server/pages/build-folders.ts";
import { loadCli, MAX_PROGRAM_DOWNLOADS } from "./cli-downloads.ts";
import { openTestRuntime } from "#server/testing/runtime.ts";
import { houseOf } from "#server/testing/house.ts";

const folder = mkdtempSync(join(tmpdir(), "serve-cli-"));
const programs = join(folder, "data/builders/programs");
const archive = Buffer.from("the archive");
const sumOf = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");
const origin = "https://build.acme.example";
let app: Hono;
let close: () => Promise<void>;

const write = (path: string, text: string | Buffer) => {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
};
const get = async (path: string, init: RequestInit = {}) => app.request(`http://localhost:3000${path}`, init);

beforeAll(async () => {
  const folders = buildFolders(join(folder, "build"));
  for (const name of ["millrace.tgz", "millrace-0.1.0-1a2b3c4d.tgz"]) {
    write(join(folders.cli, "cli", name), archive);
    write(join(folders.cli, "cli", `${name}.sha256`), `${sumOf(archive)}  ${name}\n`);
  }
  for (const name of ["install.sh", "install.ps1"])
    write(join(folders.cli, name), `origin='${BUILT_ADDRESS.origin}'\n`);
  const cli = {
    ...(await loadCli(folders.cli, origin)),
    buildxFolder: join(folder, "data/builders/programs"),
  };
  const api = new Hono().post("/api/x", (context) => context.json({}));
  const opened = await openTestRuntime({ cli, accountApps: { people: new Hono(), api } });
  app = createApp(houseOf(opened.runtime));
  close = opened.close;
});
afterAll(async () => {
  await close();
  rmSync(folder, { recursive: true });
});

test("1. what the build has packed", async () => {
  const newest = await get("/cli/millrace.tgz");
  expect(Buffer.from(await newest.arrayBuffer())).toEqual(archive);
  expect(Object.fromEntries(newest.headers)).toMatchObject({
    "content-type": "application/gzip",
    "cache-control": "public, no-cache",
    "millrace-cli": "0.1.0-1a2b3c4d",
  });
  const etag = newest.headers.get("etag") ?? "";
  expect((await get("/cli/millrace.tgz", { headers: { "if-none-match": etag } })).status).toBe(304);
  const head = await get("/cli/millrace-0.1.0-1a2b3c4d.tgz", { method: "HEAD" });
  expect(head.headers.get("cache-control")).toContain("immutable");
  expect([head.headers.get("content-length"), await head.text()]).toEqual([String(archive.length), ""]);
  expect(await (await get("/cli/millrace.tgz.sha256")).text()).toBe(`${sumOf(archive)}  millrace.tgz\n`);
  for (const path of ["/install.sh", "/install.ps1"]) {
    const script = await get(path);
    expect(script.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(await script.text()).toBe(`origin='${origin}'\n`);
  }
  expect((await get("/cli/millrace.tgz", { method: "POST" })).status).toBe(405);
});

test("2. the API", async () => {
  const answer = await get("/api/x", { method: "POST" });
  expect(answer.headers.get("millrace-cli")).toBe("0.1.0-1a2b3c4d");
});

test("3. buildx", async () => {
  const missing = await get("/cli/buildx-linux-arm64");
  expect([missing.status, await missing.text()]).toEqual([
    404,
    "This server has no buildx for linux/arm64. Install Docker's buildx plugin, or ask the operator to put it into the server's program folder as buildx-linux-arm64.\n",
  ]);
  const file = join(programs, "buildx-linux-amd64");
  for (const [text, time] of [
    ["one", 1],
    ["two", 2],
  ] as const) {
    write(file, text);
    utimesSync(file, time, time);
    const program = await get("/cli/buildx-linux-amd64");
    expect(program.headers.get("content-length")).toBe("3");
    expect(await program.text()).toBe(text);
    const etag = program.headers.get("etag") ?? "";
    expect((await get("/cli/buildx-linux-amd64", { headers: { "if-none-match": etag } })).status).toBe(304);
    expect(await (await get("/cli/buildx-linux-amd64.sha256")).text()).toBe(
      `${sumOf(text)}  buildx-linux-amd64\n`,
    );
  }
  const head = await get("/cli/buildx-linux-amd64", { method: "HEAD" });
  expect([head.headers.get("content-length"), await head.text()]).toEqual(["3", ""]);
  write(join(programs, "secret"), "x");
  mkdirSync(join(programs, "buildx-darwin-arm64"));
  const others = [
    "secret",
    "buildx-linux-amd64/../secret",
    "buildx-linux-amd64%2f..%2fsecret",
    "buildx-plan9-amd64",
    "buildx-darwin-arm64",
  ];
  for (const name of others) expect([name, (await get(`/cli/${name}`)).status]).toEqual([name, 404]);
});

test("4. many at once", async () => {
  write(join(programs, "buildx-linux-amd64"), Buffer.alloc(1_000_000));
  const ask = () => get("/cli/buildx-linux-amd64");
  const open = await Promise.all(Array.from({ length: MAX_PROGRAM_DOWNLOADS }, ask));
  expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
  const refused = await ask();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "20"]);
  const [left, read, ...others] = open;
  await left?.body?.cancel();
  await read?.arrayBuffer();
  const next = await Promise.all([untilTaken(ask), untilTaken(ask)]);
  await Promise.all([...others, ...next].map(({ body }) => body?.cancel()));
});

async function untilTaken(ask: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await ask();
    if (answer.status === 200) return answer;
    await new Promise(setImmediate);
  }
}
