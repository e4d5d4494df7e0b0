/**
 * Random organizations, people of all roles, tokens of all kinds and their actions, compared with what `authorize()` lets
 * each of them read through the API. Every name is a word that stands for one object.
 *
 * 1. A caller who may not read an organization gets no answer about it, and no word.
 * 2. In events, reported refusals and first steps, no one gets a word of an object that they may not read, unless it is in an
 *    audit log that they may read, or the event is about their own action.
 * 3. Owners see everything that happened in their organization and was not refused; members see every change of a project.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import type { Actor } from "../contract/actor.ts";
import { type Action, authorize, type Resource } from "../contract/authorize.ts";
import { type Caller, changeRecords } from "../changes/change-records.ts";
import {
  createInvitation,
  createProject,
  createToken,
  deleteProject,
  identify,
  listProjects,
  Refused,
  removeMember,
  restoreToken,
  revokeInvitation,
  revokeToken,
  updateMember,
  updateOrganization,
  updateProject,
} from "../index.ts";
import {
  joinOrganization,
  makeJobToken,
  makePerson,
  openTestAccounts,
  type TestAccounts,
} from "../testing/accounts.ts";
import { formatCursor } from "./event-cursor.ts";
import { createEventRoutes } from "../stream/event-routes.ts";
import { reportRefusal } from "../identity/report-refusal.ts";
import { PING_MS } from "./limits.ts";
import { readEvents, type TestReader } from "../testing/events.ts";

const RUNS = { sqlite: 25, postgres: 6 };
const DAY_MS = 24 * 60 * 60_000;
const WORD = /w\d{6}w/g;
const RELATIONSHIP = { issuer: "https://ci.example", claims: { repository: "acme/web" } };

/** An action that reveals a word, and its object. */
type Reading = readonly [action: Action, resource: Omit<Resource, "name">];

interface Place {
  id: string;
  /** The organization's name; it changes. */
  name: string;
}

/** Credentials of a person or a token. */
interface Key {
  headers: Readonly<Record<string, string>>;
  secret: { bearer: string } | { cookie: string };
}

interface World {
  place: TestAccounts;
  words: Map<string, Reading[]>;
  places: Place[];
  keys: Key[];
  people: { id: string; word: string }[];
  projects: { id: string; organizationId: string }[];
  tokens: { id: string; organizationId: string | null; projectId: string | null; type: string }[];
  invitations: string[];
}

interface Step {
  do: keyof typeof STEPS;
  key: number;
  place: number;
  target: number;
}

interface Turn extends Step {
  world: World;
  caller: Caller;
}

let count = 0;
const pick = <Item>(items: readonly Item[], at: number): Item | undefined => items[at % items.length];

/** A new word, for callers who may do one of these actions. */
function say({ words }: World, ...readings: Reading[]): string {
  const word = `w${String((count += 1)).padStart(6, "0")}w`;
  words.set(word, readings);
  return word;
}

const wordOfToken = (
  world: World,
  { type, organizationId, userId }: { type: string; organizationId: string; userId?: string },
): string => {
  if (type === "user") return say(world, ["token.user", { organizationId: null, ...(userId && { userId }) }]);
  return say(world, [type === "org" ? "token.org" : "token.list", { organizationId }]);
};

const bearerKey = (bearer: string): Key => ({
  headers: { authorization: `Bearer ${bearer}` },
  secret: { bearer },
});

