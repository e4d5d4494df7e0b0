/** Writes everything at the end of a build that ran here. */
import type { ContextFiles } from "../explain/types.ts";
import type { BuildParts } from "../contract/parts.ts";
import type { Masker } from "../masking/masker.ts";
import { analyzeBuild } from "../records/analyze-build.ts";
import { cleanText, endBuild, type Ending } from "../records/end-build.ts";
import { keepFiles } from "../records/files.ts";
import type { BuildRow } from "../records/read-build.ts";
import { readSource } from "../records/read-source.ts";
import { keepRecipes } from "../records/recipes.ts";
import type { Recorder } from "../records/recorder.ts";
import { writeDurations } from "../records/write-build.ts";

interface Ended {
  ending: Ending;
  recorder: Recorder;
  receivedBytes: number;
  masker: Masker;
  /** The socket of a platform's builder. */
  socketOf: (platform: string) => string | undefined;
  /** Folders that its clients have sent. */
  folders: Readonly<Record<string, ContextFiles>>;
}

export async function writeEnd(
  parts: BuildParts,
  row: BuildRow,
  { ending, recorder, receivedBytes, masker, socketOf, folders }: Ended,
): Promise<void> {
  const { state } = ending;
  await recorder.end(state === "succeeded" ? "canceled" : state);
  await parts.database.db
    .updateTable("builds")
    .set({ context_bytes: receivedBytes })
    .where("id", "=", row.id)
    .execute();
  const { steps, solved } = recorder;
  const found = await analyzeBuild(parts, row, { state, steps });
  const told = { solved, socketOf, masker };
  const source = state === "failed" ? await readSource(parts, row.id, told) : null;
  await endBuild(parts, row, {
    ...ending,
    error: masker.mask(cleanText(ending.error ?? "")),
    details: { ...ending.details, ...found, source },
  });
  await keepFiles(parts, row, folders);
  await keepRecipes(parts, row.id, told);
  if (state === "succeeded")
    await writeDurations(parts, { projectId: row.project_id, steps, now: parts.clock() });
}
