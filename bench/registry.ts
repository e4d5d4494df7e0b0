/**
 * The registry compared with `distribution` and nginx. Rows of compared servers follow each other, so that the machine is in the
 * same state for all; only their ratios are meaningful.
 *
 *   node bench/registry.ts                       manifests, pushes and pulls
 *   node bench/registry.ts --runs memory         a layer of 5 GB, then 256 clients that pull one image
 *   node bench/registry.ts --seconds 5           for each row
 */
import { createHash, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type HttpRequest, openHttp } from "./cache/http-client.ts";
import { type Figures, measure, memoryOf } from "./cache/measure.ts";
import { type Peer, startNginx } from "./cache/peers.ts";
import { COLUMNS, createTable, makeFolder, runChosen } from "./cache/report.ts";
import { type RegistryPeer, startDistribution, startMillrace } from "./registry/peers.ts";
import { digestOf, IMAGE, pushBlob, pushImage } from "./registry/push.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "manifests,push,pull" },
    seconds: { type: "string", default: "2" },
    folder: { type: "string", default: tmpdir() },
  },
});
const seconds = Number(values.seconds);
const folder = makeFolder(values.folder, "registry");

const MB = 1_000_000;
const PUSHED = 200 * MB;
const PIECE = 64 * 1024;

const { perSecond, perCore, megabytes, cpu, p99, requests } = COLUMNS;
const { begin, show } = createTable([perSecond, perCore, megabytes, cpu, p99, requests]);

interface Run {
  peer: Peer;
  path: string;
  connections: number;
  headers?: Readonly<Record<string, string>>;
}

function get({ peer, path, connections, headers = {} }: Run): Promise<Figures> {
  const request: HttpRequest = {
    method: "GET",
    path,
    headers: { accept: `${IMAGE}, */*`, ...headers },
    expected: [200],
  };
  return measure({ pid: peer.pid, connections, seconds }, async () => {
    const client = await openHttp(peer.port);
    return { send: () => client.send(request), close: () => client.close() };
  });
}

async function startBoth(name: string): Promise<RegistryPeer[]> {
  const distribution = await startDistribution(join(folder, `${name}-peer`));
  if (!distribution) console.log("distribution is not here and is left out.");
  return [await startMillrace(join(folder, name)), ...(distribution ? [distribution] : [])];
}

async function runManifests(): Promise<void> {
  const peers = await startBoth("manifests");
  const layer = randomBytes(100_000);
  const images = new Map<RegistryPeer, Awaited<ReturnType<typeof pushImage>>>();
  for (const peer of peers) images.set(peer, await pushImage(peer, layer));
  begin("Manifests and small blobs");
  for (const connections of [1, 32])
    for (const kind of ["tag", "manifest", "blob"] as const)
      for (const [peer, image] of images)
        show(
          `GET ${{ tag: "a manifest by tag", manifest: "a manifest by digest", blob: "a blob of 100 KB" }[kind]}, ${connections}`,
          peer.name,
          await get({ peer, path: image[kind], connections, headers: peer.headers }),
        );
  for (const peer of peers) await peer.stop();
}

/** Incompressible bytes, like layers that are already compressed. */
const pool = randomBytes(64 * MB);

/** Bytes that differ between pushes at little cost: only their first piece changes. */
function makeLayer(bytes: number): { pieces: () => Iterable<Buffer>; digest: string } {
  const first = randomBytes(PIECE);
  function* pieces() {
    yield first;
    for (let sent = PIECE; sent < bytes; sent += PIECE) {
      const at = sent % (pool.length - PIECE);
      yield pool.subarray(at, at + PIECE);
    }
  }
  const hash = createHash("sha256");
  for (const each of pieces()) hash.update(each);
  return { pieces, digest: `sha256:${hash.digest("hex")}` };
}

async function runPush(): Promise<void> {
  const peers = await startBoth("push");
  begin("Push of 200 MB");
  for (let round = 1; round <= 3; round += 1)
    for (const peer of peers) {
      const layers = Array.from({ length: 3 }, () => makeLayer(PUSHED));
      const figures = await measure({ pid: peer.pid, connections: 1, seconds: 60, requests: 2 }, () =>
        Promise.resolve({
          async send() {
            const { pieces, digest } = layers.pop() ?? makeLayer(PUSHED);
            await pushBlob(peer, pieces, digest);
            return PUSHED;
          },
          close() {},
        }),
      );
      show(`push ${round}`, peer.name, figures);
    }
  for (const peer of peers) await peer.stop();
}

async function runPull(): Promise<void> {
  const peers = await startBoth("pull");
  const nginx = await startNginx(join(folder, "nginx"));
  const layer = randomBytes(PUSHED);
  const runs: Run[] = [];
  for (const peer of peers) {
    await pushBlob(peer, () => [layer], digestOf(layer));
    const path = `/v2/${peer.repository}/blobs/${digestOf(layer)}`;
    runs.push({ peer, path, connections: 0, headers: peer.headers });
  }
  if (nginx) {
    writeFileSync(join(nginx.folder, "layer"), layer);
    runs.push({ peer: nginx, path: "/layer", connections: 0 });
  }
  begin("Pull of 200 MB");
  for (const connections of [1, 8])
    for (const run of runs) show(`GET, ${connections}`, run.peer.name, await get({ ...run, connections }));
  await nginx?.stop();
  for (const peer of peers) await peer.stop();
}

const LARGE = 5_000 * MB;
const IMAGE_BYTES = 20 * MB;

async function runMemory(): Promise<void> {
  const peer = await startMillrace(join(folder, "memory"));
  const layer = randomBytes(IMAGE_BYTES);
  const { blob, tag } = await pushImage(peer, layer);
  const before = memoryOf(peer.pid);
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, memoryOf(peer.pid))), 100);
  const told = (what: string) => {
    console.log(`${what}: ${(before / MB).toFixed(0)} MB before, ${(peak / MB).toFixed(0)} MB at most`);
    peak = memoryOf(peer.pid);
  };
  const { pieces, digest } = makeLayer(LARGE);
  await pushBlob(peer, pieces, digest);
  told("A layer of 5 GB pushed");
  const path = `/v2/${peer.repository}/blobs/${digest}`;
  await pullOnce({ peer, path, connections: 1, headers: peer.headers });
  told("and pulled");
  const pulls = Array.from({ length: 256 }, async () => {
    for (const each of [tag, blob])
      await pullOnce({ peer, path: each, connections: 1, headers: peer.headers });
  });
  await Promise.all(pulls);
  told("256 clients pulled an image of 20 MB at once");
  clearInterval(watch);
  await peer.stop();
}

async function pullOnce({ peer, path, headers = {} }: Run): Promise<void> {
  const client = await openHttp(peer.port);
  await client.send({ method: "GET", path, headers, expected: [200] });
  client.close();
}

const RUNS: Readonly<Record<string, () => Promise<void>>> = {
  manifests: runManifests,
  push: runPush,
  pull: runPull,
  memory: runMemory,
};
await runChosen(RUNS, values.runs);
process.exit(0);
