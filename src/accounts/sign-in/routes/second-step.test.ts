/**
 * 1. A person who has set up an app gets in by a link only with a code of the app: until then no one is signed in.
 * 2. A code is accepted once, by all servers, however many send it at the same moment, even after the clock was set back. Only
 *    a few of many wrong codes sent at the same time are checked, for each purpose separately.
 * 3. A recovery code works once. New codes replace the former ones.
 * 4. A half sign-in ends after ten minutes, when it was used, when its person signs out everywhere, and works for no other
 *    person.
 * 5. A passkey that verifies its person is both steps. A passkey that does not is one step, and none for owners; a PIN set
 *    later does not change that.
 * 6. A signed-in person's dangerous acts need a confirmation, which counts for that session, for ten minutes.
 * 7. An owner of all of a person's organizations can turn it off, and so can the operator; no one else can.
 * 8. Answers to one ceremony do not count for another, even when both states are valid.
 * 9. A session ends 30 days after its last use, and 90 days after the sign-in, whatever has prolonged it.
 * 10. The page about security and the limits state the numbers of these tests.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { identify } from "../../identity/identify.ts";
import { listMembers, updateMember } from "../../organizations/members.ts";
import { endSignIn, listSignIns } from "../../people/sign-ins.ts";
import { hashSecret } from "../../contract/token-text.ts";
import { takeTry } from "../../two-step/code-tries.ts";
import { requireConfirmed } from "../../two-step/require-confirmed.ts";
import { turnOffMembersTwoStep, turnOffTwoStepOf } from "../../organizations/turn-off-two-step.ts";
import { makeOwnerLink } from "../mail/owner-link.ts";
import { createTestAuthenticator, type TestAuthenticator } from "../../testing/authenticator.ts";
import { openTestBrowser, type TestAnswer, type TestBrowser } from "../../testing/browser.ts";
import { openTestPeople, TEST_ORIGIN, type TestPeople } from "../../testing/people.ts";
import { codeOf } from "../../testing/totp.ts";
import { beginHalf, setUpApp } from "../../testing/two-step.ts";

const situation = { origin: TEST_ORIGIN, rpId: "localhost" };
const STEP_MS = 30_000;
const DAY_MS = 86_400_000;
const isSignedIn = async (browser: TestBrowser) => (await browser.get("/auth/state")).body["user"] !== null;
const needsConfirmation = ({ status, headers }: TestAnswer) =>
  status === 403 && headers.get("millrace-confirm") === "required";

async function addPasskey(browser: TestBrowser, { isVerified = true } = {}): Promise<TestAuthenticator> {
  const device = createTestAuthenticator({ ...situation, isVerified });
  const asked = (await browser.post("/auth/passkey/options", { for: "add" })).body;
  const response = device.create(asked["options"] as object);
  const added = await browser.post("/auth/passkey", { state: asked["state"], response, name: "key" });
  expect(added.status).toBe(200);
  return device;
}

/** A member who is not an owner. */
async function join(people: TestPeople, owner: TestBrowser, passkey?: TestAuthenticator) {
  const { accounts } = people;
  const key = "k".repeat(32);
  const organization = await accounts.db.selectFrom("organizations").select("id").executeTakeFirstOrThrow();
  const row = { organization_id: organization.id, mail: null, role: "member" as const, invited_by: "ada" };
  const times = { created_at: people.time.now, expires_at: people.time.now + 1e9 };
  await accounts.db
    .insertInto("invitations")
    .values({ id: "inv_1", key_hash: hashSecret(key), ...row, ...times })
    .execute();
  expect(await isSignedIn(owner)).toBe(true);
  const browser = people.browser();
  const asked = (await browser.post("/auth/passkey/options", { for: "join", key, name: "bob" })).body;
  const proof = passkey && {
    state: asked["state"],
    response: passkey.create(asked["options"] as object),
  };
  const joined = await browser.post(`/auth/invitation/${key}`, { name: "bob", passkey: proof });
  expect(joined.status).toBe(200);
  return browser;
}

