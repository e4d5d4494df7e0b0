/**
 * Random calls by people and tokens of two organizations, compared with a naive model of each call.
 *
 * 1. Every call is answered as the model predicts, and makes the predicted changes and no others.
 * 2. No answer, and no error, names anything of an organization that the caller does not belong to.
 * 3. The last owner stays; a revoked token never works again, unless its revoker undoes the revocation.
 * 4. The audit log has one line for each change.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import {
  type Caller,
  createInvitation,
  createProject,
  createToken,
  deleteProject,
  getOrganization,
  getProject,
  getUsage,
  identify,
  listAuditEvents,
  listInvitations,
  listMembers,
  listProjects,
  listTokens,
  Refused,
  removeMember,
  restoreToken,
  revokeInvitation,
  revokeToken,
  updateMember,
  updateOrganization,
  updateProject,
} from "./index.ts";
import type { Role } from "./records/schema.ts";
import { joinOrganization, makePerson, openTestAccounts, type TestAccounts } from "./testing/accounts.ts";

const RUNS = { sqlite: 25, postgres: 8 };
const CALLS = 50;
const NAMES = ["web", "api", "worker"];

interface World {
  organizations: Map<string, { name: string; members: Map<string, Role>; changes: number }>;
  people: { id: string; cookie: string }[];
  projects: Map<string, { organization: string; name: string; trusts: number }>;
  tokens: Map<string, ModelToken>;
  invitations: Map<string, string>;
}
interface ModelToken {
  id: string;
  type: "user" | "org" | "project";
  organization: string | null;
  user: string | null;
  project: string | null;
  secret: string;
  isRevoked: boolean;
  revokedBy?: string;
}
/** The caller, as the model sees it. */
interface Asker {
  kind: "user" | "org" | "project";
  userId: string;
  project: string | null;
  current: string | null;
  /** Organization → role. */
  roles: Map<string, Role | "token">;
}
interface Call {
  caller: number;
  operation: keyof typeof OPERATIONS;
  target: number;
  other: number;
}
interface Turn {
  accounts: TestAccounts["accounts"];
  world: World;
  caller: Caller;
  asker: Asker;
  target: number;
  other: number;
}
type Code = string | null;

const pick = <Item>(items: Iterable<Item>, at: number): Item | undefined => {
  const list = [...items];
  return list[at % Math.max(1, list.length)];
};
/** The naive judge. */
function judge(
  { asker }: Turn,
  organization: string | null | undefined,
  who: { kinds?: string; isOwners?: boolean },
): Code {
  if (!organization || !asker.roles.has(organization)) return "not_found";
  if (!(who.kinds ?? "user").includes(asker.kind)) return "permission_denied";
  return who.isOwners && asker.roles.get(organization) === "member" ? "permission_denied" : null;
}
const isLastOwner = (world: World, organization: string, user: string) => {
  const members = world.organizations.get(organization)?.members ?? new Map<string, Role>();
  return (
    members.get(user) === "owner" && [...members.values()].filter((role) => role === "owner").length === 1
  );
};
const changed = ({ world }: Turn, organization: string | null | undefined) => {
  const of = organization && world.organizations.get(organization);
  if (of) of.changes += 1;
};
const names = <Item extends { name: string }>(items: Iterable<Item>) =>
  [...items].map(({ name }) => name).sort();
const all = { pageSize: 100 };

