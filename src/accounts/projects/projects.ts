/** Projects, their settings, and which jobs they trust. */
import type { Selectable } from "kysely";
import type { Accounts } from "../contract/accounts.ts";
import type { Action } from "../contract/authorize.ts";
import { authorOf, type Caller, changeRecords, refuseDuplicate } from "../changes/change-records.ts";
import { checkNumber, checkProjectName, invalid } from "../contract/check-input.ts";
import { askDatabase } from "../contract/database-away.ts";
import { isSearchable, requireAllowed, requireOrganization } from "../changes/find-organization.ts";
import { newId, quoteReference } from "../contract/ids.ts";
import { readImmutableTags } from "./immutable-tags.ts";
import {
  BUILDER_SIZES,
  DEFAULT_BUILDER_SIZE,
  DEFAULT_CACHE_SIZE_BYTES,
  DEFAULT_RETENTION_DAYS,
  MAX_CACHE_SIZE_BYTES,
  MAX_PROJECTS,
  MAX_RETENTION_DAYS,
  MIN_CACHE_SIZE_BYTES,
} from "../contract/limits.ts";
import { type Page, type PageInput, readPage, toPage } from "../contract/page.ts";
import { Refused } from "../contract/refused.ts";
import type { AccountTables, AccountTransaction } from "../records/schema.ts";
import { readSpoiledCache, type SpoiledCache } from "./spoiled-cache.ts";
import { readTrustRelationships, type TrustRelationship } from "../trust/trust-relationships.ts";

export type ProjectRow = Selectable<AccountTables["projects"]>;

export interface ProjectSettings {
  builderSize?: number | undefined;
  cacheSizeBytes?: number | undefined;
  retentionDays?: number | undefined;
}

export interface Project extends Required<{ [Name in keyof ProjectSettings]: number }> {
  id: string;
  name: string;
  organizationId: string;
  /** Patterns of image tags that never move, with `*` for any characters. */
  immutableTags: readonly string[];
  /** Null: none, or dismissed. */
  spoiledCache: SpoiledCache | null;
  trustRelationships: readonly TrustRelationship[];
  createdAt: number;
  /** Increases with each change. */
  revision: number;
}

export async function createProject(
  accounts: Accounts,
  caller: Caller,
  input: ProjectSettings & { name: string },
): Promise<Project> {
  const organizationId = requireOrganization(caller, "project.create");
  await caller.admitted?.();
  const row = {
    id: newId("prj", accounts.randomBytes),
    organization_id: organizationId,
    name: checkProjectName(input.name),
    builder_size: DEFAULT_BUILDER_SIZE,
    cache_size_bytes: DEFAULT_CACHE_SIZE_BYTES,
    retention_days: DEFAULT_RETENTION_DAYS,
    immutable_tags: null,
    spoiled_cache: null,
    created_at: accounts.clock(),
    revision: 1,
    changed_at: null,
    changed_by: null,
    ...checkSettings(input),
  };
  if ((await countProjects(accounts, organizationId)) >= MAX_PROJECTS)
    throw new Refused("resource_exhausted", `there are ${MAX_PROJECTS} projects; delete one first`);
  return changeRecords(accounts, authorOf(caller), async ({ transaction, audit }) => {
    const adding = transaction.insertInto("projects").values(row).execute();
    await refuseDuplicate(adding, `project ${row.name} already exists; choose another name`, "name");
    await audit({ action: "project.create", organizationId, target: row.name, targetId: row.id });
    const project = projectOf(row, []);
    await caller.record?.(transaction, project);
    return project;
  });
}

export async function getProject(
  accounts: Accounts,
  caller: Caller,
  { projectId }: { projectId: string },
): Promise<Project> {
  const row = await findProject(accounts, caller, { projectId, action: "project.read" });
  return askDatabase(() => withTrust(accounts.db, row));
}

