/**
 * Removes what builders of a killed server have left. The kernel ends them with it (see builder.ts), so there is seldom more than a
 * folder and empty control groups, which control-groups.ts removes. Only what this data folder's name identifies is removed.
 */
import { readdir, readFile, rm } from "node:fs/promises";
import type { Places } from "./places.ts";

/** @returns how many processes were still running */
export async function removeLeftovers({ runFolder }: Places): Promise<number> {
  const own = await findProcesses(runFolder);
  for (const id of own) kill(id);
  await rm(runFolder, { recursive: true, force: true });
  return own.length;
}

/** Processes that were started with a path below the folder. */
async function findProcesses(folder: string): Promise<number[]> {
  const ids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const commands = await Promise.all(
    ids.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")),
  );
  return ids.filter((id, at) => {
    const parts = commands[at]?.split("\0") ?? [];
    return id !== process.pid && parts.some((part) => part === folder || part.startsWith(`${folder}/`));
  });
}

function kill(id: number): void {
  try {
    process.kill(id, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
