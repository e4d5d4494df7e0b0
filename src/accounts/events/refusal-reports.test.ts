/**
 * 1. A refused call of a known token is reported to its organization with what to do instead: a right that it lacks, a token
 *    that was revoked or has expired. A page's refusals, and objects that are not found, are not reported.
 * 2. The same refusal is reported immediately, and again after a minute with its count, until it stops.
 * 3. A stranger's token is reported to the first organization by its kind alone: no part of the token, nothing that a
 *    stranger chose, and no more for a thousand than for one.
 * 4. Different refusals are limited by organization and by address.
 * 5. Members read refusals of project tokens and of their own; owners read all.
 * 6. A refusal of a person with two organizations is reported in the organization concerned and not in the other. Names that
 *    people give their tokens are reported nowhere.
 * 7. A refusal at a build tool's endpoint is reported with the status and the endpoint, even without a token; elsewhere, calls
 *    without a token are not reported.
 */
import { describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import {
  type Actor,
  authorize,
  createProject,
  createToken,
  reportRefusal,
  identify,
  Refused,
  removeMember,
  restoreToken,
  revokeToken,
  updateMember,
} from "../index.ts";
import { joinOrganization, makePerson, openTestAccounts, type TestAccounts } from "../testing/accounts.ts";
import { REPORT_AGAIN_MS, MAX_REPORTS_PER_ADDRESS, MAX_REPORTS_PER_ORGANIZATION } from "./limits.ts";
import { readLatestEvents } from "../stream/read-events.ts";

/** A call that the API refuses. */
async function call(
  { accounts }: TestAccounts,
  secret: string,
  {
    action = "member.list",
    address = "192.0.2.7",
  }: { action?: "member.list" | "console.read"; address?: string } = {},
): Promise<void> {
  let actor: Actor | null = null;
  try {
    actor = await identify(accounts, { bearer: secret });
    const { organizationId } = actor;
    const refused = authorize(actor, action, { name: "organization", organizationId });
    if (refused) throw refused;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    reportRefusal(accounts, { refused: error, actor, shown: secret, address });
  }
}

describe.each(testDatabaseKinds)("%s", (kind) => {
  async function open() {
    const place = await openTestAccounts(kind);
    const { accounts } = place;
    const ada = await makePerson(place, "ada", { isOperator: true });
    const organizationId = ada.caller.actor.organizationId ?? "";
    const ben = await makePerson(place, "ben", { organizationId, role: "member" });
    const { id: projectId } = await createProject(accounts, ada.caller, { name: "web" });
    const make = (name: string, type: string, more: object = {}) =>
      createToken(accounts, ada.caller, { name, type, ...(type === "project" && { projectId }), ...more });
    const reportsFor = async (person = ada) => {
      await accounts.refusalReports.flush();
      const latest = await readLatestEvents(accounts, person.caller.actor, organizationId);
      return latest.filter(({ refused }) => refused).map(({ text }) => text);
    };
    return { ...place, ada, ben, organizationId, projectId, make, reportsFor };
  }

  test("1. and 2. what is told, and how often", async () => {
    await using place = await open();
    const { accounts, ada, time, make, reportsFor } = place;
    const ci = await make("ci", "project");
    await call(place, ci.secret);
    const sentence =
      "project token ci: project tokens may not list members; use an organization token or a user token";
    expect(await reportsFor()).toEqual([sentence]);
    for (let count = 0; count < 14; count += 1) await call(place, ci.secret);
    expect(await reportsFor()).toEqual([sentence]);
    time.now += REPORT_AGAIN_MS;
    expect(await reportsFor()).toEqual([sentence, `${sentence}, 14 more times`]);
    time.now += REPORT_AGAIN_MS;
    expect((await reportsFor()).length).toBe(2);
    await call(place, ci.secret);
    expect((await reportsFor()).at(-1)).toBe(sentence);

    const old = await make("old", "org");
    await revokeToken(accounts, ada.caller, { tokenId: old.token.id });
    const short = await make("short", "user", { expiresAt: time.now + 1 });
    await identify(accounts, { bearer: short.secret });
    time.now += 1;
    for (const { secret } of [old, short]) await call(place, secret);
    expect((await reportsFor()).slice(-2)).toEqual([
      "organization token old: token is revoked; create a new one",
      "user token ada: token is expired; create a new one",
    ]);
    const before = (await reportsFor()).length;
    const refused = new Refused("permission_denied", "only owners may invite members");
    reportRefusal(accounts, { refused, actor: ada.caller.actor, address: "" });
    const missing = new Refused("not_found", "project x was not found");
    reportRefusal(accounts, {
      refused: missing,
      actor: await identify(accounts, { bearer: ci.secret }),
      address: "",
    });
    expect((await reportsFor()).length).toBe(before);
  });

  test("3. strangers", async () => {
    await using place = await open();
    const { accounts, reportsFor, ada } = place;
    const eve = await makePerson(place, "eve", { organization: "evil-corp" });
    const gone = await createToken(accounts, eve.caller, { name: "x", type: "user" });
    await accounts.db.deleteFrom("tokens").where("id", "=", gone.token.id).execute();
    for (let count = 0; count < 1_000; count += 1) {
      const guess = `${gone.secret.slice(0, -3)}${String(count).padStart(3, "0")}`;
      await call(place, guess, { address: `192.0.2.${count % 200}` });
    }
    await call(place, gone.secret);
    await call(place, "<script>alert(1)</script>");
    const reports = await reportsFor();
    expect(reports.length).toBe(3);
    for (const text of reports) {
      expect(text).not.toContain(gone.secret.slice(8, 20));
      expect(text).not.toContain("script");
    }
    expect(reports).toContain(
      "a token mr_user_… that this server does not know: token is unknown; log in again or create a new one",
    );
    expect(
      await readLatestEvents(accounts, eve.caller.actor, eve.caller.actor.organizationId ?? ""),
    ).not.toContainEqual(expect.objectContaining({ refused: true }));
    expect(ada.caller.actor.memberships[0]?.isFirst).toBe(true);
  });

  test("4. bounds", async () => {
    await using place = await open();
    const { make, reportsFor, accounts } = place;
    const tokens = [];
    for (let count = 0; count < MAX_REPORTS_PER_ORGANIZATION + 5; count += 1)
      tokens.push(await make(`t${count}`, "project"));
    for (const { secret } of tokens) await call(place, secret);
    await accounts.refusalReports.flush();
    const count = async () =>
      (await accounts.db.selectFrom("events").select("id").where("is_refused", "=", 1).execute()).length;
    expect(await count()).toBe(MAX_REPORTS_PER_ADDRESS);
    for (const [index, { secret }] of tokens.entries())
      await call(place, secret, { action: "console.read", address: `10.0.${index}.1` });
    await accounts.refusalReports.flush();
    expect(await count()).toBe(MAX_REPORTS_PER_ORGANIZATION);
    expect(new Map(accounts.refusalReports.counts).get("dropped")).toBeGreaterThan(0);
    expect((await reportsFor()).length).toBeGreaterThan(0);
  });

  test("5. who reads it", async () => {
    await using place = await open();
    const { accounts, ben, make, reportsFor } = place;
    const secrets = [
      await make("ci", "project"),
      await make("machine", "org"),
      await createToken(accounts, ben.caller, { name: "laptop", type: "user" }),
      await make("mine", "user", { readOnly: true }),
    ];
    for (const { secret } of secrets) await call(place, secret, { action: "console.read" });
    expect((await reportsFor()).length).toBe(4);
    expect(await reportsFor(ben)).toEqual([
      expect.stringContaining("project token ci:"),
      expect.stringContaining("ben's token:"),
    ]);
  });

  test("7. endpoints", async () => {
    await using place = await open();
    const { accounts, make, reportsFor, ben } = place;
    const { secret } = await make("ci", "project");
    const actor = await identify(accounts, { bearer: secret });
    const refused =
      authorize(actor, "cache.read", { name: "the cache", organizationId: place.organizationId }) ??
      expect.unreachable();
    reportRefusal(accounts, { refused, actor, address: "192.0.2.7", at: "/cache/gradle/" });
    const nobody = new Refused("unauthenticated", "no token");
    for (let count = 0; count < 3; count += 1)
      reportRefusal(accounts, {
        refused: nobody,
        actor: null,
        shown: "",
        address: "192.0.2.8",
        at: "/cache/gradle/",
      });
    reportRefusal(accounts, { refused: nobody, actor: null, shown: "", address: "192.0.2.8" });
    const told =
      "403 /cache/gradle/ project token ci: project tokens may not use the cache; use an organization token or a user token";
    expect(await reportsFor()).toEqual([
      told,
      "401 /cache/gradle/ no token: send one as a Bearer token, or as the password with any user name, 3 times",
    ]);
    expect(await reportsFor(ben)).toEqual([told]);
  });

  test("6. a person of two organizations", async () => {
    await using place = await open();
    const { accounts, ben, organizationId, reportsFor } = place;
    const eve = await makePerson(place, "eve", { organization: "evil-corp" });
    const elsewhere = eve.caller.actor.organizationId ?? "";
    place.time.now += 1;
    await joinOrganization(place, { organizationId: elsewhere, userId: ben.userId, role: "owner" });
    const { token, secret } = await createToken(accounts, ben.caller, { name: "secret plan", type: "user" });
    const theirs = await createToken(accounts, eve.caller, { name: "theirs", type: "org" });
    await revokeToken(accounts, eve.caller, { tokenId: theirs.token.id });
    const actor = await identify(accounts, { bearer: secret });
    expect(actor.organizationId).toBe(organizationId);
    const attempt = async (run: () => Promise<unknown>) => {
      const refused = await run().catch((error: unknown) => error);
      if (!(refused instanceof Refused)) return expect.unreachable();
      reportRefusal(accounts, { refused, actor, shown: secret, address: "192.0.2.7" });
    };
    await attempt(() => restoreToken(accounts, { actor, address: "" }, { tokenId: theirs.token.id }));
    await updateMember(accounts, eve.caller, { organization: elsewhere, userId: ben.userId, role: "member" });
    const now = await identify(accounts, { bearer: secret });
    const removal = { organization: elsewhere, userId: eve.userId };
    await attempt(() => removeMember(accounts, { actor: now, address: "" }, removal));
    await revokeToken(accounts, ben.caller, { tokenId: token.id });
    await call(place, secret);
    const reports = await reportsFor();
    expect(reports).toEqual([
      "ben's token: only the person who revoked a token may restore it",
      "user token ben: token is revoked; create a new one",
    ]);
    const there = await readLatestEvents(accounts, eve.caller.actor, elsewhere);
    expect(there.filter(({ refused }) => refused).map(({ text }) => text)).toEqual([
      "ben's token: only owners may remove members; ask an owner",
    ]);
  });
});
