/**
 * 1. A person whose address the OIDC provider has verified, or whose identity is known, signs in and continues where they
 *    wanted to; PKCE, state and nonce are sent and checked.
 * 2. An unverified or an unknown address, a canceled sign-in, a provider that fails, hangs, sends too much or lies (nonce,
 *    audience, issuer, signature, subject), another state and an expired state return with a code of their own, and sign no
 *    one in.
 * 3. An invitation on the way makes a member, once. Only a signed-in person can link an account, on request of the site's own
 *    page.
 * 4. GitHub: the same, by its API.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import type { DatabaseKind } from "#platform/database/columns.ts";
import { createInvitation, identify } from "../../index.ts";
import { setUpApp } from "../../testing/two-step.ts";
import { answerJson, startTestIssuer, type TestIssuer } from "../../testing/issuer.ts";
import type { TestBrowser } from "../../testing/browser.ts";
import { openTestPeople, TEST_ORIGIN } from "../../testing/people.ts";

const MAIL = "ada@acme.example";
let issuer: TestIssuer;
let forms: URLSearchParams[] = [];
beforeEach(async () => {
  issuer = await startTestIssuer();
  forms = [];
});
afterEach(() => issuer.close());

async function open(kind: DatabaseKind, timeoutMs = 20_000) {
  const people = await openTestPeople(kind, {
    routes: {
      oidc: {
        issuer: issuer.origin,
        clientId: "millrace",
        clientSecret: "s3cret&",
        name: "Acme ID",
        timeoutMs,
      },
      github: {
        clientId: "gh",
        clientSecret: "s3cret",
        addresses: { web: issuer.origin, api: `${issuer.origin}/api` },
        timeoutMs,
      },
    },
  });
  const owner = await people.begin({ mail: MAIL });
  await people.accounts.db.updateTable("users").set({ mail_verified_at: 1 }).execute();
  return { ...people, owner, [Symbol.asyncDispose]: () => people[Symbol.asyncDispose]() };
}
type People = Awaited<ReturnType<typeof open>>;

/** Goes to the provider. @returns the request to it */
async function leave(browser: TestBrowser, path: string) {
  const answer = await browser.get(path);
  expect(answer.status).toBe(302);
  const url = new URL(answer.headers.get("location") ?? "", TEST_ORIGIN);
  return { url, query: url.searchParams };
}

/** The provider's answer to the code. */
function vouch(claims: object, token: object = {}) {
  issuer.answer("/token", async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    forms.push(new URLSearchParams(body));
    expect(request.headers.authorization).toBe(
      `Basic ${Buffer.from("millrace:s3cret%26").toString("base64")}`,
    );
    const now = Math.floor(Date.now() / 1000);
    const id_token = await issuer.sign({ aud: "millrace", sub: "u-1", exp: now + 300, iat: now, ...claims });
    answerJson(response, { access_token: "at", token_type: "Bearer", id_token, ...token });
  });
}

async function come(browser: TestBrowser, query: URLSearchParams, kind = "oidc") {
  const answer = await browser.get(`/auth/${kind}/callback?code=c0de&state=${query.get("state")}`, {
    "sec-fetch-site": "cross-site",
  });
  expect(answer.status).toBe(302);
  return answer.headers.get("location");
}

async function signIn(people: People, claims: object, { path = "/auth/oidc", token = {} } = {}) {
  const visitor = people.browser();
  const { query } = await leave(visitor, path);
  vouch({ nonce: query.get("nonce"), ...claims }, token);
  const location = await come(visitor, query);
  const { body } = await visitor.get("/auth/state");
  // The contract's shape.
  return {
    location,
    user: body["user"] as { name: string; organizations: { name: string }[] } | null,
    visitor,
  };
}

