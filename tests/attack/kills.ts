/** The kill tests in `kills/`: each starts the real thing, ends it at random points and compares. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Stage } from "./attack.ts";
import type { KillOptions } from "./kills/kill.ts";

const KILLS = { short: 3, usual: 20, long: 200 };

export interface KillOutcome {
  kills: number;
  acknowledged: number;
  lost: string[];
}

type Run = (options: KillOptions) => Promise<KillOutcome>;

interface KillLimits extends Pick<KillOptions, "disk"> {
  most?: number;
}

/** @param name of the module in `kills/` */
export async function runKills(
  stage: Stage,
  name: string,
  { most = KILLS.long, disk }: KillLimits = {},
): Promise<void> {
  const file = join(import.meta.dirname, "kills", `${name}.ts`);
  if (!stage.check(existsSync(file), `tests/attack/kills/${name}.ts is not there`)) return;
  // Imported by name, so that a missing one fails only its own attack.
  const { run } = (await import(pathToFileURL(file).href)) as { run: Run };
  const kills = Math.min(most, stage.isLong ? KILLS.long : stage.isShort ? KILLS.short : KILLS.usual);
  const { acknowledged, lost, kills: done } = await run({ kills, seed: stage.seed, log: () => {}, disk });
  stage.check(
    lost.length === 0,
    `${name}: ${lost.length} lost in ${done} kills: ${lost.slice(0, 5).join("; ")}`,
  );
  stage.check(done === kills, `${name}: ${done} kills of ${kills}`);
  const outcome = `${lost.length} lost of ${acknowledged} acknowledged in ${done} kills`;
  stage.report(`${disk ? "power cuts" : "kills"} of ${name.replace("-", " ")}`, outcome);
}
