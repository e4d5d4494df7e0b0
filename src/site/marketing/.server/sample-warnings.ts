import { HOME_FILE } from "./read-marketing.ts";
import type { Home } from "./schema.ts";

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
