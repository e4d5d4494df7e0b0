/**
 * On a disk that is filled by others (skipped where none can be mounted), seen by clients of the API and of gRPC:
 *
 * 1. Builds stop first, then cache entries, and each refusal names the disk and its free space. Existing data can still be read.
 * 2. Meanwhile a token is created, and revoked: it is invalid immediately.
 * 3. Once there is room, everything works again.
 */
import { spawnSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, describe, expect, test } from "vitest";
import { createCallers } from "#accounts/index.ts";
import { openTestApi } from "#api/testing/api.ts";
import { openLowDiskBuilders } from "#builds/testing/low-disk.ts";
import { disk as diskBuilders } from "#builds/testing/disk.ts";
import { byteStreamMessages, createReapi, createTraffic, reapiMessages } from "#cache/index.ts";
import { digestOf } from "#cache/testing/reapi.ts";
import { watchDisk } from "#platform/files/disk-space.ts";
import { createGrpcHandler } from "#platform/grpc/handler.ts";
import { consoleLog, type Log } from "#platform/log/log.ts";

const DISK = "64m";
/** Builds begin with 34 MB on a disk of this size, and uploads end at 2.6 MB. */
const [TOO_LITTLE_FOR_BUILDS, TOO_LITTLE_FOR_ENTRIES] = [20_000_000, 2_000_000];
const SMALL_BYTES = 1_000;
const LARGE_BYTES = 200_000;

const folder = mkdtempSync(join(tmpdir(), "low-disk-"));
const disk = mkdtempSync(join(tmpdir(), "low-disk-"));
const isMounted =
  process.platform === "linux" &&
  spawnSync("mount", ["-t", "tmpfs", "-o", `size=${DISK}`, "tmpfs", disk]).status === 0;
const former = process.env["TMPDIR"];
const filler = join(disk, "filler");
const log: Log = { ...consoleLog, info() {}, warn() {}, error() {} };

afterAll(() => {
  if (isMounted) spawnSync("umount", ["--lazy", disk]);
  for (const each of [disk, folder]) rmSync(each, { recursive: true, force: true });
});

/** Fills the disk with other files. */
function leave(bytes: number): void {
  rmSync(filler, { force: true });
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(filler, Buffer.alloc(bavail * bsize - bytes));
}

