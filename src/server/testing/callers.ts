/** For tests: two organizations, and callers of every kind, valid and invalid, of both. */
import {
  createToken,
  deleteOrganization,
  deleteProject,
  createProject,
  endSignIn,
  removeMember,
  revokeToken,
} from "#accounts/index.ts";
import { makeJobToken, makePerson, type TestPerson } from "#accounts/testing/accounts.ts";
import type { openTestApi } from "#api/testing/api.ts";
import type { CallerKind } from "#api/testing/facts.ts";

export type TestApi = Awaited<ReturnType<typeof openTestApi>>;

export interface TestCaller {
  name: string;
  headers: Readonly<Record<string, string>>;
  /** Null: unknown caller. */
  kind: CallerKind | null;
  /** The refusal that it always gets; null for a known caller. */
  refusal: string | null;
  /** A person's role. */
  role: "owner" | "member" | "none";
  isReadOnly: boolean;
  isForeign: boolean;
  /** The owner of objects that count as its own. */
  person: TestPerson;
}

/** An organization with a project, two people, and a token of each kind. */
export interface TestSide {
  organizationId: string;
  organization: string;
  projectId: string;
  owner: TestPerson;
  member: TestPerson;
}

const COOKIE = "millrace-session";
/** Later than the expiry of every token that should expire. */
const LATER_MS = 60_000;

export async function openSide(api: TestApi, organization: string): Promise<TestSide> {
  const isFirst = organization === "default";
  const owner = await makePerson(
    api,
    `ada-of-${organization}`,
    isFirst ? { isOperator: true } : { organization },
  );
  const organizationId = owner.caller.actor.organizationId ?? "";
  const member = await makePerson(api, `grace-of-${organization}`, { organizationId, role: "member" });
  const { id: projectId } = await createProject(api.accounts, owner.caller, { name: "web" });
  return { organizationId, organization, projectId, owner, member };
}

