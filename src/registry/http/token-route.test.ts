/**
 * 1. A caller without a token is told where to get one, and for what; so is a caller with a wrong token.
 * 2. A token of `/v2/token` has the requested scopes that its owner has, whichever way it is requested.
 * 3. It does no more than its scopes, gets no other token, and is worthless to the rest of the server.
 * 4. It ends with its time and with the token that was shown for it. A forged, changed or another server's token is invalid.
 * 5. Without such a token, accounts' own tokens work as `Bearer` and as a password.
 * 6. A job and a project's token have their project; a read-only token pulls, and any other request is refused with a message
 *    that says which token is needed, whatever it requested from `/v2/token`.
 * 7. Owners are notified of a request for a token without a login, and of a wrong token; not of the first request of each
 *    client, which has no token.
 */
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createToken, identify, revokeToken } from "#accounts/index.ts";
import { makeJobToken } from "#accounts/testing/accounts.ts";
import { TOKEN_SECONDS } from "../contract/limits.ts";
import { type AskOptions, openTestClient, type TestClient } from "../testing/client.ts";
import { ROUTES } from "./routes.ts";
import { createScopedTokens } from "./token.ts";

const time = { now: Date.parse("2026-11-22T00:00:00Z") };
const MANIFEST = "/v2/acme/web/manifests/latest";
let client: TestClient;

beforeEach(async () => {
  client = await openTestClient("sqlite", { clock: () => time.now });
});
afterEach(() => client.close());

const basic = (token: string, user = "x-token") => ({ authorization: `Basic ${btoa(`${user}:${token}`)}` });
const ask = (method: string, path: string, options: AskOptions = {}) =>
  client.ask(method, path, { token: null, ...options });
const scopesOf = (scopes: readonly string[]) =>
  scopes.map((scope) => `scope=${encodeURIComponent(scope)}`).join("&");

/** @returns the token of `/v2/token` and its scopes */
async function getToken(shown: string, ...scopes: string[]) {
  const answer = await ask("GET", `/v2/token?service=x&${scopesOf(scopes)}`, { headers: basic(shown) });
  expect(answer.status, answer.text).toBe(200);
  return readAnswer(answer.text);
}

function readAnswer(text: string) {
  const { token, access_token, expires_in, issued_at, scope } = JSON.parse(text) as Record<string, string>;
  expect(token).toBe(access_token);
  expect(expires_in).toBe(TOKEN_SECONDS);
  expect(Date.parse(issued_at!)).toBe(time.now);
  return { token: token!, scope };
}

/** 404: the manifest does not exist, and the caller may ask. */
const pulls = async (token: string, path = MANIFEST) => (await ask("GET", path, { token })).status;
const deletes = async (token: string, path = MANIFEST) => (await ask("DELETE", path, { token })).status;

test("1. challenges", async () => {
  const realm = `Bearer realm="http://localhost:3000/v2/token",service="localhost:3000"`;
  const challenge = async (method: string, path: string, options?: AskOptions) => {
    const { status, headers, code } = await ask(method, path, options);
    expect([status, code]).toEqual([401, "UNAUTHORIZED"]);
    return headers["www-authenticate"];
  };
  expect(await challenge("GET", "/v2/")).toBe(realm);
  expect(await challenge("GET", "/v2/nowhere")).toBe(realm);
  expect(await challenge("GET", MANIFEST)).toBe(`${realm},scope="repository:acme/web:pull"`);
  expect(await challenge("PUT", MANIFEST)).toBe(`${realm},scope="repository:acme/web:pull,push"`);
  expect(await challenge("DELETE", MANIFEST)).toBe(`${realm},scope="repository:acme/web:pull,push"`);
  expect(await challenge("POST", "/v2/acme/web/blobs/uploads/?mount=sha256:1&from=acme/api")).toBe(
    `${realm},scope="repository:acme/web:pull,push repository:acme/api:pull"`,
  );
  // Clients that push ask how far an upload has come.
  const upload = `/v2/acme/web/blobs/uploads/upl_${"0".repeat(32)}`;
  expect(await challenge("GET", upload)).toBe(`${realm},scope="repository:acme/web:pull,push"`);
  // An invalid name in an address never gets into the header.
  expect(await challenge("GET", '/v2/A"B/manifests/x')).toBe(realm);
  expect(await challenge("GET", "/v2/token?scope=repository:acme/web:pull")).toBe(realm);
  for (const wrong of ["mr_org_wrong", "", "x".repeat(9_000)])
    expect(await challenge("GET", MANIFEST, { headers: basic(wrong) })).toContain("acme/web:pull");
});

