/** What an organization uses. */
import type { Accounts } from "./accounts.ts";
import type { Caller } from "./change-records.ts";
import { invalid } from "./check-input.ts";
import { askDatabase } from "./database-away.ts";
import { requireOrganization } from "./find-organization.ts";
import { DAY_MS } from "./limits.ts";
import { countProjects, findProject } from "./projects.ts";

export interface Usage {
  /** Null for one project. */
  apiCalls: number | null;
  projects: number;
  /** Null for one project. */
  members: number | null;
}

/** Notes that a call was answered. It is written with others, every few seconds. */
export function countApiCalls({ uses }: Accounts, organizationId: string): void {
  uses.countCall(organizationId);
}

/** @param input times in milliseconds since 1970; calls are counted by day, in UTC */
export async function getUsage(
  accounts: Accounts,
  caller: Caller,
  { from, to = accounts.clock(), projectId = "" }: { from?: number; to?: number; projectId?: string },
): Promise<Usage> {
  const organizationId = requireOrganization(caller, "usage.read");
  if (from === undefined) throw invalid("from", "from is missing");
  if (!Number.isFinite(from) || !Number.isFinite(to) || from > to)
    throw invalid("from", "from must be before to");
  if (projectId !== "") {
    await findProject(accounts, caller, { projectId, action: "usage.read" });
    return { apiCalls: null, projects: 1, members: null };
  }
  return askDatabase(async () => {
    await accounts.uses.flush();
    const { db } = accounts;
    const calls = await db
      .selectFrom("usage_counts")
      .select((row) => row.fn.sum<number | null>("count").as("count"))
      .where("organization_id", "=", organizationId)
      .where("kind", "=", "api_calls")
      .where("day", ">=", Math.floor(from / DAY_MS))
      .where("day", "<=", Math.floor(to / DAY_MS))
      .executeTakeFirst();
    const members = await db
      .selectFrom("members")
      .select((row) => row.fn.countAll<number>().as("count"))
      .where("organization_id", "=", organizationId)
      .executeTakeFirstOrThrow();
    return {
      apiCalls: calls?.count ?? 0,
      projects: await countProjects(accounts, organizationId),
      members: members.count,
    };
  });
}