/** Each does one thing, or is refused. */
const STEPS = {
  "create project": async ({ world, caller }: Turn) => {
    const { organizationId } = caller.actor;
    const word = say(world, ["project.list", { organizationId }]);
    const { id } = await createProject(world.place.accounts, caller, { name: word });
    world.projects.push({ id, organizationId: organizationId ?? "" });
  },
  "change project": ({ world, caller, target }: Turn) => {
    const { id, organizationId = null } = pick(world.projects, target) ?? {};
    const word = say(world, ["project.list", { organizationId }]);
    return updateProject(world.place.accounts, caller, { projectId: id ?? "", name: word });
  },
  trust: ({ world, caller, target }: Turn) =>
    updateProject(world.place.accounts, caller, {
      projectId: pick(world.projects, target)?.id ?? "",
      trustRelationships: [RELATIONSHIP],
    }),
  "delete project": async ({ world, caller, target }: Turn) => {
    const id = pick(world.projects, target)?.id ?? "";
    await deleteProject(world.place.accounts, caller, { projectId: id });
    world.projects = world.projects.filter((project) => project.id !== id);
  },
  "create token": async ({ world, caller, place, target }: Turn) => {
    const type = pick(["user", "org", "project"] as const, place) ?? "user";
    const project = pick(world.projects, target);
    const organizationId = (type === "project" ? project?.organizationId : caller.actor.organizationId) ?? "";
    const userId = caller.actor.kind === "user" ? caller.actor.userId : "";
    const name = wordOfToken(world, { type, organizationId, userId });
    const { token, secret } = await createToken(world.place.accounts, caller, {
      name,
      type,
      ...(type === "project" && { projectId: project?.id ?? "" }),
      ...(type !== "project" && target % 4 === 0 && { readOnly: true }),
    });
    world.tokens.push({ id: token.id, organizationId, projectId: project?.id ?? null, type });
    world.keys.push(bearerKey(secret));
  },
  "job token": async ({ world, target }: Turn) => {
    const project = pick(world.projects, target);
    if (!project) return;
    const { organizationId, id: projectId } = project;
    const name = say(world, ["exchange.list", { organizationId }], ["token.job", { organizationId }]);
    const { id, secret } = await makeJobToken(world.place, { organizationId, projectId, name });
    world.tokens.push({ id, organizationId, projectId, type: "job" });
    world.keys.push(bearerKey(secret));
  },
  "refused job": async ({ world, target }: Turn) => {
    const project = pick(world.projects, target);
    if (!project) return;
    const { organizationId, id: targetId } = project;
    const subject = say(world, ["exchange.list", { organizationId }]);
    const author = { name: subject, id: "https://ci.example", address: "" };
    const details = { because: "The token is for another audience.", differs: "aud" };
    await changeRecords(world.place.accounts, author, ({ audit }) =>
      audit({ action: "token.refuse", organizationId, target: targetId, targetId, details }),
    );
  },
  "revoke token": ({ world, caller, target }: Turn) =>
    revokeToken(world.place.accounts, caller, { tokenId: pick(world.tokens, target)?.id ?? "" }),
  "restore token": ({ world, caller, target }: Turn) =>
    restoreToken(world.place.accounts, caller, { tokenId: pick(world.tokens, target)?.id ?? "" }),
  invite: async ({ world, caller, place }: Turn) => {
    const organizationId = pick(world.places, place)?.id ?? "";
    const mail = `${say(world, ["invitation.list", { organizationId }])}@example.com`;
    const input = { organization: organizationId, mail };
    const { invitation } = await createInvitation(world.place.accounts, caller, input);
    world.invitations.push(invitation.id);
  },
  "revoke invitation": ({ world, caller, target }: Turn) =>
    revokeInvitation(world.place.accounts, caller, { invitationId: pick(world.invitations, target) ?? "" }),
  "change role": ({ world, caller, place, target }: Turn) =>
    updateMember(world.place.accounts, caller, {
      organization: pick(world.places, place)?.id ?? "",
      userId: pick(world.people, target)?.id ?? "",
      role: target % 2 === 0 ? "owner" : "member",
    }),
  "remove member": ({ world, caller, place, target }: Turn) =>
    removeMember(world.place.accounts, caller, {
      organization: pick(world.places, place)?.id ?? "",
      userId: pick(world.people, target)?.id ?? "",
    }),
  rename: async ({ world, caller, place }: Turn) => {
    const of = pick(world.places, place);
    if (!of) return;
    const name = say(world, ["organization.read", { organizationId: of.id }]);
    await updateOrganization(world.place.accounts, caller, { organization: of.id, name });
    of.name = name;
  },
  // Also by callers who may not.
  list: ({ world, caller }: Turn) => listProjects(world.place.accounts, caller, { pageSize: 1 }),
};

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.oneof(
    fc.constantFrom(...(Object.keys(STEPS) as (keyof typeof STEPS)[])),
    // Tokens have the most readers.
    fc.constantFrom("create token" as const, "revoke token" as const, "restore token" as const),
  ),
  key: fc.nat(50),
  place: fc.nat(5),
  target: fc.nat(50),
});
const role = fc.constantFrom("owner" as const, "member" as const, null);
const plan = fc.record({
  /** Roles of three more people in two organizations, each of which has an owner. */
  roles: fc.array(fc.tuple(role, role), { minLength: 3, maxLength: 3 }),
  steps: fc.array(step, { minLength: 20, maxLength: 60 }),
});

