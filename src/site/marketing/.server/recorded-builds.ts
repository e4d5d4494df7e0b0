/** The two builds of the race, as `bench/home-race.ts` recorded them: with an empty cache, and after one line had changed. */
import * as z from "zod";
import recorded from "../../../../content/marketing/recorded-builds.json" with { type: "json" };

const seconds = z.number().min(0);
const span = z.strictObject({ start: seconds, seconds });
const build = z.strictObject({ id: z.string().regex(/^bld_\w{10}$/), seconds: z.number().positive() });

const recordedSchema = z.strictObject({
  recorded: z.iso.date(),
  /** What was built. */
  source: z.string().min(1),
  /** The file of which one line had changed. */
  changed: z.string().min(1),
  cpus: z.int().min(1),
  cold: build,
  warm: build,
  /** At most six, because each has a channel. */
  lanes: z
    .array(
      z.strictObject({ name: z.string().min(1), cold: span, warm: span.extend({ isCached: z.boolean() }) }),
    )
    .min(2)
    .max(6),
});

export type RecordedBuilds = z.infer<typeof recordedSchema>;
export const recordedBuilds = recordedSchema.parse(recorded);
