/**
 * 1. Organizations: created by operators, renamed, deleted with everything; the first one stays; a name is taken only once.
 * 2. Members and invitations: roles, links, permissions; the link's key is in the answer and in the mail, and elsewhere
 *    hashed.
 * 3. Projects: defaults and limits of each setting; absent settings stay; trust relationships are checked and replaced; a
 *    caller who read an older revision changes nothing and learns who was faster.
 * 4. Tokens: what each type needs; members see their own and those of projects; secrets are in one answer only; the address
 *    of the last use; a revocation can be undone within ten seconds, by its author; a project's read-only token is recognized
 *    as one everywhere, and is unknown to a server of the previous release.
 * 5. Pages: every object once, in order, while others are added and removed between the pages.
 * 6. The audit log and the server's log report each change, with author and address, without a secret.
 * 7. Usage counts calls by day; a refused transaction leaves nothing, also when the caller's own record fails.
 * 8. A person's own account: name, address, passkeys; owners see how members sign in, others see only their own ways.
 */
import { describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import type { Mail } from "./contract/accounts.ts";
import { changeRecords } from "./changes/change-records.ts";
import {
  countApiCalls,
  createInvitation,
  createOrganization,
  createProject,
  createToken,
  deleteOrganization,
  deletePasskey,
  deleteProject,
  getOrganization,
  getProject,
  getUsage,
  identify,
  listAuditEvents,
  listInvitations,
  listMembers,
  listOrganizations,
  listPasskeys,
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
  updateUser,
  whoAmI,
} from "./index.ts";
import { DAY_MS } from "./contract/limits.ts";
import { makePerson, openTestAccounts, type PersonCaller } from "./testing/accounts.ts";
import { checkSettings } from "./projects/projects.ts";
import type { ProjectUpdate } from "./projects/update-project.ts";
import { hashSecret } from "./contract/token-text.ts";
import { createUser, proveMail } from "./people/users.ts";

/** `invalid_argument name`, or `done` */
const refusal = async (call: Promise<unknown>) => {
  try {
    await call;
    return "done";
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error.field ? `${error.code} ${error.field}` : error.code;
  }
};
const actingIn = ({ actor, address }: PersonCaller, organizationId: string): PersonCaller => ({
  actor: { ...actor, organizationId },
  address,
});

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. organizations", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts } = place;
    const { caller, userId } = await makePerson(place, "ada", { isOperator: true });
    const made = await createOrganization(accounts, caller, { name: "acme" });
    expect(made).toEqual({
      id: expect.stringMatching(/^org_\w{10}$/),
      name: "acme",
      role: "owner",
      createdAt: place.time.now,
    });
    for (const [name, code] of [
      ["acme", "already_exists name"],
      ["default", "already_exists name"],
      ["sign-in", "invalid_argument name"],
      ["Acme", "invalid_argument name"],
      ["", "invalid_argument name"],
    ] as const)
      expect(await refusal(createOrganization(accounts, caller, { name }))).toBe(code);
    const own = await place.reload(caller);
    const there = actingIn(own, made.id);
    expect((await listOrganizations(accounts, own, {})).items.map(({ name, role }) => [name, role])).toEqual([
      ["acme", "owner"],
      ["default", "owner"],
    ]);
    expect(await getOrganization(accounts, own, { organization: "acme" })).toEqual(made);
    expect(await getOrganization(accounts, there, {})).toEqual(made);
    expect(await refusal(updateOrganization(accounts, there, { name: "default" }))).toBe(
      "already_exists name",
    );
    expect(await updateOrganization(accounts, there, { name: "acme-labs" })).toEqual({
      ...made,
      name: "acme-labs",
    });
    expect(await refusal(getOrganization(accounts, there, { organization: "acme" }))).toBe("not_found");
    expect(await refusal(deleteOrganization(accounts, own, { organization: "default" }))).toBe(
      "failed_precondition",
    );
    expect(await refusal(deleteOrganization(accounts, own, { organization: "" }))).toBe(
      "invalid_argument organization",
    );
    const project = await createProject(accounts, there, { name: "web" });
    const stranger = await makePerson(place, "eve");
    expect(await refusal(createOrganization(accounts, stranger.caller, { name: "mine" }))).toBe(
      "permission_denied",
    );
    expect(await refusal(deleteOrganization(accounts, stranger.caller, { organization: "acme-labs" }))).toBe(
      "not_found",
    );
    await deleteOrganization(accounts, there, { organization: made.id });
    expect(await refusal(getProject(accounts, there, { projectId: project.id }))).toBe("not_found");
    expect(await refusal(deleteOrganization(accounts, there, { organization: made.id }))).toBe("not_found");
    const { items } = await listAuditEvents(accounts, own, { action: "organization.delete" });
    expect(items).toMatchObject([
      { target: "acme-labs", targetId: made.id, actorId: userId, address: "192.0.2.1" },
    ]);
  });

  test("2. members and invitations", async () => {
    const sent: Mail[] = [];
    const sendMail = async (mail: Mail) => void sent.push(mail);
    await using place = await openTestAccounts(kind, { sendMail });
    const { accounts, time } = place;
    const ada = await makePerson(place, "ada");
    const organizationId = ada.caller.actor.organizationId ?? "";
    const grace = await makePerson(place, "grace", { organizationId, role: "member" });
    const { invitation, url } = await createInvitation(accounts, ada.caller, {
      mail: "Eve@Acme.example",
      role: "owner",
    });
    expect(invitation).toMatchObject({ mail: "eve@acme.example", role: "owner", invitedBy: "ada" });
    expect(url).toMatch(/^https:\/\/build\.acme\.example\/app\/join\/[0-9A-Za-z]{32}$/);
    expect(sent).toMatchObject([{ to: "eve@acme.example", text: expect.stringContaining(url) }]);
    const row = await accounts.db.selectFrom("invitations").selectAll().executeTakeFirstOrThrow();
    expect(row.key_hash).toBe(hashSecret(url.split("/").at(-1) ?? ""));
    expect((await createInvitation(accounts, ada.caller, {})).invitation).toMatchObject({
      mail: null,
      role: "member",
    });
    expect(sent).toHaveLength(1);
    expect((await listInvitations(accounts, ada.caller, {})).items).toHaveLength(2);
    expect(JSON.stringify(await listInvitations(accounts, ada.caller, {}))).not.toContain("join");
    const denied = [
      createInvitation(accounts, grace.caller, {}),
      listInvitations(accounts, grace.caller, {}),
      revokeInvitation(accounts, grace.caller, { invitationId: invitation.id }),
      updateMember(accounts, grace.caller, { userId: grace.userId, role: "owner" }),
      removeMember(accounts, grace.caller, { userId: ada.userId }),
      listAuditEvents(accounts, grace.caller, {}),
    ];
    expect(new Set(await Promise.all(denied.map(refusal)))).toEqual(new Set(["permission_denied"]));
    expect(await refusal(createInvitation(accounts, ada.caller, { role: "admin" }))).toBe(
      "invalid_argument role",
    );
    expect(await refusal(createInvitation(accounts, ada.caller, { mail: "eve" }))).toBe(
      "invalid_argument mail",
    );
    await revokeInvitation(accounts, ada.caller, { invitationId: invitation.id });
    expect(await refusal(revokeInvitation(accounts, ada.caller, { invitationId: invitation.id }))).toBe(
      "not_found",
    );
    time.now += 7 * DAY_MS;
    expect((await listInvitations(accounts, ada.caller, {})).items).toEqual([]);

    const { items } = await listMembers(accounts, grace.caller, {});
    expect(items.map(({ name, role }) => [name, role])).toEqual([
      ["ada", "owner"],
      ["grace", "member"],
    ]);
    const member = await updateMember(accounts, ada.caller, { userId: grace.userId, role: "owner" });
    expect(member).toMatchObject({ userId: grace.userId, role: "owner" });
    expect(await refusal(updateMember(accounts, ada.caller, { userId: "usr_x", role: "owner" }))).toBe(
      "not_found",
    );
    expect(await refusal(removeMember(accounts, ada.caller, { userId: "\0" }))).toBe("not_found");
    expect(await refusal(removeMember(accounts, ada.caller, { userId: "" }))).toBe(
      "invalid_argument user_id",
    );
    await removeMember(accounts, ada.caller, { userId: ada.userId });
    expect(await identify(accounts, { cookie: ada.cookie })).toMatchObject({
      memberships: [],
      organizationId: null,
    });
    const left = await place.reload(ada.caller);
    expect(await refusal(listProjects(accounts, left, {}))).toBe("not_found");
    expect(await listOrganizations(accounts, left, {})).toEqual({ items: [], nextPageToken: "" });
    const now = await place.reload(grace.caller);
    expect(await refusal(removeMember(accounts, now, { userId: grace.userId }))).toBe("failed_precondition");
  });

  test("3. projects", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts } = place;
    const ada = await makePerson(place, "ada");
    const grace = await makePerson(place, "grace", {
      organizationId: ada.caller.actor.organizationId ?? "",
      role: "member",
    });
    const project = await createProject(accounts, grace.caller, { name: "web" });
    const settings = { builderSize: 4, cacheSizeBytes: 50_000_000_000, retentionDays: 14 };
    expect(project).toMatchObject({ name: "web", ...settings, trustRelationships: [] });
    // Older releases stored sizes in powers of 1,024.
    for (const size of [1000 ** 3, 1024 ** 3, 50 * 1024 ** 3, 16 * 1024 ** 4])
      expect(checkSettings({ cacheSizeBytes: size })).toEqual({ cache_size_bytes: size });
    const projectId = project.id;
    const update = (change: Omit<ProjectUpdate, "projectId">, { caller } = ada) =>
      updateProject(accounts, caller, { projectId, ...change });
    const wide = { ...project, builderSize: 32 };
    expect(await update({ builderSize: 32 }, grace)).toEqual({ ...wide, revision: 2 });
    expect(await update({ name: "site" })).toEqual({ ...wide, name: "site", revision: 3 });
    const late = update({ retentionDays: 7, revision: 2 }, grace);
    await expect(late).rejects.toMatchObject({
      code: "failed_precondition",
      message: expect.stringContaining("project site was changed by ada at 2026-01-01T00:00:00.000Z"),
    });
    expect(await update({ revision: 3 })).toEqual({ ...wide, name: "site", revision: 3 });
    expect(await refusal(update({ revision: 2 }))).toBe("failed_precondition");
    expect(await update({ retentionDays: 14, revision: 3 })).toMatchObject({ revision: 4 });
    const tags = { immutableTags: ["v*", "x".repeat(128)] };
    expect(await update({ immutableTags: [...tags.immutableTags, "v*"] })).toMatchObject(tags);
    expect(await getProject(accounts, ada.caller, { projectId })).toMatchObject(tags);
    expect(await update({ immutableTags: [] })).toMatchObject({ ...tags, revision: 5 });
    expect(await update({ clearImmutableTags: true })).toMatchObject({ immutableTags: [], revision: 6 });
    const trust = (issuer: string, claims: Record<string, string> = { sub: "a" }, cache?: string) =>
      update({ trustRelationships: [{ issuer, claims, ...(cache !== undefined && { cache }) }] });
    const https = "https://ci.example";
    const bad: [Promise<unknown>, string][] = [
      [createProject(accounts, grace.caller, { name: "site" }), "already_exists name"],
      [createProject(accounts, grace.caller, { name: "a/b" }), "invalid_argument name"],
      [update({ name: "" }), "invalid_argument name"],
      [update({ builderSize: 3 }), "invalid_argument builder_size"],
      [update({ cacheSizeBytes: 1 }), "invalid_argument cache_size_bytes"],
      [update({ cacheSizeBytes: 2 ** 60 }), "invalid_argument cache_size_bytes"],
      [update({ retentionDays: 0 }), "invalid_argument retention_days"],
      [update({ retentionDays: 1.5 }), "invalid_argument retention_days"],
      [update({ immutableTags: ["v *"] }), "invalid_argument immutable_tags"],
      [update({ immutableTags: [""] }), "invalid_argument immutable_tags"],
      [update({ immutableTags: ["x".repeat(129)] }), "invalid_argument immutable_tags"],
      [
        update({ immutableTags: Array.from({ length: 21 }, (_, at) => `v${at}`) }),
        "invalid_argument immutable_tags",
      ],
      [update({ immutableTags: ["v*"], clearImmutableTags: true }), "invalid_argument clear_immutable_tags"],
      [trust("http://ci.example"), "invalid_argument trust_relationships[0].issuer"],
      [trust("https://a:b@ci.example"), "invalid_argument trust_relationships[0].issuer"],
      [trust("https://ci.example?x"), "invalid_argument trust_relationships[0].issuer"],
      [trust("ci.example"), "invalid_argument trust_relationships[0].issuer"],
      [trust(https, {}), "invalid_argument trust_relationships[0].claims"],
      [trust(https, { sub: "" }), "invalid_argument trust_relationships[0].claims"],
      // Jobs of any repository have such a branch.
      [
        trust("https://token.actions.githubusercontent.com", { ref: "refs/heads/main" }),
        "invalid_argument trust_relationships[0].claims",
      ],
      [
        trust("https://gitlab.com", { ref: "main", ref_protected: "true" }),
        "invalid_argument trust_relationships[0].claims",
      ],
      [trust(https, { sub: "a".repeat(501) }), "invalid_argument trust_relationships[0].claims"],
      [trust(https, { sub: "a\n" }), "invalid_argument trust_relationships[0].claims"],
      [trust(https, { sub: "a" }, "admin"), "invalid_argument trust_relationships[0].cache"],
      [
        trust(https, Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`c${index}`, "x"]))),
        "invalid_argument trust_relationships[0].claims",
      ],
      [
        update({
          trustRelationships: Array.from({ length: 51 }, () => ({ issuer: https, claims: { sub: "a" } })),
        }),
        "invalid_argument trust_relationships",
      ],
      [
        update({
          clearTrustRelationships: true,
          trustRelationships: [{ issuer: https, claims: { sub: "a" } }],
        }),
        "invalid_argument clear_trust_relationships",
      ],
      [update({ clearTrustRelationships: true }, grace), "permission_denied"],
      [deleteProject(accounts, grace.caller, { projectId }), "permission_denied"],
      [getProject(accounts, grace.caller, { projectId: "" }), "invalid_argument project_id"],
      [getProject(accounts, grace.caller, { projectId: "prj_\0" }), "not_found"],
    ];
    expect(await Promise.all(bad.map(([call]) => refusal(call)))).toEqual(bad.map(([, code]) => code));
    const claims = JSON.parse('{"__proto__":"x","repository":"acme/web"}') as Record<string, string>;
    const relationship = { issuer: "https://CI.example/a/", claims, cache: "overlay" as const };
    const trusting = await update({ trustRelationships: [relationship, { ...relationship, cache: "" }] });
    expect(trusting.trustRelationships).toEqual([relationship, { ...relationship, cache: "read" }]);
    expect(Object.keys(trusting.trustRelationships[0]?.claims ?? {})).toEqual(["__proto__", "repository"]);
    const found = await getProject(accounts, grace.caller, { projectId });
    expect(JSON.stringify(found)).toBe(JSON.stringify(trusting));
    expect((await listProjects(accounts, grace.caller, {})).items).toEqual([found]);
    expect((await update({ clearTrustRelationships: true })).trustRelationships).toEqual([]);
    await deleteProject(accounts, ada.caller, { projectId });
    await expect(getProject(accounts, ada.caller, { projectId })).rejects.toThrow(
      `project ${projectId} was not found in ada`,
    );
  });

  test("3. a private issuer that the operator names", async () => {
    await using place = await openTestAccounts(kind, { privateIssuers: ["localhost"] });
    const { accounts } = place;
    const { caller } = await makePerson(place, "ada");
    const { id: projectId } = await createProject(accounts, caller, { name: "web" });
    const trust = (issuer: string) =>
      updateProject(accounts, caller, { projectId, trustRelationships: [{ issuer, claims: { sub: "a" } }] });
    expect(await refusal(trust("http://localhost:8443"))).toBe("done");
    expect(await refusal(trust("http://ci.example"))).toBe("invalid_argument trust_relationships[0].issuer");
  });

  test("4. tokens", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts, time } = place;
    const ada = await makePerson(place, "ada");
    const organizationId = ada.caller.actor.organizationId ?? "";
    const grace = await makePerson(place, "grace", { organizationId, role: "member" });
    const { id: projectId } = await createProject(accounts, ada.caller, { name: "web" });
    const make = (input: object, { caller } = ada) =>
      createToken(accounts, caller, { name: "ci", type: "org", ...input });
    const bad: [Promise<unknown>, string][] = [
      [make({ name: " " }), "invalid_argument name"],
      [make({ type: "job" }), "invalid_argument type"],
      [make({ type: "" }), "invalid_argument type"],
      [make({ expiresAt: time.now }), "invalid_argument expires_at"],
      [make({ expiresAt: time.now + 4000 * DAY_MS }), "invalid_argument expires_at"],
      [make({ type: "project" }), "invalid_argument project_id"],
      [make({ projectId }), "invalid_argument project_id"],
      [make({ type: "project", projectId: "prj_x" }), "not_found"],
      [make({}, grace), "permission_denied"],
      [revokeToken(accounts, ada.caller, { tokenId: "" }), "invalid_argument token_id"],
      [revokeToken(accounts, ada.caller, { tokenId: "tok_x" }), "not_found"],
    ];
    expect(await Promise.all(bad.map(([call]) => refusal(call)))).toEqual(bad.map(([, code]) => code));
    const expiresAt = time.now + 90 * DAY_MS;
    const organization = await make({ expiresAt, readOnly: true });
    expect(organization.token).toEqual({
      id: expect.stringMatching(/^tok_\w{10}$/),
      name: "ci",
      type: "org",
      projectId: null,
      readOnly: true,
      owner: "ada",
      createdAt: time.now,
      lastUsedAt: null,
      lastUsedFrom: null,
      expiresAt,
    });
    const project = await make({ type: "project", projectId }, grace);
    const personal = await make({ type: "user" }, grace);
    const listed = async ({ caller } = ada) =>
      (await listTokens(accounts, caller, {})).items.map(({ type, owner }) => `${type} ${owner}`).sort();
    expect(await listed()).toEqual(["org ada", "project grace"]);
    expect(await listed(grace)).toEqual(["project grace", "user grace"]);
    const actor = await identify(accounts, { bearer: organization.secret });
    expect(whoAmI(accounts, { actor, address: "" })).toMatchObject({
      tokenType: "org",
      readOnly: true,
      expiresAt,
    });
    expect(await refusal(listProjects(accounts, { actor, address: "" }, {}))).toBe("permission_denied");
    expect(await refusal(revokeToken(accounts, grace.caller, { tokenId: organization.token.id }))).toBe(
      "permission_denied",
    );
    expect(await refusal(revokeToken(accounts, ada.caller, { tokenId: personal.token.id }))).toBe(
      "not_found",
    );
    for (const { token } of [organization, project])
      await revokeToken(accounts, ada.caller, { tokenId: token.id });
    expect(await listed()).toEqual([]);
    const said = JSON.stringify([place.logged, await accounts.db.selectFrom("tokens").selectAll().execute()]);
    for (const { secret } of [organization, project, personal])
      expect(said).not.toContain(secret.slice(0, -6));
  });

  test("4. a project's token that only reads", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts } = place;
    const { caller } = await makePerson(place, "ada");
    const { id: projectId } = await createProject(accounts, caller, { name: "web" });
    const input = { name: "cluster", type: "project", projectId };
    const full = await createToken(accounts, caller, input);
    const { token, secret } = await createToken(accounts, caller, { ...input, readOnly: true });
    expect(token).toMatchObject({ type: "project", projectId, readOnly: true });
    expect((await listTokens(accounts, caller, {})).items).toEqual(expect.arrayContaining([token]));
    const actor = await identify(accounts, { bearer: secret });
    expect(actor).toMatchObject({ kind: "project", projectId, readOnly: true });
    expect(whoAmI(accounts, { actor, address: "" })).toMatchObject({ tokenType: "project", readOnly: true });
    expect(await identify(accounts, { bearer: full.secret })).toMatchObject({ readOnly: false });
    // The previous release looks for a token like this; it would let this one write.
    const find = (text: string) =>
      accounts.db.selectFrom("tokens").select("id").where("hash", "=", hashSecret(text)).executeTakeFirst();
    expect(await find(full.secret)).toEqual({ id: full.token.id });
    expect(await find(secret)).toBeUndefined();
    const { items } = await listAuditEvents(accounts, caller, { query: "cluster" });
    expect(items.map(({ details }) => details["read_only"] ?? "false").sort()).toEqual(["false", "true"]);
    await revokeToken(accounts, caller, { tokenId: token.id });
    await expect(identify(accounts, { bearer: secret })).rejects.toThrow("token is revoked");
    await restoreToken(accounts, caller, { tokenId: token.id });
    expect(await identify(accounts, { bearer: secret })).toMatchObject({ readOnly: true });
  });

  test("4. the last use, and a revocation that is undone", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts, time } = place;
    const ada = await makePerson(place, "ada");
    const organizationId = ada.caller.actor.organizationId ?? "";
    const grace = await makePerson(place, "grace", { organizationId });
    const { token, secret } = await createToken(accounts, ada.caller, { name: "ci", type: "org" });
    const tokenId = token.id;
    const listed = async () => (await listTokens(accounts, ada.caller, {})).items;
    time.now += 60_000;
    await identify(accounts, { bearer: secret }, "2001:db8::1");
    await accounts.uses.flush();
    const used = { ...token, lastUsedAt: time.now, lastUsedFrom: "2001:db8::1" };
    expect(await listed()).toEqual([used]);
    time.now += 1_000;
    await identify(accounts, { bearer: secret }, "192.0.2.8");
    await accounts.uses.flush();
    expect(await listed()).toEqual([used]);
    const restore = ({ caller } = ada) => restoreToken(accounts, caller, { tokenId });
    expect(await restore()).toEqual(used);
    await revokeToken(accounts, ada.caller, { tokenId });
    await expect(identify(accounts, { bearer: secret })).rejects.toThrow("token is revoked");
    expect(await refusal(restore(grace))).toBe("permission_denied");
    time.now += 10_000;
    expect(await restore()).toEqual(used);
    expect(await identify(accounts, { bearer: secret })).toMatchObject({ kind: "organization", tokenId });
    time.now += 1;
    await revokeToken(accounts, grace.caller, { tokenId });
    expect(await refusal(restore())).toBe("permission_denied");
    time.now += 10_001;
    expect(await refusal(restore(grace))).toBe("failed_precondition");
    expect(await refusal(restoreToken(accounts, grace.caller, { tokenId: "tok_x" }))).toBe("not_found");
    expect(await refusal(restoreToken(accounts, grace.caller, { tokenId: "" }))).toBe(
      "invalid_argument token_id",
    );
    const { items } = await listAuditEvents(accounts, ada.caller, { query: "ci" });
    expect(items.map(({ action }) => action.replace("token.", ""))).toEqual([
      "revoke",
      "restore",
      "revoke",
      "create",
    ]);
  });

  test("5. pages", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts, time } = place;
    const { caller } = await makePerson(place, "ada");
    const made: string[] = [];
    for (const name of ["b", "d", "f", "h", "j"]) {
      made.push((await createProject(accounts, caller, { name })).id);
      await createToken(accounts, caller, { name, type: "user" });
      // Two tokens for each moment.
      await createToken(accounts, caller, { name: `${name}2`, type: "org" });
      time.now += 1;
    }
    type Listed = { items: readonly { name: string }[]; nextPageToken: string };
    const walk = async (list: (page: object) => Promise<Listed>, between: () => Promise<unknown>) => {
      const seen: string[] = [];
      for (let pageToken = ""; ;) {
        const page = await list({ pageSize: 2, pageToken });
        seen.push(...page.items.map(({ name }) => name));
        if (page.nextPageToken === "") return seen;
        pageToken = page.nextPageToken;
        await between();
      }
    };
    const names = ["k", "a"];
    const projects = await walk(
      (page) => listProjects(accounts, caller, page),
      async () => {
        const name = names.shift();
        if (name) await createProject(accounts, caller, { name });
        if (made[0]) await deleteProject(accounts, caller, { projectId: made.shift() ?? "" });
      },
    );
    expect(projects).toEqual(["b", "d", "f", "h", "j", "k"]);
    const tokens = await walk(
      (page) => listTokens(accounts, caller, page),
      () => createToken(accounts, caller, { name: "later", type: "org" }),
    );
    expect(tokens.map((name) => name[0]).join("")).toBe("jjhhffddbb");
    expect(new Set(tokens).size).toBe(10);
    for (const [list, page] of [
      [listProjects, { pageToken: "!" }],
      [listTokens, { pageSize: 101 }],
      [listMembers, { pageSize: -1 }],
    ] as const)
      expect(await refusal(list(accounts, caller, page))).toMatch(/^invalid_argument page_/);
  });

  test("6. the audit log", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts, time } = place;
    const { caller, userId } = await makePerson(place, "ada");
    const { id } = await createProject(accounts, caller, { name: "web" });
    time.now += 1;
    const { token, secret } = await createToken(accounts, caller, {
      name: "ci",
      type: "project",
      projectId: id,
    });
    const { items } = await listAuditEvents(accounts, caller, {});
    expect(items.map(({ action }) => action)).toEqual(["token.create", "project.create"]);
    expect(items[0]).toEqual({
      id: expect.any(String),
      time: time.now,
      action: "token.create",
      actor: "ada",
      actorId: userId,
      address: "192.0.2.1",
      target: "ci",
      targetId: token.id,
      details: { type: "project", project_id: id },
    });
    expect((await listAuditEvents(accounts, caller, { action: "project.create" })).items).toHaveLength(1);
    expect((await listAuditEvents(accounts, caller, { action: "\0" })).items).toEqual([]);
    const line = place.logged.find((logged) => logged.includes("token.create")) ?? "";
    expect(JSON.parse(line.replace("audit ", ""))).toEqual({
      action: "token.create",
      actor: "ada",
      actor_id: userId,
      target: "ci",
      target_id: token.id,
      organization_id: caller.actor.organizationId,
      address: "192.0.2.1",
      details: { type: "project", project_id: id },
    });
    expect(line).not.toContain(secret);
  });

  test("7. usage, and a record that fails", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts, time } = place;
    const { caller } = await makePerson(place, "ada");
    const organizationId = caller.actor.organizationId ?? "";
    const begin = time.now;
    for (let call = 0; call < 3; call += 1) countApiCalls(accounts, organizationId);
    await accounts.uses.flush();
    countApiCalls(accounts, organizationId);
    countApiCalls(accounts, "org_gone");
    time.now += DAY_MS;
    countApiCalls(accounts, organizationId);
    const project = await createProject(accounts, caller, { name: "web" });
    const job = { organizationId, projectId: project.id };
    for (const isRefused of [false, false, true]) accounts.uses.countJob({ ...job, isRefused });
    accounts.uses.countJob({ ...job, projectId: "prj_else", isRefused: false });
    const noBuilds = { builds: 0, buildMs: 0 };
    expect(await getUsage(accounts, caller, { from: begin })).toEqual({
      apiCalls: 5,
      jobTokens: 3,
      refusedJobs: 1,
      ...noBuilds,
      projects: 1,
      members: 1,
      days: [
        { date: "2026-01-01", apiCalls: 4, jobTokens: 0, refusedJobs: 0, ...noBuilds },
        { date: "2026-01-02", apiCalls: 1, jobTokens: 3, refusedJobs: 1, ...noBuilds },
      ],
    });
    expect(await getUsage(accounts, caller, { from: begin, to: begin })).toMatchObject({ apiCalls: 4 });
    expect(await getUsage(accounts, caller, { from: 0, to: 1 })).toMatchObject({ apiCalls: 0 });
    expect(await getUsage(accounts, caller, { from: 0, projectId: project.id })).toEqual({
      apiCalls: null,
      jobTokens: 2,
      refusedJobs: 1,
      ...noBuilds,
      projects: 1,
      members: null,
      days: [{ date: "2026-01-02", apiCalls: null, jobTokens: 2, refusedJobs: 1, ...noBuilds }],
    });
    expect(await refusal(getUsage(accounts, caller, {}))).toBe("invalid_argument from");
    expect(await refusal(getUsage(accounts, caller, { from: 2, to: 1 }))).toBe("invalid_argument from");
    expect(await refusal(getUsage(accounts, caller, { from: 0, projectId: "prj_x" }))).toBe("not_found");
    const before = (await listAuditEvents(accounts, caller, {})).items.length;
    const record = () => Promise.reject(new Error("the record failed"));
    await expect(createProject(accounts, { ...caller, record }, { name: "api" })).rejects.toThrow(
      "record failed",
    );
    expect((await listProjects(accounts, caller, {})).items.map(({ name }) => name)).toEqual(["web"]);
    expect((await listAuditEvents(accounts, caller, {})).items).toHaveLength(before);
    const answers: unknown[] = [];
    const noted = { ...caller, record: async (_: unknown, answer: unknown) => void answers.push(answer) };
    expect(answers).toEqual([]);
    const made = [
      await createProject(accounts, noted, { name: "api" }),
      await createToken(accounts, noted, { name: "a", type: "user" }),
      await createInvitation(accounts, noted, {}),
    ];
    expect(answers).toEqual(made);
  });

  test("8. a person", async () => {
    await using place = await openTestAccounts(kind);
    const { accounts } = place;
    const { caller, cookie, userId } = await makePerson(place, "ada");
    expect(await updateUser(accounts, caller, { name: " Ada ", mail: "ADA@acme.example" })).toMatchObject({
      id: userId,
      name: "Ada",
      mail: "ada@acme.example",
    });
    expect(await identify(accounts, { cookie })).toMatchObject({ name: "Ada", mail: "ada@acme.example" });
    const eve = await makePerson(place, "eve");
    expect(await refusal(updateUser(accounts, eve.caller, { mail: "ada@acme.example" }))).toBe(
      "already_exists mail",
    );
    expect(await refusal(updateUser(accounts, eve.caller, { name: "" }))).toBe("invalid_argument name");
    // A person who proves the address takes it from one who only claimed it, and then keeps it.
    const author = { name: "test", id: "test", address: "" };
    const change = (run: (transaction: Parameters<typeof createUser>[1]) => Promise<unknown>) =>
      changeRecords(accounts, author, ({ transaction }) => run(transaction));
    const mail = "ada@acme.example";
    await change((transaction) => proveMail(accounts, transaction, { userId: eve.userId, mail }));
    expect(await updateUser(accounts, caller, {})).toMatchObject({ mail: null });
    const making = change((transaction) =>
      createUser(accounts, transaction, { name: "mallory", mail, isMailVerified: true }),
    );
    expect(await refusal(making)).toBe("already_exists mail");
    await updateUser(accounts, eve.caller, { mail: "" });
    await change((transaction) =>
      createUser(accounts, transaction, { name: "x", mail, isMailVerified: false }),
    );
    const key = {
      credential_id: "c",
      public_key: "k",
      counter: 0,
      transports: "[]",
      last_used_at: null,
    };
    await accounts.db
      .insertInto("passkeys")
      .values({ id: "pky_a", user_id: userId, name: "laptop", created_at: 1, ...key })
      .execute();
    expect((await listPasskeys(accounts, caller, {})).items).toEqual([
      { id: "pky_a", name: "laptop", createdAt: 1, lastUsedAt: null, verifiesUser: false },
    ]);
    expect(await refusal(deletePasskey(accounts, eve.caller, { passkeyId: "pky_a" }))).toBe("not_found");
    await deletePasskey(accounts, caller, { passkeyId: "pky_a" });
    expect((await listPasskeys(accounts, caller, {})).items).toEqual([]);
    const organizationId = caller.actor.organizationId ?? "";
    const grace = await makePerson(place, "grace", { organizationId, role: "member" });
    const identity = { subject: "1", created_at: 1 };
    await accounts.db
      .insertInto("identities")
      .values([
        { ...identity, issuer: "https://github.com", user_id: grace.userId },
        { ...identity, issuer: "https://sso.acme.example", user_id: userId },
        { ...identity, issuer: "https://sso.old.example", user_id: userId },
      ])
      .execute();
    await accounts.db
      .insertInto("passkeys")
      .values(
        ["b", "c"].map((id) => ({ ...key, id, credential_id: id, user_id: userId, name: id, created_at: 1 })),
      )
      .execute();
    await updateUser(accounts, caller, { mail: "ada@new.example" });
    await updateUser(accounts, grace.caller, { mail: "grace@acme.example" });
    await change((transaction) =>
      proveMail(accounts, transaction, { userId: grace.userId, mail: "grace@acme.example" }),
    );
    const methodsSeenBy = async (seer: typeof caller) =>
      (await listMembers(accounts, seer, {})).items.map(({ signInMethods }) => signInMethods.join(" "));
    expect(await methodsSeenBy(caller)).toEqual(["passkey oidc", "github mail"]);
    expect(await methodsSeenBy(grace.caller)).toEqual(["", "github mail"]);
    const { secret } = await createToken(accounts, caller, { name: "ci", type: "org" });
    const actor = await identify(accounts, { bearer: secret });
    expect(await methodsSeenBy({ actor, address: "" } as typeof caller)).toEqual(["", ""]);
    expect(await refusal(listPasskeys(accounts, { actor, address: "" }, {}))).toBe("permission_denied");
  });
});