/** Two organizations with an owner each, who has one token of every kind; and the plan's people. */
async function makeWorld(
  place: TestAccounts,
  roles: readonly (readonly ("owner" | "member" | null)[])[],
): Promise<World> {
  const world: World = {
    place,
    words: new Map(),
    places: [],
    keys: [],
    people: [],
    projects: [],
    tokens: [],
    invitations: [],
  };
  const keyOf = (cookie: string): Key => ({
    headers: { cookie: `__Host-millrace-session=${cookie}` },
    secret: { cookie },
  });
  for (let index = 0; index < 2; index += 1) {
    const readings: Reading[] = [];
    const word = say(world);
    const name = say(world);
    const owner = await makePerson(place, word, { organization: name });
    const id = owner.caller.actor.organizationId ?? "";
    readings.push(["member.list", { organizationId: id }]);
    world.words.set(word, readings).set(name, [["organization.read", { organizationId: id }]]);
    world.places.push({ id, name });
    world.people.push({ id: owner.userId, word });
    world.keys.push(keyOf(owner.cookie));
    const turn = { world, caller: owner.caller, do: "list" as const, key: 0 };
    await STEPS["create project"]({ ...turn, place: 0, target: 0 });
    for (const type of [0, 1, 2])
      await STEPS["create token"]({ ...turn, place: type, target: 2 * world.projects.length - 1 });
  }
  for (const [first, second] of roles) {
    const word = say(world);
    const readings: Reading[] = [];
    const joins = [first, second].flatMap((each, index) => {
      const organizationId = world.places[index]?.id ?? "";
      return each ? [{ organizationId, role: each }] : [];
    });
    const [home, ...others] = joins;
    if (!home) continue;
    for (const { organizationId } of joins) readings.push(["member.list", { organizationId }]);
    const { userId, cookie, caller } = await makePerson(place, word, home);
    for (const other of others) await joinOrganization(place, { ...other, userId });
    const turn = { world, do: "create token" as const, key: 0, place: 0, target: 1 };
    await STEPS[turn.do]({ ...turn, caller });
    world.words.set(word, readings);
    world.people.push({ id: userId, word });
    world.keys.push(keyOf(cookie));
  }
  return world;
}

/** Like a call of the API: refusals are reported. */
async function play(world: World, turn: Step): Promise<void> {
  const { accounts } = world.place;
  const key = pick(world.keys, turn.key);
  if (!key) return;
  const address = `10.0.${count >> 8}.${count & 255}`;
  const shown = "bearer" in key.secret ? key.secret.bearer : undefined;
  let actor: Actor | null = null;
  try {
    const organization = pick(world.places, turn.place)?.id;
    actor = await identify(accounts, { ...key.secret, ...(turn.target % 3 === 0 && { organization }) });
    await STEPS[turn.do]({ ...turn, world, caller: { actor, address } });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    reportRefusal(accounts, { refused: error, actor, shown, address });
  }
}

/** Everything that one key receives about one organization, or null when it receives nothing. */
async function readAll(
  app: ReturnType<typeof createEventRoutes>["app"],
  { headers }: Key,
  { place, since }: { place: Place; since: string },
): Promise<{ status: number; body: string; reader: TestReader; organizationId: string }> {
  const { id: organizationId } = place;
  const answer = await app.request(`https://build.acme.example/app/${organizationId}/first-run`, { headers });
  const body = await answer.text();
  const reader = await readEvents(app, `/app/${organizationId}/events?since=${since}`, headers);
  return { status: answer.status, body, reader, organizationId };
}

