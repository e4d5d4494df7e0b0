/** Registers a build. */
import {
  type Actor,
  askDatabase,
  authorize,
  type Caller,
  getProject,
  newId,
  quoteReference,
  Refused,
} from "#accounts/index.ts";
import { inTransaction } from "#platform/database/database.ts";
import type { Build, BuildJob, CreateInput } from "../contract/builds.ts";
import {
  MAX_BRANCH_LENGTH,
  MAX_COMMIT_LENGTH,
  MAX_LABEL_LENGTH,
  MAX_LABEL_NAME_LENGTH,
  MAX_LABELS,
  MAX_OPEN_BUILDS,
  MAX_OPEN_BUILDS_OF_ORGANIZATION,
  MAX_SAVE_TAGS,
} from "../contract/limits.ts";
import type { BuildParts } from "../contract/parts.ts";
import { creatorOf, tell } from "./end-build.ts";
import { isOpen } from "../tables/open-index.ts";
import { selectBuilds, toBuild } from "./read-build.ts";

const TAG = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/;
/** Tags that name the images of builds. */
const BUILD_TAG = /^bld_[0-9a-z]{10}$/;

export async function createBuild(parts: BuildParts, caller: Caller, input: CreateInput): Promise<Build> {
  const { accounts, database, clock } = parts;
  const checked = checkInput(input);
  const project = await getProject(accounts, caller, { projectId: input.projectId });
  const name = `project ${quoteReference(project.id)}`;
  const resource = { name, organizationId: project.organizationId, projectId: project.id };
  const refused = authorize(caller.actor, "build.write", resource);
  if (refused) throw refused;
  await caller.admitted?.();
  const source = { ...checked, ...readClaims(caller.actor, checked) };
  const row = {
    id: newId("bld", accounts.randomBytes),
    project_id: project.id,
    organization_id: project.organizationId,
    state: "queued" as const,
    holder: null,
    created_at: clock(),
    started_at: null,
    finished_at: null,
    cancel_at: null,
    is_saved: input.save || input.saveTags.length > 0 ? (1 as const) : (0 as const),
    save_tags: JSON.stringify(input.saveTags),
    labels: JSON.stringify(input.labels),
    branch: source.branch,
    commit_sha: source.commitSha,
    created_by: caller.actor.name,
    created_by_id: caller.actor.kind === "user" ? caller.actor.userId : caller.actor.tokenId,
    details: JSON.stringify({ job: readJob(caller.actor) }),
    search_text: "",
  };
  const texts = [row.id, ...Object.values(input.labels), ...input.saveTags, row.branch, row.commit_sha];
  row.search_text = texts.join(" ").toLowerCase();
  const build = await askDatabase(() =>
    inTransaction(database, async (transaction) => {
      await checkOpen(transaction, project);
      await transaction.insertInto("builds").values(row).execute();
      const text = `build ${row.id} of ${project.name} registered`;
      await tell(parts, transaction, { row, kind: "build.create", text, by: creatorOf(row) });
      const found = await selectBuilds(transaction).where("builds.id", "=", row.id).executeTakeFirstOrThrow();
      const created = toBuild(found, clock());
      await caller.record?.(transaction, created);
      return created;
    }),
  );
  accounts.events.wake();
  return build;
}

type Transaction = Parameters<typeof tell>[1];

/** @throws Refused when too many builds have not ended */
async function checkOpen(
  transaction: Transaction,
  project: { id: string; organizationId: string },
): Promise<void> {
  const rows = await transaction
    .selectFrom("builds")
    .select((column) => ["project_id", column.fn.countAll<number>().as("open")])
    .where("organization_id", "=", project.organizationId)
    .where(isOpen("state"))
    .groupBy("project_id")
    .execute();
  const own = rows.find((row) => row.project_id === project.id)?.open ?? 0;
  const all = rows.reduce((sum, { open }) => sum + open, 0);
  const refuse = (most: number, whose: string) =>
    new Refused(
      "resource_exhausted",
      `this ${whose} already has ${most} unfinished builds; wait for some to end, or cancel them`,
    );
  if (own >= MAX_OPEN_BUILDS) throw refuse(MAX_OPEN_BUILDS, "project");
  if (all >= MAX_OPEN_BUILDS_OF_ORGANIZATION) throw refuse(MAX_OPEN_BUILDS_OF_ORGANIZATION, "organization");
}

function checkInput({ saveTags, labels, branch, commitSha }: CreateInput) {
  if (saveTags.length > MAX_SAVE_TAGS)
    throw invalid("save_tags", `save_tags has more than ${MAX_SAVE_TAGS} tags`);
  for (const tag of saveTags) {
    if (!TAG.test(tag))
      throw invalid(
        "save_tags",
        `save_tags has ${quoteReference(tag)}; a tag has up to 128 letters, digits, "_", "-" and ".", and cannot begin with "-" or "."`,
      );
    if (BUILD_TAG.test(tag))
      throw invalid(
        "save_tags",
        `save_tags has ${tag}; build ids are reserved as tags of the builds' own images`,
      );
  }
  const entries = Object.entries(labels);
  if (entries.length > MAX_LABELS) throw invalid("labels", `labels has more than ${MAX_LABELS} entries`);
  for (const [name, value] of entries) {
    if (name === "" || name.length > MAX_LABEL_NAME_LENGTH)
      throw invalid(
        "labels",
        `labels has a name that is empty or longer than ${MAX_LABEL_NAME_LENGTH} characters`,
      );
    if (value.length > MAX_LABEL_LENGTH)
      throw invalid(
        "labels",
        `the label ${quoteReference(name)} is longer than ${MAX_LABEL_LENGTH} characters`,
      );
  }
  if (branch.length > MAX_BRANCH_LENGTH)
    throw invalid("branch", `branch is longer than ${MAX_BRANCH_LENGTH} characters`);
  if (commitSha !== "" && (commitSha.length > MAX_COMMIT_LENGTH || !/^[0-9a-f]{7,}$/.test(commitSha)))
    throw invalid("commit_sha", "commit_sha must be 7 to 64 of the characters 0-9 and a-f");
  return { branch, commitSha };
}

/** Claims that a job's issuer vouched for override the job's own. */
function readClaims(actor: Actor, given: { branch: string; commitSha: string }) {
  if (actor.kind !== "job" || !actor.claims) return given;
  const { sha, ref } = actor.claims;
  return {
    branch: (ref?.replace(/^refs\/(?:heads|tags)\//, "") ?? given.branch).slice(0, MAX_BRANCH_LENGTH),
    commitSha: (sha ?? given.commitSha).slice(0, MAX_COMMIT_LENGTH),
  };
}

/** `refs/pull/7/merge`, `refs/merge-requests/7/head` */
function readJob(actor: Actor): BuildJob | null {
  if (actor.kind !== "job" || !actor.claims) return null;
  const { subject, ref, runUrl, workflow, pullUrl } = actor.claims;
  return {
    subject,
    pullRequest: /^refs\/(?:pull|merge-requests)\/(\d{1,12})\//.exec(ref ?? "")?.[1] ?? "",
    pullRequestUrl: pullUrl ?? "",
    workflow: workflow ?? "",
    runUrl: runUrl ?? "",
  };
}

const invalid = (field: string, message: string) => new Refused("invalid_argument", message, { field });
