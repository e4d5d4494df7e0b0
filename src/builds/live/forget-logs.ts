/**
 * `buildkitd` keeps the logs of the last builds in files, with all that steps have printed. Of builds with secrets it is told to remove
 * them, once the records of this server are made.
 *
 * It removes nothing of a record that anybody has ever asked for by its name, which clients do (0.33, `history.Queue.delete`), but for
 * when one who asks for it goes. So this server asks, says meanwhile that it is to be removed, and goes.
 */
import { setTimeout } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Log } from "#platform/log/log.ts";
import { type BuildKit, openBuildKit } from "../buildkit/client.ts";
import type { Solved } from "../records/recorder.ts";

const FORGET_MS = 10_000;
const LOOK_MS = 50;
/** Of no layer: what is removed is what no record needs any more. */
const NO_LAYER = "id==none";

export interface ForgottenLogs {
  solved: readonly Solved[];
  /** Of the builder of a platform. */
  socketOf: (platform: string) => string | undefined;
}

export async function forgetLogs(
  log: Log,
  buildId: string,
  { solved, socketOf }: ForgottenLogs,
): Promise<void> {
  const signal = AbortSignal.timeout(FORGET_MS);
  const kept = Map.groupBy(
    solved.filter(({ record }) => record),
    ({ platform }) => socketOf(platform),
  );
  try {
    for (const [socket, records] of kept)
      if (socket !== undefined) await forget(openBuildKit(socket), records, signal);
  } catch (error) {
    log.warn("A builder still stores the unmasked log of a build with secrets.", {
      build: buildId,
      error,
    });
  }
}

async function forget(client: BuildKit, records: readonly Solved[], signal: AbortSignal): Promise<void> {
  for (const { ref } of records) {
    await forgetRecord(client, ref, signal);
    while (await isLeaving(client, ref, signal)) await setTimeout(LOOK_MS, undefined, { signal });
  }
  for await (const _ of client.prune({ filter: [NO_LAYER] }, { signal }));
}

async function forgetRecord(client: BuildKit, ref: string, signal: AbortSignal): Promise<void> {
  const going = new AbortController();
  try {
    const asked = client.listenBuildHistory({ ref }, { signal: AbortSignal.any([signal, going.signal]) });
    for await (const { record } of asked)
      if (record?.ref === ref) {
        await client.updateBuildHistory({ ref, delete: true }, { signal });
        return;
      }
  } finally {
    going.abort();
  }
}

/** Others may still ask for it. */
async function isLeaving(client: BuildKit, ref: string, signal: AbortSignal): Promise<boolean> {
  try {
    for await (const _ of client.listenBuildHistory({ ref, earlyExit: true }, { signal }));
    return false;
  } catch (error) {
    if (error instanceof ConnectError && [Code.NotFound, Code.Unknown].includes(error.code)) return true;
    throw error;
  }
}
