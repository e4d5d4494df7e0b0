import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Home } from "./schema.ts";

export const HOME_FILE = "content/marketing/home.yaml";

/** In the build, so that a start does not read the marketing pages to say what they show. */
const FILE = "sample-warnings.json";

type Walls = {
  [Wall in "customers" | "partners"]: Pick<Home[Wall], "isSample"> & { names: readonly unknown[] };
};

/** Warnings for the operator before the site is public: one sentence for each wall of names that still shows samples. */
export function sampleWarnings(walls: Walls): string[] {
  return (["customers", "partners"] as const)
    .filter((key) => walls[key].isSample && walls[key].names.length > 0)
    .map(
      (key) =>
        `The home page shows sample ${key}. Put your own into ${HOME_FILE} (${key}.names, ${key}.label) and remove ` +
        `"isSample: true", or leave ${key}.names empty to show none.`,
    );
}

export async function writeSampleWarnings(folder: string, walls: Walls): Promise<void> {
  await writeFile(join(folder, FILE), JSON.stringify(sampleWarnings(walls)));
}

/**
 * None in a build of an earlier release, which has no such file.
 * @param folder of the build's content
 */
export function readSampleWarnings(folder: string): string[] {
  const file = join(folder, FILE);
  // Written by `writeSampleWarnings`.
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as string[]) : [];
}
