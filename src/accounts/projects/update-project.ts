/** Changes of a project. A caller who sends the revision they read overwrites no one's change. */
import type { Accounts } from "../contract/accounts.ts";
import { authorize } from "../contract/authorize.ts";
import { authorOf, type Caller, changeRecords, refuseDuplicate } from "../changes/change-records.ts";
import { checkProjectName, invalid } from "../contract/check-input.ts";
import { checkImmutableTags } from "./immutable-tags.ts";
import {
  checkSettings,
  findProject,
  type Project,
  type ProjectRow,
  type ProjectSettings,
  withTrust,
} from "./projects.ts";
import { Refused } from "../contract/refused.ts";
import type { AccountTransaction } from "../records/schema.ts";
import {
  checkTrustRelationships,
  type TrustRelationship,
  type TrustRelationshipInput,
  writeTrustRelationships,
} from "../trust/trust-relationships.ts";

export interface ProjectUpdate extends ProjectSettings {
  projectId: string;
  name?: string | undefined;
  /** The whole new list; an empty one changes nothing. */
  trustRelationships?: readonly TrustRelationshipInput[];
  clearTrustRelationships?: boolean;
  /** The whole new list; an empty one changes nothing. */
  immutableTags?: readonly string[];
  clearImmutableTags?: boolean;
  /** Dismisses the note about its images. */
  clearSpoiledCache?: boolean;
  /** The revision that was read; undefined: the last change wins. */
  revision?: number | undefined;
}

type Settings = ReturnType<typeof checkSettings> & {
  name?: string;
  immutable_tags?: string | null;
  spoiled_cache?: null;
};

export async function updateProject(
  accounts: Accounts,
  caller: Caller,
  input: ProjectUpdate,
): Promise<Project> {
  const { projectId, revision } = input;
  const { id } = await findProject(accounts, caller, { projectId, action: "project.update" });
  const settings: Settings = {
    ...(input.name !== undefined && { name: checkProjectName(input.name) }),
    ...checkSettings(input),
    ...checkImmutableTags(input),
    ...(input.clearSpoiledCache && { spoiled_cache: null }),
  };
  const hasSettings = Object.keys(settings).length > 0;
  const trust = newTrustOf(accounts, input);
  const author = authorOf(caller);
  return changeRecords(accounts, author, async ({ transaction, audit }) => {
    const former = await readProject(transaction, id);
    const organizationId = former.organization_id;
    const resource = { name: `project ${id}`, organizationId, projectId: id };
    const refused = trust === null ? null : authorize(caller.actor, "project.trust", resource);
    if (refused) throw refused;
    if (revision !== undefined && revision !== former.revision) throw changedMeanwhile(former);
    if (!hasSettings && trust === null) return withTrust(transaction, former);
    const event = { organizationId, target: settings.name ?? former.name, targetId: id };
    const note = {
      revision: former.revision + 1,
      changed_at: accounts.clock(),
      changed_by: shownAuthor(caller),
    };
    await writeSettings(transaction, id, { ...settings, ...note });
    if (hasSettings) await audit({ ...event, action: "project.update", details: textsOf(settings) });
    if (trust !== null) {
      await writeTrustRelationships(transaction, id, trust);
      const details = { issuers: trust.map(({ issuer }) => issuer).join(" ") };
      await audit({ ...event, action: "project.trust", details });
    }
    return withTrust(transaction, { ...former, ...settings, ...note });
  });
}

/** The new list; null when it stays. */
function newTrustOf(accounts: Accounts, input: ProjectUpdate): TrustRelationship[] | null {
  const { clearTrustRelationships = false, trustRelationships = [] } = input;
  if (clearTrustRelationships && trustRelationships.length > 0)
    throw invalid(
      "clear_trust_relationships",
      "send either trust_relationships or clear_trust_relationships",
    );
  const isChange = clearTrustRelationships || trustRelationships.length > 0;
  return isChange ? checkTrustRelationships(accounts, trustRelationships) : null;
}

async function readProject(transaction: AccountTransaction, id: string): Promise<ProjectRow> {
  const row = await transaction.selectFrom("projects").selectAll().where("id", "=", id).executeTakeFirst();
  if (!row) throw new Refused("not_found", `project ${id} was not found`);
  return row;
}

async function writeSettings(
  transaction: AccountTransaction,
  id: string,
  changed: Settings & { revision: number },
): Promise<void> {
  const updating = transaction.updateTable("projects").set(changed).where("id", "=", id).execute();
  await refuseDuplicate(updating, `project ${changed.name} already exists; choose another name`, "name");
}

/** Members may change a project, but not know which tokens the organization has. */
const shownAuthor = ({ actor }: Caller) => (actor.kind === "user" ? actor.name : "an organization token");

function changedMeanwhile({ name, changed_at: at, changed_by: by }: ProjectRow): Refused {
  const how = at === null || by === null ? "" : ` by ${by} at ${new Date(at).toISOString()}`;
  return new Refused(
    "failed_precondition",
    `project ${name} was changed${how} after you read it, and nothing was saved; read it again and repeat your change`,
  );
}

const textsOf = (settings: Settings): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value ?? "none")]));
