/** The first steps that an organization has completed, from its records: a checklist ticks itself, also for later members. */
import type { Accounts } from "../contract/accounts.ts";
import { type Actor, isOwnerOf } from "../contract/actor.ts";
import { askDatabase } from "../contract/database-away.ts";
import { cutText } from "../events/cut-text.ts";

export type FirstRunStep = "login" | "project" | "token" | "job" | "colleague";

export interface DoneStep {
  /** RFC 3339. */
  at: string;
  /** The record that the server found: "ada on ada-mbp". */
  found: { text: string; id?: string };
}

export interface Seen {
  /** Milliseconds since 1970. */
  at: number;
  text: string;
  id?: string;
}

/** Steps whose records are in another room, by key; each finds an organization's first such record. */
export type RoomSteps = Readonly<Record<string, (organizationId: string) => Promise<Seen | null>>>;

/** How the device flow begins a token's name. */
const CLI_TOKEN = "CLI on ";

export async function readFirstRun(
  accounts: Accounts,
  actor: Actor,
  organizationId: string,
  rooms: RoomSteps = {},
): Promise<Record<string, DoneStep | null> & Record<FirstRunStep, DoneStep | null>> {
  const [login, project, token, job, colleague, ...others] = await askDatabase(() =>
    Promise.all([
      findLogin(accounts, actor),
      findProject(accounts, organizationId),
      findUsedToken(accounts, actor, organizationId),
      findJob(accounts, organizationId),
      findColleague(accounts, organizationId),
      ...Object.values(rooms).map((find) => find(organizationId)),
    ]),
  );
  return {
    ...Object.fromEntries(Object.keys(rooms).map((key, at) => [key, stepOf(others[at])])),
    login: stepOf(login),
    project: stepOf(project),
    token: stepOf(token),
    job: stepOf(job),
    colleague: stepOf(colleague),
  };
}

function stepOf(seen: Seen | null | undefined): DoneStep | null {
  if (!seen) return null;
  const { at, text, id } = seen;
  return { at: new Date(at).toISOString(), found: { text: cutText(text), ...(id !== undefined && { id }) } };
}

async function findLogin({ db }: Accounts, actor: Actor): Promise<Seen | null> {
  if (actor.kind !== "user") return null;
  const token = await db
    .selectFrom("tokens")
    .select(["id", "name", "created_at"])
    .where("user_id", "=", actor.userId)
    .where("type", "=", "user")
    .where("name", "like", `${CLI_TOKEN}%`)
    .orderBy("created_at")
    .limit(1)
    .executeTakeFirst();
  if (!token) return null;
  return {
    at: token.created_at,
    text: `${actor.name} on ${token.name.slice(CLI_TOKEN.length)}`,
    id: token.id,
  };
}

async function findProject({ db }: Accounts, organizationId: string): Promise<Seen | null> {
  const project = await db
    .selectFrom("projects")
    .select(["id", "name", "created_at"])
    .where("organization_id", "=", organizationId)
    .orderBy("created_at")
    .limit(1)
    .executeTakeFirst();
  return project ? { at: project.created_at, text: project.name, id: project.id } : null;
}

async function findUsedToken({ db }: Accounts, actor: Actor, organizationId: string): Promise<Seen | null> {
  // As in lists: machines see no tokens, and members do not see an organization's.
  if (actor.kind !== "user") return null;
  const isOwner = isOwnerOf(actor, organizationId);
  const token = await db
    .selectFrom("tokens")
    .select(["id", "name", "last_used_at"])
    .where("organization_id", "=", organizationId)
    .where("type", "in", isOwner ? ["project", "org"] : ["project"])
    .where("last_used_at", "is not", null)
    .orderBy("last_used_at")
    .limit(1)
    .executeTakeFirst();
  return token ? { at: token.last_used_at ?? 0, text: token.name, id: token.id } : null;
}

async function findJob({ db }: Accounts, organizationId: string): Promise<Seen | null> {
  const exchange = await db
    .selectFrom("exchanges")
    .innerJoin("projects", "projects.id", "exchanges.project_id")
    .select(["exchanges.id", "exchanges.time", "exchanges.subject", "projects.name"])
    .where("exchanges.organization_id", "=", organizationId)
    .where("is_refused", "=", 0)
    .orderBy("exchanges.id")
    .limit(1)
    .executeTakeFirst();
  if (!exchange) return null;
  const { id, time: at, subject, name } = exchange;
  return { at, text: subject === "" ? `a job of ${name}` : `${subject}, a job of ${name}`, id };
}

async function findColleague({ db }: Accounts, organizationId: string): Promise<Seen | null> {
  const member = await db
    .selectFrom("members")
    .innerJoin("users", "users.id", "members.user_id")
    .select(["users.id", "users.name", "members.created_at"])
    .where("members.organization_id", "=", organizationId)
    .orderBy("members.created_at")
    .orderBy("users.id")
    .offset(1)
    .limit(1)
    .executeTakeFirst();
  return member ? { at: member.created_at, text: member.name, id: member.id } : null;
}
