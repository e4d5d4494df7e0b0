/**
 * 1. A person with a proved address gets a mail when two-step sign-in is set up or turned off, recovery codes are new, or a
 *    passkey is added: what happened, who did it, and what to do. Others get none. The former address is notified of a
 *    change.
 * 2. Repeated changes send one mail a minute of each kind.
 * 3. A mail server that refuses changes nothing.
 */
import { describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import type { Mail } from "../contract/accounts.ts";
import { setUpApp } from "../testing/two-step.ts";
import { openTestPeople, TEST_ORIGIN } from "../testing/people.ts";
import { createTestAuthenticator } from "../testing/authenticator.ts";
import { changeRecords } from "./change-records.ts";
import { identify } from "../identity/identify.ts";
import { updateUser } from "../people/people.ts";
import { turnOffTwoStep } from "../two-step/two-step.ts";

/** The other mails have links. */
const isTold = ({ subject }: Mail) => subject.includes("for your account");

describe.each(testDatabaseKinds)("%s", (kind) => {
  async function open(sendMail: (mail: Mail) => Promise<void>) {
    const people = await openTestPeople(kind, { accounts: { sendMail } });
    const browser = await people.begin({ mail: "ada@acme.example" });
    people.time.now += 61_000;
    const prove = () =>
      people.accounts.db.updateTable("users").set({ mail_verified_at: people.time.now }).execute();
    return {
      people,
      browser,
      prove,
      addPasskey: async () => {
        const device = createTestAuthenticator({ origin: TEST_ORIGIN, rpId: "localhost", isVerified: true });
        const asked = (await browser.post("/auth/passkey/options", { for: "add" })).body;
        const response = device.create(asked["options"] as object);
        return browser.post("/auth/passkey", { state: asked["state"], response, name: "key" });
      },
      [Symbol.asyncDispose]: () => people[Symbol.asyncDispose](),
    };
  }

  test("1. and 2. who is told what", async () => {
    const sent: Mail[] = [];
    await using place = await open(async (mail) => void (isTold(mail) && sent.push(mail)));
    const { people, browser } = place;
    await place.prove();
    await setUpApp(people, browser);
    await expect.poll(() => sent.length).toBe(1);
    expect(sent[0]?.subject).toMatch(/^Two-step sign-in was set up/);
    expect((await place.addPasskey()).status).toBe(200);
    await expect.poll(() => sent.length).toBe(2);
    expect(sent[1]).toMatchObject({
      to: "ada@acme.example",
      subject: "A passkey was added for your account on localhost:3000",
      text: expect.stringMatching(
        /^A passkey was added by you, or by someone who is signed in as you\.\n\n.*\n\nIf you did not expect this, .*\/app\/me\./,
      ),
    });
    for (let count = 0; count < 3; count += 1)
      expect((await browser.post("/auth/two-step/recovery-codes", {})).status).toBe(200);
    await expect.poll(() => sent.length).toBe(3);
    expect(sent[2]?.subject).toMatch(/^New recovery codes were created/);
    people.time.now += 61_000;
    await browser.post("/auth/two-step/recovery-codes", {});
    await expect.poll(() => sent.length).toBe(4);
    const { id: userId, name } = await people.accounts.db
      .selectFrom("users")
      .selectAll()
      .executeTakeFirstOrThrow();
    const grace = { name: "Grace https://evil.example", id: "usr_grace", address: "" };
    await changeRecords(people.accounts, grace, (change) => turnOffTwoStep(change, { userId, name }));
    await expect.poll(() => sent.length).toBe(5);
    expect(sent[4]?.text).toMatch(
      /^Two-step sign-in was turned off by Grace https {3}evil example\.\n\nOne step is now enough/,
    );
    const actor = await identify(people.accounts, { cookie: browser.cookies.get("millrace-session") });
    const caller = { actor, address: "" };
    await updateUser(people.accounts, caller, { name: "Ada" });
    await updateUser(people.accounts, caller, { mail: "eve@acme.example" });
    await expect.poll(() => sent.length).toBe(6);
    expect(sent[5]).toMatchObject({
      to: "ada@acme.example",
      subject: expect.stringMatching(/^The mail address was changed/),
    });
    // The address before this change was never proved.
    await updateUser(people.accounts, caller, { mail: "ada@acme.example" });
    await people.accounts.close();
    expect(sent).toHaveLength(6);
  });

  test("1. an address that is not proved", async () => {
    const sent: Mail[] = [];
    await using place = await open(async (mail) => void (isTold(mail) && sent.push(mail)));
    await setUpApp(place.people, place.browser);
    expect((await place.addPasskey()).status).toBe(200);
    await place.people.accounts.close();
    expect(sent).toEqual([]);
  });

  test("1. an account at a provider, also with an invitation", async () => {
    const sent: Mail[] = [];
    await using place = await open(async (mail) => void (isTold(mail) && sent.push(mail)));
    await place.prove();
    const { accounts, time } = place.people;
    const { id: targetId } = await accounts.db.selectFrom("users").select("id").executeTakeFirstOrThrow();
    const connect = (id: string) =>
      changeRecords(accounts, { name: "ada", id: "https://id.example 1", address: "" }, async ({ audit }) => {
        for (const action of ["identity.create", "invitation.accept"])
          await audit({ action, organizationId: null, target: "ada", targetId: id });
      });
    await connect(targetId);
    await expect.poll(() => sent.length).toBe(1);
    expect(sent[0]?.text).toMatch(
      /^An account at a provider was connected by you, by someone who is signed in as you, or/,
    );
    // A person who has just joined knows it.
    const row = { id: "usr_new", name: "new", mail: "new@acme.example", created_at: time.now };
    await accounts.db
      .insertInto("users")
      .values({ ...row, mail_verified_at: time.now, last_seen_at: null })
      .execute();
    await connect("usr_new");
    await accounts.close();
    expect(sent).toHaveLength(1);
  });

  test("3. a mail server that refuses", async () => {
    await using place = await open(() => Promise.reject(new Error("no")));
    await place.prove();
    expect((await place.addPasskey()).status).toBe(200);
    await expect
      .poll(() => place.people.logged.join())
      .toContain("about a change of an account could not be sent");
  });
});
