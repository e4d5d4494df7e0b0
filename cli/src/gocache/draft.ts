/** An output that is being written to a file that does not have its final name yet. */
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { errorCode } from "../errors.ts";
import type { Entry } from "./entry.ts";

export interface Draft {
  write: (bytes: Uint8Array) => void;
  /** @returns its path; undefined if it could not be written anywhere */
  keep: (action: string, entry: Entry) => string | undefined;
  discard: () => void;
}

interface DraftPlace {
  output: string;
  folder: string;
  /** Another folder, if this one cannot be written. @throws if no folder can be written */
  otherFolder: (cause: unknown) => string;
  /** Unique among the drafts of all processes. */
  name: string;
}

export const pathOf = (folder: string, id: string, kind: "a" | "d"): string =>
  join(folder, id.slice(0, 2), `${id}-${kind}`);

export function createDraft(place: DraftPlace): Draft {
  const { output, name } = place;
  const file = createMovableFile(place);
  let isLost = false;

  /** Tries once more in another folder, with the bytes written up to then. */
  function attempt(work: () => void): void {
    if (isLost) return;
    try {
      work();
    } catch (cause) {
      try {
        file.move(place.otherFolder(cause));
        work();
      } catch {
        isLost = true;
      }
    }
  }

  function write(bytes: Uint8Array): void {
    let written = 0;
    attempt(() => {
      while (written < bytes.length) written += file.write(bytes, written);
    });
  }

  return {
    write,
    keep(action, entry) {
      attempt(() => {
        file.end();
        nameFiles({ folder: file.folder(), draft: file.path(), name, action, entry });
      });
      if (!isLost) return pathOf(file.folder(), output, "d");
      file.remove();
      return undefined;
    },
    discard: file.remove,
  };
}

interface MovableFile {
  folder: () => string;
  path: () => string;
  /** @returns how many bytes were written */
  write: (bytes: Uint8Array, from: number) => number;
  /** Creates the file, if nothing was written, and closes it. */
  end: () => void;
  move: (to: string) => void;
  remove: () => void;
}

function createMovableFile({ output, name, ...place }: DraftPlace): MovableFile {
  let { folder } = place;
  let file: number | undefined;
  let isThere = false;
  const path = (): string => `${pathOf(folder, output, "d")}.${name}`;

  function open(): number {
    const opened = isThere ? openSync(path(), "a") : openNew(path());
    isThere = true;
    return opened;
  }

  function close(): void {
    if (file !== undefined) closeSync(file);
    file = undefined;
  }

  return {
    folder: () => folder,
    path,
    write(bytes, from) {
      file ??= open();
      return writeSync(file, bytes, from);
    },
    end() {
      file ??= open();
      close();
    },
    move(to) {
      if (to === folder) throw new Error("It is there already.");
      const former = path();
      close();
      folder = to;
      if (!isThere) return;
      mkdirSync(dirname(path()), { recursive: true });
      copyFileSync(former, path());
      rmSync(former, { force: true });
    },
    remove() {
      close();
      rmSync(path(), { force: true });
    },
  };
}

function openNew(path: string): number {
  try {
    return openSync(path, "wx");
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    mkdirSync(dirname(path), { recursive: true });
    return openSync(path, "wx");
  }
}

interface Named {
  folder: string;
  draft: string;
  name: string;
  action: string;
  entry: Entry;
}

function nameFiles({ folder, draft, name, action, entry: { output, size, time } }: Named): void {
  const path = pathOf(folder, action, "a");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${name}`, `v1 ${output} ${size} ${time}\n`);
  // An existing output is identical, and another process may be reading it.
  renameSync(draft, pathOf(folder, output, "d"));
  renameSync(`${path}.${name}`, path);
}
