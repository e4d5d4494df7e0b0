/**
 * Turns the files that a start finds in the folder into served indexes. Nothing readable is lost, and only what
 * the catalog says was replaced is removed:
 *
 *   in the catalog, readable            served
 *   in the catalog, of an older format  rebuilt from its documents, then served
 *   in the catalog, anything else       put aside under another name; the index is known, and its use is refused
 *   not in the catalog, `docs.17.index` left by a process that was killed before its commit: removed
 *   not in the catalog, `docs.index`    put there by the operator: taken in, if no good index has its name
 *
 * An empty catalog (at the first start with one, or after it was damaged) takes every index from the files'
 * headers.
 */
import { defaultSettings, FORMAT_VERSION, formatOf, SearchError } from "#search/index.ts";
import { BuildError, type IndexBuilder } from "./builder.ts";
import type { SearchStore } from "../catalog/store.ts";
import type { Catalog, CatalogIndex } from "../catalog/catalog.ts";
import {
  asideName,
  type FoundFile,
  type IndexFile,
  IndexFileDamage,
  type IndexFiles,
} from "../catalog/index-files.ts";

export interface LoadOptions {
  catalog: Catalog;
  files: IndexFiles;
  store: SearchStore;
  builder: IndexBuilder;
  /** The site's own indexes; a stored one with such a name is kept but not served. */
  builtIn: ReadonlySet<string>;
  clock: () => Date;
  /** The catalog was lost: task numbers must be higher than all those it had assigned. */
  isRecovering: boolean;
}

/** A file that is left out, and why; everything else is served. */
export interface IndexProblem {
  file: string;
  /** The problem and its fix, in sentences. */
  reason: string;
}

export async function loadIndexes(options: LoadOptions): Promise<IndexProblem[]> {
  const { catalog, files, store, builtIn } = options;
  const problems: IndexProblem[] = [];
  const found = await files.find();
  if (catalog.hasAdopted) await takeCopies(options, found, problems);
  else await adoptAll(options, found);
  await sweep(options, found);
  for (const row of catalog.indexes()) {
    if (builtIn.has(row.uid)) {
      const reason = `\`${row.uid}\` is the name of the site's own index, so the stored index is kept but not served.`;
      problems.push({ file: files.path(row.file), reason });
      continue;
    }
    const reason = await load(options, row);
    if (reason === null) continue;
    store.markUnusable({ ...row, reason });
    problems.push({ file: files.path(row.file), reason });
  }
  return problems;
}

/** Fills an empty catalog in one transaction: if the start is killed, the next one does it again. */
async function adoptAll(
  { catalog, files, clock, isRecovering }: LoadOptions,
  found: FoundFile[],
): Promise<void> {
  const rows = new Map<string, CatalogIndex>();
  let lastTask = -1;
  // Newest first; if it cannot be read, the one before it takes its place.
  const newestFirst = found.toSorted((a, b) => (b.generation ?? -1) - (a.generation ?? -1));
  for (const { name, uid } of newestFirst) {
    const header = await files.read(name).catch(() => null);
    lastTask = Math.max(lastTask, header?.task ?? -1);
    const known = rows.get(uid);
    if (known && known.problem === null) continue;
    if (known && !header) continue;
    if (known) await files.rename(known.file, asideName(known.file, clock()));
    const { createdAt = clock(), updatedAt = clock(), protocol = {} } = header ?? {};
    const problem = header ? null : "its file cannot be read";
    rows.set(uid, { uid, file: name, createdAt, updatedAt, protocol, problem, setAside: null });
  }
  const wasCounting = isRecovering || lastTask >= 0;
  catalog.adopt([...rows.values()], {
    nextBatch: Math.max(0, ...found.map(({ generation }) => (generation ?? -1) + 1)),
    nextTask: wasCounting ? Math.max(lastTask + 1, taskAfterLoss(clock())) : 0,
  });
}

/** A number that no earlier catalog has reached: over the years, tasks come less than once a second. */
function taskAfterLoss(now: Date): number {
  return Math.floor(now.getTime() / 1000) - 1_700_000_000;
}