/** Each operation computes the model's expectation, runs, and updates the model once it is done. */
const OPERATIONS = {
  createProject: async (turn: Turn) => {
    const { accounts, world, caller, asker, other } = turn;
    const name = NAMES[other % NAMES.length] ?? "";
    const isTaken = [...world.projects.values()].some(
      (one) => one.organization === asker.current && one.name === name,
    );
    const expected = judge(turn, asker.current, { kinds: "user org" }) ?? (isTaken ? "already_exists" : null);
    return {
      expected,
      run: () => createProject(accounts, caller, { name }),
      done: (project: { id: string }) => {
        world.projects.set(project.id, { organization: asker.current ?? "", name, trusts: 0 });
        changed(turn, asker.current);
      },
    };
  },
  getProject: async (turn: Turn) => {
    const [id = "prj_x", project] = pick(turn.world.projects, turn.target) ?? [];
    let expected = judge(turn, project?.organization, { kinds: "user org project" });
    if (!expected && turn.asker.kind === "project" && turn.asker.project !== id)
      expected = "permission_denied";
    return {
      expected,
      run: () => getProject(turn.accounts, turn.caller, { projectId: id }),
      done: (found: { name: string; trustRelationships: readonly unknown[] }) => {
        expect([found.name, found.trustRelationships.length]).toEqual([project?.name, project?.trusts]);
      },
    };
  },
  listProjects: async (turn: Turn) => ({
    expected: judge(turn, turn.asker.current, { kinds: "user org" }),
    run: () => listProjects(turn.accounts, turn.caller, all),
    done: ({ items }: { items: readonly { name: string }[] }) => {
      const own = [...turn.world.projects.values()].filter((one) => one.organization === turn.asker.current);
      expect(names(items)).toEqual(names(own));
    },
  }),
  renameProject: async (turn: Turn) => {
    const { accounts, world, caller, other } = turn;
    const [id = "prj_x", project] = pick(world.projects, turn.target) ?? [];
    const name = NAMES[other % NAMES.length] ?? "";
    const isTaken = [...world.projects].some(
      ([otherId, one]) => otherId !== id && one.organization === project?.organization && one.name === name,
    );
    const expected = judge(turn, project?.organization, { kinds: "user org" });
    return {
      expected: expected ?? (isTaken ? "already_exists" : null),
      run: () => updateProject(accounts, caller, { projectId: id, name }),
      done: () => {
        if (project) project.name = name;
        changed(turn, project?.organization);
      },
    };
  },
  trust: async (turn: Turn) => {
    const [id = "prj_x", project] = pick(turn.world.projects, turn.target) ?? [];
    const relationship = { issuer: "https://ci.example", claims: { repository: `acme/${turn.other}` } };
    return {
      expected: judge(turn, project?.organization, { kinds: "user org", isOwners: true }),
      run: () =>
        updateProject(turn.accounts, turn.caller, {
          projectId: id,
          trustRelationships: [relationship, relationship],
        }),
      done: () => {
        if (project) project.trusts = 2;
        changed(turn, project?.organization);
      },
    };
  },
  deleteProject: async (turn: Turn) => {
    const { accounts, world, caller, target } = turn;
    const [id = "prj_x", project] = pick(world.projects, target) ?? [];
    return {
      expected: judge(turn, project?.organization, { kinds: "user org", isOwners: true }),
      run: () => deleteProject(accounts, caller, { projectId: id }),
      done: () => {
        world.projects.delete(id);
        for (const token of world.tokens.values()) if (token.project === id) world.tokens.delete(token.id);
        changed(turn, project?.organization);
      },
    };
  },
  createToken: async (turn: Turn) => {
    const { accounts, world, caller, asker, target, other } = turn;
    const type = (["user", "org", "project"] as const)[other % 3] ?? "user";
    const [projectId = "prj_x", project] = pick(world.projects, target) ?? [];
    const organization = { user: null, org: asker.current, project: project?.organization }[type];
    let expected = judge(turn, organization, { isOwners: type === "org" });
    if (type === "user") expected = asker.kind === "user" ? null : "permission_denied";
    return {
      expected,
      run: () =>
        createToken(accounts, caller, { name: "a token", type, ...(type === "project" && { projectId }) }),
      done: ({ token, secret }: { token: { id: string }; secret: string }) => {
        const place = {
          user: type === "user" ? asker.userId : null,
          project: type === "project" ? projectId : null,
        };
        const made = {
          ...place,
          id: token.id,
          type,
          organization: organization ?? null,
          secret,
          isRevoked: false,
        };
        world.tokens.set(token.id, made);
        changed(turn, organization ?? asker.current);
      },
    };
  },
  revokeToken: async (turn: Turn) => {
    const { accounts, world, caller, asker } = turn;
    const [id = "tok_x", token] = pick(world.tokens, turn.target) ?? [];
    const isOwn = asker.kind === "user" && token?.user === asker.userId;
    const place = judge(turn, token?.organization, { isOwners: token?.type === "org" });
    return {
      expected: token?.type === "user" ? (isOwn ? null : "not_found") : place,
      run: () => revokeToken(accounts, caller, { tokenId: id }),
      done: () => {
        if (!token || token.isRevoked) return;
        changed(turn, token.organization ?? asker.current);
        token.isRevoked = true;
        token.revokedBy = asker.userId;
      },
    };
  },
  // The clock stands still, so that it is never too late.
  restoreToken: async (turn: Turn) => {
    const { accounts, world, caller, asker } = turn;
    const [id = "tok_x", token] = pick(world.tokens, turn.target) ?? [];
    const isOwn = asker.kind === "user" && token?.user === asker.userId;
    const place = judge(turn, token?.organization, { isOwners: token?.type === "org" });
    const mayRevoke = token?.type === "user" ? (isOwn ? null : "not_found") : place;
    const isOthers = token?.isRevoked && token.revokedBy !== asker.userId;
    return {
      expected: mayRevoke ?? (isOthers ? "permission_denied" : null),
      run: () => restoreToken(accounts, caller, { tokenId: id }),
      done: () => {
        if (!token?.isRevoked) return;
        changed(turn, token.organization ?? asker.current);
        token.isRevoked = false;
      },
    };
  },
  listTokens: async (turn: Turn) => ({
    expected: turn.asker.kind === "user" ? null : "permission_denied",
    run: () => listTokens(turn.accounts, turn.caller, all),
    done: ({ items }: { items: readonly { id: string }[] }) => {
      const { current, userId, roles } = turn.asker;
      const isOwner = roles.get(current ?? "") === "owner";
      const own = [...turn.world.tokens.values()].filter(
        ({ type, organization, user, isRevoked }) =>
          !isRevoked &&
          (type === "user" ? user === userId : organization === current && (isOwner || type === "project")),
      );
      expect(items.map(({ id }) => id).sort()).toEqual(own.map(({ id }) => id).sort());
    },
  }),
  updateMember: async (turn: Turn) => {
    const { accounts, world, caller, asker, target, other } = turn;
    const organization = pick(world.organizations.keys(), other) ?? "";
    const userId = pick(world.people, target)?.id ?? "";
    const members = world.organizations.get(organization)?.members;
    const former = members?.get(userId);
    const role = target % 2 ? ("owner" as const) : ("member" as const);
    let expected = judge(turn, organization, { isOwners: true }) ?? (former ? null : "not_found");
    if (!expected && role === "member" && isLastOwner(world, organization, userId))
      expected = "failed_precondition";
    return {
      expected,
      run: () => updateMember(accounts, caller, { organization, userId, role }),
      done: () => {
        if (former !== role) changed({ ...turn, asker }, organization);
        members?.set(userId, role);
      },
    };
  },
  removeMember: async (turn: Turn) => {
    const { accounts, world, caller, asker, target, other } = turn;
    const organization = pick(world.organizations.keys(), other) ?? "";
    const userId = pick(world.people, target)?.id ?? "";
    const members = world.organizations.get(organization)?.members;
    const isSelf = asker.kind === "user" && asker.userId === userId;
    let expected =
      judge(turn, organization, { isOwners: !isSelf }) ?? (members?.has(userId) ? null : "not_found");
    if (!expected && isLastOwner(world, organization, userId)) expected = "failed_precondition";
    return {
      expected,
      run: () => removeMember(accounts, caller, { organization, userId }),
      done: () => {
        members?.delete(userId);
        changed(turn, organization);
      },
    };
  },
  listMembers: async (turn: Turn) => {
    const organization = pick(turn.world.organizations.keys(), turn.other) ?? "";
    return {
      expected: judge(turn, organization, { kinds: "user org" }),
      run: () => listMembers(turn.accounts, turn.caller, { organization, ...all }),
      done: ({ items }: { items: readonly { userId: string; role: Role }[] }) => {
        const members = turn.world.organizations.get(organization)?.members;
        expect(new Map(items.map(({ userId, role }) => [userId, role]))).toEqual(members);
      },
    };
  },
  invite: async (turn: Turn) => {
    const { accounts, world, caller, other } = turn;
    const organization = pick(world.organizations.keys(), other) ?? "";
    return {
      expected: judge(turn, organization, { isOwners: true }),
      run: () => createInvitation(accounts, caller, { organization }),
      done: ({ invitation }: { invitation: { id: string } }) => {
        world.invitations.set(invitation.id, organization);
        changed(turn, organization);
      },
    };
  },
  revokeInvitation: async (turn: Turn) => {
    const { accounts, world, caller, target } = turn;
    const [id = "inv_x", organization] = pick(world.invitations, target) ?? [];
    return {
      expected: judge(turn, organization, { isOwners: true }),
      run: () => revokeInvitation(accounts, caller, { invitationId: id }),
      done: () => {
        world.invitations.delete(id);
        changed(turn, organization);
      },
    };
  },
  listInvitations: async (turn: Turn) => ({
    expected: judge(turn, turn.asker.current, { isOwners: true }),
    run: () => listInvitations(turn.accounts, turn.caller, all),
    done: ({ items }: { items: readonly { id: string }[] }) => {
      const open = [...turn.world.invitations]
        .filter(([, of]) => of === turn.asker.current)
        .map(([id]) => id);
      expect(items.map(({ id }) => id).sort()).toEqual(open.sort());
    },
  }),
  rename: async (turn: Turn) => {
    const { accounts, world, caller, target, other } = turn;
    const [id = "", organization] = pick(world.organizations, other) ?? [];
    const name = `${organization?.name.split("-")[0] ?? ""}-${target % 3}`;
    return {
      expected: judge(turn, id, { isOwners: true }),
      run: () => updateOrganization(accounts, caller, { organization: id, name }),
      done: () => {
        if (organization && organization.name !== name) changed(turn, id);
        if (organization) organization.name = name;
      },
    };
  },
  getOrganization: async (turn: Turn) => {
    const [id, organization] = pick(turn.world.organizations, turn.other) ?? [];
    return {
      expected: judge(turn, id, { kinds: "user org" }),
      run: () => getOrganization(turn.accounts, turn.caller, { organization: organization?.name ?? "" }),
      done: (found: { id: string; role: Role | null }) => {
        const role = turn.asker.kind === "user" ? turn.asker.roles.get(id ?? "") : null;
        expect(found).toMatchObject({ id, role });
      },
    };
  },
  audit: async (turn: Turn) => {
    const organization = pick(turn.world.organizations.keys(), turn.other) ?? "";
    return {
      expected: judge(turn, organization, { isOwners: true }),
      run: () => listAuditEvents(turn.accounts, turn.caller, { organization, ...all }),
      done: () => {},
    };
  },
  usage: async (turn: Turn) => ({
    expected: judge(turn, turn.asker.current, { kinds: "user org" }),
    run: () => getUsage(turn.accounts, turn.caller, { from: 0 }),
    done: ({ projects }: { projects: number }) => {
      const own = [...turn.world.projects.values()].filter((one) => one.organization === turn.asker.current);
      expect(projects).toBe(own.length);
    },
  }),
};

