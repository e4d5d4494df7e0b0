/** Builds of a project or of an organization, a page at a time, with filters. */
import { sql } from "kysely";
import {
  askDatabase,
  authorize,
  type Caller,
  getProject,
  readPage,
  Refused,
  toPage,
} from "#accounts/index.ts";
import type { BuildPage, ListInput } from "../contract/builds.ts";
import { MAX_BRANCH_LENGTH, MAX_QUERY_LENGTH } from "../contract/limits.ts";
import type { BuildParts } from "../contract/parts.ts";
import type { BuildState } from "../tables/schema.ts";
import { hasEnded } from "./follow-build.ts";
import { isOpen } from "../tables/open-index.ts";
import { selectBuilds, toBuild } from "./read-build.ts";

const STATES: readonly BuildState[] = ["queued", "running", "succeeded", "failed", "canceled"];
const SORTS = {
  newest: { column: "created_at", direction: "desc" },
  oldest: { column: "created_at", direction: "asc" },
  slowest: { column: "duration_ms", direction: "desc" },
  fastest: { column: "duration_ms", direction: "asc" },
} as const;

interface Scope {
  organizationId: string;
  /** Null: all of the organization. */
  projectId: string | null;
}

type Parts = Pick<BuildParts, "accounts" | "database" | "clock">;

export async function listBuilds(parts: Parts, caller: Caller, input: ListInput): Promise<BuildPage> {
  const page = readPage(input, "number");
  const sort = readSort(input.sort);
  const states = input.states.map(readState);
  for (const [name, text] of [
    ["query", input.query],
    ["branch", input.branch],
    ["created_by", input.createdBy],
    ["platform", input.platform],
  ] as const)
    if (text.length > Math.max(MAX_QUERY_LENGTH, MAX_BRANCH_LENGTH))
      throw invalid(name, `${name} is too long`);
  const scope = await findScope(parts, caller, input.projectId);
  const { db } = parts.database;
  const column = `builds.${sort.column}` as const;
  let query = filtered(selectBuilds(db), scope, input);
  if (states.length > 0) query = query.where("builds.state", "in", states);
  if (states.length > 0 && !states.some(hasEnded)) query = query.where(isOpen("builds.state"));
  if (sort.column === "duration_ms") query = query.where("duration_ms", ">=", 0);
  const beyond = sort.direction === "desc" ? ("<" as const) : (">" as const);
  const { after } = page;
  if (after)
    query = query.where((row) =>
      row.or([
        row(column, beyond, after.sort),
        row.and([row(column, "=", after.sort), row("builds.id", beyond, after.id)]),
      ]),
    );
  const rows = await askDatabase(() =>
    query.orderBy(column, sort.direction).orderBy("builds.id", sort.direction).limit(page.limit).execute(),
  );
  const counting = filtered(db.selectFrom("builds"), scope, input)
    .select((row) => ["builds.state", row.fn.countAll<number>().as("count")])
    .groupBy("builds.state");
  const counted = await askDatabase(() => counting.execute());
  const { items, nextPageToken } = toPage(rows, page, {
    keyOf: (row) => ({ sort: row[sort.column], id: row.id }),
    itemOf: (row) => ({ ...toBuild(row, parts.clock()), ...LEFT_OUT }),
  });
  return {
    builds: items,
    nextPageToken,
    counts: Object.fromEntries(counted.map(({ state, count }) => [state, Number(count)])),
  };
}

/** Long details, which are only read for a single build. */
const LEFT_OUT = { warnings: [], attestations: [], inputs: null, source: null, criticalPath: [] } as const;

/** The common interface of both queries of a list. */
interface Filterable {
  where(expression: ReturnType<typeof sql<boolean>>): this;
}

function filtered<Query extends Filterable>(query: Query, scope: Scope, input: ListInput): Query {
  const { query: text, branch, createdBy, platform } = input;
  const conditions = [sql<boolean>`builds.organization_id = ${scope.organizationId}`];
  if (scope.projectId !== null) conditions.push(sql<boolean>`builds.project_id = ${scope.projectId}`);
  if (branch !== "") conditions.push(sql<boolean>`builds.branch = ${branch}`);
  if (createdBy !== "") conditions.push(sql<boolean>`builds.created_by = ${createdBy}`);
  if (platform !== "") conditions.push(like(sql`builds.platforms`, ` ${platform} `));
  if (text !== "") conditions.push(like(sql`builds.search_text`, text.toLowerCase()));
  let narrowed = query;
  for (const condition of conditions) narrowed = narrowed.where(condition);
  return narrowed;
}

const like = (column: ReturnType<typeof sql>, text: string) =>
  sql<boolean>`${column} like ${`%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`} escape '\\'`;

/**
 * @param projectId "": the caller's own, or all of the organization
 * @throws Refused when the caller may not read builds there
 */
export async function findScope({ accounts }: Parts, caller: Caller, projectId: string): Promise<Scope> {
  const { actor } = caller;
  const own = actor.kind === "project" || actor.kind === "job" ? actor.projectId : null;
  const wanted = projectId === "" ? own : projectId;
  if (wanted !== null) {
    const project = await getProject(accounts, caller, { projectId: wanted });
    return { organizationId: project.organizationId, projectId: project.id };
  }
  const { organizationId } = actor;
  if (organizationId === null)
    throw new Refused("not_found", "you belong to no organization; ask an owner for an invitation");
  const refused = authorize(actor, "build.read", { name: `organization ${organizationId}`, organizationId });
  if (refused) throw refused;
  return { organizationId, projectId: null };
}

function readState(text: string): BuildState {
  const state = STATES.find((each) => each === text);
  if (state === undefined) throw invalid("states", `states must be among: ${STATES.join(", ")}`);
  return state;
}

function readSort(text: string): (typeof SORTS)[keyof typeof SORTS] {
  const name = text === "" ? "newest" : text;
  const [, sort] = Object.entries(SORTS).find(([each]) => each === name) ?? [];
  if (!sort) throw invalid("sort", `sort must be one of: ${Object.keys(SORTS).join(", ")}`);
  return sort;
}

const invalid = (field: string, message: string) => new Refused("invalid_argument", message, { field });
