/**
 * 1. An invitation makes a member of a new person, with a passkey if they like, and of a signed-in person; it works once, for
 *    seven days, and not after it was revoked. Looking at it does not use it.
 * 2. One of several people who use it at the same time joins.
 * 3. The address of the invitation counts as proved; another address does not, and no one joins with someone else's.
 * 4. A person who is already a member keeps their role.
 */
import { describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import type { DatabaseKind } from "#platform/database/columns.ts";
import { createInvitation, identify, revokeInvitation } from "../../index.ts";
import { createTestAuthenticator } from "../../testing/authenticator.ts";
import type { TestBrowser } from "../../testing/browser.ts";
import { openTestPeople, TEST_ORIGIN } from "../../testing/people.ts";

const DAY_MS = 86_400_000;

async function open(kind: DatabaseKind) {
  const people = await openTestPeople(kind);
  const owner = await people.begin({ mail: "ada@acme.example" });
  async function invite(input: { mail?: string; role?: string } = {}) {
    const actor = await identify(people.accounts, { cookie: owner.cookies.get("millrace-session") });
    const made = await createInvitation(people.accounts, { actor, address: "" }, input);
    return {
      ...made,
      path: `/auth/invitation/${made.url.split("/").at(-1)}`,
      caller: { actor, address: "" },
    };
  }
  return { ...people, owner, invite, [Symbol.asyncDispose]: () => people[Symbol.asyncDispose]() };
}

async function userOf(browser: TestBrowser) {
  return (await browser.get("/auth/state")).body["user"];
}

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. a new person", async () => {
    await using people = await open(kind);
    const { path, url } = await people.invite({ mail: "mei@acme.example", role: "owner" });
    const visitor = people.browser();
    for (let look = 0; look < 2; look += 1)
      expect((await visitor.get(path)).body).toEqual({
        organization: "acme",
        role: "owner",
        invited_by: "ada",
        mail: "mei@acme.example",
        expires_at: new Date(people.time.now + 7 * DAY_MS).toISOString(),
      });
    expect(await visitor.post(path, {})).toMatchObject({ status: 400, body: { field: "name" } });
    const device = createTestAuthenticator({ origin: TEST_ORIGIN, rpId: "localhost" });
    const key = url.split("/").at(-1);
    const { body } = await visitor.post("/auth/passkey/options", { for: "join", key, name: "mei" });
    // The contract's shape.
    const { state, options } = body as { state: string; options: object };
    const passkey = { state, response: device.create(options) };
    expect(await visitor.post(path, { name: "mei", passkey })).toMatchObject({
      status: 200,
      body: { next: "/app" },
    });
    expect(await userOf(visitor)).toMatchObject({
      name: "mei",
      organizations: [{ name: "acme", role: "owner" }],
    });
    expect((await people.browser().post(path, { name: "mallory" })).status).toBe(404);
    expect((await people.browser().get(path)).status).toBe(404);
    const elsewhere = people.browser();
    const question = (await elsewhere.post("/auth/passkey/options", { for: "sign-in" })).body as {
      state: string;
      options: object;
    };
    await elsewhere.post("/auth/passkey/sign-in", {
      state: question.state,
      response: device.get(question.options),
    });
    expect(await userOf(elsewhere)).toMatchObject({ name: "mei" });
  });

  test("1. its time, and its end", async () => {
    await using people = await open(kind);
    const late = await people.invite();
    const revoked = await people.invite();
    await revokeInvitation(people.accounts, revoked.caller, { invitationId: revoked.invitation.id });
    expect((await people.browser().post(revoked.path, { name: "mei" })).status).toBe(404);
    people.time.now += 7 * DAY_MS;
    expect((await people.browser().get(late.path)).body["code"]).toBe("failed_precondition");
    expect((await people.browser().post(late.path, { name: "mei" })).status).toBe(400);
    expect((await people.browser().get(`/auth/invitation/${"x".repeat(5000)}`)).status).toBe(404);
  });

  test("1. someone who is signed in", async () => {
    await using people = await open(kind);
    const first = await people.invite();
    const mei = people.browser();
    await mei.post(first.path, { name: "mei" });
    const { accounts, time } = people;
    const id = "org_other00001";
    await accounts.db
      .insertInto("organizations")
      .values({ id, name: "other", is_first: null, created_at: time.now })
      .execute();
    const second = await people.invite();
    await accounts.db
      .updateTable("invitations")
      .set({ organization_id: id })
      .where("id", "=", second.invitation.id)
      .execute();
    // They are listed in the order in which she joined.
    time.now += 1;
    expect((await mei.post(second.path, {})).status).toBe(200);
    expect(await userOf(mei)).toMatchObject({
      name: "mei",
      organizations: [{ name: "acme" }, { name: "other" }],
    });
    expect(await accounts.db.selectFrom("users").select("id").execute()).toHaveLength(2);
  });

  test("2. several at once", async () => {
    await using people = await open(kind);
    const { path } = await people.invite();
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => people.browser().post(path, { name: `person ${index}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
    expect(await people.accounts.db.selectFrom("users").select("id").execute()).toHaveLength(2);
  });

  test("3. addresses", async () => {
    await using people = await open(kind);
    const proved = await people.invite({ mail: "mei@acme.example" });
    await people.browser().post(proved.path, { name: "mei" });
    const other = await people.invite({ mail: "ben@acme.example" });
    await people.browser().post(other.path, { name: "ben", mail: "Ben@home.example" });
    const taken = await people.invite();
    const answer = await people.browser().post(taken.path, { name: "mallory", mail: "mei@acme.example" });
    expect(answer).toMatchObject({ status: 409, body: { code: "already_exists", field: "mail" } });
    expect((await people.browser().get(taken.path)).status).toBe(200);
    const rows = await people.accounts.db.selectFrom("users").selectAll().orderBy("name").execute();
    expect(rows.map(({ mail, mail_verified_at }) => [mail, mail_verified_at !== null])).toEqual([
      ["ada@acme.example", false],
      ["ben@home.example", false],
      ["mei@acme.example", true],
    ]);
  });

  test("4. who belongs already", async () => {
    await using people = await open(kind);
    const { path } = await people.invite();
    expect((await people.owner.post(path, {})).status).toBe(200);
    expect(await userOf(people.owner)).toMatchObject({ organizations: [{ role: "owner" }] });
    expect((await people.owner.post(path, {})).status).toBe(404);
  });
});
