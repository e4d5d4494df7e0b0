/**
 * Random calls of the API by everyone in two organizations, with the ids, names, page tokens and `Millrace-Org` of both
 * mixed. One person belongs to both, until someone removes them.
 *
 * 1. No answer to a caller contains an id, a name, a mail address or a secret of an organization that the caller does not
 *    belong to at that moment: not in the body, the headers, the details of an error, nor inside a page token.
 * 2. No call changes anything of such an organization.
 * 3. No call fails inside the server, and the log contains no secret.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joinOrganization, makeExchange, makeJobToken, makePerson } from "#accounts/testing/accounts.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { openTestApi } from "./testing/api.ts";
import { type MethodFacts, readMethodFacts } from "./testing/facts.ts";

type TestApi = Awaited<ReturnType<typeof openTestApi>>;

const RUNS = { sqlite: 25, postgres: 8 };
const CALLS = 50;
/** Streams are tested in src/server/walk.test.ts. */
const methods = readMethodFacts().filter(({ isMissing, isStream }) => !isMissing && !isStream);
/** A deleted organization has nothing left to see. */
const RARE = "OrganizationService/Delete";

interface Credential {
  headers: Readonly<Record<string, string>>;
  /** The holder: a person's id, or an organization's. */
  userId: string | null;
  organizationId: string | null;
  /** A word in all texts of this caller. */
  marker: string;
}

interface World {
  api: TestApi;
  /** Organization → a word that is in all its texts and in no others. */
  markers: Map<string, string>;
  /** The word of people who belong to both at the beginning. */
  shared: string;
  credentials: Credential[];
  pageTokens: string[];
  /** Organization, or "" for people → secrets from answers. */
  secrets: Map<string, Set<string>>;
}

interface RandomCall {
  caller: number;
  method: number;
  /** The source of each field's value. */
  picks: readonly number[];
  organization: number;
  key: number;
}

const pick = <Item>(items: readonly Item[], at: number): Item | undefined =>
  items[at % Math.max(1, items.length)];

/** An organization in the database, without counts and times of use. */
async function readOrganization({ api }: World, id: string) {
  const { db } = api.accounts;
  const [organizations, members, projects, tokens, invitations, events, exchanges] = await Promise.all([
    db.selectFrom("organizations").selectAll().where("id", "=", id).execute(),
    db
      .selectFrom("members")
      .innerJoin("users", "users.id", "members.user_id")
      .select(["user_id", "role", "name", "mail", "mail_verified_at"])
      .where("organization_id", "=", id)
      .orderBy("user_id")
      .execute(),
    db.selectFrom("projects").selectAll().where("organization_id", "=", id).orderBy("id").execute(),
    db
      .selectFrom("tokens")
      .select(["id", "name", "type", "project_id", "read_only", "revoked_at"])
      .where("organization_id", "=", id)
      .orderBy("id")
      .execute(),
    db.selectFrom("invitations").selectAll().where("organization_id", "=", id).orderBy("id").execute(),
    db.selectFrom("audit_events").selectAll().where("organization_id", "=", id).orderBy("id").execute(),
    db.selectFrom("exchanges").selectAll().where("organization_id", "=", id).orderBy("id").execute(),
  ]);
  const people = members.map(({ user_id }) => user_id);
  const [trust, ofPeople, signIns, builds] = await Promise.all([
    db
      .selectFrom("trust_relationships")
      .selectAll()
      .where("project_id", "in", ["", ...projects.map((project) => project.id)])
      .orderBy("project_id")
      .orderBy("position")
      .execute(),
    db
      .selectFrom("tokens")
      .select(["id", "user_id", "name", "revoked_at"])
      .where("user_id", "in", ["", ...people])
      .orderBy("id")
      .execute(),
    db
      .selectFrom("sign_ins")
      .select(["id", "user_id"])
      .where("user_id", "in", ["", ...people])
      .orderBy("id")
      .execute(),
    // Builds of deleted projects are deleted on their own, a little later.
    api.database.db
      .selectFrom("builds")
      .selectAll()
      .where("organization_id", "=", id)
      .where("project_id", "in", ["", ...projects.map((project) => project.id)])
      .orderBy("id")
      .execute(),
  ]);
  return {
    organizations,
    members,
    projects,
    tokens,
    invitations,
    events,
    exchanges,
    trust,
    ofPeople,
    signIns,
    builds,
  };
}
type State = Awaited<ReturnType<typeof readOrganization>>;

