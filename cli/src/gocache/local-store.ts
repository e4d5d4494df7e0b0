/**
 * Entries on this machine, for any number of concurrent Go processes.
 *
 *   <folder>/3c/3c1f…-a   an action: `v1 <output> <size> <time>`
 *   <folder>/9b/9b04…-d   an output, unchanged
 *
 * A file gets its name when it is complete, and an action after its output, so no lock is needed. A crash leaves files with
 * names that are never looked up; they are removed with unused entries. The calls are synchronous: each takes less time than
 * handing it to another thread.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode } from "../errors.ts";
import { createDraft, type Draft, pathOf } from "./draft.ts";
import { type Entry, parseEntry } from "./entry.ts";
import { USE_EXACT_MS } from "./limits.ts";

export interface LocalEntry extends Entry {
  path: string;
}

export interface LocalStore {
  find: (action: string) => LocalEntry | undefined;
  open: (output: string) => Draft;
  /** Removes the temporary folder, if there is one; Go needs it until then. */
  close: () => void;
}

/** @param warn called once if the folder cannot be written; a temporary one takes its place */
export function openLocalStore(folder: string, warn: (message: string) => void): LocalStore {
  let temporary: string | undefined;
  let drafts = 0;

  function otherFolder(cause: unknown): string {
    if (temporary === undefined) {
      temporary = mkdtempSync(join(tmpdir(), "millrace-gocache-"));
      warn(`${folder} cannot be written (${reasonOf(cause)}), using a temporary directory`);
    }
    return temporary;
  }

  return {
    find: (action) =>
      (temporary === undefined ? undefined : findIn(temporary, action)) ?? findIn(folder, action),
    open(output) {
      const name = `${process.pid}-${++drafts}-${Math.random().toString(36).slice(2)}`;
      return createDraft({ folder: temporary ?? folder, otherFolder, output, name });
    },
    close() {
      if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
    },
  };
}

/** No one else may write files that this user's builds use. @returns why the folder cannot be used; undefined if it can */
export function makeFolder(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function findIn(folder: string, action: string): LocalEntry | undefined {
  try {
    const actionPath = pathOf(folder, action, "a");
    const [, output, size, time] =
      /^v1 ([0-9a-f]{64}) (\d{1,15}) (\d{1,19})\n$/.exec(readFileSync(actionPath, "latin1")) ?? [];
    const entry = parseEntry({ output, size: Number(size), time }, Number.MAX_SAFE_INTEGER);
    if (!entry) return undefined;
    const path = pathOf(folder, entry.output, "d");
    const { size: actualSize, mtimeMs } = statSync(path);
    // After a power failure a file may be shorter than it was.
    if (actualSize !== entry.size) return undefined;
    if (Date.now() - Math.min(mtimeMs, statSync(actionPath).mtimeMs) > USE_EXACT_MS)
      noteUse([path, actionPath]);
    return { ...entry, path };
  } catch {
    // Missing or unreadable: the same to Go.
    return undefined;
  }
}

function noteUse(paths: readonly string[]): void {
  const now = new Date();
  try {
    for (const path of paths) utimesSync(path, now, now);
  } catch {
    // In a read-only folder, nothing is ever removed either.
  }
}

const reasonOf = (error: unknown): string =>
  errorCode(error) || (error instanceof Error ? error.message : String(error));
