/** Removes content that no one has pulled for long, and content above the quota. */
import type { RegistryParts } from "../../contract/parts.ts";
import { IN_USE_MS, UNUSED_MS } from "../limits.ts";
import { countMirrorBytes, removeEmptyMirrors, removeOldManifests, removeUnnamedBlobs } from "./rows.ts";

export interface SweepOptions {
  parts: Pick<RegistryParts, "database" | "blobs" | "clock" | "log">;
  quotaBytes: number;
  /** Called after rows of a repository were removed. */
  forget: (repositoryId: string) => void;
}

/** In portions; the signal ends it between two of them. */
export async function sweepMirrors(options: SweepOptions, signal: AbortSignal): Promise<void> {
  const { parts } = options;
  const before = parts.clock() - UNUSED_MS;
  // The children of an index may go after it.
  while (!signal.aborted && (await removeManifests(options, { before })));
  await removeBlobs(options, before, signal);
  await makeRoom(options, signal);
  if (!signal.aborted) await removeEmptyMirrors(parts, before);
}

/** Content that was pulled the longest ago is removed first. */
export async function makeRoom(options: SweepOptions, signal: AbortSignal): Promise<void> {
  const { parts, quotaBytes } = options;
  while (!signal.aborted) {
    if ((await countMirrorBytes(parts)) <= quotaBytes) return;
    const before = parts.clock() - IN_USE_MS;
    await removeBlobs(options, before, signal);
    const bytes = (await countMirrorBytes(parts)) - quotaBytes;
    if (bytes <= 0) return;
    if (await removeManifests(options, { before, bytes })) continue;
    const message =
      "Images pulled from other registries take more than MILLRACE_MIRROR_QUOTA, and all of them are in use.";
    return parts.log.warn(message, { quotaBytes });
  }
}

/** @returns whether there were any */
async function removeManifests(
  { parts, forget }: SweepOptions,
  which: { before: number; bytes?: number },
): Promise<boolean> {
  const repositories = await removeOldManifests(parts, which);
  for (const repository of repositories) forget(repository);
  return repositories.length > 0;
}

async function removeBlobs({ parts }: SweepOptions, before: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await removeUnnamedBlobs(parts, before)) > 0);
}
