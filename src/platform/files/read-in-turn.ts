import { readFile } from "node:fs/promises";
import pLimit from "p-limit";

/** Files that the whole process reads at the same time; some systems allow a process 256 open files. */
const AT_ONCE = 32;

const inTurn = pLimit(AT_ONCE);

/** Reads a file when its turn comes: hundreds opened together exceed the process's limit (`EMFILE`). */
export function readInTurn(path: string): Promise<Buffer> {
  return inTurn(() => readFile(path));
}