test("2. scopes", async () => {
  const { organization } = client.tokens;
  const [web, api] = ["repository:acme/web:pull,push", "repository:acme/api:pull"];
  expect((await getToken(organization)).scope).toBe("");
  expect((await getToken(organization, web, api)).scope).toBe(`${web} ${api}`);
  expect((await getToken(organization, `${api} ${web}`)).scope).toBe(`${api} ${web}`);
  expect((await getToken(organization, "repository:acme/web:*")).scope).toBe(web);
  expect((await getToken(organization, "repository:acme/web:delete")).scope).toBe("repository:acme/web:push");
  // Scopes of others, and malformed scopes.
  const left = [
    "repository:evil/loot:pull",
    "repository:acme/none:pull",
    "registry:catalog:*",
    "repository:x",
    "nonsense",
  ];
  expect((await getToken(organization, web, ...left)).scope).toBe(web);
  expect((await getToken(client.tokens.stranger, web)).scope).toBe("");
  expect((await getToken(client.tokens.project, web, api)).scope).toBe(web);
  expect(
    (
      await ask("GET", `/v2/token?${scopesOf(Array.from({ length: 51 }, () => api))}`, {
        headers: basic(organization),
      })
    ).status,
  ).toBe(400);

  const form = (body: string, more: AskOptions = {}) =>
    ask("POST", "/v2/token", {
      ...more,
      headers: { "content-type": "application/x-www-form-urlencoded", ...more.headers },
      body: `service=x&client_id=buildkit&${scopesOf([web, api])}&${body}`,
    });
  for (const body of [
    `grant_type=password&username=ada&password=${organization}`,
    `grant_type=refresh_token&refresh_token=${organization}`,
  ]) {
    const answer = await form(body);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(readAnswer(answer.text).scope).toBe(`${web} ${api}`);
  }
  expect(readAnswer((await form("", { headers: basic(organization) })).text).scope).toBe(`${web} ${api}`);
  expect((await form("grant_type=password&username=ada&password=wrong")).status).toBe(401);
  expect((await form("grant_type=authorization_code&code=1")).status).toBe(400);
  expect((await form(`x=${"x".repeat(20_000)}`)).status).toBe(413);
  // Proxies would log a token in an address.
  expect((await ask("GET", `/v2/token?password=${organization}`)).status).toBe(401);
  expect((await ask("PUT", "/v2/token", { headers: basic(organization) })).status).toBe(405);
});

test("2. as many scopes as are possible are a token that works", async () => {
  const scopes = Array.from({ length: 50 }, () => "repository:acme/web:pull,push");
  const { token } = await getToken(client.tokens.organization, ...scopes);
  expect(await pulls(token)).toBe(404);
});

test("3. no more than its scopes", async () => {
  const { organization } = client.tokens;
  const { token: reads } = await getToken(organization, "repository:acme/web:pull");
  const { token: writes } = await getToken(organization, "repository:acme/web:pull,push");
  const { token: nothing } = await getToken(organization);
  expect(await Promise.all([pulls(reads), pulls(writes), pulls(nothing)])).toEqual([404, 404, 401]);
  expect(await Promise.all([deletes(reads), deletes(writes), deletes(nothing)])).toEqual([401, 404, 401]);
  const other = MANIFEST.replace("web", "api");
  expect(await Promise.all([pulls(reads, other), deletes(writes, other)])).toEqual([401, 401]);
  const refused = await ask("DELETE", MANIFEST, { token: reads });
  expect(refused.headers["www-authenticate"]).toContain('scope="repository:acme/web:pull,push"');
  expect(refused.code).toBe("DENIED");
  // To mount from where its owner may read, a new token is requested; elsewhere the blob is sent instead.
  const mount = (from: string, token: string) =>
    ask("POST", `/v2/acme/web/blobs/uploads/?mount=sha256:${"0".repeat(64)}&from=${from}`, { token });
  const asked = await mount("acme/api", writes);
  expect([asked.status, asked.headers["www-authenticate"]]).toEqual([
    401,
    expect.stringContaining('scope="repository:acme/web:pull,push repository:acme/api:pull"'),
  ]);
  const { token: own } = await getToken(client.tokens.project, "repository:acme/web:pull,push");
  for (const [from, token] of [
    ["acme/api", own],
    ["evil/loot", writes],
    ["acme/none", writes],
    ["mirror/docker.io/library/debian", writes],
  ] as const)
    expect((await mount(from, token)).status, from).toBe(202);
  // The base is open to any identified caller.
  expect((await ask("GET", "/v2/", { token: nothing })).status).toBe(200);
  for (const headers of [basic(reads), { authorization: `Bearer ${reads}` }])
    expect(
      (await ask("GET", `/v2/token?${scopesOf(["repository:acme/web:push"])}`, { headers })).status,
    ).toBe(401);
  const body = `grant_type=refresh_token&refresh_token=${reads}`;
  expect((await ask("POST", "/v2/token", { body })).status).toBe(401);
  expect((await ask("GET", MANIFEST, { headers: basic(reads) })).status).toBe(401);
  await expect(identify(client.test.accounts, { bearer: reads })).rejects.toMatchObject({
    code: "unauthenticated",
  });
});

