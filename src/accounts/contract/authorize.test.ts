/**
 * 1. Each action is allowed to exactly the callers that the docs name, for each kind of object; the table below is written
 *    from the pages, not from the code.
 * 2. For an object of another organization every action of every caller gets `not_found`; messages do not distinguish it from
 *    an object that does not exist.
 * 3. A read-only token may pull images, read from the cache and ask who it is, each only as far as its kind may; its
 *    refusals say which token is needed.
 * 4. Nothing is allowed on an object that belongs to no one, except operators' actions on the server.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Actor, UserActor } from "./actor.ts";
import { type Action, authorize, notFound, RULES } from "./authorize.ts";
import type { CacheRight, Role } from "../records/schema.ts";

const OWN = "org_own";
const OTHER = "org_other";
const FIRST = "org_first";

function user(role: Role, organizationId = OWN): UserActor {
  return {
    kind: "user",
    userId: "usr_me",
    name: "ada",
    mail: null,
    via: "token",
    tokenId: "tok_user",
    signInId: null,
    readOnly: false,
    expiresAt: null,
    memberships: [{ organizationId, organization: "acme", role, isFirst: organizationId === FIRST }],
    organizationId,
  };
}
const token = { tokenId: "tok_x", name: "ci", organizationId: OWN, organization: "acme", expiresAt: null };
const job = (projectId: string | null, cache: CacheRight): Actor => ({
  ...token,
  kind: "job",
  projectId,
  cache,
});
const organization: Actor = { ...token, kind: "organization", readOnly: false };

/** The callers, in the order of the columns below. */
const CALLERS: Record<string, Actor> = {
  member: user("member"),
  owner: user("owner"),
  organization,
  project: { ...token, kind: "project", projectId: "prj_own", readOnly: false },
  elsewhere: { ...token, kind: "project", projectId: "prj_else", readOnly: false },
  job: job("prj_own", "write"),
  overlay: job("prj_own", "overlay"),
  reading: job("prj_own", "read"),
  "job elsewhere": job("prj_else", "write"),
  runner: job(null, "write"),
};
const EVERYBODY = Object.keys(CALLERS);
const PEOPLE = ["member", "owner"];
const MOST = [...PEOPLE, "organization"];
const BUILDERS = [...MOST, "project", "job", "overlay", "reading", "runner"];
const JOBS = ["job", "overlay", "reading", "job elsewhere", "runner"];
const WRITERS = [...MOST, "job", "job elsewhere", "runner"];

/** Callers that may do each action to an object of the organization, of the project prj_own, that belongs to no person. */
const ALLOWED: Record<Action, string[]> = {
  "account.read": EVERYBODY,
  "account.update": [],
  "organization.list": ["organization"],
  "organization.create": [],
  "organization.read": MOST,
  "organization.update": ["owner"],
  "organization.delete": ["owner"],
  "member.list": MOST,
  "member.update": ["owner"],
  "member.remove": ["owner"],
  "member.two-step": ["owner"],
  "invitation.create": ["owner"],
  "invitation.list": ["owner"],
  "invitation.revoke": ["owner"],
  "audit.list": ["owner"],
  "project.create": MOST,
  "project.list": MOST,
  "project.read": BUILDERS,
  "project.update": MOST,
  "project.trust": ["owner", "organization"],
  "project.delete": ["owner", "organization"],
  "layer-cache.reset": [...MOST, "project"],
  "token.list": PEOPLE,
  "token.user": [],
  "token.org": ["owner"],
  "token.project": PEOPLE,
  "token.job": ["owner"],
  "exchange.list": MOST,
  "trust.test": MOST,
  "usage.read": MOST,
  "build.read": BUILDERS,
  "build.write": BUILDERS,
  "image.read": BUILDERS,
  "image.write": BUILDERS,
  "mirror.read": EVERYBODY,
  "mirror.write": ["owner"],
  "cache.read": [...MOST, ...JOBS],
  "cache.overlay": [...WRITERS, "overlay"],
  "cache.write": WRITERS,
  "cache.usage": [...MOST, ...JOBS],
  "cache.reset": MOST,
  "cache.purge": ["owner", "organization"],
  "runner.read": MOST,
  "session.read": MOST,
  "session.write": MOST,
  "secret.list": ["owner"],
  "secret.write": ["owner"],
  "console.read": [],
};
/** The table has a key for every action. */
const ACTIONS = Object.keys(RULES) as Action[];
const object = { name: "thing x", organizationId: OWN, projectId: "prj_own" };
const answer = (actor: Actor, action: Action, resource = object) =>
  authorize(actor, action, resource)?.code ?? "yes";