function askerOf(world: World, person: { id: string } | null, token: ModelToken | null): Asker {
  const userId = person?.id ?? token?.user ?? "";
  if (token && token.type !== "user") {
    const current = token.organization ?? "";
    return {
      kind: token.type,
      userId,
      project: token.project,
      current,
      roles: new Map([[current, "token"]]),
    };
  }
  const roles = new Map<string, Role>();
  for (const [id, { members }] of world.organizations) {
    const role = members.get(userId);
    if (role) roles.set(id, role);
  }
  const current = [...roles.keys()].sort()[0] ?? null;
  return { kind: "user", userId, project: null, current, roles };
}

/** Ids and unique words of organizations that the caller does not belong to. */
function foreignTo(world: World, asker: Asker): string[] {
  const isForeign = (organization: string | null | undefined) =>
    !!organization && !asker.roles.has(organization);
  return [
    ...[...world.organizations.keys()].filter(isForeign),
    ...[...world.projects].flatMap(([id, { organization }]) => (isForeign(organization) ? [id] : [])),
    ...[...world.tokens.values()].flatMap(({ id, organization, secret }) =>
      isForeign(organization) ? [id, secret] : [],
    ),
    ...[...world.invitations].flatMap(([id, organization]) => (isForeign(organization) ? [id] : [])),
  ];
}

