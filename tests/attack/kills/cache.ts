/** Kills a process at random points while it puts entries, and looks for the acknowledged entries. */
import { createHash } from "node:crypto";
import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openKillCache } from "./cache-place.ts";
import type { PowerDisk } from "../power-disk.ts";
import { createRandom, type KillOptions, type KillReport, openKillFolder } from "./kill.ts";

/** The most entries that a process acknowledges before it is killed. */
const MAX_ACKNOWLEDGED = 80;
const START_MS = 60_000;
const TWO_DAYS_MS = 2 * 24 * 60 * 60 * 1000;

export async function run({ kills, seed, log, disk }: KillOptions): Promise<KillReport> {
  const { dataDir, remove } = openKillFolder("cache", disk);
  const random = createRandom(seed);
  const last = new Map<string, number>();
  let acknowledged = 0;
  try {
    for (let kill = 1; kill <= kills; kill++) {
      acknowledged += await writeAndKill({ dataDir, disk, random, last });
      if (kill % 20 === 0 || kill === kills) log(`  ${kill} of ${kills} kills, ${acknowledged} acknowledged`);
    }
    return { kills, acknowledged, lost: [...(await findLost(dataDir, last)), ...(await findLeft(dataDir))] };
  } finally {
    remove();
  }
}

interface Work {
  dataDir: string;
  disk: PowerDisk | undefined;
  random: () => number;
  /** The last number that was acknowledged for each key. */
  last: Map<string, number>;
}

async function writeAndKill({ dataDir, disk, random, last }: Work): Promise<number> {
  const startAt = Math.max(-1, ...last.values()) + 1;
  const child = fork(join(import.meta.dirname, "cache-writer.ts"), [dataDir, String(startAt)], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const ended = once(child, "exit");
  const tooLate = setTimeout(() => child.kill("SIGKILL"), START_MS);
  const until = 1 + Math.floor(random() * MAX_ACKNOWLEDGED);
  // The kill may hit any step of the next write, not only the moment after an answer.
  const delayMs = random() * 5;
  let acknowledged = 0;
  // Sent by `cache-writer.ts`.
  child.on("message", ({ key, number }: { key: string; number: number }) => {
    last.set(key, Math.max(number, last.get(key) ?? 0));
    acknowledged += 1;
    if (acknowledged === until) setTimeout(() => child.kill("SIGKILL"), delayMs);
  });
  await ended;
  disk?.cut();
  clearTimeout(tooLate);
  return acknowledged;
}

/** Each key has its last acknowledged entry, or something newer, whole. */
async function findLost(dataDir: string, last: ReadonlyMap<string, number>): Promise<string[]> {
  const { cache, grant, close } = await openKillCache(dataDir);
  const lost: string[] = [];
  for (const [key, number] of last) {
    const entry = await cache.find(grant, key);
    const found = Number(entry?.meta ?? -1);
    if (!entry || found < number) {
      lost.push(`${key}: ${number} was acknowledged, ${found} is there`);
      continue;
    }
    const hash = createHash("sha256");
    const reader = await cache.blobs.open(entry.blob);
    for await (const chunk of reader.bytes()) hash.update(chunk);
    await reader.close();
    if (`sha256:${hash.digest("hex")}` !== entry.blob.digest) lost.push(`${key} has other bytes`);
    const writer = Number(/(\d+)-/.exec(key)?.[1]);
    const first = createHash("sha256")
      .update(`${writer % 3} ${found}`)
      .digest();
    if (entry.blob.size !== 16 + (first.readUInt16BE() % 60_000)) lost.push(`${key} has another's bytes`);
  }
  await close();
  return lost;
}

/** After a sweep there are no files without a row, no rows without a file, and no references without an owner. */
async function findLeft(dataDir: string): Promise<string[]> {
  const { database, folder, collector, close } = await openKillCache(dataDir, () => Date.now() + TWO_DAYS_MS);
  await collector.collect();
  await collector.removeOrphans();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const blobs = await database.db
    .selectFrom("blobs")
    .select(["place", "reference_count", "digest"])
    .execute();
  const entries = await database.db.selectFrom("cache_entries").select(["digest", "size"]).execute();
  const counts = await database.db.selectFrom("cache_namespaces").select(["entries", "size_bytes"]).execute();
  await close();
  const left: string[] = [];
  const places = new Set(blobs.map(({ place }) => place).filter((place) => place !== null));
  for (const { name } of files) if (!places.has(name)) left.push(`the file ${name} has no row`);
  const names = new Set(files.map(({ name }) => name));
  for (const place of places) if (!names.has(place)) left.push(`the row of ${place} has no file`);
  for (const { digest, reference_count: count } of blobs) {
    const named = entries.filter((entry) => entry.digest === digest).length;
    if (named !== count) left.push(`${digest} has ${count} references and ${named} entries`);
  }
  const bytes = entries.reduce((sum, { size }) => sum + size, 0);
  for (const { entries: count, size_bytes } of counts)
    if (count !== entries.length || size_bytes !== bytes)
      left.push(
        `the namespace counts ${count} entries of ${size_bytes} bytes, not ${entries.length} of ${bytes}`,
      );
  return left;
}