/** In the order of their names, of the organization that the call acts in. */
export async function listProjects(
  accounts: Accounts,
  caller: Caller,
  input: PageInput,
): Promise<Page<Project>> {
  const page = readPage(input, "text");
  const organizationId = requireOrganization(caller, "project.list");
  let query = accounts.db.selectFrom("projects").selectAll().where("organization_id", "=", organizationId);
  if (page.after) query = query.where("name", ">", page.after.sort);
  const { rows, trust } = await askDatabase(async () => {
    const found = await query.orderBy("name").limit(page.limit).execute();
    const ids = found.map(({ id }) => id);
    return { rows: found, trust: await readTrustRelationships(accounts.db, ids) };
  });
  return toPage(rows, page, {
    keyOf: ({ name, id }) => ({ sort: name, id }),
    itemOf: (row) => projectOf(row, trust.get(row.id) ?? []),
  });
}

/** Deletes it with its tokens and trust relationships. */
export async function deleteProject(
  accounts: Accounts,
  caller: Caller,
  { projectId }: { projectId: string },
): Promise<void> {
  const row = await findProject(accounts, caller, { projectId, action: "project.delete" });
  await changeRecords(accounts, authorOf(caller), async ({ transaction, audit, forget }) => {
    const deleted = await transaction
      .deleteFrom("projects")
      .where("id", "=", row.id)
      .returning("id")
      .execute();
    if (deleted.length === 0) throw new Refused("not_found", `project ${row.id} was not found`);
    forget(row.id);
    const organizationId = row.organization_id;
    await audit({ action: "project.delete", organizationId, target: row.name, targetId: row.id });
  });
}

/** @throws Refused when the project does not exist, or the caller may not do the action to it */
export async function findProject(
  accounts: Accounts,
  caller: Caller,
  { projectId, action }: { projectId: string; action: Action },
): Promise<ProjectRow> {
  if (projectId === "") throw invalid("project_id", "project_id is missing");
  const row = await askDatabase(async () =>
    isSearchable(projectId)
      ? accounts.db.selectFrom("projects").selectAll().where("id", "=", projectId).executeTakeFirst()
      : undefined,
  );
  const name = `project ${quoteReference(projectId)}`;
  return requireAllowed(caller, { row, name, action }, (found) => ({
    organizationId: found.organization_id,
    projectId: found.id,
  }));
}

export async function countProjects({ db }: Accounts, organizationId: string): Promise<number> {
  const query = db.selectFrom("projects").where("organization_id", "=", organizationId);
  const counting = query.select((row) => row.fn.countAll<number>().as("count"));
  return (await askDatabase(() => counting.executeTakeFirstOrThrow())).count;
}

/** The given settings, as columns. */
export function checkSettings({ builderSize, cacheSizeBytes, retentionDays }: ProjectSettings) {
  if (builderSize !== undefined && !BUILDER_SIZES.includes(builderSize))
    throw invalid(
      "builder_size",
      `builder_size is ${builderSize}; it must be one of ${BUILDER_SIZES.join(", ")}`,
    );
  const cacheLimits = { min: MIN_CACHE_SIZE_BYTES, max: MAX_CACHE_SIZE_BYTES };
  const dayLimits = { min: 1, max: MAX_RETENTION_DAYS };
  return {
    ...(builderSize !== undefined && { builder_size: builderSize }),
    ...(cacheSizeBytes !== undefined && {
      cache_size_bytes: checkNumber(cacheSizeBytes, "cache_size_bytes", cacheLimits),
    }),
    ...(retentionDays !== undefined && {
      retention_days: checkNumber(retentionDays, "retention_days", dayLimits),
    }),
  };
}

export async function withTrust(db: Accounts["db"] | AccountTransaction, row: ProjectRow): Promise<Project> {
  return projectOf(row, (await readTrustRelationships(db, [row.id])).get(row.id) ?? []);
}

function projectOf(row: ProjectRow, trustRelationships: readonly TrustRelationship[]): Project {
  return {
    id: row.id,
    name: row.name,
    organizationId: row.organization_id,
    builderSize: row.builder_size,
    cacheSizeBytes: row.cache_size_bytes,
    retentionDays: row.retention_days,
    immutableTags: readImmutableTags(row.immutable_tags),
    spoiledCache: readSpoiledCache(row.spoiled_cache),
    trustRelationships,
    createdAt: row.created_at,
    revision: row.revision,
  };
}
