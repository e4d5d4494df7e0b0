/** Ends and removes control groups. */
import { readdir, readFile, rmdir } from "node:fs/promises";
import { join } from "node:path";

/** @returns how many processes there were */
export async function killAll(group: string): Promise<number> {
  const below = await readdir(group, { withFileTypes: true }).catch(() => []);
  let count = 0;
  for (const each of below) if (each.isDirectory()) count += await killAll(join(group, each.name));
  const processes = await readFile(join(group, "cgroup.procs"), "utf8").catch(() => "");
  for (const id of processes.split("\n").filter(Boolean))
    try {
      process.kill(Number(id), "SIGKILL");
      count += 1;
    } catch {
      // It has ended meanwhile.
    }
  return count;
}

/** How long the kernel may take to release ended processes. */
const REMOVAL_MS = 2_000;
const RETRY_MS = 20;

/** Innermost first: only groups without subgroups can be removed, and their files cannot be deleted. */
export async function removeFolders(folders: readonly string[]): Promise<void> {
  for (const end = performance.now() + REMOVAL_MS; ;) {
    const removed = await Promise.all(folders.map(removeTree));
    if (removed.every(Boolean) || performance.now() > end) return;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** @returns whether it is gone */
async function removeTree(folder: string): Promise<boolean> {
  const below = await readdir(folder, { withFileTypes: true }).catch(() => null);
  if (below === null) return true;
  for (const each of below) if (each.isDirectory()) await removeTree(join(folder, each.name));
  return rmdir(folder).then(
    () => true,
    () => false,
  );
}
