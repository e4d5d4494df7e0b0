/**
 * On a disk that is really full (skipped where none can be mounted), with entries in files and with entries in the database:
 * 1. An upload is refused with advice, over HTTP and over gRPC, and leaves nothing: no file, no row.
 * 2. Stored entries can still be read, also by a server that starts on the full disk.
 * 3. When there is room again, uploads are accepted again.
 */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Http2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { collectNow } from "#platform/testing/collect.ts";
import { createGrpcHandler } from "#platform/grpc/handler.ts";
import { consoleLog } from "#platform/log/log.ts";
import { createReapi, type Reapi } from "./reapi/reapi.ts";
import { ContentAddressableStorage } from "./messages/gen/reapi/remote_execution_pb.ts";
import { digestOf } from "./testing/reapi.ts";
import { createCallers } from "#accounts/index.ts";
import { createTraffic } from "./figures/traffic.ts";
import { openTestServer, type TestServer } from "./testing/server.ts";

const DISK = "12m";
const LARGE_BYTES = 300_000;
/** Stored in the database. */
const SMALL_BYTES = 4_000;
const BLOCK_BYTES = 64 * 1024;

const disk = mkdtempSync(join(tmpdir(), "full-disk-"));
const isMounted =
  process.platform === "linux" &&
  spawnSync("mount", ["-t", "tmpfs", "-o", `size=${DISK}`, "tmpfs", disk]).status === 0;
const former = process.env["TMPDIR"];
const filler = join(disk, "filler");

let server: TestServer;
let reapi: Reapi;
let grpc: Http2Server;

beforeAll(async () => {
  if (!isMounted) return;
  // The test's folder and database are created there.
  process.env["TMPDIR"] = disk;
  server = await openTestServer();
  openReapi();
  grpc = createServer(createGrpcHandler({ routes: () => {}, raw: (...call) => reapi.answer(...call) }));
  await new Promise<void>((resolve) => grpc.listen(0, "127.0.0.1", resolve));
});

afterAll(async () => {
  if (former === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = former;
  grpc?.close();
  await reapi?.close();
  await server?.close();
  if (isMounted) spawnSync("umount", [disk]);
  rmSync(disk, { recursive: true, force: true });
});

function openReapi(): void {
  const callers = createCallers(server.accounts);
  reapi = createReapi(server.cache, { callers, traffic: createTraffic(), log: { ...consoleLog, warn() {} } });
}

async function restart(): Promise<void> {
  await reapi.close();
  await server.restart();
  openReapi();
}

/** To the last byte. */
function fill(): void {
  mkdirSync(filler, { recursive: true });
  for (let size = BLOCK_BYTES, number = 0; size >= 1; number += 1)
    try {
      writeFileSync(join(filler, String(number)), Buffer.alloc(size));
    } catch {
      size = Math.floor(size / 2);
    }
}

const free = () => rmSync(filler, { recursive: true, force: true });

const filesOf = () =>
  readdirSync(server.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();

async function rowsOf() {
  const { db } = server.database;
  const read = (table: "cache_entries" | "blobs") =>
    db.selectFrom(table).selectAll().orderBy("digest").execute();
  return [await read("cache_entries"), await read("blobs")];
}

const pathOf = (key: string) => `/cache/gradle/${Buffer.from(key).toString("hex").padEnd(32, "0")}`;

function storage() {
  const { port } = grpc.address() as AddressInfo;
  const transport = createGrpcTransport({
    baseUrl: `http://127.0.0.1:${port}`,
    interceptors: [
      (next) => (request) => {
        request.header.set("authorization", `Bearer ${server.tokens.organization}`);
        return next(request);
      },
    ],
  });
  return createClient(ContentAddressableStorage, transport);
}

async function putByGrpc(data: Uint8Array) {
  const { responses } = await storage().batchUpdateBlobs({ requests: [{ digest: digestOf(data), data }] });
  return responses[0]?.status;
}

describe.skipIf(!isMounted)("a full disk", () => {
  const advice = /disk of this server is full.*free space/;

  test.each([
    ["in files", LARGE_BYTES],
    ["in the database", SMALL_BYTES],
  ])("1. to 3. entries %s", { timeout: 60_000 }, async (name, size) => {
    const { ask } = server;
    const kept = randomBytes(size);
    expect((await ask("PUT", pathOf(`${name} kept`), { body: kept })).status).toBe(200);
    expect((await putByGrpc(randomBytes(size)))?.code ?? 0).toBe(0);
    fill();
    const before = { files: filesOf(), rows: await rowsOf() };
    for (const body of [randomBytes(size), randomBytes(size)]) {
      const refused = await ask("PUT", pathOf(`${name} refused`), { body });
      expect([refused.status, refused.text]).toEqual([507, expect.stringMatching(advice)]);
      expect(JSON.parse(refused.text)).toMatchObject({ code: "resource_exhausted" });
      expect(await putByGrpc(body)).toMatchObject({
        code: Code.ResourceExhausted,
        message: expect.stringMatching(advice),
      });
      expect((await ask("GET", pathOf(`${name} refused`))).status).toBe(404);
    }
    expect({ files: filesOf(), rows: await rowsOf() }).toEqual(before);

    const readKept = async () => {
      const { status, body } = await ask("GET", pathOf(`${name} kept`));
      return [status, body.equals(kept)];
    };
    expect(await readKept()).toEqual([200, true]);
    await restart();
    // Room that the end of the former process has freed.
    fill();
    expect(await readKept()).toEqual([200, true]);
    expect((await ask("PUT", pathOf(`${name} refused`), { body: randomBytes(size) })).status).toBe(507);

    free();
    const later = randomBytes(size);
    expect((await ask("PUT", pathOf(`${name} later`), { body: later })).status).toBe(200);
    expect((await ask("GET", pathOf(`${name} later`))).body.equals(later)).toBe(true);
    expect((await putByGrpc(randomBytes(size)))?.code ?? 0).toBe(0);
    await server.cache.sweep();
    await collectNow(server.collector);
    expect((await ask("GET", pathOf(`${name} kept`))).status).toBe(200);
  });
});
