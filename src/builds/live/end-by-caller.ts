/** Ends of builds that their clients, or people, request. */
import { askDatabase, type Caller, type EventAuthor, Refused } from "#accounts/index.ts";
import { endedAlready } from "./ended-already.ts";
import type { LiveBuilds } from "./live-builds.ts";
import type { Recovering } from "./recover.ts";
import { MAX_ERROR_LENGTH, SETTLE_MS } from "../contract/limits.ts";
import type { BuildParts } from "../contract/parts.ts";
import { cleanText, endBuild } from "../records/end-build.ts";
import { hasEnded } from "../records/follow-build.ts";
import { type BuildRow, findRow, requireBuild } from "../records/read-build.ts";

type Parts = BuildParts & { liveBuilds: LiveBuilds; recovering: Recovering };
const DIGEST = /^sha256:[0-9a-f]{64}$/;
/** For another server to end a build, which waits briefly for its builder. */
const OTHER_SERVER_MS = 2000 + 2 * SETTLE_MS;

function authorOf({ actor }: Caller): EventAuthor {
  return { name: actor.name, id: actor.kind === "user" ? actor.userId : actor.tokenId };
}

export async function finishBuild(
  parts: Parts,
  caller: Caller,
  input: { buildId: string; succeeded: boolean; error: string; digest: string },
): Promise<void> {
  const row = await requireBuild(parts, caller, { buildId: input.buildId, action: "build.write" });
  if (input.digest !== "" && !DIGEST.test(input.digest))
    throw new Refused("invalid_argument", "digest must be sha256: and 64 of the characters 0-9 and a-f", {
      field: "digest",
    });
  requireOpen(row);
  const error = cleanText(input.error).slice(0, MAX_ERROR_LENGTH);
  const claim = { succeeded: input.succeeded, error, digest: input.digest };
  // Its builder knows better, and is being asked.
  if (parts.recovering.has(row.id)) return parts.recovering.done;
  const live = parts.liveBuilds.get(row.id);
  if (live) return live.finish(claim);
  if (row.state === "running" && (await parts.liveBuilds.isElsewhere(row)))
    return endElsewhere(parts, row, { reported: JSON.stringify(claim) });
  // No builder has worked on it, so its client knows best.
  const state = claim.succeeded ? "succeeded" : "failed";
  const isDone = await endBuild(parts, row, { state, error, digest: claim.succeeded ? claim.digest : "" });
  if (!isDone) requireOpen({ ...row, state: "canceled" });
}

export async function cancelBuild(parts: Parts, caller: Caller, buildId: string): Promise<void> {
  const row = await requireBuild(parts, caller, { buildId, action: "build.write" });
  requireOpen(row);
  const by = authorOf(caller);
  const live = parts.liveBuilds.get(row.id);
  if (live) return live.cancel(`Canceled by ${by.name}.`, by);
  if (row.state === "running" && (await parts.liveBuilds.isElsewhere(row)))
    return endElsewhere(parts, row, { cancel_at: parts.clock(), canceled_by: by.name });
  await endBuild(parts, row, { state: "canceled", error: `Canceled by ${by.name}.`, by });
}

/** The server that runs the build checks for this twice a second. */
async function endElsewhere(
  { database, changes }: Parts,
  row: BuildRow,
  told: { reported: string } | { cancel_at: number; canceled_by: string },
): Promise<void> {
  await askDatabase(() =>
    database.db
      .updateTable("builds")
      .set(told)
      .where("id", "=", row.id)
      .where("state", "=", "running")
      .execute(),
  );
  const giveUp = AbortSignal.timeout(OTHER_SERVER_MS);
  while (!giveUp.aborted) {
    const found = await askDatabase(() => findRow(database, row.id));
    if (!found || hasEnded(found.state)) return;
    await changes.wait(row.id, 250, giveUp);
  }
}

function requireOpen(row: Pick<BuildRow, "id" | "state">): void {
  if (hasEnded(row.state)) throw endedAlready(row);
}
