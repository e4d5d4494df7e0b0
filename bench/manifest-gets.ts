/**
 * The cost of a manifest GET with a token to the server, and how many one core answers in a second.
 *
 *   node bench/manifest-gets.ts        SQLite; PostgreSQL too when MILLRACE_TEST_DATABASE_URL names one
 *
 * CPU of the serving thread; clients run in another thread. `bare` answers the same bytes from Node's server alone. Rounds
 * alternate; only the ratio of medians to `bare` counts, not the times.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parentPort, Worker } from "node:worker_threads";
import {
  accountMigrations,
  type AccountTables,
  createAccounts,
  createCallers,
  createProject,
  createToken,
  identify,
  setOwnerToken,
} from "#accounts/index.ts";
import { createBlobs } from "#platform/blobs/blobs.ts";
import { openDiskStore } from "#platform/blobs/disk-store.ts";
import { blobMigrations, type BlobTables } from "#platform/blobs/schema.ts";
import { openDatabase } from "#platform/database/database.ts";
import { leaseMigrations, type LeaseTables } from "#platform/database/lease.ts";
import { openTestDatabase, availableDatabaseKinds } from "#platform/testing/database.ts";
import { consoleLog } from "#platform/log/log.ts";
import {
  createRegistry,
  createRegistryHandler,
  createRegistryTraffic,
  registryMigrations,
  type RegistryTables,
} from "#registry/index.ts";

const OWNER_TOKEN = "mr_user_for-measurements-0123456789-abcdef";
/** A manifest without blobs: they do not affect the cost of a GET. */
const TYPE = "application/vnd.example.manifest.v1+json";
/** As long as the manifest of an image with 12 layers. */
const BYTES = Buffer.from(JSON.stringify({ text: "x".repeat(2_000) }));

const REQUESTS = 4_000;
const CONNECTIONS = 8;
const ROUNDS = 7;

interface Asked {
  port: number;
  path: string;
  token: string;
}

// A thread has no target origin.
/* oxlint-disable unicorn/require-post-message-target-origin */
if (parentPort)
  parentPort.on("message", (asked: Asked) => void load(asked).then(() => parentPort?.postMessage("done")));
else {
  for (const kind of availableDatabaseKinds) {
    await measure(kind);
  }
  process.exit();
}

/** Cheap clients: sequential requests on each connection, of whose answers only the end is read. */
async function load({ port, path, token }: Asked): Promise<void> {
  const request = Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: ${TYPE}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  let left = REQUESTS;
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, "127.0.0.1");
      let answer = Buffer.alloc(0);
      const next = () => (left-- > 0 ? socket.write(request) : socket.end());
      socket
        .once("connect", next)
        .once("error", reject)
        .once("close", () => resolve());
      socket.on("data", (chunk) => {
        answer = Buffer.concat([answer, chunk]);
        const end = answer.indexOf("\r\n\r\n");
        if (end < 0) return;
        const head = answer.subarray(0, end).toString("latin1");
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
        if (!head.startsWith("HTTP/1.1 200")) return reject(new Error(head));
        if (answer.length < end + 4 + length) return;
        answer = Buffer.alloc(0);
        next();
      });
    });
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
}

async function measure(kind: (typeof availableDatabaseKinds)[number]): Promise<void> {
  const opened = await openServer(kind);
  const { repository, secret } = opened;
  const pushed = await fetch(`${opened.url}/v2/${repository}/manifests/latest`, {
    method: "PUT",
    headers: { authorization: `Bearer ${secret}`, "content-type": TYPE },
    body: new Uint8Array(BYTES),
  });
  const named = pushed.headers.get("docker-content-digest") ?? "";
  const base = `${opened.url}/v2/token?scope=repository:${repository}:pull`;
  const answer = await fetch(base, { headers: { authorization: `Bearer ${secret}` } });
  const { token: scoped } = (await answer.json()) as { token: string };
  const bare = createServer((_request, response) => {
    response.writeHead(200, { "content-type": TYPE, "content-length": BYTES.length });
    response.end(BYTES);
  });
  await new Promise<void>((resolve) => bare.listen(0, "127.0.0.1", resolve));
  const port = Number(new URL(opened.url).port);
  // A TCP server's address is an AddressInfo.
  const barePort = (bare.address() as AddressInfo).port;
  const [tag, digest] = ["latest", named].map((reference) => `/v2/${repository}/manifests/${reference}`) as [
    string,
    string,
  ];
  const cases: Record<string, Asked> = {
    bare: { port: barePort, path: tag, token: scoped },
    "by tag, token of /v2/token": { port, path: tag, token: scoped },
    "by tag, organization token": { port, path: tag, token: secret },
    "by digest, token of /v2/token": { port, path: digest, token: scoped },
  };
  const worker = new Worker(new URL(import.meta.url));
  const seen = new Map(Object.keys(cases).map((name) => [name, [] as number[]]));
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [name, asked] of Object.entries(cases)) {
      const us = await cpuOf(worker, asked);
      // The first round warms up.
      if (round > 0) seen.get(name)!.push(us);
    }
  const floor = median(seen.get("bare")!);
  console.log(`${kind}, a manifest of ${BYTES.length} bytes`);
  for (const [name, times] of seen) {
    const us = median(times);
    console.log(
      `  ${name.padEnd(30)} ${us.toFixed(1)} µs of CPU, ${(1e6 / us).toFixed(0)} in a second of one core, ratio ${(us / floor).toFixed(2)}`,
    );
  }
  await worker.terminate();
  bare.close();
  await opened.close();
}

async function openServer(kind: (typeof availableDatabaseKinds)[number]) {
  const place = await openTestDatabase(kind);
  const database = await openDatabase<AccountTables & LeaseTables & BlobTables & RegistryTables>({
    at: place.at,
    migrations: [...leaseMigrations, ...accountMigrations, ...blobMigrations, ...registryMigrations],
  });
  const log = { ...consoleLog, info: () => {} };
  const accounts = createAccounts({
    database,
    origin: "http://localhost:3000",
    version: "0",
    log,
    secretKey: new Uint8Array(32),
  });
  await setOwnerToken(accounts, OWNER_TOKEN);
  const caller = { actor: await identify(accounts, { bearer: OWNER_TOKEN }), address: "" };
  await createProject(accounts, caller, { name: "web" });
  const { secret } = await createToken(accounts, caller, { name: "ci", type: "org" });
  const { name } = await database.db.selectFrom("organizations").select("name").executeTakeFirstOrThrow();
  const folder = mkdtempSync(join(tmpdir(), "manifest-gets-"));
  const store = await openDiskStore(folder);
  const registry = createRegistry({
    accounts,
    database,
    blobs: createBlobs({ database, store }),
    store,
    log,
  });
  const callers = createCallers(accounts);
  const handle = createRegistryHandler({ registry, callers, traffic: createRegistryTraffic(), log });
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    // A TCP server's address is an AddressInfo.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    repository: `${name}/web`,
    secret,
    async close() {
      server.closeAllConnections();
      server.close();
      await registry.close();
      await store.close();
      await accounts.close();
      await database.close();
      await place.remove();
      rmSync(folder, { recursive: true });
    },
  };
}

/** @returns microseconds of this thread for one request */
async function cpuOf(worker: Worker, asked: Asked): Promise<number> {
  const before = process.threadCpuUsage();
  worker.postMessage(asked);
  await new Promise((resolve) => worker.once("message", resolve));
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / REQUESTS;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