const verified = { email: "Ada@acme.example", email_verified: true, name: "Ada" };

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. a verified address, and then a known identity", async () => {
    await using people = await open(kind);
    const visitor = people.browser();
    const { url, query } = await leave(visitor, "/auth/oidc?next=/console/pages");
    expect(url.origin + url.pathname).toBe(`${issuer.origin}/authorize`);
    expect(Object.fromEntries(query)).toMatchObject({
      client_id: "millrace",
      redirect_uri: `${TEST_ORIGIN}/auth/oidc/callback`,
      response_type: "code",
      code_challenge_method: "S256",
      scope: "openid email profile",
    });
    vouch({ nonce: query.get("nonce"), ...verified });
    expect(await come(visitor, query)).toBe("/console/pages");
    expect(forms[0]?.get("code_verifier")).toMatch(/^[\w-]{43}$/);
    expect((await visitor.get("/auth/state")).body["user"]).toMatchObject({ name: "ada" });
    expect([...visitor.cookies.keys()]).toEqual(["millrace-session", "millrace-reader", "millrace-browser"]);
    // With another address, but the same subject.
    const again = await signIn(people, { email: "new@acme.example", email_verified: false });
    expect(again).toMatchObject({ location: "/app", user: { name: "ada" } });
    expect(await people.accounts.db.selectFrom("identities").selectAll().execute()).toMatchObject([
      { issuer: issuer.origin, subject: "u-1" },
    ]);
  });

  test("1. who signs in in two steps is let in by a verified address, which links nothing", async () => {
    await using people = await open(kind);
    await setUpApp(people, people.owner);
    const begun = await signIn(people, verified);
    expect(begun).toMatchObject({ location: "/app/second-step?next=%2Fapp", user: null });
    expect(await people.accounts.db.selectFrom("identities").selectAll().execute()).toEqual([]);
  });

  test("1. an address that only the provider's userinfo tells", async () => {
    await using people = await open(kind);
    issuer.answer("/userinfo", (_, response) => answerJson(response, { sub: "u-1", ...verified }));
    expect(await signIn(people, {})).toMatchObject({ location: "/app", user: { name: "ada" } });
    issuer.answer("/userinfo", (_, response) => answerJson(response, { sub: "u-2", ...verified }));
    expect(await signIn(people, { sub: "u-3" })).toMatchObject({
      location: "/app/sign-in?error=provider-failed",
    });
  });

  test("2. who is not let in", async () => {
    await using people = await open(kind);
    const refused = async (claims: object, location: string, more = {}) => {
      expect(await signIn(people, claims, more)).toMatchObject({ location, user: null });
    };
    const failed = "/app/sign-in?error=provider-failed";
    await refused({ ...verified, email_verified: false }, "/app/sign-in?error=unverified-mail");
    await refused({ ...verified, email_verified: undefined }, "/app/sign-in?error=unverified-mail");
    await refused(
      { ...verified, email: "bob@x.example" },
      "/app/sign-in?error=not-a-member&mail=bob%40x.example",
    );
    await refused({ email: "a@b.example\r\nx: y", email_verified: true }, "/app/sign-in?error=not-a-member");
    await refused({ ...verified, nonce: "another" }, failed);
    await refused({ ...verified, nonce: undefined }, failed);
    await refused({ ...verified, aud: "another" }, failed);
    await refused({ ...verified, iss: "https://issuer.example" }, failed);
    await refused({ ...verified, sub: undefined }, failed);
    await refused({ ...verified, sub: "x".repeat(300) }, failed);
    await refused({ ...verified, exp: 1 }, failed);
    await refused(verified, failed, { token: { id_token: undefined } });
    await refused(verified, failed, { token: { id_token: "a.b.c" } });
    const { kid } = issuer.keys[0] ?? {};
    await issuer.rotate();
    issuer.keys[0]!.kid = kid;
    await refused(verified, failed);
    expect(people.logged.join()).toContain("Signing in with a provider failed.");
    expect(people.logged.join()).not.toMatch(/s3cret|c0de/);
  });

  test("2. a flow that was not begun here", async () => {
    await using people = await open(kind);
    const [one, other] = [people.browser(), people.browser()];
    const expired = "/app/sign-in?error=expired";
    const { query } = await leave(one, "/auth/oidc");
    vouch({ nonce: query.get("nonce"), ...verified });
    expect(await come(other, query)).toBe(expired);
    expect(await come(one, new URLSearchParams({ state: "another" }))).toBe(expired);
    expect(await come(one, query, "github")).toBe(expired);
    people.time.now += 10 * 60_000;
    expect(await come(one, query)).toBe(expired);
    const { query: second } = await leave(one, "/auth/oidc");
    const canceled = await one.get(`/auth/oidc/callback?error=access_denied&state=${second.get("state")}`);
    expect(canceled.headers.get("location")).toBe("/app/sign-in?error=canceled");
    const { query: third } = await leave(one, "/auth/oidc?next=//evil.example");
    vouch({ nonce: third.get("nonce"), ...verified });
    expect(await come(one, third)).toBe("/app");
    expect(await come(one, third)).toBe(expired);
  });

  test("3. an invitation", async () => {
    await using people = await open(kind);
    const { accounts } = people;
    const actor = await identify(accounts, { cookie: people.owner.cookies.get("millrace-session") });
    const { url } = await createInvitation(accounts, { actor, address: "" }, {});
    const path = `/auth/oidc?invitation=${url.split("/").at(-1)}`;
    const mei = { sub: "u-9", email: "mei@acme.example", email_verified: true, name: "Mei \u202E<b>" };
    expect(await signIn(people, mei, { path })).toMatchObject({
      location: "/app",
      user: { name: "Mei <b>", mail: "mei@acme.example", organizations: [{ name: "acme", role: "member" }] },
    });
    const second = await signIn(people, { ...mei, sub: "u-10" }, { path });
    expect(second).toMatchObject({ location: "/app/sign-in?error=invitation", user: null });
    expect(await signIn(people, mei)).toMatchObject({ user: { name: "Mei <b>" } });
  });

  test("3. links to an account", async () => {
    await using people = await open(kind);
    const { owner } = people;
    expect((await owner.get("/auth/oidc?link=1", { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await people.browser().get("/auth/oidc?link=1")).status).toBe(401);
    const { query } = await leave(owner, "/auth/oidc?link=1");
    vouch({
      nonce: query.get("nonce"),
      sub: "u-5",
      email: "private@x.example",
      email_verified: true,
    });
    expect(await come(owner, query)).toBe("/app");
    expect(await signIn(people, { sub: "u-5", email: "x@x.example" })).toMatchObject({
      user: { name: "ada" },
    });
    // The person signed out on the way.
    const { query: next } = await leave(owner, "/auth/oidc?link=1");
    await owner.post("/auth/sign-out", {});
    vouch({ nonce: next.get("nonce"), ...verified, sub: "u-6" });
    expect(await come(owner, next)).toBe("/app/sign-in?error=expired");
  });

  test("4. GitHub", async () => {
    await using people = await open(kind);
    issuer.answer("/login/oauth/access_token", (_, response) =>
      answerJson(response, { access_token: "gho_1", token_type: "bearer", scope: "user:email" }),
    );
    issuer.answer("/api/user", (request, response) => {
      expect(request.headers.authorization).toBe("Bearer gho_1");
      answerJson(response, { id: 583231, login: "ada", name: null, more: {} });
    });
    const mails = (verified: boolean) => [
      { email: "old@acme.example", primary: false, verified: true },
      { email: MAIL, primary: true, verified },
    ];
    issuer.answer("/api/user/emails", (_, response) => answerJson(response, mails(false)));
    const visitor = people.browser();
    const { url, query } = await leave(visitor, "/auth/github");
    expect(url.pathname).toBe("/login/oauth/authorize");
    expect(query.get("code_challenge_method")).toBe("S256");
    expect(await come(visitor, query, "github")).toBe("/app/sign-in?error=unverified-mail");
    issuer.answer("/api/user/emails", (_, response) => answerJson(response, mails(true)));
    const { query: next } = await leave(visitor, "/auth/github");
    expect(await come(visitor, next, "github")).toBe("/app");
    expect(await people.accounts.db.selectFrom("identities").selectAll().execute()).toMatchObject([
      { issuer: "https://github.com", subject: "583231" },
    ]);
    issuer.answer("/login/oauth/access_token", (_, response) =>
      answerJson(response, { error: "bad_verification_code" }),
    );
    const { query: third } = await leave(visitor, "/auth/github");
    expect(await come(visitor, third, "github")).toBe("/app/sign-in?error=provider-failed");
    issuer.answer("/api/user", (_, response) => answerJson(response, {}, 403));
  });
});

