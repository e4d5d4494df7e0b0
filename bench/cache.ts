/**
 * The build cache compared with nginx with WebDAV, `buildbox-casd` and `turborepo-remote-cache`. Rows of compared servers follow
 * each other, so that the machine is in the same state for all; only their ratios are meaningful.
 *
 *   node bench/cache.ts                             HTTP, gRPC, Turborepo
 *   node bench/cache.ts --runs memory,index         256 readers of 1 GB; an index of `--entries` entries
 *   node bench/cache.ts --seconds 1                 for each row
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { prepareGrpc } from "./cache/grpc-runs.ts";
import { ADDRESSES, type Addresses, measureGet, measurePut } from "./cache/http-runs.ts";
import { measureMemory } from "./cache/memory-run.ts";
import { type Peer, startCasd, startMillrace, startNginx, startTurboCache } from "./cache/peers.ts";
import { COLUMNS, createTable, makeFolder, runChosen } from "./cache/report.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "http,grpc,turbo" },
    seconds: { type: "string", default: "1.5" },
    entries: { type: "string", default: "10000000" },
    folder: { type: "string", default: tmpdir() },
  },
});
const seconds = Number(values.seconds);
const folder = makeFolder(values.folder, "cache");

const [KB, MB] = [1000, 1_000_000];
const sizeName = (bytes: number) => (bytes < MB ? `${bytes / KB} KB` : `${bytes / MB} MB`);

const { perSecond, megabytes, cpu, p99, requests } = COLUMNS;
const { begin, show } = createTable([perSecond, megabytes, cpu, p99, requests]);

const absent = (name: string) => console.log(`${name} is not here and is left out.`);

type Target = [peer: Peer, addresses: Addresses];

async function runHttp(): Promise<void> {
  const millrace = await startMillrace(join(folder, "http"));
  const nginx = await startNginx(join(folder, "nginx"));
  if (!nginx) absent("nginx");
  const targets: Target[] = [[millrace, ADDRESSES["gradle"]!]];
  if (nginx) targets.push([nginx, ADDRESSES["nginx"]!]);
  begin("HTTP");
  for (const [bytes, connections] of [
    [10 * KB, 1],
    [10 * KB, 32],
    [10 * KB, 256],
    [MB, 1],
    [MB, 32],
    [100 * MB, 1],
  ] as const)
    for (const verb of ["GET", "PUT"] as const)
      for (const [peer, addresses] of targets) {
        const run = { peer, addresses, bytes, connections, seconds: bytes > 10 * MB ? seconds * 3 : seconds };
        const row = `${verb} ${sizeName(bytes)}, ${connections}`;
        show(row, peer.name, await (verb === "GET" ? measureGet(run) : measurePut(run)));
        if (verb === "PUT" && peer === nginx)
          show(row, "nginx, then fsync", await measurePut({ ...run, isSynced: true }));
      }
  await nginx?.stop();
  await millrace.stop();
}

async function runGrpc(): Promise<void> {
  const millrace = await startMillrace(join(folder, "grpc"));
  const casd = await startCasd(join(folder, "casd"));
  if (!casd) absent("buildbox-casd");
  const peers = casd ? [millrace, casd] : [millrace];
  const runs = new Map<Peer, Awaited<ReturnType<typeof prepareGrpc>>>();
  for (const peer of peers) runs.set(peer, await prepareGrpc(peer));
  begin("gRPC");
  for (const connections of [1, 32, 256])
    for (const name of [
      "GetActionResult hit",
      "GetActionResult miss",
      "FindMissing 50",
      "FindMissing 1,000",
      "Read 10 KB",
      "Read 1 MB",
    ] as const)
      for (const [peer, run] of runs) {
        // 256 connections that get a thousand digests or a megabyte add no information.
        if (connections === 256 && !name.startsWith("Get")) continue;
        show(`${name}, ${connections}`, peer.name, await run[name](connections, seconds));
      }
  await casd?.stop();
  await millrace.stop();
}

async function runTurbo(): Promise<void> {
  const millrace = await startMillrace(join(folder, "turbo"));
  const peer = await startTurboCache(join(folder, "turbo-peer"));
  if (!peer) absent("turborepo-remote-cache");
  const targets: Target[] = [[millrace, ADDRESSES["turbo"]!]];
  if (peer) targets.push([peer, ADDRESSES["turboPeer"]!]);
  begin("Turborepo's API");
  for (const [verb, bytes] of [
    ["GET", 10 * KB],
    ["GET", 0],
    ["PUT", 10 * KB],
    ["GET", MB],
    ["PUT", MB],
  ] as const)
    for (const connections of [1, 32])
      for (const [server, addresses] of targets) {
        const run = { peer: server, addresses, bytes, connections, seconds };
        const row = `${verb} ${bytes === 0 ? "of what is not there" : sizeName(bytes)}, ${connections}`;
        show(row, server.name, await (verb === "GET" ? measureGet(run) : measurePut(run)));
      }
  await peer?.stop();
  await millrace.stop();
}

async function runMemory(): Promise<void> {
  const millrace = await startMillrace(join(folder, "memory"));
  const { before, peak, readBytes, writtenBytes } = await measureMemory(millrace, 10);
  const megabytes = (bytes: number) => (bytes / MB).toFixed(0);
  console.log(`\nMemory with 256 readers of 1 GB and 16 writers: ${megabytes(before)} MB before,`);
  console.log(
    `${megabytes(peak)} MB at most; ${megabytes(readBytes)} MB read, ${megabytes(writtenBytes)} MB written.`,
  );
  await millrace.stop();
}

async function runIndex(): Promise<void> {
  const start = performance.now();
  const millrace = await startMillrace(join(folder, "index"), Number(values.entries));
  console.log(
    `\n${values.entries} entries were made in ${((performance.now() - start) / 1000).toFixed(0)} s.`,
  );
  const run = await prepareGrpc(millrace);
  begin(`${values.entries} entries`);
  for (const connections of [1, 32])
    show(`miss, ${connections}`, "gRPC", await run["GetActionResult miss"](connections, seconds * 2));
  const bazel = ADDRESSES["bazel"]!;
  for (const connections of [1, 32])
    show(
      `miss, ${connections}`,
      "HTTP",
      await measureGet({ peer: millrace, addresses: bazel, bytes: 0, connections, seconds }),
    );
  await millrace.stop();
}

const RUNS: Readonly<Record<string, () => Promise<void>>> = {
  http: runHttp,
  grpc: runGrpc,
  turbo: runTurbo,
  memory: runMemory,
  index: runIndex,
};
await runChosen(RUNS, values.runs);
process.exit(0);
