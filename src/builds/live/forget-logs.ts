/**
 * `buildkitd` keeps the logs of the last builds in files, with everything that steps have printed. After a build with secrets, this
 * server has it remove them, once the server's own records are made. `forget-left.ts` does it for builds of a killed server.
 *
 * Once a client has requested a record by its name, which clients do, it is only removed when such a request ends (0.33,
 * `history.Queue.delete`). So this server opens a request, deletes the record meanwhile, and ends the request.
 */
import { setTimeout } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Log } from "#platform/log/log.ts";
import { type BuildKit, openBuildKit } from "../buildkit/client.ts";
import type { Solved } from "../records/recorder.ts";

const FORGET_MS = 10_000;
const LOOK_MS = 50;
/** Matches no layer: only data that no record needs any more is removed. */
const NO_LAYER = "id==none";

export interface ForgottenLogs {
  solved: readonly Solved[];
  /** The socket of a platform's builder. */
  socketOf: (platform: string) => string | undefined;
}

/** @returns whether all logs of the solves that have a record are gone */
export async function forgetLogs(
  log: Log,
  buildId: string,
  { solved, socketOf }: ForgottenLogs,
): Promise<boolean> {
  const signal = AbortSignal.timeout(FORGET_MS);
  const kept = Map.groupBy(
    solved.filter(({ record }) => record),
    ({ platform }) => socketOf(platform),
  );
  try {
    for (const [socket, records] of kept)
      if (socket !== undefined) await forgetRecords(openBuildKit(socket), records, signal);
    return !kept.has(undefined);
  } catch (error) {
    log.warn("A builder still stores the unmasked log of a build with secrets.", {
      build: buildId,
      error,
    });
    return false;
  }
}

/** @param records that exist: a request for a record that does not exist would wait for it */
export async function forgetRecords(
  client: BuildKit,
  records: readonly Pick<Solved, "ref">[],
  signal: AbortSignal,
): Promise<void> {
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

/** Other requests for the record may still be open. */
async function isLeaving(client: BuildKit, ref: string, signal: AbortSignal): Promise<boolean> {
  try {
    for await (const _ of client.listenBuildHistory({ ref, earlyExit: true }, { signal }));
    return false;
  } catch (error) {
    if (error instanceof ConnectError && [Code.NotFound, Code.Unknown].includes(error.code)) return true;
    throw error;
  }
}