async function signInByPasskey(people: TestPeople, device: TestAuthenticator, change: object = {}) {
  const browser = people.browser();
  const { body } = await browser.post("/auth/passkey/options", { for: "sign-in" });
  device.counter += 1;
  const response = device.get(body["options"] as object, change);
  return { browser, answer: await browser.post("/auth/passkey/sign-in", { state: body["state"], response }) };
}

async function beginAgain(people: TestPeople): Promise<TestBrowser> {
  const browser = people.browser();
  const link = (await makeOwnerLink(people.accounts)).url.split("/").at(-1);
  expect((await browser.post(`/auth/start/${link}`, {})).body).toEqual({ next: "/app" });
  return browser;
}

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. a link alone lets no one in", async () => {
    await using people = await openTestPeople(kind);
    const owner = await people.begin();
    const { secret } = await setUpApp(people, owner);
    expect((await owner.get("/auth/two-step")).body).toMatchObject({
      isOn: true,
      totpSince: people.time.now,
      recoveryCodesLeft: 10,
      confirmWays: ["totp", "recovery"],
    });
    const visitor = people.browser();
    const link = (await makeOwnerLink(people.accounts)).url.split("/").at(-1);
    const half = await visitor.post(`/auth/start/${link}`, {});
    expect(half).toMatchObject({ status: 200, body: { next: "/app/second-step?next=%2Fapp" } });
    expect([...visitor.cookies.keys()]).toEqual(["millrace-second"]);
    expect(await isSignedIn(visitor)).toBe(false);
    expect((await people.browser().post(`/auth/start/${link}`, {})).status).toBe(400);
    const asked = await visitor.post("/auth/second-step/options", {});
    expect(asked).toMatchObject({ status: 200, body: { name: "ada", ways: ["totp", "recovery"] } });
    people.time.now += STEP_MS;
    const code = codeOf(secret, people.time.now);
    const done = await visitor.post("/auth/second-step", { code, next: "/app/acme" });
    expect(done).toMatchObject({ status: 200, body: { next: "/app/acme" } });
    expect(await isSignedIn(visitor)).toBe(true);
    expect((await visitor.post("/auth/second-step/options", {})).status).toBe(401);
  });

  test("2. a code once, and few guesses", async () => {
    await using people = await openTestPeople(kind);
    const owner = await people.begin();
    const { secret } = await setUpApp(people, owner);
    people.time.now += STEP_MS;
    const code = codeOf(secret, people.time.now);
    const halves: TestBrowser[] = [];
    for (let count = 0; count < 6; count += 1) halves.push(await beginHalf(people));
    const sent = await Promise.all(
      halves.map(({ cookies }, index) => {
        const browser = openTestBrowser(index % 2 ? people.app : people.other, TEST_ORIGIN);
        for (const [name, value] of cookies) browser.cookies.set(name, value);
        return browser.post("/auth/second-step", { code });
      }),
    );
    expect(sent.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400, 400]);
    const guesser = await beginHalf(people);
    const wrong = codeOf(secret, people.time.now) === "000000" ? "000001" : "000000";
    const guesses = await Promise.all(
      Array.from({ length: 40 }, () => guesser.post("/auth/second-step", { code: wrong })),
    );
    const told = guesses.filter(({ status }) => status === 400).length;
    expect([told, guesses.filter(({ status }) => status === 429).length]).toEqual([5, 35]);
    expect((await guesser.post("/auth/second-step", { code: codeOf(secret, people.time.now) })).status).toBe(
      429,
    );
    // A signed-in person has tries of their own, and a caller without a first step takes none.
    people.time.now += STEP_MS;
    expect((await owner.post("/auth/confirm", { code: codeOf(secret, people.time.now) })).status).toBe(200);
    const stranger = people.browser();
    expect((await stranger.post("/auth/second-step", { code: wrong })).status).toBe(401);
    const refusals = people.accounts.db.selectFrom("audit_events").where("action", "=", "two-step.refuse");
    expect(await refusals.where("organization_id", "is not", null).selectAll().execute()).toHaveLength(10);
    // Setting the clock back does not make an old code new.
    people.time.now -= 2 * STEP_MS;
    expect((await owner.post("/auth/confirm", { code: codeOf(secret, people.time.now) })).status).toBe(400);
    people.time.now += 2 * STEP_MS;
    const later = async (hours: number) => {
      people.time.now += hours * 3_600_000;
      const half = await beginHalf(people);
      const code = codeOf(secret, people.time.now) === wrong ? "000002" : wrong;
      return (await half.post("/auth/second-step", { code })).status;
    };
    expect(await later(6)).toBe(400);
    const status = await later(1);
    expect(status).toBe(429);
    people.time.now += 5 * 3_600_000;
    const again = await beginHalf(people);
    for (let count = 0; count < 3; count += 1) {
      people.time.now += STEP_MS;
      const next = count === 0 ? again : await beginHalf(people);
      const right = codeOf(secret, people.time.now);
      expect((await next.post("/auth/second-step", { code: right })).status).toBe(200);
    }
  });

  test("3. recovery codes", async () => {
    await using people = await openTestPeople(kind);
    const owner = await people.begin();
    const { recoveryCodes } = await setUpApp(people, owner);
    expect(new Set(recoveryCodes).size).toBe(10);
    const [first = "", second = ""] = recoveryCodes;
    const [one, two] = [await beginHalf(people), await beginHalf(people)];
    const typed = first.toLowerCase().replaceAll("-", " ");
    expect((await one.post("/auth/second-step", { recoveryCode: typed })).status).toBe(200);
    expect((await two.post("/auth/second-step", { recoveryCode: first })).status).toBe(400);
    expect((await one.get("/auth/two-step")).body).toMatchObject({ recoveryCodesLeft: 9 });
    const made = (await one.post("/auth/two-step/recovery-codes", {})).body["recoveryCodes"] as string[];
    expect((await two.post("/auth/second-step", { recoveryCode: second })).status).toBe(400);
    expect((await two.post("/auth/second-step", { recoveryCode: made[0] })).status).toBe(200);
    const stored = await people.accounts.db.selectFrom("recovery_codes").selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(made[1]!.slice(0, 4));
  });

  test("4. the end of a half sign-in", async () => {
    await using people = await openTestPeople(kind);
    const owner = await people.begin();
    const { recoveryCodes } = await setUpApp(people, owner);
    const late = await beginHalf(people);
    const cookie = late.cookies.get("millrace-second")!;
    people.time.now += 10 * 60_000;
    const body = { recoveryCode: recoveryCodes[0] };
    expect((await late.post("/auth/second-step", body)).status).toBe(401);
    const ended = await beginHalf(people);
    const actor = await identify(people.accounts, { cookie: owner.cookies.get("millrace-session") });
    people.time.now += 1;
    await endSignIn(people.accounts, { actor, address: "" }, { all: true });
    expect((await ended.post("/auth/second-step", body)).status).toBe(401);
    const used = await beginHalf(people);
    const kept = used.cookies.get("millrace-second")!;
    expect((await used.post("/auth/second-step", body)).status).toBe(200);
    const left = () => people.accounts.db.selectFrom("recovery_codes").selectAll().execute();
    expect(await left()).toHaveLength(9);
    for (const value of [cookie, kept, `${kept}x`]) {
      const again = people.browser();
      again.cookies.set("millrace-second", value);
      expect((await again.post("/auth/second-step", { recoveryCode: recoveryCodes[1] })).status).toBe(401);
      again.cookies.set("millrace-session", value);
      expect(await isSignedIn(again)).toBe(false);
    }
    // No code was used up in vain.
    expect(await left()).toHaveLength(9);
  });

  test("5. passkeys that verify their person", async () => {
    await using people = await openTestPeople(kind);
    const owner = await people.begin();
    const verifying = await addPasskey(owner);
    const weak = createTestAuthenticator({ ...situation, isVerified: false });
    const asked = (await owner.post("/auth/passkey/options", { for: "add" })).body;
    expect(asked["options"]).toMatchObject({ authenticatorSelection: { userVerification: "required" } });
    const response = weak.create(asked["options"] as object);
    expect(
      await owner.post("/auth/passkey", { state: asked["state"], response, name: "weak" }),
    ).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("did not verify that it is you") },
    });
    expect((await signInByPasskey(people, verifying)).answer.status).toBe(200);
    const stripped = await signInByPasskey(people, verifying, { isVerified: false });
    expect(stripped.answer).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("as an owner's passkey must") },
    });
    expect(await isSignedIn(stripped.browser)).toBe(false);

    const bob = await join(people, owner, weak);
    expect((await bob.get("/auth/two-step")).body).toMatchObject({ confirmWays: [] });
    // A PIN was set later: still one step.
    expect((await signInByPasskey(people, weak, { isVerified: true })).answer.body).toEqual({ next: "/app" });
    expect((await bob.post("/auth/two-step/passkey", {})).status).toBe(400);
    const good = await addPasskey(bob);
    const { recoveryCodes } = (await bob.post("/auth/two-step/passkey", {})).body;
    expect(recoveryCodes).toHaveLength(10);
    const half = await signInByPasskey(people, weak, { isVerified: true });
    expect(half.answer.body["next"]).toMatch(/^\/app\/second-step/);
    const question = (await half.browser.post("/auth/second-step/options", {})).body;
    expect(question["ways"]).toEqual(["passkey", "recovery"]);
    const { state, options } = question["passkey"] as { state: string; options: object };
    expect(options).toMatchObject({
      userVerification: "required",
      allowCredentials: [{ id: good.credentialId }],
    });
    const wrong = [
      { state, response: weak.get(options, { isVerified: true }) },
      { state, response: verifying.get(options) },
      { state, response: good.get(options, { isVerified: false }) },
    ];
    for (const passkey of wrong)
      expect((await half.browser.post("/auth/second-step", { passkey })).status).toBe(400);
    const passkey = { state, response: good.get(options) };
    expect((await half.browser.post("/auth/second-step", { passkey })).status).toBe(200);
    expect((await signInByPasskey(people, good)).answer.body).toEqual({ next: "/app" });
  });

  test("5. passkeys of before are taken at their word once they verify", async () => {
    await using people = await openTestPeople(kind);
    const device = await addPasskey(await people.begin());
    await people.accounts.db.updateTable("passkeys").set({ verifies_user: null }).execute();
    expect((await signInByPasskey(people, device, { isVerified: false })).answer.status).toBe(400);
    const { browser, answer } = await signInByPasskey(people, device);
    expect(answer.status).toBe(200);
    expect((await browser.get("/auth/two-step")).body).toMatchObject({ confirmWays: ["passkey"] });
  });

  test("6. confirmation", async () => {
    await using people = await openTestPeople(kind);
    const owner = await people.begin();
    expect(needsConfirmation(await owner.post("/auth/two-step/totp/begin", {}))).toBe(false);
    const { secret } = await setUpApp(people, owner);
    expect((await owner.post("/auth/passkey/options", { for: "add" })).status).toBe(200);
    people.time.now += 10 * 60_000;
    const acts: [string, object][] = [
      ["/auth/passkey/options", { for: "add" }],
      ["/auth/two-step/totp/begin", {}],
      ["/auth/two-step/off", {}],
      ["/auth/two-step/recovery-codes", {}],
      ["/auth/two-step/passkey", {}],
    ];
    for (const [path, body] of acts)
      expect([path, needsConfirmation(await owner.post(path, body))]).toEqual([path, true]);
    expect((await owner.get("/auth/two-step")).body).toMatchObject({ confirmedUntil: null });
    const second = await beginHalf(people);
    people.time.now += STEP_MS;
    const code = codeOf(secret, people.time.now);
    const until = people.time.now + 10 * 60_000;
    expect((await owner.post("/auth/confirm", { code })).body).toEqual({ confirmedUntil: until });
    expect((await second.post("/auth/second-step", { code })).status).toBe(400);
    expect((await owner.post("/auth/passkey/options", { for: "add" })).status).toBe(200);
    people.time.now -= 60 * 60_000;
    expect(needsConfirmation(await owner.post("/auth/two-step/off", {}))).toBe(true);
    people.time.now += 60 * 60_000;
    expect((await owner.post("/auth/two-step/off", {})).status).toBe(200);
    expect((await owner.get("/auth/two-step")).body).toMatchObject({ isOn: false, recoveryCodesLeft: 0 });
  });

  test("6. identities and logins of the CLI are also confirmed", async () => {
    const github = { clientId: "a", clientSecret: "b" };
    await using people = await openTestPeople(kind, { routes: { github } });
    const owner = await people.begin();
    const begun = await people.app.request(`${TEST_ORIGIN}/oauth/device_authorization`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "client_id=millrace-cli&client_name=millrace&machine=build-1&system=Linux",
    });
    const { user_code: code } = (await begun.json()) as { user_code: string };
    await setUpApp(people, owner);
    const link = async () => (await owner.get("/auth/github?link=1")).headers.get("location");
    expect(await link()).toMatch(/^https:\/\/github\.com\//);
    people.time.now += 10 * 60_000;
    expect(await link()).toBe("/app/me?error=confirm");
    const approve = () => owner.post("/oauth/device/approve", { code, organization: "acme" });
    expect(needsConfirmation(await approve())).toBe(true);
    await people.accounts.db
      .updateTable("sign_ins")
      .set({ confirmed_until: people.time.now + 1 })
      .execute();
    expect((await approve()).status).toBe(200);
  });

  test("6. who has lost the only passkey signs in another way, and adds one", async () => {
    await using people = await openTestPeople(kind);
    const owner = await people.begin();
    await addPasskey(owner);
    people.time.now += 10 * 60_000;
    expect(needsConfirmation(await owner.post("/auth/passkey/options", { for: "add" }))).toBe(true);
    await owner.post("/auth/two-step/passkey", {});
    const again = await beginAgain(people);
    expect((await again.post("/auth/passkey/options", { for: "add" })).status).toBe(200);
    expect((await again.post("/auth/two-step/totp/begin", {})).status).toBe(200);
    people.time.now += 10 * 60_000;
    expect(needsConfirmation(await again.post("/auth/two-step/totp/begin", {}))).toBe(true);
  });

  test("6. so does who has lost all of two-step sign-in, once it is turned off", async () => {
    await using people = await openTestPeople(kind);
    const owner = await people.begin();
    await addPasskey(owner);
    expect((await owner.post("/auth/two-step/passkey", {})).status).toBe(200);
    expect(await turnOffTwoStepOf(people.accounts, "ada")).toBe("ada");
    expect((await (await beginAgain(people)).post("/auth/passkey/options", { for: "add" })).status).toBe(200);
  });

  test("6. where browsers have no passkeys, none is asked for", async () => {
    await using people = await openTestPeople(kind);
    const owner = await people.begin();
    await addPasskey(owner);
    people.time.now += 10 * 60_000;
    Object.assign(people.accounts, { origin: "http://192.0.2.7:3000" });
    const actor = await identify(people.accounts, { cookie: owner.cookies.get("millrace-session") });
    await expect(requireConfirmed(people.accounts, actor)).resolves.toBeUndefined();
  });

  test("the key of an app is nowhere in the records", async () => {
    await using people = await openTestPeople(kind);
    const { secret } = await setUpApp(people, await people.begin());
    for (const table of ["leases", "totp_secrets", "audit_events", "two_steps"] as const)
      expect(JSON.stringify(await people.accounts.db.selectFrom(table).selectAll().execute())).not.toContain(
        secret,
      );
  });

  test("2. tries that a clock counted that was ten years ahead shut no one out", async () => {
    await using people = await openTestPeople(kind);
    await setUpApp(people, await people.begin());
    const tenYears = 3650 * DAY_MS;
    const tried = { userId: "usr_0123456789", purpose: "sign-in", kind: "totp" } as const;
    people.time.now += tenYears;
    expect(await takeTry(people.accounts, tried)).toBe(0);
    people.time.now -= tenYears;
    for (let count = 0; count < 10; count++) expect(await takeTry(people.accounts, tried)).toBe(0);
    expect(await takeTry(people.accounts, tried)).toBeGreaterThan(0);
  });

  test("6. a link in a browser in which its person is signed in changes nothing", async () => {
    await using people = await openTestPeople(kind);
    const owner = await people.begin();
    await setUpApp(people, owner);
    const before = owner.cookies.get("millrace-session");
    const link = (await makeOwnerLink(people.accounts)).url.split("/").at(-1);
    expect((await owner.post(`/auth/start/${link}`, {})).body).toEqual({ next: "/app" });
    expect(owner.cookies.get("millrace-session")).toBe(before);
  });

  test("7. turning it off for someone", async () => {
    await using people = await openTestPeople(kind);
    const owner = await people.begin();
    await setUpApp(people, owner);
    await expect(turnOffTwoStepOf(people.accounts, "nobody")).rejects.toThrow(/no one here is called/);
    expect(await turnOffTwoStepOf(people.accounts, "ada")).toBe("ada");
    await expect(turnOffTwoStepOf(people.accounts, "ada")).rejects.toThrow(/is not on/);
    const link = (await makeOwnerLink(people.accounts)).url.split("/").at(-1);
    expect((await people.browser().post(`/auth/start/${link}`, {})).body).toEqual({ next: "/app" });

    const bob = await join(people, owner);
    await setUpApp(people, bob);
    const callerOf = async (browser: TestBrowser) => ({
      actor: await identify(people.accounts, { cookie: browser.cookies.get("millrace-session") }),
      address: "",
    });
    const [ada, other] = [await callerOf(owner), await callerOf(bob)];
    const userId = other.actor.kind === "user" ? other.actor.userId : "";
    const isOn = async () =>
      (await listMembers(people.accounts, ada, {})).items.map(({ twoStep }) => twoStep);
    expect(await isOn()).toEqual([false, true]);
    const turnOff = (caller: typeof ada) => turnOffMembersTwoStep(people.accounts, caller, { userId });
    await expect(turnOff(other)).rejects.toMatchObject({ code: "permission_denied" });
    const elsewhere = { id: "org_other", name: "other", is_first: null, created_at: 1 };
    const membership = {
      organization_id: "org_other",
      user_id: userId,
      role: "member" as const,
      created_at: 2,
    };
    const { db } = people.accounts;
    await db.insertInto("organizations").values(elsewhere).execute();
    await db.insertInto("members").values(membership).execute();
    await expect(turnOff(ada)).rejects.toThrow(/an organization that you do not own/);
    expect(await isOn()).toEqual([false, true]);
    // The operator's command lets owners of any organization in again, by their names.
    await expect(makeOwnerLink(people.accounts, "bob")).rejects.toMatchObject({ code: "not_found" });
    const others = db.updateTable("members").set({ role: "owner" });
    await others.where("organization_id", "=", "org_other").execute();
    expect(await makeOwnerLink(people.accounts, "bob")).toMatchObject({ user: "bob" });
    expect(await makeOwnerLink(people.accounts)).toMatchObject({ user: "ada" });
    await db.deleteFrom("members").where("organization_id", "=", "org_other").execute();
    await turnOff(ada);
    await turnOff(ada);
    expect(await isOn()).toEqual([false, false]);
  });

  test("5. no one becomes an owner who could not get in", async () => {
    await using people = await openTestPeople(kind);
    const owner = await people.begin();
    const weak = createTestAuthenticator({ ...situation, isVerified: false });
    await join(people, owner, weak);
    const { accounts } = people;
    const cookie = owner.cookies.get("millrace-session");
    const ada = { actor: await identify(accounts, { cookie }), address: "" };
    const { userId } = (await listMembers(accounts, ada, {})).items.find(({ name }) => name === "bob")!;
    const promote = () => updateMember(accounts, ada, { userId, role: "owner" });
    await expect(promote()).rejects.toThrow(/only with a passkey that does not verify/);
    await accounts.db
      .updateTable("users")
      .set({ mail: "bob@acme.example", mail_verified_at: 1 })
      .where("id", "=", userId)
      .execute();
    expect(await promote()).toMatchObject({ role: "owner" });
  });

  test("9. the end of a session", async () => {
    await using people = await openTestPeople(kind);
    const { time } = people;
    const owner = await people.begin();
    const begun = time.now;
    const cookie = owner.cookies.get("millrace-session");
    const listed = async () => {
      const caller = { actor: await identify(people.accounts, { cookie }), address: "" };
      return (await listSignIns(people.accounts, caller, {})).items.map(({ expiresAt }) => expiresAt - begun);
    };
    for (let day = 25; day < 90; day += 25) {
      time.now = begun + day * DAY_MS;
      expect(await isSignedIn(owner)).toBe(true);
    }
    expect(await listed()).toEqual([90 * DAY_MS]);
    // As a server of an earlier release prolongs it.
    await people.accounts.db
      .updateTable("sign_ins")
      .set({ expires_at: begun + 200 * DAY_MS })
      .execute();
    time.now = begun + 90 * DAY_MS - 1;
    expect(await isSignedIn(owner)).toBe(true);
    time.now += 1;
    expect(await isSignedIn(owner)).toBe(false);
    const idle = await beginAgain(people);
    time.now += 30 * DAY_MS;
    expect(await isSignedIn(idle)).toBe(false);
  });

  test("8. states and answers of other ceremonies", async () => {
    await using people = await openTestPeople(kind);
    const owner = await people.begin();
    const device = await addPasskey(owner);
    await setUpApp(people, owner);
    const half = await beginHalf(people);
    type Question = { state: string; options: object };
    const ask = async (browser: TestBrowser, path: string, body: object = {}) => {
      const answer = (await browser.post(path, body)).body;
      return (answer["passkey"] ?? answer) as Question;
    };
    const signIn = await ask(people.browser(), "/auth/passkey/options", { for: "sign-in" });
    const step = await ask(half, "/auth/second-step/options");
    const confirm = await ask(owner, "/auth/confirm/options");
    const send = (browser: TestBrowser, path: string, { state, options }: Question) => {
      device.counter += 1;
      const answer = { state, response: device.get(options) };
      return browser.post(path, path.endsWith("sign-in") ? answer : { passkey: answer });
    };
    for (const question of [step, confirm])
      expect((await send(people.browser(), "/auth/passkey/sign-in", question)).status).toBe(400);
    for (const question of [signIn, confirm])
      expect((await send(half, "/auth/second-step", question)).status).toBe(400);
    for (const question of [signIn, step])
      expect((await send(owner, "/auth/confirm", question)).status).toBe(400);
    const other = await beginHalf(people);
    expect((await send(other, "/auth/second-step", step)).status).toBe(400);
    for (const frame of [{ crossOrigin: true }, { crossOrigin: false, topOrigin: "https://evil.example" }]) {
      const response = device.get(confirm.options, { frame });
      expect(
        (await owner.post("/auth/confirm", { passkey: { state: confirm.state, response } })).status,
      ).toBe(400);
    }
    expect((await send(owner, "/auth/confirm", confirm)).status).toBe(200);
    expect((await send(owner, "/auth/confirm", confirm)).status).toBe(400);
    expect((await send(half, "/auth/second-step", step)).status).toBe(200);
  });
});

test("10. what pages say", () => {
  const page = readFileSync("content/docs/security.mdx", "utf8");
  expect(page).toContain("asks for the second step within ten minutes");
  expect(page).toContain("counts for ten minutes in that browser");
  const limits = readFileSync("content/facts/limits.yaml", "utf8");
  const facts = new Map(
    [...limits.matchAll(/- id: (\S+)\n(?: {4}.*\n)*? {4}value: "?([^"\n]+)/g)].map(([, id, value]) => [
      id,
      value,
    ]),
  );
  expect(facts.get("token.browser")).toBe("30 days");
  expect(facts.get("token.browser-absolute")).toBe("90 days");
  expect(facts.get("two-step.recovery-codes")).toBe("10");
  expect(facts.get("two-step.tries")).toBe("10 at once, then one every 6 hours");
});
