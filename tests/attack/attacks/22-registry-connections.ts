import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Attack, Stage } from "../attack.ts";
import { openDescriptors } from "../memory.ts";
import { comesTrue } from "../processes.ts";
import {
  ask,
  type AttackedRepository,
  digestOf,
  emptyIndex,
  makeRepository,
  OCI_INDEX,
  putManifest,
} from "../registry-client.ts";
import { openSocket, send } from "../requests.ts";
import type { RunningServer } from "../server-process.ts";
import { asOwner } from "../sign-in.ts";

const MEBIBYTE = 1024 * 1024;
const BLOB = randomBytes(2 * MEBIBYTE);
/** Points at which connections are cut: a share of all bytes sent, or received. */
const CUTS = [0.0001, 0.001, 0.01, 0.3, 0.6, 0.99, 0.99999];
/** How long the server may take to notice, in milliseconds. */
const NOTICE_MS = 20_000;
const LARGE_MANIFESTS = 400;
const SLOW_UPLOADS = 60;
const ADDRESSES = 8;
const HOLD_MS = { short: 1_500, usual: 15_000 };

export const cutConnections: Attack = {
  item: 22,
  name: "connections to the registry that are cut, slow or many",
  bound:
    "A push or a pull that is cut anywhere leaves no file, no descriptor and nothing half there; slow and large ones leave room for others.",
  async run(stage) {
    const server = await stage.server();
    const repository = await makeRepository(server, "web");
    await cutPushes(stage, server, repository);
    await cutPulls(stage, server, repository);
    for (const scene of [largeManifests, slowUploads]) {
      // A server of its own: free memory that earlier scenes left in a shared one would count.
      const fresh = await stage.server();
      await scene(stage, fresh, await makeRepository(fresh, "web"));
    }
  },
};

const head = (method: string, path: string, headers: Record<string, string | number>): string => {
  const all = { Host: "localhost", Authorization: asOwner.authorization, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
};

const whole = (method: string, path: string, body: Buffer, type = "application/octet-stream"): Buffer =>
  Buffer.concat([
    Buffer.from(head(method, path, { "Content-Type": type, "Content-Length": body.length })),
    body,
  ]);

async function begin(server: RunningServer, { base }: AttackedRepository): Promise<string> {
  const { headers } = await ask(server, { method: "POST", path: `${base}/blobs/uploads/` });
  return headers["location"] ?? "";
}

async function cutPushes(stage: Stage, server: RunningServer, repository: AttackedRepository): Promise<void> {
  const { base } = repository;
  const idle = openDescriptors(server.pid);
  const manifest = Buffer.from(emptyIndex({ annotations: { note: "n".repeat(MEBIBYTE) } }));
  const ends: string[] = [];
  for (const share of CUTS) {
    const [patched, ended] = [await begin(server, repository), await begin(server, repository)];
    ends.push(patched, ended);
    for (const bytes of [
      whole("POST", `${base}/blobs/uploads/?digest=${digestOf(BLOB)}`, BLOB),
      whole("PATCH", patched, BLOB),
      whole("PUT", `${ended}?digest=${digestOf(BLOB)}`, BLOB),
      whole("PUT", `${base}/manifests/cut`, manifest, OCI_INDEX),
    ])
      await sendPart(stage, server, bytes.subarray(0, Math.max(1, Math.floor(bytes.length * share))));
  }
  const isFree = await comesTrue(() => openDescriptors(server.pid) <= idle + 2, NOTICE_MS);
  stage.check(isFree, `pushes that were cut: ${openDescriptors(server.pid) - idle} descriptors stay open`);
  for (const path of ends) await ask(server, { method: "DELETE", path });
  const left = readdirSync(join(server.dataDir, "blobs"), { recursive: true, withFileTypes: true });
  const files = left.filter((entry) => entry.isFile()).length;
  stage.check(files === 0, `pushes that were cut have left ${files} files`);
  const rows = countRows(server);
  stage.check(rows === 0, `pushes that were cut have left ${rows} rows`);
  for (const path of [`${base}/manifests/cut`, `${base}/blobs/${digestOf(BLOB)}`]) {
    const { status } = await ask(server, { path });
    stage.check(status === 404, `${path} is half there: ${status}`);
  }
  stage.report("pushes that were cut", `${CUTS.length * 4}: ${files} files and ${rows} rows are left`);
}

function countRows({ dataDir }: RunningServer): number {
  const db = new DatabaseSync(join(dataDir, "millrace.db"), { readOnly: true });
  try {
    const count = (table: string) =>
      Number(db.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.["rows"]);
    const tables = ["registry_uploads", "registry_upload_parts", "registry_blobs", "registry_manifests"];
    return tables.reduce((sum, table) => sum + count(table), 0);
  } finally {
    db.close();
  }
}

/** Resolves when the system has taken the bytes, and the connection is cut. */
async function sendPart(stage: Stage, server: RunningServer, bytes: Buffer): Promise<void> {
  const socket = openSocket(server.port, stage.address());
  await new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
    socket.write(bytes, () => resolve());
  });
  socket.resetAndDestroy();
}