/** Changes that a person of both organizations makes to their own account appear in both. */
const stateOf = (state: State, both: ReadonlySet<string>): string =>
  JSON.stringify({
    ...state,
    members: state.members.map((member) => (both.has(member.user_id) ? member.user_id : member)),
    ofPeople: state.ofPeople.filter(({ user_id }) => !both.has(user_id ?? "")),
    signIns: state.signIns.filter(({ user_id }) => !both.has(user_id)),
  });

/** Every text that could reveal something of the organization. */
function textsOf(state: State, both: ReadonlySet<string>): string[] {
  const own = <Row extends { user_id: string | null }>(rows: readonly Row[]) =>
    rows.filter(({ user_id }) => !both.has(user_id ?? ""));
  return [
    ...[
      state.organizations,
      state.projects,
      state.tokens,
      state.invitations,
      state.events,
      state.exchanges,
      state.builds,
    ].flatMap((rows) => rows.map(({ id }) => id)),
    ...own(state.members).map(({ user_id }) => user_id),
    ...own(state.ofPeople).map(({ id }) => id),
    ...own(state.signIns).map(({ id }) => id),
  ];
}

async function membershipsOf({ api }: World, { userId, organizationId }: Credential): Promise<Set<string>> {
  if (userId === null) return new Set([organizationId ?? ""]);
  const rows = await api.accounts.db
    .selectFrom("members")
    .select("organization_id")
    .where("user_id", "=", userId)
    .execute();
  return new Set(rows.map((row) => row.organization_id));
}

/** A request with values of both organizations. */
function bodyOf(
  method: MethodFacts,
  call: RandomCall,
  {
    world,
    states,
    marker,
  }: {
    world: World;
    states: readonly State[];
    marker: string;
  },
): Record<string, unknown> {
  const all = <Key extends keyof State>(key: Key) =>
    states.flatMap((state) => state[key] as State[Key][number][]);
  const organizations = all("organizations").flatMap(({ id, name }) => [id, name]);
  const crafted = [
    ...all("projects").map(({ name, id }) => encode([name, id])),
    ...[...all("events"), ...all("exchanges")].slice(-8).map(({ id }) => encode(["", id])),
  ];
  const times = [...all("tokens"), ...all("builds")].map(({ id }) => encode([world.api.time.now, id]));
  const name = `${marker}-${call.picks[0]! % 50}`;
  const pools: Record<string, readonly unknown[]> = {
    organization: ["", ...organizations],
    project_id: ["", "prj_0000000000", ...all("projects").map(({ id }) => id)],
    token_id: [...all("tokens"), ...all("ofPeople")].map(({ id }) => id),
    invitation_id: all("invitations").map(({ id }) => id),
    user_id: all("members").map(({ user_id }) => user_id),
    sign_in_id: ["", ...all("signIns").map(({ id }) => id)],
    passkey_id: ["pky_0000000000"],
    build_id: ["bld_0000000000", ...all("builds").map(({ id }) => id)],
    step_id: ["sha256:0"],
    platform: ["linux/amd64", "linux/arm64", "linux/riscv64"],
    states: [[], ["queued", "running"], ["canceled"]],
    sort: ["", "oldest", "slowest"],
    branch: ["", name],
    commit_sha: ["0123456789"],
    created_by: ["", name],
    save: [false, true],
    save_tags: [[name]],
    labels: [{ [name]: name }],
    succeeded: [false, true],
    error: ["", name],
    digest: ["", `sha256:${"0".repeat(64)}`],
    page_size: [0, 1, 2, 100],
    page_token: ["", "", ...world.pageTokens, ...crafted, ...times],
    name: [name],
    mail: [`${name}@${marker}.example`],
    role: ["owner", "member"],
    type: ["user", "org", "project"],
    read_only: [false, true],
    all: [false],
    from: ["2026-11-01T00:00:00Z"],
    action: ["", "token.create", "member.update"],
    actor_id: ["", ...all("members").map(({ user_id }) => user_id)],
    query: ["", "token", "web", marker],
    refused: [false, true],
    revision: ["1", "2"],
    oidc_token: ["", "", "a.b.c", JSON.stringify({ sub: marker })],
    trust_relationship: [{ issuer: `https://${marker}.example`, claims: { repository: name } }],
    trust_relationships: [[], [{ issuer: `https://${marker}.example`, claims: { repository: name } }]],
  };
  const body: Record<string, unknown> = {};
  for (const [at, { name: field, required }] of method.fields.entries()) {
    const chosen = call.picks[at % call.picks.length]!;
    const pool = pools[field];
    if (pool && (required || chosen % 3 > 0)) body[field] = pick(pool, (chosen / 3) | 0);
  }
  if (method.name === "TokenService/Create" && body["type"] !== "project") delete body["project_id"];
  return body;
}

