/** Corrects a build that another server ended because its own server was gone. */
import { sql } from "kysely";
import { askDatabase } from "#accounts/index.ts";
import { inTransaction } from "#platform/database/database.ts";
import type { BuildParts } from "../contract/parts.ts";
import { chargeBuild, chargedMs } from "./charge-build.ts";
import { cleanEnding, creatorOf, type Ending, tell, TEXTS } from "./end-build.ts";
import { type BuildRow, readDetails } from "./read-build.ts";

type Parts = Pick<BuildParts, "accounts" | "database" | "changes" | "clock" | "timeoutMs">;

/** @param row as the other server left it */
export async function correctBuild(parts: Parts, row: BuildRow, ending: Ending): Promise<void> {
  const { accounts, database, changes, clock } = parts;
  const finished_at = ending.finishedAt ?? row.finished_at ?? clock();
  const { error, digest, image } = cleanEnding(ending);
  await askDatabase(() =>
    inTransaction(database, async (transaction) => {
      const [corrected] = await transaction
        .updateTable("builds")
        .set((build) => ({
          state: ending.state,
          revision: build("revision", "+", 1),
          finished_at,
          duration_ms: row.started_at === null ? -1 : Math.max(0, finished_at - row.started_at),
          error,
          digest,
          image,
          canceled_by: "",
          details: JSON.stringify({ ...readDetails(row), ...ending.details }),
          search_text: [row.search_text, error, image, digest].join(" ").toLowerCase(),
        }))
        .where("id", "=", row.id)
        .where("state", "=", row.state)
        .where("error", "=", row.error)
        .returning("revision")
        .execute();
      if (!corrected) return;
      // Steps whose end was not seen were ended with it.
      await transaction
        .updateTable("build_steps")
        .set((step) => ({
          state: ending.state === "succeeded" ? "succeeded" : "canceled",
          finished_at,
          duration_ms: sql<number>`${finished_at} - coalesce(${step.ref("started_at")}, ${finished_at})`,
          revision: corrected.revision,
        }))
        .where("build_id", "=", row.id)
        .where("state", "=", "canceled")
        .where("finished_at", "=", row.finished_at)
        .execute();
      // The difference between what the other server charged and what it ran.
      const chargedUntil = (end: number) => chargedMs(row.started_at, end, parts.timeoutMs);
      const ms = chargedUntil(finished_at) - chargedUntil(row.finished_at ?? finished_at);
      await chargeBuild(transaction, row, { builds: 0, ms, at: finished_at });
      const text = `build ${row.id} of ${row.project} ${TEXTS[ending.state]}, as its server reported once it was back`;
      await tell(parts, transaction, { row, kind: "build.finish", text, by: creatorOf(row) });
    }),
  );
  changes.notify(row.id);
  accounts.events.wake();
}
