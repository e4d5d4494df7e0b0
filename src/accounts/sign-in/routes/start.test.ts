/**
 * 1. A first link makes the first owner and nothing more: it works once, looking does not use it, and a newer one or
 *    another owner voids it.
 * 2. An owner link signs in the first owner, or the named owner; for an unknown name, the answer names the owners.
 * 3. One of several browsers that use a link at the same time, on two replicas, gets in; the others learn where it
 *    was used.
 * 4. The cookie is as strict as the origin allows. Signing out ends it immediately; a person who returns stays signed in.
 * 5. Another site's page, another type of body, too large a body and a flood are refused, as JSON; a valid link is found
 *    among any number of wrong ones.
 * 6. A key is read as people write it, and guesses are limited.
 */
import { describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { identify, setOwnerToken } from "../../index.ts";
import { OWNER_TOKEN } from "../../testing/accounts.ts";
import { makeOwnerLink } from "../mail/owner-link.ts";
import { openTestBrowser } from "../../testing/browser.ts";
import { openTestPeople } from "../../testing/people.ts";

const keyOf = ({ url }: { url: string }) => url.split("/").at(-1) ?? "";

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. the first owner", async () => {
    await using people = await openTestPeople(kind);
    const { accounts } = people;
    const voided = keyOf(await makeOwnerLink(accounts));
    const link = await makeOwnerLink(accounts);
    expect(link).toMatchObject({
      user: null,
      url: expect.stringMatching(/\/app\/start\/(?:[0-9A-HJKMNP-TV-Z]{4}-?){3}$/),
    });
    const key = keyOf(link);
    const visitor = people.browser();
    expect((await visitor.get(`/auth/start/${voided}`)).body).toEqual({ state: "unknown" });
    for (let look = 0; look < 3; look += 1)
      expect((await visitor.get(`/auth/start/${key}`)).body).toEqual({
        state: "first",
        organization: "default",
      });
    for (const [change, field] of [
      [{ name: "" }, "name"],
      [{ organization: "sign-in" }, "name"],
      [{ organization: "Acme" }, "name"],
      [{ mail: "nobody" }, "mail"],
      [{ more: 1 }, undefined],
    ] as const)
      expect(
        await visitor.post(`/auth/start/${key}`, { organization: "acme", name: "ada", ...change }),
      ).toMatchObject({
        status: 400,
        body: { code: "invalid_argument", ...(field && { field }) },
      });
    const answer = await visitor.post(`/auth/start/${key}`, {
      organization: "acme",
      name: "ada",
      mail: "Ada@acme.example",
    });
    expect(answer).toMatchObject({ status: 200, body: { next: "/app" } });
    expect((await visitor.get("/auth/state")).body).toMatchObject({
      version: "1.2.3",
      host: "localhost:3000",
      methods: { passkey: true, oidc: null, github: false, mail: false },
      user: {
        name: "ada",
        mail: "ada@acme.example",
        organizations: [{ name: "acme", role: "owner" }],
        is_operator: true,
      },
    });
    expect((await visitor.get(`/auth/start/${key}`)).body).toEqual({
      state: "used",
      used_at: "2026-01-01T00:00:00.000Z",
      used_from: "192.0.2.7",
    });
    expect((await people.browser().post(`/auth/start/${key}`, {})).body).toMatchObject({
      code: "failed_precondition",
      message: expect.stringContaining("already used, at 2026-01-01T00:00:00.000Z from 192.0.2.7"),
    });
    expect(await accounts.db.selectFrom("users").select("name").execute()).toEqual([{ name: "ada" }]);
    expect(JSON.stringify(people.logged)).not.toContain(key);
  });

  test("1. another owner, and time, void it", async () => {
    await using people = await openTestPeople(kind);
    const key = keyOf(await makeOwnerLink(people.accounts));
    await setOwnerToken(people.accounts, OWNER_TOKEN);
    const visitor = people.browser();
    expect((await visitor.get(`/auth/start/${key}`)).body).toEqual({ state: "expired" });
    const answer = await visitor.post(`/auth/start/${key}`, { organization: "acme", name: "mallory" });
    expect(answer.body).toMatchObject({
      code: "failed_precondition",
      message: expect.stringContaining("has an owner"),
    });
    const second = keyOf(await makeOwnerLink(people.accounts));
    people.time.now += 3_600_000;
    expect((await visitor.get(`/auth/start/${second}`)).body).toEqual({ state: "expired" });
    expect((await visitor.post(`/auth/start/${second}`, {})).status).toBe(400);
  });

  test("2. an owner's link", async () => {
    await using people = await openTestPeople(kind);
    const { accounts } = people;
    await people.begin({ mail: "ada@acme.example" });
    for (const who of [undefined, "ada", "ADA@acme.example"]) {
      const link = await makeOwnerLink(accounts, who);
      expect(link.user).toBe("ada");
      const visitor = people.browser();
      expect((await visitor.get(`/auth/start/${keyOf(link)}`)).body).toEqual({ state: "ready", name: "ada" });
      expect((await visitor.post(`/auth/start/${keyOf(link)}`, {})).body).toEqual({ next: "/app" });
      expect((await visitor.get("/auth/state")).body["user"]).toMatchObject({ name: "ada" });
    }
    await expect(makeOwnerLink(accounts, "bob")).rejects.toThrow(
      'no owner is called "bob"; owners are ada (ada@acme.example)',
    );
  });

  test("3. several browsers at once", async () => {
    await using people = await openTestPeople(kind);
    const key = keyOf(await makeOwnerLink(people.accounts));
    const visitors = Array.from({ length: 6 }, (_, index) =>
      openTestBrowser(index % 2 ? people.app : people.other, "http://localhost:3000"),
    );
    const answers = await Promise.all(
      visitors.map((visitor, index) =>
        visitor.post(`/auth/start/${key}`, { organization: `acme-${index}`, name: `p${index}` }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
    expect(await people.accounts.db.selectFrom("users").select("id").execute()).toHaveLength(1);
    expect(await people.accounts.db.selectFrom("sign_ins").select("id").execute()).toHaveLength(1);
  });

  test("4. the cookie", async () => {
    await using people = await openTestPeople(kind, { accounts: { origin: "https://build.acme.example" } });
    const { accounts, time } = people;
    const visitor = people.browser();
    const answer = await visitor.post(`/auth/start/${keyOf(await makeOwnerLink(accounts))}`, {
      organization: "acme",
      name: "ada",
    });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-millrace-session=\w{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
      ),
      // Only for the documentation's scripts, so it is neither HttpOnly nor on other paths, and contains nothing.
      "millrace-reader=1; Path=/docs; Max-Age=2592000; SameSite=Lax; Secure",
      expect.stringMatching(
        /^__Host-millrace-browser=[\w.-]+; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const cookie = visitor.cookies.get("__Host-millrace-session") ?? "";
    const lifetimeMs = Number(/Max-Age=(\d+)/.exec(answer.headers.getSetCookie()[0] ?? "")?.[1]) * 1000;
    time.now += lifetimeMs - 1000;
    const back = await visitor.get("/auth/state");
    expect(back.headers.getSetCookie()).toHaveLength(3);
    expect((await visitor.get("/auth/state")).headers.getSetCookie()).toEqual([
      "millrace-reader=1; Path=/docs; Max-Age=2592000; SameSite=Lax; Secure",
    ]);
    time.now += lifetimeMs - 1000;
    expect(await identify(accounts, { cookie })).toMatchObject({ name: "ada", via: "browser" });
    expect((await visitor.post("/auth/sign-out", {})).headers.getSetCookie()).toEqual([
      expect.stringContaining("Max-Age=0"),
      "millrace-reader=1; Path=/docs; Max-Age=0; SameSite=Lax; Secure",
    ]);
    await expect(identify(accounts, { cookie })).rejects.toThrow("signed out");
    expect((await visitor.get("/auth/state")).body["user"]).toBeNull();
  });

  test("4. without names in the documentation, its cookie is never set", async () => {
    await using people = await openTestPeople(kind, { accounts: { namesReader: false } });
    const visitor = people.browser();
    const path = `/auth/start/${keyOf(await makeOwnerLink(people.accounts))}`;
    const answer = await visitor.post(path, { organization: "acme", name: "ada" });
    const lines = [answer, await visitor.get("/auth/state")].flatMap(({ headers }) => headers.getSetCookie());
    expect(lines.filter((line) => line.startsWith("millrace-reader"))).toEqual([
      "millrace-reader=1; Path=/docs; Max-Age=0; SameSite=Lax",
    ]);
    expect((await visitor.get("/auth/state")).body).toMatchObject({ names_reader: false });
  });

  test("5. what is refused", async () => {
    await using people = await openTestPeople(kind);
    const visitor = people.browser();
    const path = "/auth/sign-out";
    expect(await visitor.post(path, {}, { "sec-fetch-site": "cross-site" })).toMatchObject({
      status: 403,
      body: { code: "permission_denied" },
    });
    expect((await visitor.post(path, {}, { "content-type": "text/plain" })).status).toBe(400);
    expect((await visitor.post(path, { more: "x".repeat(40_000) })).status).toBe(413);
    const broken = await people.app.request(path, {
      method: "POST",
      body: "{",
      headers: { "content-type": "application/json" },
    });
    expect(await broken.json()).toEqual({ code: "invalid_argument", message: "the body is not valid JSON" });
    const guessed = (guess: number) => `/auth/start/0000-0000-${String(guess).padStart(4, "0")}`;
    for (let guess = 0; guess < 60; guess += 1)
      expect((await visitor.get(guessed(guess))).body).toEqual({ state: "unknown" });
    const limited = await visitor.get(guessed(60));
    expect(limited).toMatchObject({ status: 429, body: { code: "resource_exhausted" } });
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
    // At the same address a valid link works as before.
    const right = keyOf(await makeOwnerLink(people.accounts));
    expect((await visitor.get(`/auth/start/${right}`)).body).toMatchObject({ state: "first" });
    const begun = await visitor.post(`/auth/start/${right}`, { organization: "acme", name: "ada" });
    expect(begun.status).toBe(200);
    people.place.address = "192.0.2.8";
    expect((await visitor.get(guessed(61))).status).toBe(200);
    for (let use = 0; use < 60; use += 1) await visitor.get(`/auth/start/${right}`);
    expect((await visitor.get(`/auth/start/${right}`)).status).toBe(429);
  });

  test("6. keys as people write them", async () => {
    await using people = await openTestPeople(kind);
    const key = keyOf(await makeOwnerLink(people.accounts));
    const visitor = people.browser();
    const typed = key.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l");
    expect((await visitor.get(`/auth/start/${encodeURIComponent(typed)}`)).body["state"]).toBe("first");
    for (const wrong of ["", "x".repeat(5000), "%00", "😀", `${key}0`])
      expect((await visitor.get(`/auth/start/${encodeURIComponent(wrong) || "%20"}`)).body).toEqual({
        state: "unknown",
      });
  });
});