describe("2. a provider that", () => {
  const configuration = "/.well-known/openid-configuration";
  test("is unreachable, before and after", async () => {
    await using people = await open("sqlite", 300);
    const visitor = people.browser();
    const away = "/app/sign-in?error=provider-away";
    const begin = async () => (await visitor.get("/auth/oidc")).headers.get("location");
    issuer.answer(configuration, (_, response) => answerJson(response, {}, 500));
    expect(await begin()).toBe(away);
    issuer.answer(configuration, () => {});
    expect(await begin()).toBe(away);
    issuer.answer(configuration, (_, response) => response.destroy());
    expect(await begin()).toBe(away);
    issuer.answer(configuration, (_, response) => response.end("x".repeat(600_000)));
    expect(await begin()).toBe(away);
    issuer.answer(configuration, (_, response) => answerJson(response, { issuer: "https://issuer.example" }));
    expect(await begin()).toBe("/app/sign-in?error=provider-failed");
    issuer.answer(configuration, null);
    for (const handle of [
      () => {},
      (_: unknown, response: import("node:http").ServerResponse) => answerJson(response, {}, 502),
    ]) {
      const { query } = await leave(visitor, "/auth/oidc");
      issuer.answer("/token", handle);
      expect(await come(visitor, query)).toBe(away);
    }
    expect(visitor.cookies.size).toBe(0);
  });
});
