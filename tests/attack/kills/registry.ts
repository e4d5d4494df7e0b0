/** Kills a process at random points of pushes and deletes, and looks for everything that was acknowledged. */
import { createHash } from "node:crypto";
import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { PowerDisk } from "../power-disk.ts";
import { createRandom, type KillOptions, type KillReport, openKillFolder } from "./kill.ts";
import { openKillRegistry } from "./registry-place.ts";
import { type Acknowledged, REMOVED_EACH, TAGS_OF_EACH } from "./registry-acknowledged.ts";

/** The most acknowledgements before a process is killed. */
const MAX_ACKNOWLEDGED = 120;
const START_MS = 60_000;
const TWO_DAYS_MS = 2 * 24 * 60 * 60 * 1000;

type Place = Awaited<ReturnType<typeof openKillRegistry>>;

interface Known {
  blobs: Set<string>;
  /** The last acknowledged state of each tag. */
  tags: Map<string, { number: number; isRemoved: boolean }>;
}

export async function run({ kills, seed, log, disk }: KillOptions): Promise<KillReport> {
  const { dataDir, remove } = openKillFolder("registry", disk);
  const random = createRandom(seed);
  const known: Known = { blobs: new Set(), tags: new Map() };
  let acknowledged = 0;
  try {
    for (let kill = 1; kill <= kills; kill++) {
      acknowledged += await writeAndKill({ dataDir, disk, random, known });
      if (kill % 20 === 0 || kill === kills) log(`  ${kill} of ${kills} kills, ${acknowledged} acknowledged`);
    }
    const lost = await findLost(dataDir, known);
    return { kills, acknowledged, lost: [...lost, ...(await findLeft(dataDir))] };
  } finally {
    remove();
  }
}

interface Work {
  dataDir: string;
  disk: PowerDisk | undefined;
  random: () => number;
  known: Known;
}

