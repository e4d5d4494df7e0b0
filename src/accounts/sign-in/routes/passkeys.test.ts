/**
 * 1. A passkey made at the first start, or added later, signs in; its counter and last use are stored.
 * 2. A response works once, on all replicas, even when it is sent several times at the same moment.
 * 3. Responses for another origin, another server's id, another challenge, another person, another purpose, too late, with a
 *    counter that went back or a changed state are refused, and sign no one in.
 * 4. Only a signed-in person adds a passkey, once, and up to a maximum.
 * 5. Passkeys are offered where browsers support them.
 */
import { describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { makeOwnerLink } from "../mail/owner-link.ts";
import { hasPasskeys } from "../../contract/has-passkeys.ts";
import { createTestAuthenticator } from "../../testing/authenticator.ts";
import { openTestBrowser, type TestBrowser } from "../../testing/browser.ts";
import { openTestPeople, TEST_ORIGIN } from "../../testing/people.ts";

const situation = { origin: TEST_ORIGIN, rpId: "localhost" };

interface Question {
  state: string;
  options: object;
}
async function ask(browser: TestBrowser, body: object): Promise<Question> {
  const answer = await browser.post("/auth/passkey/options", body);
  expect(answer.status).toBe(200);
  // The contract's shape.
  return answer.body as unknown as Question;
}

async function addPasskey(browser: TestBrowser) {
  const device = createTestAuthenticator(situation);
  const { state, options } = await ask(browser, { for: "add" });
  const answer = await browser.post("/auth/passkey", {
    state,
    response: device.create(options),
    name: "laptop",
  });
  expect(answer).toMatchObject({ status: 200, body: { name: "laptop", id: expect.stringMatching(/^pky_/) } });
  return device;
}

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. made at the first start", async () => {
    await using people = await openTestPeople(kind);
    const device = createTestAuthenticator(situation);
    const visitor = people.browser();
    const key = (await makeOwnerLink(people.accounts)).url.split("/").at(-1);
    const { state, options } = await ask(visitor, { for: "start", key, name: "ada" });
    expect(options).toMatchObject({
      rp: { id: "localhost" },
      user: { name: "ada" },
      authenticatorSelection: { residentKey: "required" },
    });
    const body = { organization: "acme", name: "ada", passkey: { state, response: device.create(options) } };
    expect((await visitor.post(`/auth/start/${key}`, body)).status).toBe(200);

    const elsewhere = people.browser();
    const question = await ask(elsewhere, { for: "sign-in" });
    device.counter = 7;
    const answer = await elsewhere.post("/auth/passkey/sign-in", {
      state: question.state,
      response: device.get(question.options),
      next: "/app/device?code=WDJB-MJHT",
    });
    expect(answer).toMatchObject({ status: 200, body: { next: "/app/device?code=WDJB-MJHT" } });
    expect((await elsewhere.get("/auth/state")).body["user"]).toMatchObject({ name: "ada" });
    const rows = await people.accounts.db.selectFrom("passkeys").selectAll().execute();
    expect(rows).toMatchObject([{ counter: 7, name: "Chrome on macOS", last_used_at: people.time.now }]);
  });

  test("2. a response works once", async () => {
    await using people = await openTestPeople(kind);
    const device = await addPasskey(await people.begin());
    const { state, options } = await ask(people.browser(), { for: "sign-in" });
    const response = device.get(options);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        openTestBrowser(index % 2 ? people.app : people.other, TEST_ORIGIN).post("/auth/passkey/sign-in", {
          state,
          response,
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    people.time.now += 4 * 60_000;
    expect((await people.browser().post("/auth/passkey/sign-in", { state, response })).status).not.toBe(200);
    people.time.now += 60_000;
    const late = await people.browser().post("/auth/passkey/sign-in", { state, response });
    expect(late.body["code"]).toBe("failed_precondition");
    // Used challenges are forgotten once they have expired.
    device.counter = 2;
    const next = await ask(people.browser(), { for: "sign-in" });
    await people
      .browser()
      .post("/auth/passkey/sign-in", { state: next.state, response: device.get(next.options) });
    expect(await people.accounts.db.selectFrom("leases").select("name").execute()).toHaveLength(1);
  });

  test("3. what is refused", async () => {
    await using people = await openTestPeople(kind);
    const owner = await people.begin();
    const device = await addPasskey(owner);
    const visitor = people.browser();
    const attempt = async (make: (question: Question) => object) => {
      const answer = await visitor.post(
        "/auth/passkey/sign-in",
        make(await ask(visitor, { for: "sign-in" })),
      );
      expect(visitor.cookies.size).toBe(0);
      return [answer.status, answer.body["code"]];
    };
    const notValid = [401, "unauthenticated"];
    expect(
      await attempt(({ state, options }) => ({
        state,
        response: device.get(options, { origin: "https://evil.example" }),
      })),
    ).toEqual(notValid);
    expect(
      await attempt(({ state, options }) => ({
        state,
        response: device.get(options, { rpId: "evil.example" }),
      })),
    ).toEqual(notValid);
    expect(await attempt(({ state }) => ({ state, response: device.get({ challenge: "AAAA" }) }))).toEqual(
      notValid,
    );
    expect(
      await attempt(({ state, options }) => ({
        state,
        response: createTestAuthenticator(situation).get(options),
      })),
    ).toEqual(notValid);
    const overdue = [400, "failed_precondition"];
    expect(
      await attempt(({ state, options }) => ({
        state: `${state.slice(0, -2)}AA`,
        response: device.get(options),
      })),
    ).toEqual(overdue);
    expect(await attempt(({ options }) => ({ state: "", response: device.get(options) }))).toEqual(overdue);
    const added = await ask(owner, { for: "add" });
    expect(await attempt(() => ({ state: added.state, response: device.get(added.options) }))).toEqual(
      overdue,
    );
    expect(await attempt(({ state }) => ({ state, response: { id: "x".repeat(20_000) } }))).toEqual([
      400,
      "invalid_argument",
    ]);
    // Another person's key with this key's id.
    const thief = createTestAuthenticator(situation);
    expect(
      await attempt(({ state, options }) => ({
        state,
        response: { ...thief.get(options), id: device.credentialId, rawId: device.credentialId },
      })),
    ).toEqual(notValid);
    device.counter = 5;
    expect(
      (
        await attempt(({ state, options }) => ({ state, response: device.get(options) })).catch(() => [])
      )[0] ?? 200,
    ).toBe(200);
    visitor.cookies.clear();
    device.counter = 4;
    expect(await attempt(({ state, options }) => ({ state, response: device.get(options) }))).toEqual(
      notValid,
    );
  });

  test("4. adding", async () => {
    await using people = await openTestPeople(kind);
    const owner = await people.begin();
    const stranger = people.browser();
    expect((await stranger.post("/auth/passkey/options", { for: "add" })).status).toBe(401);
    const device = createTestAuthenticator(situation);
    const { state, options } = await ask(owner, { for: "add" });
    const answer = { state, response: device.create(options), name: "laptop" };
    expect((await stranger.post("/auth/passkey", answer)).status).toBe(401);
    expect((await owner.post("/auth/passkey", answer)).status).toBe(200);
    expect((await owner.post("/auth/passkey", answer)).status).toBe(400);
    const again = await ask(owner, { for: "add" });
    expect(again.options).toMatchObject({ excludeCredentials: [{ id: device.credentialId }] });
    const same = { state: again.state, response: device.create(again.options), name: "again" };
    expect(await owner.post("/auth/passkey", same)).toMatchObject({
      status: 409,
      body: { code: "already_exists" },
    });
    for (let count = 1; count < 20; count += 1) await addPasskey(owner);
    expect((await owner.post("/auth/passkey/options", { for: "add" })).body["code"]).toBe(
      "resource_exhausted",
    );
  });
});

test.each([
  ["https://build.acme.example", true],
  ["http://localhost:3000", true],
  ["http://build.acme.example", false],
  ["https://10.0.0.1", false],
  ["http://127.0.0.1:3000", false],
  ["https://[::1]:3000", false],
])("5. %s: %s", (origin, has) => expect(hasPasskeys(origin)).toBe(has));
