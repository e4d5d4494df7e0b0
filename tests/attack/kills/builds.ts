/**
 * The site is built again and again, and the build is killed shortly after it has changed something next to its steps'
 * folders, which is when one folder replaces another. A stamp says that a folder is complete: after each kill, every
 * stamped folder must be what an undisturbed build makes, byte for byte.
 */
import { type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { watch } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "#server/pages/build-folders.ts";
import { readStamps, stampFile } from "../../../scripts/steps/stamp-file.ts";
import { createRandom, killProcess, type KillOptions, type KillReport, startProcess } from "./kill.ts";

const SCRIPT = fileURLToPath(new URL("build-loop.ts", import.meta.url));
/** The folders that these steps make. */
const MADE = ["content", "search"];
const BUILD_MS = 120_000;

/** Folder → stamp → hash of the content that it stands for. */
type Complete = Map<string, Map<string, string>>;

export async function run({ kills, seed, log }: KillOptions): Promise<KillReport> {
  const random = createRandom(seed);
  // Built code finds its packages above its folder.
  const folder = join(cacheFolder, `kills-${process.pid}`);
  const file = stampFile(folder);
  const report: KillReport = { kills: 0, acknowledged: 0, lost: [] };
  await mkdir(folder, { recursive: true });
  try {
    const complete = await buildAll(folder);
    while (report.kills < kills) {
      const child = startBuild(folder, "forever");
      await changes(folder, child, 1 + Math.floor(random() * 20));
      await sleep(random() < 0.5 ? 0 : random() * 30);
      await killProcess(child);
      report.kills++;
      await verify(folder, complete, report);
      if (report.kills % 20 === 0)
        log(`builds: ${report.kills} kills, ${report.acknowledged} acknowledged, ${report.lost.length} lost`);
    }
    await rm(file);
    await finish(startBuild(folder, "once"));
    await verify(folder, complete, report);
    const left = (await readdir(folder)).filter((name) => /\.(?:next|old|tmp)$/.test(name));
    if (left.length > 0) report.lost.push(`the last build left ${left.join()}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return report;
}

/** The result of an undisturbed build. */
async function buildAll(folder: string): Promise<Complete> {
  const complete: Complete = new Map(MADE.map((name) => [name, new Map()]));
  await finish(startBuild(folder, "once"));
  const stamps = await readStamps(stampFile(folder));
  for (const name of MADE) complete.get(name)!.set(stamps[name]!, await hashFolder(join(folder, name)));
  return complete;
}

async function verify(folder: string, complete: Complete, report: KillReport): Promise<void> {
  const stamps = await readStamps(stampFile(folder));
  for (const name of MADE) {
    const stamp = stamps[name];
    if (stamp === undefined) continue;
    report.acknowledged++;
    const wanted = complete.get(name)!.get(stamp);
    const found = await hashFolder(join(folder, name)).catch((error: unknown) => String(error));
    if (wanted !== found) report.lost.push(`${name} is stamped ${stamp.slice(0, 8)} and is ${found}`);
  }
}

function startBuild(folder: string, mode: "once" | "forever"): ChildProcess {
  return startProcess(SCRIPT, [mode], { BUILD_DIR: folder });
}

async function finish(child: ChildProcess): Promise<void> {
  const [code] = await once(child, "exit", { signal: AbortSignal.timeout(BUILD_MS) });
  if (code !== 0) throw new Error(`The build ended with code ${String(code)}.`);
}

/** Resolves when the folder's entries have changed that often. @throws when the build ends before that */
async function changes(folder: string, child: ChildProcess, times: number): Promise<void> {
  const watcher = watch(folder);
  let count = 0;
  try {
    await new Promise<void>((resolve, reject) => {
      watcher.on("change", () => {
        if (++count === times) resolve();
      });
      child.once("exit", (code) => reject(new Error(`The build ended with code ${String(code)}.`)));
      AbortSignal.timeout(BUILD_MS).addEventListener("abort", () =>
        reject(new Error("The build changes nothing.")),
      );
    });
  } finally {
    watcher.close();
  }
}

async function hashFolder(folder: string): Promise<string> {
  const hash = createHash("sha256");
  for (const name of (await readdir(folder)).sort())
    hash.update(`${name}\0`).update(await readFile(join(folder, name)));
  return hash.digest("hex").slice(0, 16);
}