/** Rooms on the disk, and their API and gRPC on a port. */
async function start() {
  const watch = await watchDisk({ folder: disk, what: "DATA_DIR", log });
  const { builders, close } = await openLowDiskBuilders(diskBuilders({}), folder, disk);
  // The place of the database and of the entries' folder.
  process.env["TMPDIR"] = disk;
  const api = await openTestApi("sqlite", { requireRoom: watch.requireRoom, builders }).finally(() => {
    if (former === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = former;
  });
  const callers = createCallers(api.accounts);
  const reapi = createReapi(api.cache, { callers, traffic: createTraffic(), log });
  const handler = createGrpcHandler({ routes: api.api.routes, raw: reapi.answer });
  const grpc = createServer(handler).listen(0, "127.0.0.1");
  await once(grpc, "listening");
  const { port } = grpc.address() as AddressInfo;
  return {
    ...api,
    watch,
    /** @param token of an organization */
    clients(token: string) {
      const transport = createGrpcTransport({
        baseUrl: `http://127.0.0.1:${port}`,
        interceptors: [
          (next) => (request) => {
            request.header.set("authorization", `Bearer ${token}`);
            return next(request);
          },
        ],
      });
      return {
        storage: createClient(reapiMessages.ContentAddressableStorage, transport),
        bytes: createClient(byteStreamMessages.ByteStream, transport),
      };
    },
    async [Symbol.asyncDispose]() {
      grpc.close();
      await reapi.close();
      await api[Symbol.asyncDispose]();
      close();
      await watch.stop();
    },
  };
}

type Started = Awaited<ReturnType<typeof start>>;

async function makeToken({ call }: Started, name: string): Promise<{ id: string; secret: string }> {
  const { status, body } = await call("TokenService/Create", { name, type: "org" });
  expect([name, status]).toEqual([name, 200]);
  return { id: body.token.id, secret: body.secret };
}

/** Requests a builder like the CLI. @returns the error; "": it has a builder */
async function build({ call }: Started, projectId: string): Promise<string> {
  const { body } = await call("BuildService/CreateBuild", { project_id: projectId });
  const answer = await call("BuilderService/GetEndpoint", {
    build_id: body.build.id,
    platform: "linux/amd64",
  });
  return answer.status === 200 ? "" : `${answer.body.code}: ${answer.body.message}`;
}

/** Stores an entry in one message, and an entry in parts. @returns the errors; "": it was stored */
async function put(server: Started, token: string): Promise<string[]> {
  const { storage, bytes } = server.clients(token);
  const [small, large] = [randomBytes(SMALL_BYTES), randomBytes(LARGE_BYTES)];
  const inWords = ({ code, message }: { code: number; message: string }) =>
    code === 0 ? "" : `${Code[code]}: ${message}`;
  const { responses } = await storage.batchUpdateBlobs({
    requests: [{ digest: digestOf(small), data: small }],
  });
  const resourceName = `uploads/${randomUUID()}/blobs/${digestOf(large).hash}/${large.length}`;
  const written = bytes.write(
    (async function* () {
      yield { resourceName, writeOffset: 0n, data: large, finishWrite: true };
    })(),
  );
  return [
    inWords(responses[0]?.status ?? { code: 0, message: "" }),
    await written.then(
      () => "",
      (error: unknown) =>
        inWords({ code: ConnectError.from(error).code, message: (error as ConnectError).rawMessage }),
    ),
  ];
}

describe.skipIf(!isMounted)("a disk that others fill", () => {
  test("1. to 3. what stops, and what goes on", { timeout: 60_000 }, async () => {
    await using server = await start();
    const { call, watch } = server;
    const { body } = await call("ProjectService/Create", { name: "web" });
    const projectId: string = body.project.id;
    const [kept, leaked] = [await makeToken(server, "kept"), await makeToken(server, "leaked")];
    expect([await build(server, projectId), ...(await put(server, leaked.secret))]).toEqual(["", "", ""]);

    leave(TOO_LITTLE_FOR_BUILDS);
    await watch.look();
    const refused = expect.stringMatching(
      /^unavailable: The disk of .* is full: (?:19|20) MB of 67 MB are free/,
    );
    expect([await build(server, projectId), ...(await put(server, leaked.secret))]).toEqual([
      refused,
      "",
      "",
    ]);

    const before = randomBytes(SMALL_BYTES);
    const digest = digestOf(before);
    await server.clients(kept.secret).storage.batchUpdateBlobs({ requests: [{ digest, data: before }] });
    leave(TOO_LITTLE_FOR_ENTRIES);
    await watch.look();
    const full = expect.stringMatching(
      /^ResourceExhausted: the disk of this server is almost full \(1\.\d MB of 67 MB are free\), .* free space$/,
    );
    expect(await build(server, projectId)).toMatch(/^unavailable: The disk of .* is full: 1\.\d MB/);
    expect(await put(server, leaked.secret)).toEqual([full, full]);
    const { responses } = await server.clients(kept.secret).storage.batchReadBlobs({ digests: [digest] });
    expect(Buffer.from(responses[0]!.data)).toEqual(before);

    await makeToken(server, "made on a low disk");
    expect((await call("TokenService/Revoke", { token_id: leaked.id })).status).toBe(200);
    await expect(put(server, leaked.secret)).rejects.toMatchObject({ code: Code.Unauthenticated });
    const { status } = await call("AccountService/WhoAmI", {}, { authorization: `Bearer ${leaked.secret}` });
    expect(status).toBe(401);

    rmSync(filler);
    await watch.look();
    expect([await build(server, projectId), ...(await put(server, kept.secret))]).toEqual(["", "", ""]);
  });
});
