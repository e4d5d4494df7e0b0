/** Tokens of people, organizations and projects; `trust/` makes those of jobs. */
import type { Selectable } from "kysely";
import { addToken } from "../changes/add-token.ts";
import type { Accounts } from "../contract/accounts.ts";
import { currentMembership } from "../contract/actor.ts";
import { authorize, selfOf } from "../contract/authorize.ts";
import { authorOf, type Caller, changeRecords } from "../changes/change-records.ts";
import { checkName, invalid } from "../contract/check-input.ts";
import { askDatabase } from "../contract/database-away.ts";
import { requireOrganization } from "../changes/find-organization.ts";
import { MAX_TOKEN_LIFETIME_MS, MAX_TOKENS } from "../contract/limits.ts";
import { type Page, type PageInput, readPage, toPage } from "../contract/page.ts";
import { requirePerson } from "../people/people.ts";
import { findProject } from "../projects/projects.ts";
import { Refused } from "../contract/refused.ts";
import type { AccountTables, TokenType } from "../records/schema.ts";
import { makeToken } from "../contract/token-text.ts";

export interface Token {
  id: string;
  name: string;
  type: TokenType;
  projectId: string | null;
  readOnly: boolean;
  /** The creator's name. */
  owner: string | null;
  createdAt: number;
  lastUsedAt: number | null;
  /** An address. */
  lastUsedFrom: string | null;
  expiresAt: number | null;
}

export interface NewToken {
  name: string;
  /** `user`, `org` or `project` */
  type: string;
  /** For type `project`. */
  projectId?: string;
  /** Milliseconds since 1970; null or absent: never. */
  expiresAt?: number | null;
  readOnly?: boolean;
}

/** Types that a person creates. */
type MadeType = Exclude<TokenType, "job">;
const MADE_TYPES: readonly MadeType[] = ["user", "org", "project"];
type TokenPlace = Record<"organizationId" | "userId" | "projectId", string | null>;

/** @returns the token, and its secret, which appears nowhere else */
export async function createToken(
  accounts: Accounts,
  caller: Caller,
  input: NewToken,
): Promise<{ token: Token; secret: string }> {
  const now = accounts.clock();
  const { readOnly = false, expiresAt = null } = input;
  const name = checkName(input.name, "name");
  const type = checkType(input.type);
  checkExpiry(expiresAt, now);
  if ((type === "project") !== Boolean(input.projectId))
    throw invalid("project_id", `project_id is ${input.projectId ? "only for" : "needed with"} type project`);
  const place = await placeToken(accounts, caller, { type, projectId: input.projectId ?? "" });
  await caller.admitted?.();
  await requireRoom(accounts, place);
  const author = authorOf(caller);
  const { projectId } = place;
  const secret = makeToken(type, accounts.randomBytes);
  return changeRecords(accounts, author, async ({ transaction, audit }) => {
    const record = { ...place, type, secret, name, readOnly, createdBy: author.id, expiresAt };
    const id = await addToken(accounts, transaction, record);
    await audit({
      action: "token.create",
      organizationId: place.organizationId ?? caller.actor.organizationId,
      target: name,
      targetId: id,
      details: { type, ...(projectId && { project_id: projectId }), ...(readOnly && { read_only: "true" }) },
    });
    const owner = author.name;
    const unused = { createdAt: now, lastUsedAt: null, lastUsedFrom: null };
    const token = { id, name, type, projectId, readOnly, owner, expiresAt, ...unused };
    await caller.record?.(transaction, { token, secret });
    return { token, secret };
  });
}

/** Tokens of the caller, and of the organization that the call acts in, newest first, without revoked ones. */
export async function listTokens(accounts: Accounts, caller: Caller, input: PageInput): Promise<Page<Token>> {
  const page = readPage(input, "number");
  const { userId, organizationId, ...person } = requirePersonWithTokens(caller);
  const types: TokenType[] =
    currentMembership({ ...person, userId, organizationId })?.role === "owner"
      ? ["org", "project"]
      : ["project"];
  let query = accounts.db
    .selectFrom("tokens")
    .leftJoin("users", "users.id", "tokens.created_by")
    .selectAll("tokens")
    .select("users.name as owner")
    .where("revoked_at", "is", null)
    .where((row) => {
      const own = row.and([row("tokens.user_id", "=", userId), row("type", "=", "user")]);
      return organizationId === null
        ? own
        : row.or([
            own,
            row.and([row("tokens.organization_id", "=", organizationId), row("type", "in", types)]),
          ]);
    });
  if (page.after) {
    const { sort, id } = page.after;
    query = query.where((row) =>
      row.or([
        row("tokens.created_at", "<", sort),
        row.and([row("tokens.created_at", "=", sort), row("tokens.id", "<", id)]),
      ]),
    );
  }
  const rows = await askDatabase(() =>
    query.orderBy("tokens.created_at", "desc").orderBy("tokens.id", "desc").limit(page.limit).execute(),
  );
  return toPage(rows, page, {
    keyOf: (row) => ({ sort: row.created_at, id: row.id }),
    itemOf: tokenOf,
  });
}

/** @param row with the creator's name */
export function tokenOf(row: Selectable<AccountTables["tokens"]> & { owner: string | null }): Token {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    projectId: row.project_id,
    readOnly: row.read_only === 1,
    owner: row.owner,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    lastUsedFrom: row.last_used_from,
    expiresAt: row.expires_at,
  };
}

/** The owner of a new token, when the caller may create it. */
async function placeToken(
  accounts: Accounts,
  caller: Caller,
  { type, projectId }: { type: MadeType; projectId: string },
): Promise<TokenPlace> {
  if (type === "project") {
    const project = await findProject(accounts, caller, { projectId, action: "token.project" });
    return { organizationId: project.organization_id, userId: null, projectId: project.id };
  }
  if (type === "org") {
    const organizationId = requireOrganization(caller, "token.org");
    return { organizationId, userId: null, projectId: null };
  }
  const { userId } = requirePersonWithTokens(caller);
  return { organizationId: null, userId, projectId: null };
}

/** Not exact when many are created at the same moment, which does no harm. */
async function requireRoom({ db }: Accounts, { organizationId, userId }: TokenPlace): Promise<void> {
  let query = db.selectFrom("tokens").where("revoked_at", "is", null).where("type", "in", MADE_TYPES);
  query =
    organizationId === null
      ? query.where("user_id", "=", userId)
      : query.where("organization_id", "=", organizationId);
  const { count } = await askDatabase(() =>
    query.select((row) => row.fn.countAll<number>().as("count")).executeTakeFirstOrThrow(),
  );
  if (count >= MAX_TOKENS)
    throw new Refused("resource_exhausted", `there are ${MAX_TOKENS} tokens; revoke one first`);
}

function requirePersonWithTokens(caller: Caller) {
  const { actor } = caller;
  if (actor.kind === "user") return requirePerson(caller);
  const refused = authorize(actor, "token.list", selfOf(actor));
  throw refused ?? new Refused("permission_denied", "only a person has tokens");
}

function checkExpiry(expiresAt: number | null, now: number): void {
  if (expiresAt === null) return;
  if (!Number.isSafeInteger(expiresAt) || expiresAt <= now)
    throw invalid("expires_at", "expires_at must be in the future");
  if (expiresAt > now + MAX_TOKEN_LIFETIME_MS)
    throw invalid(
      "expires_at",
      "expires_at must be within ten years; omit it for a token that does not expire",
    );
}

function checkType(type: string): MadeType {
  if (type === "user" || type === "org" || type === "project") return type;
  throw invalid("type", "type must be user, org or project");
}