test("1. the table of the docs", () => {
  expect(Object.keys(ALLOWED).sort()).toEqual([...ACTIONS].sort());
  for (const action of ACTIONS) {
    const allowed = EVERYBODY.filter((name) => CALLERS[name] && answer(CALLERS[name], action) === "yes");
    const expected =
      action === "account.read" ? EVERYBODY.filter((name) => !PEOPLE.includes(name)) : ALLOWED[action];
    expect([action, ...allowed].sort(), action).toEqual([action, ...expected].sort());
    for (const name of EVERYBODY.filter((caller) => !allowed.includes(caller)))
      expect(CALLERS[name] && answer(CALLERS[name], action), `${name} ${action}`).toBe("permission_denied");
  }
});

test("1. oneself, operators and messages", () => {
  const mine = { name: "user usr_me", organizationId: null, userId: "usr_me" };
  for (const action of ["account.read", "account.update", "organization.list", "token.user"] as const)
    expect(authorize(user("member"), action, mine)).toBeNull();
  const me = { name: "member usr_me", organizationId: OWN, userId: "usr_me" };
  expect(authorize(user("member"), "member.remove", me)).toBeNull();
  expect(authorize(user("member"), "member.update", me)?.message).toBe("only owners may change members");
  const server = { name: "the server", organizationId: null };
  for (const action of ["organization.create", "console.read"] as const) {
    expect(authorize(user("owner", FIRST), action, server)).toBeNull();
    for (const actor of [user("member", FIRST), ...Object.values(CALLERS)])
      expect(authorize(actor, action, server)?.code).toBe("permission_denied");
  }
  expect(CALLERS["project"] && authorize(CALLERS["project"], "cache.read", object)?.message).toBe(
    "project tokens may not use the cache",
  );
});

test("2. other organizations", () => {
  const id = fc.constantFrom(undefined, "prj_own", "prj_else", "prj_x");
  const person = fc.constantFrom(undefined, null, "usr_me", "usr_x");
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(CALLERS), user("owner", FIRST)),
      fc.constantFrom(...ACTIONS),
      fc.record({ projectId: id, userId: person }),
      (actor, action, { projectId, userId }) => {
        const foreign = {
          name: "thing x",
          organizationId: OTHER,
          ...(projectId !== undefined && { projectId }),
          ...(userId !== undefined && { userId }),
        };
        expect(authorize(actor, action, foreign)).toEqual(notFound(actor, "thing x"));
      },
    ),
  );
  const others = { name: "token tok_y", organizationId: null, userId: "usr_other" };
  for (const action of ACTIONS)
    for (const actor of Object.values(CALLERS))
      expect(authorize(actor, action, others)?.code).toBe("not_found");
});

test("3. read-only", () => {
  const reader = (projectId: string): Actor => ({ ...token, kind: "project", projectId, readOnly: true });
  const readers: [Actor, Action[]][] = [
    [{ ...user("owner"), readOnly: true }, ["image.read", "mirror.read", "cache.read"]],
    [{ ...organization, readOnly: true }, ["account.read", "image.read", "mirror.read", "cache.read"]],
    [reader("prj_own"), ["account.read", "image.read", "mirror.read"]],
    [reader("prj_else"), ["account.read", "mirror.read"]],
  ];
  for (const [actor, may] of readers) {
    expect(ACTIONS.filter((action) => answer(actor, action) === "yes")).toEqual(may);
    for (const action of ["image.write", "build.write", "project.update"] as const)
      expect(authorize(actor, action, object)?.message, action).toMatch(
        /^a read-only token may .+; use a token that is not read-only$/,
      );
  }
  expect(authorize(reader("prj_own"), "image.write", object)?.message).toBe(
    "a read-only token may not push, tag or delete images; use a token that is not read-only",
  );
  expect(authorize(reader("prj_own"), "project.read", object)?.message).toBe(
    "a read-only token may only pull images; use a token that is not read-only",
  );
  expect(authorize(reader("prj_own"), "cache.read", object)?.message).toBe(
    "project tokens may not use the cache",
  );
});

test("4. no one's", () => {
  const nobodys = { name: "the server", organizationId: null };
  for (const action of ACTIONS)
    for (const actor of Object.values(CALLERS)) expect(authorize(actor, action, nobodys)).not.toBeNull();
});