test("4. its end", async () => {
  const { accounts } = client.test;
  const { caller } = client.owner;
  const made = await createToken(accounts, caller, { name: "short", type: "org" });
  const scope = "repository:acme/web:pull";
  const { token } = await getToken(made.secret, scope);
  expect(await pulls(token)).toBe(404);
  const middle = Math.floor(token.length / 2);
  const flipped = token.slice(0, middle) + (token[middle] === "A" ? "B" : "A") + token.slice(middle + 1);
  const foreign = createScopedTokens(randomBytes(32), () => time.now).seal({
    shown: made.secret,
    scopes: [{ name: "acme/web", rights: ["pull", "push"] }],
  });
  for (const wrong of [
    flipped,
    foreign,
    "mrr_",
    `mrr_${"A".repeat(100)}`,
    token.slice(0, -1),
    `${token}A`.repeat(30),
  ])
    expect(await pulls(wrong), wrong.slice(0, 40)).toBe(401);
  time.now += TOKEN_SECONDS * 1000 - 1;
  expect(await pulls(token)).toBe(404);
  time.now += 1;
  expect(await pulls(token)).toBe(401);
  const { token: second } = await getToken(made.secret, scope);
  expect(await pulls(second)).toBe(404);
  await revokeToken(accounts, caller, { tokenId: made.token.id });
  expect(await pulls(second)).toBe(401);
  expect((await ask("GET", "/v2/token", { headers: basic(made.secret) })).status).toBe(401);
});

test("5. accounts' tokens", async () => {
  const { organization, user, stranger } = client.tokens;
  for (const token of [organization, user]) {
    for (const headers of [
      basic(token),
      basic(token, "anybody"),
      basic(token, ""),
      { authorization: `bearer ${token}` },
    ]) {
      expect((await ask("GET", "/v2/", { headers })).status).toBe(200);
      expect((await ask("DELETE", MANIFEST, { headers })).status).toBe(404);
    }
  }
  // As if it did not exist.
  const theirs = await ask("GET", MANIFEST, { token: stranger });
  const nowhere = await ask("GET", MANIFEST.replace("web", "nowhere"), { token: stranger });
  expect([theirs.status, theirs.text.replaceAll("web", "nowhere")]).toEqual([nowhere.status, nowhere.text]);
  expect(theirs.status).toBe(404);
});

test("6. a job and a project's token", async () => {
  const { organizationId, projects, tokens } = client;
  const job = await makeJobToken(client.test, { organizationId, projectId: projects.web });
  const runner = await makeJobToken(client.test, { organizationId, projectId: null });
  const api = MANIFEST.replace("web", "api");
  for (const [token, ofApi] of [
    [tokens.project, 403],
    [job.secret, 403],
    [runner.secret, 404],
  ] as const) {
    expect([await pulls(token), await deletes(token)]).toEqual([404, 404]);
    expect([await pulls(token, api), await deletes(token, api)]).toEqual([ofApi, ofApi]);
  }
});

test("6. a read-only token", async () => {
  const { projectReader, reader } = client.tokens;
  const requests = ROUTES.flatMap(({ example, methods }) =>
    Object.entries(methods).map(([method, { right }]) => ({ method, right, path: `/v2/acme/web${example}` })),
  );
  const api = "repository:acme/api";
  const web = "repository:acme/web";
  for (const [shown, ofApi] of [
    [projectReader, ""],
    [reader, ` ${api}:pull`],
  ] as const) {
    for (const actions of ["pull", "pull,push", "push,pull,delete", "*"]) {
      const { scope } = await getToken(shown, `${web}:${actions} ${api}:${actions}`);
      expect(scope, actions).toBe(`${web}:pull${ofApi}`);
    }
    for (const actions of ["push", "delete"])
      expect((await getToken(shown, `${web}:${actions}`)).scope).toBe("");
    const { token } = await getToken(shown, `${web}:*`);
    for (const { method, right, path } of requests)
      for (const headers of [
        basic(shown),
        { authorization: `Bearer ${shown}` },
        { authorization: `Bearer ${token}` },
      ]) {
        const { status, code, text } = await ask(method, path, { headers });
        const who = `${method} ${path}: ${status} ${text}`;
        if (right === "pull") expect([200, 404], who).toContain(status);
        else {
          expect([status, code], who).toEqual([403, "DENIED"]);
          expect(text, who).toContain(
            "a read-only token may not push, tag or delete images; use a token that is not read-only",
          );
        }
      }
  }
  expect(requests.filter(({ right }) => right === "push").length).toBeGreaterThan(5);
});

test("7. what is reported to the owners", async () => {
  const { refusalReports } = client.test.accounts;
  const told = () => new Map(refusalReports.counts).get("told") ?? 0;
  for (const path of ["/v2/", MANIFEST]) expect((await ask("GET", path)).status).toBe(401);
  expect(told()).toBe(0);
  expect((await ask("GET", "/v2/token?scope=repository:acme/web:pull")).status).toBe(401);
  expect(told()).toBe(1);
  expect((await ask("GET", MANIFEST, { headers: basic("mr_org_wrong") })).status).toBe(401);
  expect(told()).toBe(2);
});
