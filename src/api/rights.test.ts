/**
 * Every method with every kind of token, compared with the contract (the option `rule` in proto/):
 *
 * 1. Without a token, with a mistyped, unknown, revoked or expired one, only public methods answer.
 * 2. A kind of token that the contract does not name gets `permission_denied`; a named kind does not.
 * 3. A read-only token may ask who it is and read the images that its kind may, and nothing else; a refusal says which token
 *    is needed.
 * 4. Ids of another organization are `not_found`, and the answer has nothing of that organization.
 * 5. A browser's cookie works on the site's own pages, and from another site it does not count.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { addSignIn, openTestApi } from "./testing/api.ts";
import { type MethodFacts, readMethodFacts } from "./testing/facts.ts";

/** Streams have protocols of their own. */
const methods = readMethodFacts().filter(({ isStream }) => !isStream);

/** The methods of a read-only token, in addition to reading who it is. */
const READS_IMAGES = new Set(["ImageService/List", "ImageService/Get"]);

describe.each(testDatabaseKinds)("%s", (kind) => {
  let server: Awaited<ReturnType<typeof openTestApi>>;
  /** By kind of token. */
  const secrets: Record<string, string> = {};
  let projectId: string;
  let buildId: string;
  const addBuild = async () => {
    const { body } = await server.call("BuildService/CreateBuild", { project_id: projectId });
    return body.build.id as string;
  };

  beforeAll(async () => {
    server = await openTestApi(kind, { rateLimitFactor: 0 });
    const { call, accounts } = server;
    projectId = (await call("ProjectService/Create", { name: "web" })).body.project.id;
    buildId = await addBuild();
    const create = async (name: string, more: object = {}) => {
      const { body } = await call("TokenService/Create", { name, type: "org", ...more });
      secrets[name] = body.secret;
      return body.token.id as string;
    };
    await create("user", { type: "user" });
    await create("organization");
    await create("project", { type: "project", project_id: projectId });
    await create("read-only", { read_only: true });
    await create("read-only person", { type: "user", read_only: true });
    const job = await create("job");
    // Only a CI provider's token can be exchanged for a job's token.
    const update = accounts.db
      .updateTable("tokens")
      .set({ type: "job", project_id: projectId, cache: "read" });
    await update.where("id", "=", job).execute();
    await call("TokenService/Revoke", { token_id: await create("revoked") });
    const expired = await create("expired");
    await accounts.db.updateTable("tokens").set({ expires_at: 1 }).where("id", "=", expired).execute();
    secrets["mistyped"] = `${secrets["user"]?.slice(0, -1)}!`;
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const bearer = (name: string) => ({ authorization: `Bearer ${secrets[name]}` });
  /** Names objects that belong to no one, so that no caller changes anything; except the project and its build. */
  const bodyFor = ({ name, fields }: MethodFacts) => {
    const names = new Set(fields.map(({ name }) => name));
    const ids = { user_id: "usr_0000000000", token_id: "tok_0000000000", invitation_id: "inv_0000000000" };
    const body: Record<string, string> = {
      ...ids,
      project_id: projectId,
      sign_in_id: "sgn_0000000000",
      passkey_id: "pky_0000000000",
      build_id: buildId,
      step_id: "sha256:0",
      platform: "linux/amd64",
      role: "owner",
      tool: "turbo",
      host: "ghcr.io",
      username: "ann",
      password: "secret",
      from: "2026-11-01T00:00:00Z",
    };
    if (name.endsWith("/Create")) Object.assign(body, { name: "new", type: "org", project_id: "" });
    return Object.fromEntries(Object.entries(body).filter(([name]) => names.has(name)));
  };

  /** A missing object is reported before a missing right; lists and creates need no object. */
  const refusalsFor = ({ name }: MethodFacts) =>
    /\/(?:List|Get|Create$|CreateInvitation)/.test(name)
      ? ["permission_denied"]
      : ["permission_denied", "not_found", "invalid_argument"];
  const endsOthers = ({ name }: MethodFacts) => /^(?:Organization|Project)Service.Delete$/.test(name);
  const isMissed = ({ code }: { code?: string }) => code === "not_found" || code === "invalid_argument";

  test("1. no one", async () => {
    const said: Record<string, string> = {
      mistyped: "token is mistyped or cut off",
      revoked: "token is revoked",
      expired: "token is expired",
    };
    for (const method of methods)
      for (const [name, message] of [["nobody", "no token"], ...Object.entries(said)]) {
        const headers = name === "nobody" ? { authorization: "" } : bearer(name!);
        const { status, body } = await server.call(method.name, bodyFor(method), headers);
        if (method.isPublic)
          expect([method.name, body.message]).toEqual([method.name, "oidc_token is missing"]);
        else expect([method.name, status, body.message]).toEqual([method.name, 401, message]);
      }
  });

  test("2. each kind", async () => {
    // Methods that would end the other calls come last.
    const ordered = methods
      .filter(({ isPublic }) => !isPublic)
      .toSorted((a, b) => Number(endsOthers(a)) - Number(endsOthers(b)));
    for (const method of ordered)
      for (const name of ["project", "job", "organization", "user"] as const) {
        const { body } = await server.call(method.name, bodyFor(method), bearer(name));
        if (body.code === "unimplemented") continue;
        const isNamed = method.tokens.includes(name);
        expect([method.name, name, refusalsFor(method).includes(body.code)]).toEqual([
          method.name,
          name,
          !isNamed || (isMissed(body) && refusalsFor(method).length > 1),
        ]);
        if (isNamed)
          expect([method.name, name, body.code]).not.toEqual([method.name, name, "permission_denied"]);
      }
    projectId = (await server.call("ProjectService/Create", { name: "again" })).body.project.id;
    buildId = await addBuild();
  });

  test("3. read-only tokens", async () => {
    const ofProject = { name: "cluster", type: "project", project_id: projectId, read_only: true };
    secrets["read-only project"] = (await server.call("TokenService/Create", ofProject)).body.secret;
    for (const method of methods.filter(({ isPublic }) => !isPublic))
      for (const name of ["read-only", "read-only person", "read-only project"]) {
        const { status, body } = await server.call(method.name, bodyFor(method), bearer(name));
        if (body.code === "permission_denied")
          expect(body.message).toMatch(/; use a token that is not read-only$|^project tokens may not /);
        if (method.name === "AccountService/WhoAmI") expect([status, body.read_only]).toEqual([200, true]);
        else if (READS_IMAGES.has(method.name))
          expect([method.name, name, body.code]).not.toContain("permission_denied");
        else
          expect([method.name, name, [...refusalsFor(method), "unimplemented"].includes(body.code)]).toEqual([
            method.name,
            name,
            true,
          ]);
      }
  });

  test("4. another organization", async () => {
    const { call } = server;
    await call("OrganizationService/Create", { name: `other-${kind}` });
    const other = { "millrace-org": `other-${kind}` };
    const { body } = await call("TokenService/Create", { name: "theirs", type: "org" }, other);
    const theirs = { authorization: `Bearer ${body.secret}` };
    for (const method of methods.filter(
      ({ fields, tokens }) =>
        tokens.includes("organization") && fields.some(({ name }) => /^(?:project|build)_id$/.test(name)),
    )) {
      const { body: answer } = await call(method.name, bodyFor(method), theirs);
      if (answer.code !== "unimplemented")
        expect([method.name, answer.code]).toEqual([method.name, "not_found"]);
      expect(JSON.stringify(answer)).not.toContain("again");
    }
    expect((await call("ProjectService/List", {}, theirs)).body.projects).toEqual([]);
    expect(await call("ProjectService/List", {}, { ...theirs, "millrace-org": "default" })).toMatchObject({
      status: 404,
    });
    expect((await call("OrganizationService/Get", { organization: "default" }, theirs)).status).toBe(404);
  });

  test("5. browsers", async () => {
    const cookie = await addSignIn(server);
    const ask = async (headers: Record<string, string>) => {
      const response = await server.api.app.request("/api/millrace.v1.AccountService/WhoAmI", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          cookie: `a=b; ${cookie}`,
          ...headers,
        },
        body: "{}",
      });
      const { token_type, code } = await response.json();
      return token_type ?? code;
    };
    expect(await ask({ origin: "http://localhost:3000" })).toBe("browser");
    expect(await ask({ "sec-fetch-site": "same-origin" })).toBe("browser");
    expect(await ask({ origin: "https://evil.example" })).toBe("unauthenticated");
    expect(await ask({ origin: "http://localhost:3000", "sec-fetch-site": "cross-site" })).toBe(
      "unauthenticated",
    );
    expect(await ask({ origin: "http://localhost:3000", ...bearer("organization") })).toBe("org");
    expect(await ask({ origin: "http://localhost:3000", ...bearer("revoked") })).toBe("unauthenticated");
  });
});
