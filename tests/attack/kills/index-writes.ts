/**
 * Documents are added, updated and deleted by four parallel writers while the server is killed at random moments. After
 * each start everything that was acknowledged must be there: documents as they were sent, tasks with their outcomes,
 * numbers that only grow.
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

const WRITERS = 4;
/** Cycles until another index is used, so that builds stay small. */
const CYCLES_PER_INDEX = 15;
const LONGEST_RUN_MS = 250;

interface Known {
  index: string;
  /** null: deleted. Absent from the map: unknown, because a write of it was not answered. */
  document: { [name: string]: unknown } | null;
}

interface World extends KillReport {
  random: () => number;
  documents: Map<number, Known>;
  /** Tasks that were acknowledged but not seen finished. */
  open: Set<number>;
  /** Finished tasks as they were seen. */
  finished: Map<number, string>;
  highest: number;
  nextId: number;
  index: string;
}

export async function run({ kills, seed, log, disk }: KillOptions): Promise<KillReport> {
  const { dataDir: folder, remove } = openKillFolder("writes", disk);
  const world: World = {
    kills: 0,
    acknowledged: 0,
    lost: [],
    random: createRandom(seed),
    documents: new Map(),
    open: new Set(),
    finished: new Map(),
    highest: -1,
    nextId: 1,
    index: "i0",
  };
  try {
    while (world.kills < kills) {
      if (world.kills % CYCLES_PER_INDEX === 0) world.index = `i${world.kills / CYCLES_PER_INDEX}`;
      const server = await startContentServer(folder, disk);
      await verify(server, world);
      const writers = Promise.all(Array.from({ length: WRITERS }, () => write(server, world)));
      await sleep(world.random() * LONGEST_RUN_MS);
      await server.kill();
      await writers;
      world.kills++;
      if (world.kills % 20 === 0)
        log(
          `index writes: ${world.kills} kills, ${world.acknowledged} acknowledged, ${world.lost.length} lost`,
        );
    }
    const last = await startContentServer(folder, disk);
    await verify(last, world);
    await last.kill();
  } finally {
    remove();
  }
  return { kills: world.kills, acknowledged: world.acknowledged, lost: world.lost };
}

/** Writes until the server is gone. */
async function write(server: ContentServer, world: World): Promise<void> {
  for (;;) {
    const { random, index } = world;
    const before = world.highest;
    const path = `/indexes/${index}/documents`;
    const own = world.nextId++;
    const document = { id: own, text: `document number ${own}` };
    const choice = random();
    // Some are longer than what a task's row can hold.
    const filler = choice < 0.15 ? { filler: `${own} `.repeat(20_000) } : {};
    world.documents.delete(own);
    if (!took(await server.ask("POST", path, [{ ...document, ...filler }]), world, before)) return;
    world.documents.set(own, { index, document: { ...document, ...filler } });
    if (choice > 0.5) {
      world.documents.delete(own);
      if (!took(await server.ask("PUT", path, [{ id: own, note: `of ${own}` }]), world, before)) return;
      world.documents.set(own, { index, document: { ...document, ...filler, note: `of ${own}` } });
    }
    if (choice > 0.75) {
      world.documents.delete(own);
      if (!took(await server.ask("DELETE", `${path}/${own}`), world, before)) return;
      world.documents.set(own, { index, document: null });
    }
  }
}

function took(answer: Awaited<ReturnType<ContentServer["ask"]>>, world: World, before: number): boolean {
  if (answer === null) return false;
  if (answer.status !== 202) {
    world.lost.push(`a write was answered with ${answer.status}: ${JSON.stringify(answer.json)}`);
    return false;
  }
  const uid = Number(answer.json.taskUid);
  if (uid <= before) world.lost.push(`task ${uid} came after task ${before}`);
  if (world.open.has(uid) || world.finished.has(uid)) world.lost.push(`task ${uid} was given twice`);
  world.open.add(uid);
  world.highest = Math.max(world.highest, uid);
  world.acknowledged++;
  return true;
}

async function verify(server: ContentServer, world: World): Promise<void> {
  await server.settle();
  const tasks = await server.ask("GET", "/tasks?limit=10000");
  const seen = new Map<number, string>();
  for (const task of tasks?.json.results ?? []) {
    seen.set(task.uid, JSON.stringify(task));
    if (world.open.has(task.uid) && task.status !== "succeeded")
      world.lost.push(`task ${task.uid} ${task.status}: ${JSON.stringify(task.error)}`);
  }
  for (const uid of world.open) if (!seen.has(uid)) world.lost.push(`task ${uid} is unknown`);
  const oldest = Math.min(...seen.keys());
  for (const [uid, before] of world.finished) {
    if (uid >= oldest && seen.get(uid) !== before)
      world.lost.push(`task ${uid} was ${before}, is ${seen.get(uid)}`);
  }
  world.finished = seen;
  world.open.clear();
  await verifyDocuments(server, world);
}

async function verifyDocuments(server: ContentServer, world: World): Promise<void> {
  const found = new Map<number, string>();
  let total = 1;
  for (let offset = 0; offset < total; offset += 1000) {
    const page = await server.ask("GET", `/indexes/${world.index}/documents?limit=1000&offset=${offset}`);
    total = page?.json.total ?? 0;
    for (const document of page?.json.results ?? []) found.set(document.id, JSON.stringify(document));
  }
  for (const [id, { index, document }] of world.documents) {
    if (index !== world.index) {
      world.documents.delete(id);
      continue;
    }
    const wanted = document === null ? undefined : JSON.stringify(document);
    if (found.get(id) !== wanted)
      world.lost.push(`document ${id} is ${found.get(id)?.slice(0, 80)}, not ${wanted?.slice(0, 80)}`);
  }
}