async function send(
  { api }: TestApi,
  method: string,
  { body, headers }: { body: object; headers: Readonly<Record<string, string>> },
) {
  const answer = await api.app.request(`/api/millrace.v1.${method}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the server answers
  return { headers: answer.headers, body: (await answer.json()) as any };
}

const encode = (key: unknown) => Buffer.from(JSON.stringify(key)).toString("base64url");

async function play(world: World, random: RandomCall, before: readonly State[]): Promise<State[]> {
  const { api, markers } = world;
  const credential = pick(world.credentials, random.caller)!;
  const chosen = pick(methods, random.method)!;
  const method = chosen.name === RARE && random.key > 0 ? methods[0]! : chosen;
  const allowed = await membershipsOf(world, credential);
  // A person who belonged to both may use words of neither only.
  const body = bodyOf(method, random, { world, states: before, marker: credential.marker });
  const references = [...markers].flatMap(([id, marker]) => [id, marker]);
  const organization = random.organization < references.length ? references[random.organization]! : null;
  const headers = {
    ...credential.headers,
    ...(organization !== null && { "millrace-org": organization }),
    ...(random.key > 0 && { "idempotency-key": `key ${random.key}` }),
  };
  const answer = await send(api, method.name, { body, headers });
  api.time.now += 1;

  const said = JSON.stringify(answer.body);
  const token: unknown = answer.body.next_page_token;
  if (typeof token === "string" && token !== "") world.pageTokens.push(token);
  const hidden = typeof token === "string" ? Buffer.from(token, "base64url").toString() : "";
  const whole = `${said}\n${JSON.stringify([...answer.headers])}\n${hidden}`;
  const sent = JSON.stringify([body, headers]);
  const who = `${method.name} ${sent} by ${credential.marker}: ${said}`;
  expect(answer.body.code, who).not.toBe("internal");

  const ids = [...markers.keys()];
  const both = new Set(await sharedPeople(world));
  const after = await Promise.all(ids.map((id) => readOrganization(world, id)));
  for (const [at, id] of ids.entries()) {
    if (allowed.has(id)) continue;
    // A person who has left reads their own name, address and tokens as before, which contain that organization's word.
    const isOwnWord = credential.userId !== null && credential.marker === markers.get(id);
    const texts = [
      ...(isOwnWord ? [] : [markers.get(id)!]),
      ...textsOf(before[at]!, both),
      ...textsOf(after[at]!, both),
      ...(world.secrets.get(id) ?? []),
    ];
    for (const text of texts) if (!sent.includes(text)) expect(whole, who).not.toContain(text);
    expect(stateOf(after[at]!, both), who).toBe(stateOf(before[at]!, both));
  }
  keepSecrets(world, { answer: answer.body, credential, states: after });
  return after;
}

/** New tokens also make calls. */
function keepSecrets(
  { secrets, credentials, markers }: World,
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the server answers
  { answer, credential, states }: { answer: any; credential: Credential; states: readonly State[] },
): void {
  const { secret, token, url, invitation, client_key: clientKey } = answer;
  const at = states.findIndex(({ tokens, invitations }) =>
    [...tokens, ...invitations].some(({ id }) => id === token?.id || id === invitation?.id),
  );
  const id = [...markers.keys()][at] ?? "";
  for (const text of [secret, url, clientKey])
    if (text) secrets.set(id, (secrets.get(id) ?? new Set()).add(text));
  if (!secret) return;
  const place = id === "" ? credential : { userId: null, organizationId: id, marker: markers.get(id)! };
  credentials.push({ ...credential, ...place, headers: { authorization: `Bearer ${secret}` } });
}

async function sharedPeople({ api, shared }: World): Promise<string[]> {
  const query = api.accounts.db.selectFrom("users").select("id").where("name", "like", `${shared}%`);
  return (await query.execute()).map(({ id }) => id);
}

async function openWorld(api: TestApi, run: number): Promise<World> {
  const shared = `gamma${run}q`;
  const world: World = {
    api,
    markers: new Map(),
    shared,
    credentials: [],
    pageTokens: [],
    secrets: new Map(),
  };
  const add = (person: { cookie: string; userId: string }, marker: string) =>
    world.credentials.push({
      headers: { cookie: `millrace-session=${person.cookie}` },
      userId: person.userId,
      organizationId: null,
      marker,
    });
  for (const marker of [`alpha${run}q`, `beta${run}q`]) {
    const owner = await makePerson(api, `${marker} ada`, { organization: marker });
    const organizationId = owner.caller.actor.organizationId ?? "";
    const member = await makePerson(api, `${marker} grace`, { organizationId, role: "member" });
    world.markers.set(organizationId, marker);
    add(owner, marker);
    add(member, marker);
    await furnish(world, { organizationId, marker });
  }
  const [first = "", second = ""] = world.markers.keys();
  const both = await makePerson(api, `${shared} alan`, { organizationId: first, role: "owner" });
  await joinOrganization(api, { organizationId: second, userId: both.userId, role: "owner" });
  add(both, shared);
  return world;
}

/** Two projects, a build of each, a token of each kind, an invitation, an exchange. */
async function furnish(
  world: World,
  { organizationId, marker }: { organizationId: string; marker: string },
): Promise<void> {
  const { api } = world;
  const credential = world.credentials.at(-2)!;
  const create = async (method: string, body: object) => {
    const { body: answer } = await send(api, method, { body, headers: credential.headers });
    expect(answer.code, `${method}: ${answer.message}`).toBeUndefined();
    const states = await Promise.all([...world.markers.keys()].map((id) => readOrganization(world, id)));
    keepSecrets(world, { answer, credential, states });
    return answer;
  };
  await create("AccountService/Update", { name: `${marker} ada`, mail: `ada@${marker}.example` });
  const { project } = await create("ProjectService/Create", { name: `${marker}-web` });
  const { project: other } = await create("ProjectService/Create", { name: `${marker}-api` });
  for (const { id } of [project, other])
    await create("BuildService/CreateBuild", { project_id: id, branch: marker, labels: { job: marker } });
  for (const type of ["user", "org", "project"])
    await create("TokenService/Create", {
      name: `${marker} ${type}`,
      type,
      ...(type === "project" && { project_id: project.id }),
    });
  await create("OrganizationService/CreateInvitation", { mail: `new@${marker}.example` });
  const claims = { iss: `https://${marker}.example`, sub: `${marker} job`, repository: `${marker}/web` };
  await makeExchange(api, { organizationId, projectId: project.id, claims, refusedBecause: `not ${marker}` });
  const job = await makeJobToken(api, { organizationId, projectId: project.id, name: `${marker} job` });
  const headers = { authorization: `Bearer ${job.secret}` };
  world.credentials.push({ headers, userId: null, organizationId, marker });
}

const calls = fc.array(
  fc.record({
    caller: fc.nat(),
    method: fc.nat(),
    picks: fc.array(fc.nat(10_000), { minLength: 6, maxLength: 6 }),
    organization: fc.nat(12),
    key: fc.nat(4),
  }),
  { minLength: CALLS / 2, maxLength: CALLS },
);

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. to 3.", { timeout: 90_000 }, async () => {
    await using api = await openTestApi(kind, { rateLimitFactor: 0 });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(calls, async (list) => {
        run += 1;
        const world = await openWorld(api, run);
        let states = await Promise.all([...world.markers.keys()].map((id) => readOrganization(world, id)));
        for (const call of list) states = await play(world, call, states);
        for (const secret of [...world.secrets.values()].flatMap((all) => [...all]))
          expect(api.logged.some((line) => line.includes(secret))).toBe(false);
      }),
      { numRuns: RUNS[kind], endOnFailure: true },
    );
  });
});
