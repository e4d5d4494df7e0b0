/**
 * Unmasked logs that a server could not have its builders remove when their builds ended, because it was killed, or a builder
 * was. Whether a build of a killed server had secrets is unknown, so the logs of all of them go:
 *
 *   first solve ──► noted ──► build ends ──► no secrets, or logs removed ──► note removed
 *                     └─────► next start, or an hour later: builder opened, its records removed ──► note removed
 */
import { sql } from "kysely";
import { askDatabase } from "#accounts/index.ts";
import { openBuildKit, readRecord } from "../buildkit/client.ts";
import { FORGET_OVERDUE_MS, MAX_CORRECTED, RECOVER_MS } from "../contract/limits.ts";
import type { BuildParts } from "../contract/parts.ts";
import { type BuildRow, findRow } from "../records/read-build.ts";
import { type ForgottenLogs, forgetLogs, forgetRecords } from "./forget-logs.ts";
import { readWant } from "./read-want.ts";

type Parts = Pick<BuildParts, "database" | "builders" | "clock" | "log" | "server">;

/** An end takes seconds. */
const ENDED_MS = 60 * 60 * 1000;

/** Builds of killed processes of this server. To be called before a build can start here. @returns their ids */
export async function findLeft({ database, server }: Parts): Promise<string[]> {
  const query = selectNoted(database).orderBy("builds.created_at", "desc");
  // Only one server at a time uses a SQLite file.
  const rows = await (
    database.kind === "sqlite" ? query : query.where("build_kept_logs.server", "=", server)
  ).execute();
  return rows.map(({ build_id: id }) => id);
}

/**
 * Builds that ended an hour ago: their builder was unreachable. Ends after `FORGET_OVERDUE_MS`.
 * @param signal ends it, with the build at which it is
 */
export async function forgetOverdue(parts: Parts, signal: AbortSignal): Promise<void> {
  const { database, builders, clock, server } = parts;
  const query = selectNoted(database)
    .where("builds.finished_at", "<", clock() - ENDED_MS)
    // Builds that fail each time must not keep the others from their turn.
    .orderBy(sql`random()`);
  const rows = await // A server that is gone for good cannot do it.
  (builders.isShared ? query : query.where("build_kept_logs.server", "=", server)).execute();
  await forgetLeft(
    parts,
    rows.map(({ build_id: id }) => id),
    AbortSignal.any([signal, AbortSignal.timeout(FORGET_OVERDUE_MS)]),
  );
}

const selectNoted = ({ db }: Parts["database"]) =>
  db
    .selectFrom("build_kept_logs")
    .innerJoin("builds", "builds.id", "build_kept_logs.build_id")
    .select("build_kept_logs.build_id")
    .limit(MAX_CORRECTED);

/**
 * @param ids of builds that have ended, in the order in which they are tried
 * @param signal ends it, with the build at which it is
 */
export async function forgetLeft(parts: Parts, ids: readonly string[], signal?: AbortSignal): Promise<void> {
  for (const id of ids) {
    if (signal?.aborted) return;
    try {
      const row = await askDatabase(() => findRow(parts.database, id));
      // The caches of a deleted project are removed whole, with the logs.
      if (row) await forgetBuild(parts, row, signal);
      await noteForgotten(parts, id);
    } catch (error) {
      parts.log.warn("A builder may still store the unmasked log of a build. Retrying in an hour.", {
        build: id,
        error,
      });
    }
  }
}

interface Ended extends ForgottenLogs {
  hasSecrets: boolean;
  /** Solves that `buildkitd` makes a record of: one that ends later gets it later. */
  kept: number;
}

/** While the builders of a build that has ended are still open. */
export async function forgetEnded(
  parts: Pick<Parts, "database" | "log">,
  buildId: string,
  { hasSecrets, kept, ...logs }: Ended,
): Promise<void> {
  const isDone =
    !hasSecrets ||
    ((await forgetLogs(parts.log, buildId, logs)) &&
      logs.solved.filter(({ record }) => record).length >= kept);
  if (isDone) await noteForgotten(parts, buildId);
}

/** Nothing has to be removed for this build any more. */
async function noteForgotten({ database, log }: Pick<Parts, "database" | "log">, buildId: string) {
  await database.db
    .deleteFrom("build_kept_logs")
    .where("build_id", "=", buildId)
    .execute()
    .catch((error: unknown) =>
      log.debug("Could not note that a build's logs are gone: the next start looks again", {
        build: buildId,
        error,
      }),
    );
}

async function forgetBuild(parts: Parts, row: BuildRow, ends?: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([AbortSignal.timeout(RECOVER_MS), ...(ends ? [ends] : [])]);
  const refs = await askDatabase(() =>
    parts.database.db
      .selectFrom("build_refs")
      .select(["platform", "ref"])
      .where("build_id", "=", row.id)
      .execute(),
  );
  const want = await readWant(parts, row);
  for (const [platform, solves] of Map.groupBy(refs, (each) => each.platform)) {
    const place = await parts.builders.open({ ...want, platform }, { signal });
    try {
      const client = openBuildKit(place.socket);
      const found = [];
      for (const { ref } of solves) if (await readRecord(client, ref, signal)) found.push({ ref });
      await forgetRecords(client, found, signal);
    } finally {
      place.release();
    }
  }
}
