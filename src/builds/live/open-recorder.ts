/** Opens the recorder of a build that runs here, with the usual times of its steps. */
import type { Masker } from "../masking/masker.ts";
import { Recorder } from "../records/recorder.ts";
import { readDurations, writeProgress } from "../records/write-build.ts";
import type { LiveOptions } from "./live-options.ts";

export async function openRecorder(options: LiveOptions, masker: Masker): Promise<Recorder> {
  const { row, clock, log } = options;
  return new Recorder({
    buildId: row.id,
    organizationId: row.organization_id,
    masker,
    lastDurations: await readDurations(options, row.project_id),
    clock,
    log,
    write: (progress) => writeProgress(options, row.id, progress),
  });
}