/** A token of each kind. */
async function makeTokens(api: TestApi, side: TestSide, life: { expiresAt?: number } = {}) {
  const { organizationId, projectId, owner } = side;
  const { accounts } = api;
  const make = (type: string, more: object = {}) =>
    createToken(accounts, owner.caller, { name: `a ${type} token`, type, ...life, ...more });
  const job = await makeJobToken(api, { organizationId, projectId, ...life });
  return {
    user: await make("user"),
    organization: await make("org"),
    project: await make("project", { projectId }),
    job: { token: { id: job.id }, secret: job.secret },
  };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const cookieOf = (cookie: string) => ({ cookie: `${COOKIE}=${cookie}` });
const KINDS = ["user", "organization", "project", "job"] as const;

/** All kinds of callers, of the first organization (`home`) and of another organization. */
export async function makeCallers(api: TestApi, home: TestSide, foreign: TestSide): Promise<TestCaller[]> {
  const good = {
    refusal: null,
    role: "none",
    isReadOnly: false,
    isForeign: false,
    person: home.owner,
  } as const;
  const callers: TestCaller[] = [];
  for (const side of [home, foreign]) {
    const tokens = await makeTokens(api, side);
    const shared = { ...good, isForeign: side === foreign, person: side.owner };
    const where = side === foreign ? "foreign " : "";
    for (const kind of KINDS) {
      const role = kind === "user" ? ("owner" as const) : ("none" as const);
      callers.push({ ...shared, name: `${where}${kind}`, kind, role, headers: bearer(tokens[kind].secret) });
    }
    const browser = { ...cookieOf(side.member.cookie), "sec-fetch-site": "same-origin" };
    const member = { kind: "user", role: "member", person: side.member } as const;
    callers.push({ ...shared, ...member, name: `${where}member's browser`, headers: browser });
  }
  const owner = { ...good, kind: "user", role: "owner" } as const;
  const ofPage = { ...cookieOf(home.owner.cookie), "sec-fetch-site": "same-origin" };
  callers.push({ ...owner, name: "owner's browser", headers: ofPage });
  callers.push({ ...owner, name: "a program with a cookie", headers: cookieOf(home.owner.cookie) });
  for (const [type, kind] of [
    ["user", "user"],
    ["org", "organization"],
    ["project", "project"],
  ] as const) {
    const place = type === "project" ? { projectId: home.projectId } : {};
    const input = { name: "reader", type, readOnly: true, ...place };
    const { secret } = await createToken(api.accounts, home.owner.caller, input);
    const role = type === "user" ? ("owner" as const) : ("none" as const);
    callers.push({
      ...good,
      name: `read-only ${kind}`,
      kind,
      role,
      isReadOnly: true,
      headers: bearer(secret),
    });
  }
  const runner = await makeJobToken(api, { organizationId: home.organizationId, projectId: null });
  callers.push({ ...good, name: "job of a runner", kind: "job", headers: bearer(runner.secret) });
  callers.push(await makeLeaver(api, home));
  return [...callers, ...(await makeNobodies(api, home))];
}

/** A former member with a token from that time. */
async function makeLeaver(api: TestApi, { organizationId, owner }: TestSide): Promise<TestCaller> {
  const person = await makePerson(api, "alan", { organizationId, role: "member" });
  const { secret } = await createToken(api.accounts, person.caller, { name: "laptop", type: "user" });
  await removeMember(api.accounts, owner.caller, { organization: organizationId, userId: person.userId });
  const rest = { refusal: null, role: "none", isReadOnly: false, isForeign: false } as const;
  return { ...rest, name: "removed member", kind: "user", headers: bearer(secret), person };
}

/** Callers that every method refuses, with the documentation's words. */
async function makeNobodies(api: TestApi, home: TestSide): Promise<TestCaller[]> {
  const { accounts, time } = api;
  const { owner } = home;
  const rest = { kind: null, role: "none", isReadOnly: false, isForeign: false, person: owner } as const;
  const nobody = (name: string, headers: Readonly<Record<string, string>>, refusal: string): TestCaller => ({
    ...rest,
    name,
    headers,
    refusal,
  });
  const [good, revoked, unknown, expired] = [
    await makeTokens(api, home),
    await makeTokens(api, home),
    await makeTokens(api, home),
    await makeTokens(api, home, { expiresAt: time.now + 1 }),
  ];
  for (const { token } of Object.values(revoked))
    await revokeToken(accounts, owner.caller, { tokenId: token.id });
  const ids = Object.values(unknown).map(({ token }) => token.id);
  await accounts.db.deleteFrom("tokens").where("id", "in", ids).execute();

  const cookie = cookieOf(owner.cookie);
  const secret = good.user.secret;
  const last = secret.endsWith("a") ? "b" : "a";
  const callers = [
    nobody("no token", {}, "no token"),
    nobody("an empty token", { authorization: "Bearer " }, "no token"),
    nobody("another scheme", { authorization: `Basic ${btoa(`x-token:${secret}`)}` }, "no token"),
    nobody("no scheme, and a cookie", { authorization: secret, ...cookie }, "no token"),
    nobody("damaged token", bearer(secret.slice(0, -1) + last), "token is mistyped or cut off"),
    nobody("token cut off", bearer(secret.slice(0, -1)), "token is mistyped or cut off"),
    nobody(
      "damaged token and a cookie",
      { ...bearer(`${secret}x`), ...cookie },
      "token is mistyped or cut off",
    ),
    nobody("cookie as token", bearer(owner.cookie), "token is mistyped or cut off"),
    nobody("token as cookie", cookieOf(secret), "this browser is signed out"),
    nobody("another site's page", { ...cookie, "sec-fetch-site": "cross-site" }, "no token"),
    nobody("a sister site's page", { ...cookie, "sec-fetch-site": "same-site" }, "no token"),
    nobody("an old browser on another site", { ...cookie, origin: "https://evil.example" }, "no token"),
    nobody("a sandboxed page", { ...cookie, origin: "null" }, "no token"),
    nobody("signed-out browser", cookieOf(await signOut(api, home)), "this browser is signed out"),
    nobody("expired browser", cookieOf(await expireBrowser(api, home)), "this browser is signed out"),
    ...(await makeOrphans(api, home)).map(([name, token]) => nobody(name, bearer(token), "token is unknown")),
  ];
  for (const kind of KINDS) {
    callers.push(nobody(`revoked ${kind}`, bearer(revoked[kind].secret), "token is revoked"));
    callers.push(nobody(`unknown ${kind}`, bearer(unknown[kind].secret), "token is unknown"));
    callers.push(nobody(`expired ${kind}`, bearer(expired[kind].secret), "token is expired"));
  }
  time.now += LATER_MS;
  return callers;
}

/** Tokens whose project or organization was deleted. */
async function makeOrphans(api: TestApi, home: TestSide): Promise<[string, string][]> {
  const { accounts } = api;
  const { owner } = home;
  const { id: projectId } = await createProject(accounts, owner.caller, { name: "gone" });
  const ofProject = await makeTokens(api, { ...home, projectId });
  await deleteProject(accounts, owner.caller, { projectId });
  const gone = await openSide(api, "gone");
  const ofOrganization = await makeTokens(api, gone);
  await deleteOrganization(accounts, gone.owner.caller, { organization: gone.organizationId });
  return [
    ["project token of a deleted project", ofProject.project.secret],
    ["job of a deleted project", ofProject.job.secret],
    ["organization token of a deleted organization", ofOrganization.organization.secret],
    ["project token of a deleted organization", ofOrganization.project.secret],
    ["job of a deleted organization", ofOrganization.job.secret],
  ];
}

async function signOut(api: TestApi, { organizationId }: TestSide): Promise<string> {
  const { cookie, caller } = await makePerson(api, "edsger", { organizationId, role: "owner" });
  await endSignIn(api.accounts, caller, { signInId: caller.actor.signInId ?? "" });
  return cookie;
}

async function expireBrowser({ accounts, ...api }: TestApi, { organizationId }: TestSide): Promise<string> {
  const { cookie, caller } = await makePerson({ accounts }, "barbara", { organizationId, role: "owner" });
  const id = caller.actor.signInId ?? "";
  await accounts.db
    .updateTable("sign_ins")
    .set({ expires_at: api.time.now + 1 })
    .where("id", "=", id)
    .execute();
  accounts.cache.forget(new Set([id]));
  return cookie;
}
