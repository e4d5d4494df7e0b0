/**
 * Builds that this server ran before it was killed. Its builders ended with it, but a solve may have ended before: `buildkitd`
 * keeps that on disk, and its record counts.
 *
 *   start ──► claims what the killed process held ──► meanwhile: opens the builder, asks its history ──► ends the build
 *                                                                            then: has it remove the build's unmasked logs
 *
 * Builds that another server has ended meanwhile are looked up as well, once, and corrected if the builder knows how they ended.
 */
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { askDatabase } from "#accounts/index.ts";
import { openBuildKit, readRecord } from "../buildkit/client.ts";
import { CORRECT_MS, MAX_CORRECTED, RECOVER_MS } from "../contract/limits.ts";
import { Masker } from "../masking/masker.ts";
import { correctBuild } from "../records/correct-build.ts";
import { cleanText, endBuild, type Ending } from "../records/end-build.ts";
import { judgeSolves } from "../records/judge-solves.ts";
import { type BuildRow, selectBuilds } from "../records/read-build.ts";
import { readInputs } from "../records/read-inputs.ts";
import type { Solved } from "../records/recorder.ts";
import { findLeft, forgetLeft } from "./forget-left.ts";
import type { OpenPlaceOptions } from "./open-place.ts";
import { readWant } from "./read-want.ts";

export const LOST =
  "The server ended while the build ran. Run it again: finished steps are in the layer cache.";

type Parts = Omit<OpenPlaceOptions, "servers">;
type Ref = Pick<Solved, "platform" | "ref">;

export interface Recovering {
  /** Whether it is being recovered here, so that nothing else ends it. */
  has: (buildId: string) => boolean;
  /** Resolves when all have ended. */
  done: Promise<void>;
  /** Starts recovering. */
  begin: () => void;
}

/** @returns immediately; only builds whose client had begun a solve are looked up */
export async function claimLost(parts: Parts): Promise<Recovering> {
  const { database, holder, log } = parts;
  const rows = await selectHeld(parts).where("builds.state", "=", "running").execute();
  const ended = await findEnded(parts);
  const withLogs = await findLeft(parts);
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0)
    await database.db.updateTable("builds").set({ holder }).where("id", "in", ids).execute();
  const left = new Set(ids);
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const recoverAll = async () => {
    for (const row of [...rows, ...ended]) {
      await recover(parts, row);
      left.delete(row.id);
    }
    // Their records count until here.
    await forgetLeft(parts, withLogs);
  };
  return {
    has: (buildId) => left.has(buildId),
    done,
    begin: () =>
      void recoverAll()
        .catch((error: unknown) => log.warn("Could not look for unmasked logs after a restart.", { error }))
        .then(resolve),
  };
}

/** Builds of this server that have a solve. */
function selectHeld({ database, server }: Parts) {
  const query = selectBuilds(database.db).where((row) =>
    row.exists(row.selectFrom("build_refs").select("ref").whereRef("build_refs.build_id", "=", "builds.id")),
  );
  // Only one server at a time uses a SQLite file.
  return database.kind === "sqlite" ? query : query.where("builds.holder", "like", `${server}.%`);
}

/** Builds that other servers ended as lost. */
async function findEnded(parts: Parts): Promise<BuildRow[]> {
  const { database, clock } = parts;
  if (database.kind === "sqlite") return [];
  return selectHeld(parts)
    .where("builds.state", "=", "canceled")
    .where("builds.error", "=", LOST)
    .where("builds.created_at", ">", clock() - CORRECT_MS)
    .orderBy("builds.created_at", "desc")
    .limit(MAX_CORRECTED)
    .execute();
}

async function recover(parts: Parts, row: BuildRow): Promise<void> {
  const { database, log } = parts;
  let ending: Ending | null = null;
  let isAsked = false;
  try {
    const refs = await askDatabase(() =>
      database.db
        .selectFrom("build_refs")
        .select(["platform", "ref"])
        .where("build_id", "=", row.id)
        .execute(),
    );
    const solved = await askBuilders(parts, row, refs);
    ending = maskEnding(judge(solved, parts.registryHost), solved);
    isAsked = true;
  } catch (error) {
    log.warn("Could not read what a builder knows about a build after a restart.", {
      build: row.id,
      error,
    });
  }
  try {
    if (row.state === "running") await endBuild(parts, row, ending ?? { state: "canceled", error: LOST });
    else if (ending) await correctBuild(parts, row, ending);
    // Asking its builder again would give no other answer.
    if (!isAsked) return;
    await database.db.updateTable("builds").set({ holder: null }).where("id", "=", row.id).execute();
  } catch (error) {
    // It is still held by this server without running, so it is found again.
    log.warn("Could not end a build yet.", { build: row.id, error });
  }
}

async function askBuilders(parts: Parts, row: BuildRow, refs: readonly Ref[]): Promise<Solved[]> {
  const signal = AbortSignal.timeout(RECOVER_MS);
  const want = await readWant(parts, row);
  const solved: Solved[] = [];
  for (const platform of new Set(refs.map((each) => each.platform))) {
    const place = await parts.builders.open({ ...want, platform }, { signal });
    try {
      const client = openBuildKit(place.socket);
      for (const { ref } of refs.filter((each) => each.platform === platform))
        solved.push({ platform, ref, record: await readRecord(client, ref, signal) });
    } finally {
      place.release();
    }
  }
  return solved;
}

/** The values masked during the build are lost, except the arguments of its solves. */
function maskEnding(ending: Ending | null, solved: readonly Solved[]): Ending | null {
  if (ending?.error === undefined) return ending;
  const masker = new Masker();
  for (const { record } of solved)
    if (record) masker.addArguments(readInputs(record.frontend, record.frontendAttrs).secrets);
  return { ...ending, error: masker.mask(cleanText(ending.error)) };
}

/** @returns null if a solve had not ended, because the end of the build is then unknown */
function judge(solved: readonly Solved[], registryHost: string): Ending | null {
  const known = new Set(solved.flatMap(({ platform, record }) => (record ? platform : [])));
  if (solved.some(({ platform }) => !known.has(platform))) return null;
  const ending = judgeSolves(solved, { succeeded: true, error: "", digest: "" }, registryHost);
  // After a failure, its client may have begun another solve.
  const isOver =
    ending.state === "succeeded" || (ending.state === "failed" && solved.every(({ record }) => record));
  if (!isOver) return null;
  const ends = solved.flatMap(({ record }) => (record?.completedAt ? timestampMs(record.completedAt) : []));
  return { ...ending, finishedAt: Math.max(...ends) };
}
