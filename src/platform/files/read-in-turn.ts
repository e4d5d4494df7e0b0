import { readFile } from "node:fs/promises";
import pLimit from "p-limit";

/** Files that are read at once by the whole process; some systems let one have 256 open. */
const AT_ONCE = 32;

const inTurn = pLimit(AT_ONCE);

/** Reads a file when it is its turn: hundreds that are opened together exceed what a process may have open (`EMFILE`). */
export function readInTurn(path: string): Promise<Buffer> {
  return inTurn(() => readFile(path));
}
