/**
 * The time of an organization's builds, written in the transaction that ends a build: however it ends, its time is counted once. It
 * stays when records of builds are removed.
 */
import type { Transaction } from "kysely";
import { type AccountTables, addUsage } from "#accounts/index.ts";
import type { LeaseTables } from "#platform/database/lease.ts";
import type { BuildDatabase } from "../tables/schema.ts";
import type { BuildRow } from "./read-build.ts";

const DAY_MS = 24 * 60 * 60_000;

/** The time charged for a build: if the clock was set meanwhile, no more than a build may run. @returns milliseconds */
export const chargedMs = (startedAt: number | null, until: number, timeoutMs: number): number =>
  startedAt === null ? 0 : Math.min(timeoutMs, Math.max(0, until - startedAt));

/** @param charged number of builds, and the milliseconds that they ran */
export function chargeBuild(
  transaction: Transaction<AccountTables & LeaseTables>,
  {
    organization_id: organizationId,
    project_id: projectId,
  }: Pick<BuildRow, "organization_id" | "project_id">,
  { builds, ms, at }: { builds: number; ms: number; at: number },
): Promise<void> {
  const day = Math.floor(at / DAY_MS);
  const counts = [
    { kind: "builds", count: builds },
    { kind: "build_ms", count: Math.round(ms) },
  ] as const;
  const counted = ["", projectId].flatMap((project) =>
    counts.map((each) => ({ ...each, organizationId, projectId: project, day })),
  );
  return addUsage(
    transaction,
    counted.filter(({ count }) => count !== 0),
  );
}

/** @returns milliseconds that unfinished builds have run. @param projectId "": all */
export async function sumRunning(
  { db }: BuildDatabase,
  {
    organizationId,
    projectId,
    now,
    timeoutMs,
  }: { organizationId: string; projectId: string; now: number; timeoutMs: number },
): Promise<number> {
  let query = db
    .selectFrom("builds")
    .select("started_at")
    .where("organization_id", "=", organizationId)
    .where("state", "=", "running");
  if (projectId !== "") query = query.where("project_id", "=", projectId);
  const rows = await query.execute();
  return rows.reduce((sum, { started_at: started }) => sum + chargedMs(started, now, timeoutMs), 0);
}
