/**
 * Two pairs of indexes are swapped again and again while the server is killed at random moments. After each start all
 * four exist with the documents that the number of finished swaps implies: a swap that is half done, done twice or
 * missing shows immediately.
 */
import { setTimeout as sleep } from "node:timers/promises";
import {
  type ContentServer,
  createRandom,
  type KillOptions,
  type KillReport,
  openKillFolder,
  startContentServer,
} from "./kill.ts";

const PAIRS = [
  ["a", "b"],
  ["c", "d"],
];
const LONGEST_RUN_MS = 120;

interface World extends KillReport {
  /** Numbers of acknowledged swaps that were not seen finished. */
  open: Set<number>;
  /** Swaps up to this task are counted. */
  counted: number;
  isSwapped: boolean;
}

export async function run({ kills, seed, log, disk }: KillOptions): Promise<KillReport> {
  const { dataDir: folder, remove } = openKillFolder("swaps", disk);
  const random = createRandom(seed);
  const world: World = {
    kills: 0,
    acknowledged: 0,
    lost: [],
    open: new Set(),
    counted: -1,
    isSwapped: false,
  };
  try {
    const first = await startContentServer(folder, disk);
    for (const uid of PAIRS.flat())
      await first.ask("POST", `/indexes/${uid}/documents`, [{ id: 1, of: uid }]);
    await first.settle();
    await first.kill();
    while (world.kills < kills) {
      const server = await startContentServer(folder, disk);
      await verify(server, world);
      const swaps = swap(server, world);
      await sleep(random() * LONGEST_RUN_MS);
      await server.kill();
      await swaps;
      world.kills++;
      if (world.kills % 20 === 0)
        log(`swaps: ${world.kills} kills, ${world.acknowledged} acknowledged, ${world.lost.length} lost`);
    }
    const last = await startContentServer(folder, disk);
    await verify(last, world);
    await last.kill();
  } finally {
    remove();
  }
  return { kills: world.kills, acknowledged: world.acknowledged, lost: world.lost };
}

/** Swaps until the server is gone. */
async function swap(server: ContentServer, world: World): Promise<void> {
  for (;;) {
    const body = PAIRS.map((indexes) => ({ indexes }));
    const answer = await server.ask("POST", "/swap-indexes", body);
    if (answer === null) return;
    if (answer.status !== 202) {
      world.lost.push(`a swap was answered with ${answer.status}: ${JSON.stringify(answer.json)}`);
      return;
    }
    world.open.add(Number(answer.json.taskUid));
    world.acknowledged++;
  }
}

async function verify(server: ContentServer, world: World): Promise<void> {
  // Immediately, before anything continues.
  const indexes = await server.ask("GET", "/indexes");
  const uids = (indexes?.json.results ?? []).map((index: { uid: string }) => index.uid);
  if (uids.join() !== PAIRS.flat().join()) world.lost.push(`the indexes are ${uids.join()}`);
  await server.settle();
  const tasks = await server.ask("GET", "/tasks?types=indexSwap&limit=10000");
  let highest = world.counted;
  for (const { uid, status, error } of tasks?.json.results ?? []) {
    if (uid <= world.counted) continue;
    highest = Math.max(highest, uid);
    if (status === "succeeded") world.isSwapped = !world.isSwapped;
    else world.lost.push(`swap ${uid} ${status}: ${JSON.stringify(error)}`);
    world.open.delete(uid);
  }
  for (const uid of world.open) world.lost.push(`swap ${uid} is unknown`);
  world.open.clear();
  world.counted = highest;
  for (const [first, second] of PAIRS) {
    for (const [uid, other] of [
      [first, second],
      [second, first],
    ]) {
      const wanted = world.isSwapped ? other : uid;
      const document = await server.ask("GET", `/indexes/${uid}/documents/1`);
      if (document?.json.of !== wanted)
        world.lost.push(`index ${uid} has the documents of ${document?.json.of}, not of ${wanted}`);
    }
  }
}