async function play({ accounts }: TestAccounts, world: World, call: Call): Promise<void> {
  const people = world.people.length;
  const person = call.caller % 2 ? (world.people[(call.caller >> 1) % people] ?? null) : null;
  const token = person ? null : (pick(world.tokens.values(), call.caller >> 1) ?? null);
  if (!person && !token) return;
  const asking = identify(accounts, person ? { cookie: person.cookie } : { bearer: token?.secret });
  if (token?.isRevoked) return expect(asking).rejects.toThrow("token is revoked");
  const asker = askerOf(world, person, token);
  const caller = { actor: await asking, address: "192.0.2.7" };
  const turn = { accounts, world, caller, asker, target: call.target, other: call.other };
  const { expected, run, done } = await OPERATIONS[call.operation](turn);
  const foreign = foreignTo(world, asker);
  let said: string;
  try {
    const answer = await run();
    expect(null, `${call.operation} by ${asker.kind}`).toBe(expected);
    // Each operation's `done` takes the result of its `run`.
    (done as (answer: unknown) => void)(answer);
    said = JSON.stringify(answer ?? {});
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    expect(error.code, `${call.operation} by ${asker.kind}: ${error.message}`).toBe(expected);
    // The message repeats the id of the request.
    said = error.code === "not_found" ? "" : error.message;
  }
  for (const one of foreign) expect(said).not.toContain(one);
}