async function cutPulls(stage: Stage, server: RunningServer, { base }: AttackedRepository): Promise<void> {
  const digest = digestOf(BLOB);
  const path = `${base}/blobs/${digest}`;
  await ask(server, { method: "POST", path: `${base}/blobs/uploads/?digest=${digest}`, body: BLOB });
  const idle = openDescriptors(server.pid);
  for (const share of [0, ...CUTS]) {
    const socket = openSocket(server.port, stage.address());
    socket.write(head("GET", path, {}));
    let received = 0;
    await new Promise<void>((resolve) => {
      socket.once("close", () => resolve());
      socket.on("data", (chunk) => {
        received += chunk.length;
        if (received >= BLOB.length * share) resolve();
      });
    });
    socket.resetAndDestroy();
  }
  const isFree = await comesTrue(() => openDescriptors(server.pid) <= idle + 2, NOTICE_MS);
  stage.check(isFree, `pulls that were cut: ${openDescriptors(server.pid) - idle} descriptors stay open`);
  const { body } = await ask(server, { path });
  stage.check(body.equals(BLOB), "after pulls that were cut a blob comes in other bytes");
  stage.report("pulls that were cut", `${CUTS.length + 1}, and the blob is whole`);
}

/** All but the last byte of each; then a small one is pushed. */
async function largeManifests(
  stage: Stage,
  server: RunningServer,
  repository: AttackedRepository,
): Promise<void> {
  const body = Buffer.alloc(4 * MEBIBYTE, "a");
  const bytes = whole("PUT", `${repository.base}/manifests/large`, body, OCI_INDEX).subarray(0, -1);
  await crowd(stage, server, {
    name: `${LARGE_MANIFESTS} manifests of 4 MB without an end`,
    count: LARGE_MANIFESTS,
    begin: (socket) => void socket.write(bytes),
  });
  const after = await ask(server, putManifest(repository, "after", emptyIndex()));
  stage.check(after.status === 201, `after large manifests a small one was answered ${after.status}`);
}

async function slowUploads(
  stage: Stage,
  server: RunningServer,
  repository: AttackedRepository,
): Promise<void> {
  const paths = await Promise.all(Array.from({ length: SLOW_UPLOADS }, () => begin(server, repository)));
  const timers: NodeJS.Timeout[] = [];
  await crowd(stage, server, {
    name: `${SLOW_UPLOADS} uploads of five bytes a second`,
    count: SLOW_UPLOADS,
    begin(socket, at) {
      socket.write(head("PATCH", paths[at]!, { "Transfer-Encoding": "chunked" }));
      timers.push(setInterval(() => socket.write("1\r\na\r\n"), 200));
    },
  });
  for (const timer of timers) clearInterval(timer);
}

interface Crowd {
  name: string;
  count: number;
  begin: (socket: Socket, at: number) => void;
}

/** While all of them are under way, others push and read. */
async function crowd(
  stage: Stage,
  server: RunningServer,
  { name, count, begin: start }: Crowd,
): Promise<void> {
  const sockets: Socket[] = [];
  const { result, figure } = await stage.measure(server, name, async () => {
    for (let at = 0; at < count; at += 1) {
      const socket = openSocket(server.port, stage.address(100 + (at % ADDRESSES)));
      socket.resume();
      start(socket, at);
      sockets.push(socket);
    }
    await new Promise((resolve) => setTimeout(resolve, stage.isShort ? HOLD_MS.short : HOLD_MS.usual));
    const page = await send(server.port, { path: "/docs", from: stage.address(5_000) });
    const list = await ask(server, { path: "/v2/", from: stage.address(5_001) });
    return [page.status, list.status];
  });
  const sentBytes = sockets.reduce((sum, socket) => sum + socket.bytesWritten - socket.writableLength, 0);
  for (const socket of sockets) socket.destroy();
  stage.check(result.join() === "200,200", `${name}: others were answered ${result.join(" and ")}`);
  stage.report(name, `others were answered ${result.join(" and ")}`, { sentBytes, ...figure });
}
