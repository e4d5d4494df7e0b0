import { parse } from "yaml";
import * as z from "zod";

const wall = z.object({ isSample: z.boolean().default(false), names: z.array(z.unknown()) });
const homeFields = z.object({ customers: wall, partners: wall });

export const homeFile = "content/marketing/home.yaml";

/**
 * What an operator should know before strangers see the site: one sentence for each wall of names that still shows samples.
 * @param yaml the text of `content/marketing/home.yaml`, which the build has checked.
 */
export function sampleWarnings(yaml: string): string[] {
  const walls = homeFields.parse(parse(yaml));
  return (["customers", "partners"] as const)
    .filter((key) => walls[key].isSample && walls[key].names.length > 0)
    .map(
      (key) =>
        `The home page shows sample ${key}. Put your own into ${homeFile} (${key}.names, ${key}.label) and remove ` +
        `"isSample: true", or leave ${key}.names empty to show none.`,
    );
}
