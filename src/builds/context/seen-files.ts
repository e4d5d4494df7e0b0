/** The files that the clients of one build have sent or listed, by the name of their folder. */
import { crc32 } from "node:zlib";
import type { ContextFiles, SeenFile } from "../explain/types.ts";
import {
  MAX_ALL_FILES,
  MAX_FOLDERS,
  MAX_SEEN_FILES,
  MAX_SEEN_NAMES,
  MAX_SUMMED_BYTES,
  MAX_SUMMED_FILE_BYTES,
  MAX_TRANSFERS,
} from "./limits.ts";

/** One transfer of a folder. */
export interface FolderTransfer {
  /** The next file of the list. */
  addFile: (path: string, file: SeenFile) => void;
  endList: () => void;
  /** @param id position of the file in the list */
  addData: (id: number, part: Buffer) => void;
  endFile: (id: number) => void;
  /** Whether no more files of the list are kept. */
  isFull: () => boolean;
  /** The transfer has ended, or could not be read any further. */
  close: () => void;
}

export interface SeenFiles {
  /** @param name of the folder. @returns null when there are too many */
  open: (name: string) => FolderTransfer | null;
  folders: () => Record<string, ContextFiles>;
  /** The build has ended: frees what it holds for other builds. */
  release: () => void;
}

/** Held by all builds. */
let held = 0;

interface Folder {
  files: Map<string, SeenFile>;
  isWhole: boolean;
  /** Two folders had this name, or a file changed meanwhile. */
  isMixed: boolean;
}

export function createSeenFiles(): SeenFiles {
  const folders = new Map<string, Folder>();
  let [files, names] = [0, 0];
  let [transfers, isReleased] = [0, false];
  const takeText = (length: number) => {
    if (names + length > MAX_SEEN_NAMES) return false;
    names += length;
    return true;
  };
  const take = (path: string, { link }: SeenFile) => {
    if (isReleased || files >= MAX_SEEN_FILES || held >= MAX_ALL_FILES) return false;
    if (!takeText(path.length + link.length)) return false;
    files += 1;
    held += 1;
    return true;
  };
  let unsummed = MAX_SUMMED_BYTES;
  const sum = (part: Buffer, before: number) => {
    unsummed -= part.length;
    return unsummed < 0 ? null : crc32(part, before);
  };
  return {
    open(name) {
      const folder = folders.get(name) ?? { files: new Map(), isWhole: true, isMixed: false };
      if (!folders.has(name) && (folders.size >= MAX_FOLDERS || !takeText(name.length))) return null;
      if (transfers >= MAX_TRANSFERS) {
        folder.isWhole = false;
        return null;
      }
      transfers += 1;
      folders.set(name, folder);
      return openTransfer(folder, { take, sum, end: () => void (transfers -= 1) });
    },
    folders: () =>
      Object.fromEntries(
        [...folders].flatMap(([name, folder]) =>
          folder.isMixed ? [] : [[name, { files: folder.files, isWhole: folder.isWhole }]],
        ),
      ),
    release() {
      isReleased = true;
      held -= files;
      files = 0;
      folders.clear();
    },
  };
}

const isSame = (one: SeenFile, other: SeenFile) =>
  one.mode === other.mode &&
  one.size === other.size &&
  one.modifiedAt === other.modifiedAt &&
  one.link === other.link;

interface Room {
  /** @returns whether there is room for one more file */
  take: (path: string, file: SeenFile) => boolean;
  /** @returns null when too many bytes were checksummed */
  sum: (part: Buffer, before: number) => number | null;
  end: () => void;
}

function openTransfer(folder: Folder, { take, sum, end }: Room): FolderTransfer {
  const listed: (SeenFile | null)[] = [];
  const open = new Map<number, number>();
  let [isEnded, isFull] = [false, false];
  return {
    addFile(path, file) {
      // The same object for all transfers: one builder may request a content that another one already has.
      const known = folder.files.get(path);
      if (known && !isSame(known, file)) folder.isMixed = true;
      const isKept = known !== undefined || take(path, file);
      if (!isKept) folder.isWhole = false;
      else if (!known) folder.files.set(path, file);
      listed.push(isKept ? (known ?? file) : null);
      isFull = !isKept || listed.length > MAX_SEEN_FILES;
    },
    endList: () => void (isEnded = true),
    addData(id, part) {
      const file = listed[id];
      const before = open.get(id);
      if (!file || file.size > MAX_SUMMED_FILE_BYTES) return;
      // A transfer sends few files at a time; one that starts more is not followed.
      const next = before !== undefined || open.size < MAX_OPEN_FILES ? sum(part, before ?? 0) : null;
      if (next !== null) open.set(id, next);
      else {
        open.delete(id);
        listed[id] = null;
      }
    },
    endFile(id) {
      const file = listed[id];
      const summed = open.get(id) ?? (file?.size === 0 ? 0 : undefined);
      open.delete(id);
      if (file && summed !== undefined) file.digest = summed.toString(16);
    },
    isFull: () => isFull,
    close() {
      end();
      if (!isEnded) folder.isWhole = false;
    },
  };
}

/** Clients send four at a time. */
const MAX_OPEN_FILES = 64;
