/**
 * Unmasked logs that a server could not have its builders remove when their builds ended, because it was killed, or a builder
 * was. Whether a build of a killed server had secrets is unknown, so the logs of all of them go:
 *
 *   first solve ──► noted ──► build ends ──► no secrets, or logs removed ──► note removed
 *                     └─────► next start, or an hour later: builder opened, its records removed ──► note removed
 */
import { askDatabase } from "#accounts/index.ts";
import { openBuildKit, readRecord } from "../buildkit/client.ts";
import { MAX_CORRECTED, RECOVER_MS } from "../contract/limits.ts";
import type { BuildParts } from "../contract/parts.ts";
import { type BuildRow, selectBuilds } from "../records/read-build.ts";
import { type ForgottenLogs, forgetLogs, forgetRecords } from "./forget-logs.ts";
import { readWant } from "./read-want.ts";

type Parts = Pick<BuildParts, "database" | "builders" | "clock" | "log" | "server">;

/** An end takes seconds. */
const ENDED_MS = 60 * 60 * 1000;

/** Builds of killed processes of this server. To be called before a build can start here. @returns their ids */
export async function findLeft({ database, server }: Parts): Promise<string[]> {
  const query = selectNoted(database);
  // Only one server at a time uses a SQLite file.
  const rows = await (
    database.kind === "sqlite" ? query : query.where("build_kept_logs.server", "=", server)
  ).execute();
  return rows.map(({ build_id: id }) => id);
}

/** Builds that ended an hour ago: their builder was unreachable. */
export async function forgetOverdue(parts: Parts): Promise<void> {
  const { database, builders, clock, server } = parts;
  const query = selectNoted(database).where("builds.finished_at", "<", clock() - ENDED_MS);
  const rows = await // A server that is gone for good cannot do it.
  (builders.isShared ? query : query.where("build_kept_logs.server", "=", server)).execute();
  await forgetLeft(
    parts,
    rows.map(({ build_id: id }) => id),
  );
}

const selectNoted = ({ db }: Parts["database"]) =>
  db
    .selectFrom("build_kept_logs")
    .innerJoin("builds", "builds.id", "build_kept_logs.build_id")
    .select("build_kept_logs.build_id")
    .orderBy("builds.created_at", "desc")
    .limit(MAX_CORRECTED);

/** @param ids of builds that have ended */
export async function forgetLeft(parts: Parts, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await askDatabase(() =>
    selectBuilds(parts.database.db).where("builds.id", "in", ids).execute(),
  );
  for (const row of rows)
    try {
      await forgetBuild(parts, row);
      await noteForgotten(parts, row.id);
    } catch (error) {
      parts.log.warn("A builder may still store the unmasked log of a build. Retrying in an hour.", {
        build: row.id,
        error,
      });
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

async function forgetBuild(parts: Parts, row: BuildRow): Promise<void> {
  const signal = AbortSignal.timeout(RECOVER_MS);
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