async function writeAndKill({ dataDir, disk, random, known }: Work): Promise<number> {
  const startAt = Math.max(-1, ...[...known.tags.values()].map(({ number }) => number)) + 1;
  const child = fork(join(import.meta.dirname, "registry-writer.ts"), [dataDir, String(startAt)], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const ended = once(child, "exit");
  const tooLate = setTimeout(() => child.kill("SIGKILL"), START_MS);
  const until = 1 + Math.floor(random() * MAX_ACKNOWLEDGED);
  // The kill may hit any step of the next push, not only the moment after an answer.
  const delayMs = random() * 5;
  let acknowledged = 0;
  child.on("message", (message: Acknowledged) => {
    if (message.kind === "blob") known.blobs.add(message.digest);
    else known.tags.set(message.tag, { number: message.number, isRemoved: message.kind === "removed" });
    acknowledged += 1;
    if (acknowledged === until) setTimeout(() => child.kill("SIGKILL"), delayMs);
  });
  await ended;
  disk?.cut();
  clearTimeout(tooLate);
  return acknowledged;
}

/** Every blob is there, and each tag has its last acknowledged state, or something newer, whole. */
async function findLost(dataDir: string, { blobs, tags }: Known): Promise<string[]> {
  const place = await openKillRegistry(dataDir);
  const lost: string[] = [];
  for (const digest of blobs) lost.push(...(await findDamage(place, digest, "an acknowledged blob")));
  for (const [tag, { number, isRemoved }] of tags)
    lost.push(...(await findLostTag(place, tag, { number, isRemoved })));
  await place.close();
  return lost;
}

async function findLostTag(
  place: Place,
  tag: string,
  { number, isRemoved }: { number: number; isRemoved: boolean },
): Promise<string[]> {
  const manifest = await place.registry.manifests.find(place.grant, tag);
  if (!manifest) {
    // A removal whose answer was cut off by the kill counts as well, also that of the next number.
    const mayBeGone = isRemoved || [number, number + TAGS_OF_EACH].some((one) => one % REMOVED_EACH === 0);
    return mayBeGone ? [] : [`${tag}: ${number} was acknowledged, nothing is there`];
  }
  const { config, layers, annotations } = JSON.parse(Buffer.from(manifest.bytes).toString("utf8")) as {
    config: { digest: string };
    layers: { digest: string }[];
    annotations: { number: string };
  };
  const found = Number(annotations.number);
  if (found < number || (found === number && isRemoved))
    return [`${tag}: ${number} was ${isRemoved ? "removed" : "acknowledged"}, ${found} is there`];
  const parts = [config, ...layers].map(({ digest }) => findDamage(place, digest, `${tag}'s blob`));
  return (await Promise.all(parts)).flat();
}

async function findDamage(
  { registry, blobs, grant }: Place,
  digest: string,
  what: string,
): Promise<string[]> {
  const blob = await registry.repositoryBlobs.find(grant, digest);
  if (!blob) return [`${what} ${digest} is not there`];
  const hash = createHash("sha256");
  const reader = await blobs.open(blob);
  for await (const chunk of reader.bytes()) hash.update(chunk);
  await reader.close();
  return `sha256:${hash.digest("hex")}` === digest ? [] : [`${what} ${digest} has other bytes`];
}

/** After the sweeps there are no files without a row, no rows without a file, and no references without an owner. */
async function findLeft(dataDir: string): Promise<string[]> {
  const place = await openKillRegistry(dataDir, () => Date.now() + TWO_DAYS_MS);
  await place.registry.sweep();
  await place.collector.collect();
  await place.collector.removeOrphans();
  const { db } = place.database;
  const files = readdirSync(place.folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const rows = {
    blobs: await db.selectFrom("blobs").select(["place", "reference_count", "digest"]).execute(),
    own: await db.selectFrom("registry_blobs").select(["digest"]).execute(),
    manifests: await db.selectFrom("registry_manifests").select(["digest"]).execute(),
    tags: await db.selectFrom("registry_tags").select(["name", "digest"]).execute(),
    references: await db.selectFrom("registry_references").select(["manifest_digest", "digest"]).execute(),
    uploads: await db.selectFrom("registry_uploads").select(["id"]).execute(),
    parts: await db.selectFrom("registry_upload_parts").select(["upload_id"]).execute(),
  };
  await place.close();
  return [
    ...leftFiles(
      files.map(({ name }) => name),
      rows,
    ),
    ...leftRows(rows),
  ];
}

interface Rows {
  blobs: { place: string | null; reference_count: number; digest: string }[];
  own: { digest: string }[];
  manifests: { digest: string }[];
  tags: { name: string; digest: string }[];
  references: { manifest_digest: string; digest: string }[];
  uploads: { id: string }[];
  parts: { upload_id: string }[];
}

function leftFiles(names: readonly string[], { blobs }: Rows): string[] {
  const places = new Set(blobs.map(({ place }) => place).filter((place) => place !== null));
  return [
    ...names.filter((name) => !places.has(name)).map((name) => `the file ${name} has no row`),
    ...[...places]
      .filter((place) => !names.includes(place))
      .map((place) => `the row of ${place} has no file`),
  ];
}

function leftRows({ blobs, own, manifests, tags, references, uploads, parts }: Rows): string[] {
  const left: string[] = [];
  for (const { digest, reference_count: count } of blobs) {
    const named = [...own, ...manifests].filter((row) => row.digest === digest).length;
    if (named !== count) left.push(`${digest} has ${count} references and ${named} rows`);
  }
  const tagged = new Set(tags.map(({ digest }) => digest));
  const there = new Set(manifests.map(({ digest }) => digest));
  for (const { digest } of manifests) if (!tagged.has(digest)) left.push(`the manifest ${digest} has no tag`);
  for (const { name, digest } of tags) if (!there.has(digest)) left.push(`the tag ${name} has no manifest`);
  const named = new Set(references.map(({ digest }) => digest));
  for (const { digest } of own) if (!named.has(digest)) left.push(`no manifest names the blob ${digest}`);
  const blobsThere = new Set(own.map(({ digest }) => digest));
  for (const { digest, manifest_digest: manifest } of references) {
    if (!there.has(manifest)) left.push(`a reference of ${manifest}, which is gone`);
    if (!blobsThere.has(digest)) left.push(`${manifest} names ${digest}, which is gone`);
  }
  if (uploads.length + parts.length > 0) left.push(`${uploads.length} uploads with ${parts.length} parts`);
  return left;
}
