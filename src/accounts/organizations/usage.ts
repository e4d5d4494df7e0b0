/** An organization's usage. */
import type { Accounts } from "../contract/accounts.ts";
import type { Caller } from "../changes/change-records.ts";
import { invalid } from "../contract/check-input.ts";
import { askDatabase } from "../contract/database-away.ts";
import { requireOrganization } from "../changes/find-organization.ts";
import { DAY_MS, USAGE_KEPT_DAYS } from "../contract/limits.ts";
import { countProjects, findProject } from "../projects/projects.ts";

export interface Usage {
  /** Null for one project. */
  apiCalls: number | null;
  /** Tokens that CI jobs were given in exchange for their own. */
  jobTokens: number;
  /** CI jobs that a trust relationship refused. */
  refusedJobs: number;
  /** Builds that ended. */
  builds: number;
  /** Milliseconds that they ran. */
  buildMs: number;
  projects: number;
  /** Null for one project. */
  members: number | null;
  /** Days on which something was counted, the oldest first. */
  days: readonly UsageDay[];
}

export interface UsageDay {
  /** `2026-11-20`, in UTC. */
  date: string;
  /** Null for one project. */
  apiCalls: number | null;
  jobTokens: number;
  refusedJobs: number;
  builds: number;
  buildMs: number;
}

/** Counts an answered call of a token. Counts are written together, every few seconds. */
export function countApiCalls({ uses }: Accounts, organizationId: string): void {
  uses.countCall(organizationId);
}

/** @param input times in milliseconds since 1970; calls and jobs are counted by day, in UTC */
export async function getUsage(
  accounts: Accounts,
  caller: Caller,
  { from, to = accounts.clock(), projectId = "" }: { from?: number; to?: number; projectId?: string },
): Promise<Usage> {
  const organizationId = requireOrganization(caller, "usage.read");
  if (from === undefined) throw invalid("from", "from is missing");
  if (!Number.isFinite(from) || !Number.isFinite(to) || from > to)
    throw invalid("from", "from must be before to");
  const project =
    projectId === "" ? null : await findProject(accounts, caller, { projectId, action: "usage.read" });
  const of = project
    ? { organizationId: project.organization_id, projectId: project.id }
    : { organizationId, projectId: "" };
  const days = await readDays(accounts, { ...of, from, to });
  const sumOf = (name: Exclude<keyof UsageDay, "date">) =>
    days.reduce((sum, day) => sum + (day[name] ?? 0), 0);
  const counts = {
    jobTokens: sumOf("jobTokens"),
    refusedJobs: sumOf("refusedJobs"),
    builds: sumOf("builds"),
    buildMs: sumOf("buildMs"),
  };
  if (project) return { ...counts, apiCalls: null, projects: 1, members: null, days };
  return askDatabase(async () => {
    const members = await accounts.db
      .selectFrom("members")
      .select((row) => row.fn.countAll<number>().as("count"))
      .where("organization_id", "=", organizationId)
      .executeTakeFirstOrThrow();
    const projects = await countProjects(accounts, organizationId);
    return { ...counts, apiCalls: sumOf("apiCalls"), projects, members: members.count, days };
  });
}

async function readDays(
  { db, uses }: Accounts,
  span: { organizationId: string; projectId: string; from: number; to: number },
): Promise<UsageDay[]> {
  const { organizationId, projectId, from, to } = span;
  const rows = await askDatabase(async () => {
    await uses.flush();
    return db
      .selectFrom("usage_counts")
      .select(["day", "kind", "count"])
      .where("organization_id", "=", organizationId)
      .where("project_id", "=", projectId)
      .where("day", ">=", Math.floor(from / DAY_MS))
      .where("day", "<=", Math.floor(to / DAY_MS))
      .orderBy("day")
      .execute();
  });
  const nothing = {
    apiCalls: projectId === "" ? 0 : null,
    jobTokens: 0,
    refusedJobs: 0,
    builds: 0,
    buildMs: 0,
  };
  const days = new Map<number, Omit<UsageDay, "date">>();
  for (const { day, kind, count } of rows)
    days.set(day, { ...(days.get(day) ?? nothing), [NAMES[kind]]: count });
  return [...days]
    .slice(-USAGE_KEPT_DAYS)
    .map(([day, counts]) => ({ date: new Date(day * DAY_MS).toISOString().slice(0, 10), ...counts }));
}

const NAMES = {
  api_calls: "apiCalls",
  job_tokens: "jobTokens",
  refused_jobs: "refusedJobs",
  builds: "builds",
  build_ms: "buildMs",
} as const;
