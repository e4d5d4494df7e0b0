/**
 * Bytes in a folder: `incoming/<id>` while they arrive, `<first two characters>/<id>` afterwards.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { createFairPlaces } from "../fair/places.ts";
import { FILE_MODE, FOLDER_MODE, makeFolder, syncFolder } from "../files/durable.ts";
import {
  type ByteReader,
  type ByteStore,
  type ByteWriter,
  MissingBytesError,
  newPlace,
} from "./byte-store.ts";
import { type ChunkMemory, createChunkMemory } from "./chunk-memory.ts";
import { currentRequest } from "../log/request-context.ts";
import { CHUNK_BYTES, SYSTEM_THREADS } from "./limits.ts";

const INCOMING = "incoming";

/**
 * @param folder absolute; made when missing
 * @param now the machine's clock, which sets file times
 */
export async function openDiskStore(folder: string, now: () => number = Date.now): Promise<ByteStore> {
  await makeFolder(join(folder, INCOMING));
  const shards = new Map<string, Promise<void>>();
  const memory = createChunkMemory();
  const fileOf = (place: string) => join(folder, place.slice(0, 2), place);
  return {
    create: () => createFile(folder, shards, fileOf),
    open: (place) => openFile(fileOf(place), memory),
    remove: (place) => rm(fileOf(place), { force: true }),
    async removeUnfinished() {
      await rm(join(folder, INCOMING), { recursive: true, force: true });
      await mkdir(join(folder, INCOMING), { mode: FOLDER_MODE });
    },
    places: (shard) => listPlaces(join(folder, shard)),
    writtenAt: async (place) => (await stat(fileOf(place)).catch(ifGone))?.mtimeMs ?? null,
    now,
    close: () => Promise.resolve(),
  };
}

async function createFile(
  folder: string,
  shards: Map<string, Promise<void>>,
  fileOf: (place: string) => string,
): Promise<ByteWriter> {
  const place = newPlace();
  const incoming = join(folder, INCOMING, place);
  const file = await open(incoming, "wx", FILE_MODE);
  return {
    place,
    write: (chunks) => writeAll(file, chunks),
    async finish() {
      await syncInTurn(file);
      await file.close();
      const shard = join(folder, place.slice(0, 2));
      await makeShard(shards, shard);
      await rename(incoming, fileOf(place));
      await syncFolder(shard);
    },
    async abort() {
      await file.close().catch(() => {});
      await rm(incoming, { force: true });
      await rm(fileOf(place), { force: true });
    },
  };
}

/** The system's threads: a sync blocks one until the disk is done, and readers also need them. */
const threads = createFairPlaces(SYSTEM_THREADS);

async function syncInTurn(file: FileHandle): Promise<void> {
  const holder = currentRequest()?.holder;
  const waits = threads.enter(holder);
  if (waits) await waits;
  await file.sync().finally(() => threads.leave(holder));
}

/** Once per process. Later callers also wait: files can be lost until the folder's name is on the disk. */
async function makeShard(shards: Map<string, Promise<void>>, shard: string): Promise<void> {
  const made = shards.get(shard) ?? makeFolder(shard);
  shards.set(shard, made);
  try {
    await made;
  } catch (error) {
    shards.delete(shard);
    throw error;
  }
}

/** The limit of most systems per call. */
const MAX_CHUNKS = 1024;

async function writeAll(file: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  let left = chunks;
  while (left.length > 0) {
    const { bytesWritten } = await file.writev(left.slice(0, MAX_CHUNKS));
    left = withoutFirst(left, bytesWritten);
  }
}

/** The system may write less than it was given. */
function withoutFirst(chunks: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  let taken = bytes;
  let at = 0;
  for (; at < chunks.length && chunks[at]!.length <= taken; at += 1) taken -= chunks[at]!.length;
  const first = chunks[at];
  return first ? [first.subarray(taken), ...chunks.slice(at + 1)] : [];
}

function openFile(path: string, memory: ChunkMemory): Promise<ByteReader> {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    return Promise.reject(
      isMissing(error) ? new MissingBytesError("The file does not exist.", { cause: error }) : error,
    );
  }
  const { size, mtimeMs, ctimeMs, ino } = fstatSync(file);
  return Promise.resolve({
    size,
    stamp: `${ino} ${size} ${mtimeMs} ${ctimeMs}`,
    chunks: (start, end) => readChunks({ file, memory }, start, end),
    giveBack: memory.giveBack,
    close() {
      closeSync(file);
      return Promise.resolve();
    },
  });
}

// oxlint-disable-next-line typescript/require-await -- of the interface; reading a part takes less time than waiting for a thread
async function* readChunks(
  { file, memory }: { file: number; memory: ChunkMemory },
  start: number,
  end: number,
): AsyncIterable<Buffer> {
  for (let position = start; position < end;) {
    const chunk = memory.take(Math.min(CHUNK_BYTES, end - position));
    const length = readSync(file, chunk, 0, chunk.length, position);
    if (length === 0) return;
    position += length;
    yield chunk.subarray(0, length);
  }
}

async function* listPlaces(shard: string): AsyncIterable<readonly string[]> {
  const places = await readdir(shard).catch(ifGone);
  if (places) yield places;
}

function ifGone(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

const isMissing = (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOENT";
