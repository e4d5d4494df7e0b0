/** Everything that is written down when a build that ran here has ended. */
import type { ContextFiles } from "../explain/types.ts";
import { forgetRecord } from "../buildkit/client.ts";
import type { BuildParts } from "../parts.ts";
import type { Masker } from "../masking/masker.ts";
import { analyzeBuild } from "../records/analyze-build.ts";
import { cleanText, endBuild, type Ending } from "../records/end-build.ts";
import { keepFiles } from "../records/files.ts";
import type { BuildRow } from "../records/read-build.ts";
import { readSource } from "../records/read-source.ts";
import { keepRecipes } from "../records/recipes.ts";
import type { Recorder, Solved } from "../records/recorder.ts";
import { writeDurations } from "../records/write-build.ts";

interface Ended {
  ending: Ending;
  recorder: Recorder;
  receivedBytes: number;
  masker: Masker;
  /** Of the builder of a platform. */
  socketOf: (platform: string) => string | undefined;
  /** That its clients have sent. */
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
  if (masker.hasSecrets) await forgetRecords(parts, row.id, told);
  if (state === "succeeded")
    await writeDurations(parts, { projectId: row.project_id, steps, now: parts.clock() });
}

const FORGET_MS = 5000;

/** `buildkitd` keeps logs with all that steps have printed. Ours are made of them by now. */
async function forgetRecords(
  { log }: BuildParts,
  buildId: string,
  { solved, socketOf }: Pick<Ended, "socketOf"> & { solved: readonly Solved[] },
): Promise<void> {
  const signal = AbortSignal.timeout(FORGET_MS);
  try {
    for (const { platform, ref, record } of solved) {
      const socket = socketOf(platform);
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      if (record && socket !== undefined) await forgetRecord(socket, ref, signal);
    }
  } catch (error) {
    log.warn("A builder could not be told to forget a log with secrets. It does so after two days.", {
      build: buildId,
      error,
    });
  }
}