/** The naive judge. @returns the words that the actor may read */
async function findReadable(world: World, actor: Actor): Promise<Set<string>> {
  const may = ([action, resource]: Reading) => authorize(actor, action, { name: "it", ...resource }) === null;
  const readable = new Set(
    [...world.words].filter(([, readings]) => readings.some(may)).map(([word]) => word),
  );
  const { db } = world.place.accounts;
  const logs = world.places.filter(({ id }) => may(["audit.list", { organizationId: id }]));
  const lines = await db
    .selectFrom("audit_events")
    .select("words")
    .where("organization_id", "in", ["", ...logs.map(({ id }) => id)])
    .execute();
  const id = actor.kind === "user" ? actor.userId : actor.tokenId;
  const own = await db.selectFrom("events").select(["text", "actor"]).where("actor_id", "=", id).execute();
  const texts = [
    ...lines.map(({ words }) => words),
    ...own.map(({ text, actor: name }) => `${text} ${name}`),
  ];
  for (const text of texts) for (const [word] of text.matchAll(WORD)) readable.add(word);
  return readable;
}

async function judge(world: World, key: Key, told: Awaited<ReturnType<typeof readAll>>): Promise<void> {
  const { accounts } = world.place;
  const { status, body, reader, organizationId } = told;
  const resource = { name: "organization", organizationId };
  const actor = await identify(accounts, key.secret).catch(() => null);
  const got = `${body} ${JSON.stringify(reader.messages)}`;
  if (!actor || authorize(actor, "organization.read", resource)) {
    expect([status, reader.status]).toEqual([expect.toBeOneOf([401, 403, 404]), status]);
    expect(reader.messages).toEqual([]);
    // The error may contain the name of the caller's own organization.
    const own = actor?.kind === "user" ? "" : actor?.organization;
    for (const [word] of got.matchAll(WORD)) expect(word).toBe(own);
    return;
  }
  expect([status, reader.status]).toEqual([200, 200]);
  const readable = await findReadable(world, actor);
  const words = [...got.matchAll(WORD)].map(([word]) => word);
  expect(words.filter((word) => !readable.has(word))).toEqual([]);
  const rows = await accounts.db
    .selectFrom("events")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .orderBy("id")
    .execute();
  expect(reader.changes.map(({ kind }) => kind)).toEqual(rows.map(({ kind }) => kind));
  const isOwner = authorize(actor, "audit.list", resource) === null;
  for (const [index, { kind, text }] of rows.entries())
    if (isOwner || kind.startsWith("project.")) expect(reader.changes[index]?.text).toBe(text);
}

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. to 3.", { timeout: 120_000 }, async () => {
    await using place = await openTestAccounts(kind);
    const { accounts, time } = place;
    await makePerson(place, "operator", { isOperator: true });
    await fc.assert(
      fc.asyncProperty(plan, async ({ roles, steps }) => {
        const { app, streams } = createEventRoutes(accounts, { perPerson: 1_000 });
        const world = await makeWorld(place, roles);
        for (const each of steps) await play(world, each);
        // Every token is used, even a revoked one.
        time.now += DAY_MS / 2;
        for (const key of world.keys.keys()) await play(world, { do: "list", key, place: 0, target: 1 });
        await accounts.uses.flush();
        await accounts.refusalReports.flush();
        const since = formatCursor({ id: 0, time: time.now });
        const all: { key: Key; told: Awaited<ReturnType<typeof readAll>> }[] = [];
        for (const key of world.keys)
          for (const each of world.places)
            all.push({ key, told: await readAll(app, key, { place: each, since }) });
        time.now += PING_MS;
        await streams.check();
        for (const { key, told } of all) {
          if (told.reader.status === 200) await told.reader.until(({ event }) => event === "ping");
          await judge(world, key, told);
        }
        await streams.stop();
        // Refusals are reported again, within a new minute's limits.
        time.now += 120_000;
        await accounts.refusalReports.flush();
      }),
      { numRuns: RUNS[kind] },
    );
  });
});