async function expectSame({ accounts: { db } }: TestAccounts, world: World): Promise<void> {
  const own = [...world.organizations.keys()];
  const people = world.people.map(({ id }) => id);
  const organizations = await db.selectFrom("organizations").selectAll().where("id", "in", own).execute();
  expect(new Map(organizations.map(({ id, name }) => [id, name]))).toEqual(
    new Map([...world.organizations].map(([id, { name }]) => [id, name])),
  );
  const members = await db.selectFrom("members").selectAll().where("organization_id", "in", own).execute();
  const listed = members.map(({ organization_id, user_id, role }) => `${organization_id} ${user_id} ${role}`);
  const expected = [...world.organizations].flatMap(([id, of]) =>
    [...of.members].map(([user, role]) => `${id} ${user} ${role}`),
  );
  expect(listed.sort()).toEqual(expected.sort());
  for (const { members } of world.organizations.values()) expect([...members.values()]).toContain("owner");
  const projects = await db.selectFrom("projects").selectAll().where("organization_id", "in", own).execute();
  expect(projects.map(({ id, name }) => `${id} ${name}`).sort()).toEqual(
    [...world.projects].map(([id, { name }]) => `${id} ${name}`).sort(),
  );
  const tokens = await db
    .selectFrom("tokens")
    .selectAll()
    .where((row) => row.or([row("organization_id", "in", own), row("user_id", "in", people)]))
    .execute();
  expect(tokens.map(({ id, revoked_at }) => `${id} ${revoked_at !== null}`).sort()).toEqual(
    [...world.tokens.values()].map(({ id, isRevoked }) => `${id} ${isRevoked}`).sort(),
  );
  const events = await db
    .selectFrom("audit_events")
    .selectAll()
    .where("organization_id", "in", own)
    .execute();
  for (const [id, { changes }] of world.organizations)
    expect(events.filter((event) => event.organization_id === id)).toHaveLength(changes);
  for (const { secret } of world.tokens.values())
    expect(JSON.stringify([events, tokens])).not.toContain(secret);
}

const calls = fc.array(
  fc.record({
    caller: fc.nat(),
    // The keys of the table are all operations.
    operation: fc.constantFrom(...(Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[])),
    target: fc.nat(),
    other: fc.nat(),
  }),
  { minLength: CALLS / 2, maxLength: CALLS },
);

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. to 4.", { timeout: 60_000 }, async () => {
    await using place = await openTestAccounts(kind);
    let run = 0;
    await fc.assert(
      fc.asyncProperty(calls, async (list) => {
        run += 1;
        const world: World = {
          organizations: new Map(),
          people: [],
          projects: new Map(),
          tokens: new Map(),
          invitations: new Map(),
        };
        for (const name of [`x${run}`, `y${run}`]) {
          const owner = await makePerson(place, "ada", { organization: name });
          const organizationId = owner.caller.actor.organizationId ?? "";
          const member = await makePerson(place, "grace", { organizationId, role: "member" });
          const members = new Map<string, Role>([
            [owner.userId, "owner"],
            [member.userId, "member"],
          ]);
          world.organizations.set(organizationId, { name, members, changes: 0 });
          for (const { userId, cookie } of [owner, member]) world.people.push({ id: userId, cookie });
          // A project, and a token of each type.
          const ada = world.people.length - 2;
          for (const [operation, other] of [
            ["createProject", 0],
            ["createToken", 0],
            ["createToken", 1],
            ["createToken", 2],
          ] as const)
            await play(place, world, {
              caller: 2 * ada + 1,
              operation,
              target: world.projects.size - 1,
              other,
            });
        }
        await joinBoth(place, world);
        for (const call of list) await play(place, world, call);
        await expectSame(place, world);
      }),
      { numRuns: RUNS[kind] },
    );
  });
});

/** The first person also belongs to the second organization. */
async function joinBoth(place: TestAccounts, world: World): Promise<void> {
  const [, organizationId = ""] = world.organizations.keys();
  const userId = world.people[0]?.id ?? "";
  await joinOrganization(place, { organizationId, userId, role: "member" });
  world.organizations.get(organizationId)?.members.set(userId, "member");
}
