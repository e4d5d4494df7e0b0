/** Removes entries that no build has used for days: once a day, in short portions, so that builds hardly wait for it. */
import { readdir, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TRIM_EVERY_MS, TRIM_MS, UNUSED_MS } from "./limits.ts";

const STAMP = "trimmed";

/** Never throws: files that could not be removed today are removed another day. */
export async function trim(folder: string, now = Date.now()): Promise<void> {
  const stamp = join(folder, STAMP);
  try {
    const last = await stat(stamp).catch(() => undefined);
    if (last && now - last.mtimeMs < TRIM_EVERY_MS) return;
    // Written first, so that other processes do not trim as well.
    await writeFile(stamp, "");
    await utimes(stamp, now / 1000, now / 1000);
    const deadline = performance.now() + TRIM_MS;
    const names = (await readdir(folder)).filter((name) => /^[0-9a-f]{2}$/.test(name));
    // Starts at a random folder, so that a short run does not always reach the same ones.
    const start = Math.floor(Math.random() * names.length);
    for (const name of [...names.slice(start), ...names.slice(0, start)]) {
      if (performance.now() > deadline) return;
      await trimFolder(join(folder, name), now);
    }
  } catch {
    // As above.
  }
}

async function trimFolder(folder: string, now: number): Promise<void> {
  const removed = (await readdir(folder)).map(async (name) => {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (now - mtimeMs > UNUSED_MS) await unlink(path);
  });
  await Promise.allSettled(removed);
}