/** Takes in files that the operator has put next to the catalog. */
async function takeCopies(
  { catalog, files, clock }: LoadOptions,
  found: FoundFile[],
  problems: IndexProblem[],
): Promise<void> {
  const rows = new Map(catalog.indexes().map((row) => [row.uid, row]));
  const removals = catalog.removals();
  for (const { name, uid, generation } of found) {
    if (generation !== null || removals.includes(name)) continue;
    const row = rows.get(uid);
    if (row?.file === name) continue;
    if (row && row.problem === null && found.some((file) => file.name === row.file)) {
      const reason = `The index \`${uid}\` is in ${row.file}, so this file is not used. Remove it, or delete the index first.`;
      problems.push({ file: files.path(name), reason });
      continue;
    }
    const dates = { createdAt: row?.createdAt ?? clock(), updatedAt: row?.updatedAt ?? clock() };
    const problem = row?.problem ?? "its file was added";
    catalog.put({ uid, file: name, ...dates, protocol: {}, problem, setAside: row?.setAside ?? null });
  }
}

/** Removes results that were never committed, and replaced files that were not removed. */
async function sweep({ catalog, files }: LoadOptions, found: FoundFile[]): Promise<void> {
  const used = new Set(catalog.indexes().map(({ file }) => file));
  const removals = catalog.removals();
  for (const { name, generation } of found)
    if (!used.has(name) && (generation !== null || removals.includes(name))) await files.remove(name);
  if (removals.length > 0) catalog.forgetRemovals();
}

/** Serves an index. @returns why it cannot and what to do; null when it is served */
async function load(options: LoadOptions, row: CatalogIndex): Promise<string | null> {
  const { catalog, store } = options;
  try {
    const file = await readAgain(options, row);
    if (file.uid !== row.uid) throw new IndexFileDamage(`it holds the index \`${file.uid}\``);
    // Files that were put aside or added bring their own settings; otherwise the catalog's count.
    const { createdAt, updatedAt, protocol } = row.problem === null ? row : file;
    const index = { uid: row.uid, file: row.file, createdAt, updatedAt, protocol };
    const format = formatOf(file.bytes);
    if (format !== null && format < FORMAT_VERSION) await rebuild(options, index, file);
    else store.put(store.open(row.uid, file.bytes, index));
    if (row.problem !== null && format === FORMAT_VERSION)
      catalog.put({ ...index, problem: null, setAside: null });
    return null;
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
    const setAside = isAboutContent(error) ? await putAside(options, row, why) : row.setAside;
    return explain({ uid: row.uid, setAside }, why);
  }
}

function isAboutContent(error: unknown): boolean {
  return error instanceof IndexFileDamage || error instanceof SearchError || error instanceof BuildError;
}

/** @returns the new name, or the old one if the disk refuses; then the next start tries again */
async function putAside({ catalog, files, clock }: LoadOptions, row: CatalogIndex, problem: string) {
  const setAside = asideName(row.file, clock());
  try {
    // First the reason, then the name: if the process is killed in between, the next start repeats both.
    catalog.put({ ...row, problem, setAside });
    await files.rename(row.file, setAside);
    return setAside;
  } catch {
    return row.setAside;
  }
}

/** A file that was put aside may be readable now: after a return to the version that wrote it. */
async function readAgain({ files, store }: LoadOptions, row: CatalogIndex): Promise<IndexFile> {
  try {
    return await files.read(row.file);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (!isMissing) throw error;
    const problem = new Error(row.problem ?? "its file is missing", { cause: error });
    if (row.setAside === null) throw problem;
    const kept = await files.read(row.setAside).catch(() => null);
    try {
      store.open(row.uid, kept?.bytes ?? new Uint8Array());
    } catch {
      throw problem;
    }
    await files.rename(row.setAside, row.file);
    return kept!;
  }
}

async function rebuild(
  { builder, catalog, files, store }: LoadOptions,
  index: Omit<CatalogIndex, "problem" | "setAside">,
  file: IndexFile,
): Promise<void> {
  const request = {
    bytes: file.bytes,
    isFormer: true,
    settings: defaultSettings(),
    protocol: index.protocol,
    changes: [],
  };
  const { bytes } = await builder.build(request, () => {});
  const opened = store.open(index.uid, bytes!, index);
  const generation = catalog.nextBatch;
  const name = await files.write({ ...opened, task: file.task }, generation);
  const changes = [{ kind: "put" as const, index: { ...index, file: name } }];
  catalog.finish({ tasks: [], changes, nextBatch: generation + 1, forgotten: [] });
  store.put(opened);
  await files.remove(index.file);
  catalog.forgetRemovals();
}

function explain({ uid, setAside }: Pick<CatalogIndex, "uid" | "setAside">, why: string): string {
  const kept = setAside === null ? "" : ` Its file is kept as ${setAside}.`;
  return `The index \`${uid}\` cannot be used: ${why}.${kept} Delete the index, or put a good copy named ${uid}.index into its folder and start the server again.`;
}
