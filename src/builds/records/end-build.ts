/** States of builds: each goes `queued` → `running` → one of three ends, and no further. */
import { sql } from "kysely";
import { addRoomEvents, askDatabase, type EventAuthor } from "#accounts/index.ts";
import { inTransaction } from "#platform/database/database.ts";
import type { BuildDetails } from "../contract/builds.ts";
import type { BuildParts } from "../contract/parts.ts";
import type { BuildState, StepState } from "../tables/schema.ts";
import { MAX_ERROR_LENGTH } from "../contract/limits.ts";
import { chargeBuild, chargedMs } from "./charge-build.ts";
import { joinPlatforms } from "../contract/join-platforms.ts";
import { type BuildRow, readDetails } from "./read-build.ts";

type Parts = Pick<BuildParts, "accounts" | "database" | "changes" | "clock" | "places" | "log" | "timeoutMs">;

export interface Ending {
  state: Exclude<BuildState, "queued" | "running">;
  error?: string;
  digest?: string;
  image?: string;
  /** When `buildkitd` ended it; absent: now. */
  finishedAt?: number;
  /** The person who canceled it; absent: the server. */
  by?: EventAuthor;
  details?: Partial<BuildDetails>;
}

export const TEXTS = { start: "started", succeeded: "succeeded", failed: "failed", canceled: "was canceled" };

/** @returns false if it had already ended */
export async function endBuild(parts: Parts, row: BuildRow, ending: Ending): Promise<boolean> {
  const { accounts, database, changes, clock } = parts;
  const now = ending.finishedAt ?? clock();
  const { error, digest, image } = cleanEnding(ending);
  const isDone = await askDatabase(() =>
    inTransaction(database, async (transaction) => {
      const current = await transaction
        .selectFrom("builds")
        .select(["state", "details", "started_at", "search_text", "revision"])
        .where("id", "=", row.id)
        .executeTakeFirst();
      if (current?.state !== "queued" && current?.state !== "running") return false;
      await transaction
        .updateTable("builds")
        .set({
          state: ending.state,
          revision: current.revision + 1,
          finished_at: now,
          duration_ms: current.started_at === null ? -1 : Math.max(0, now - current.started_at),
          // It contains unmasked text.
          reported: "",
          error,
          digest,
          image,
          canceled_by: ending.state === "canceled" ? (ending.by?.name ?? "") : "",
          details: JSON.stringify({ ...readDetails(current), ...ending.details }),
          search_text: [current.search_text, error, image, digest].join(" ").toLowerCase(),
        })
        .where("id", "=", row.id)
        .execute();
      const stepState = ending.state === "succeeded" ? "succeeded" : "canceled";
      await endSteps(transaction, row.id, { state: stepState, revision: current.revision + 1, now });
      await transaction.deleteFrom("build_places").where("build_id", "=", row.id).execute();
      const ms = chargedMs(current.started_at, now, parts.timeoutMs);
      await chargeBuild(transaction, row, { builds: 1, ms, at: now });
      const text = `build ${row.id} of ${row.project} ${TEXTS[ending.state]}`;
      const kind = ending.state === "canceled" ? "build.cancel" : "build.finish";
      await tell(parts, transaction, { row, kind, text, by: ending.by ?? creatorOf(row) });
      return true;
    }),
  );
  if (!isDone) return false;
  changes.notify(row.id);
  accounts.events.wake();
  // If this fails, the next check does it.
  await parts.places
    .fill(row.project_id)
    .catch((error: unknown) =>
      parts.log.warn("Could not give a free place to a waiting build yet.", { error }),
    );
  return true;
}

/** As stored. */
export const cleanEnding = ({ error = "", digest = "", image = "" }: Ending) => ({
  error: cleanText(error).slice(0, MAX_ERROR_LENGTH),
  digest,
  image,
});

/** Ends steps whose end was not seen. */
async function endSteps(
  transaction: Transaction,
  buildId: string,
  { state, revision, now }: { state: StepState; revision: number; now: number },
): Promise<void> {
  await transaction
    .updateTable("build_steps")
    .set((step) => ({
      state,
      finished_at: now,
      duration_ms: sql<number>`${now} - coalesce(${step.ref("started_at")}, ${now})`,
      revision,
    }))
    .where("build_id", "=", buildId)
    .where("state", "=", "running")
    .execute();
}

/** A running build gets another platform. @returns false if another server has it by now, which opens its builders there */
export async function startBuild(
  parts: Parts & Pick<BuildParts, "holder">,
  row: BuildRow,
  started: { platforms: readonly string[]; usualMs: number },
): Promise<boolean> {
  const { accounts, database, changes, clock, holder } = parts;
  const isOwn = await askDatabase(() =>
    inTransaction(database, async (transaction) => {
      const [updated] = await transaction
        .updateTable("builds")
        .set((column) => ({
          state: "running",
          started_at: clock(),
          platforms: joinPlatforms(started.platforms),
          usual_ms: started.usualMs,
          revision: column("revision", "+", 1),
        }))
        .where("id", "=", row.id)
        .where("state", "=", "queued")
        .where("holder", "=", holder)
        .returning("id")
        .execute();
      if (!updated) {
        const current = await transaction
          .selectFrom("builds")
          .select("holder")
          .where("id", "=", row.id)
          .executeTakeFirst();
        if (current && current.holder !== holder) return false;
        await addPlatforms(transaction, row.id, started.platforms);
        return true;
      }
      const text = `build ${row.id} of ${row.project} ${TEXTS.start}`;
      await tell(parts, transaction, { row, kind: "build.start", text, by: creatorOf(row) });
      return true;
    }),
  );
  changes.notify(row.id);
  accounts.events.wake();
  return isOwn;
}

async function addPlatforms(transaction: Transaction, buildId: string, platforms: readonly string[]) {
  await transaction
    .updateTable("builds")
    .set((column) => ({ platforms: joinPlatforms(platforms), revision: column("revision", "+", 1) }))
    .where("id", "=", buildId)
    .where("state", "=", "running")
    .execute();
}

type Transaction = Parameters<Parameters<typeof inTransaction<TablesOf<Parts["database"]>, unknown>>[1]>[0];
type TablesOf<Of> = Of extends { db: import("kysely").Kysely<infer Tables> } ? Tables : never;

export async function tell(
  { database, clock }: Pick<Parts, "database" | "clock">,
  transaction: Transaction,
  told: {
    row: Pick<BuildRow, "organization_id" | "project_id">;
    kind: string;
    text: string;
    by: EventAuthor;
  },
): Promise<void> {
  const { row, kind, text, by } = told;
  const event = { kind, text, organizationId: row.organization_id, projectId: row.project_id };
  await addRoomEvents({ kind: database.kind, time: clock() }, transaction, {
    actor: by,
    events: [{ ...event, subject: row.project_id }],
  });
}

export const creatorOf = (row: Pick<BuildRow, "created_by" | "created_by_id">): EventAuthor => ({
  name: row.created_by,
  id: row.created_by_id,
});

/** Text that both databases can store. */
export const cleanText = (text: string): string => text.replaceAll("\0", "").toWellFormed();
