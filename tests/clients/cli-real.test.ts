/**
 * The built CLI against the API and the accounts of the server.
 * 1. A login that a person confirms gives a token, which works until logout and is refused afterwards.
 * 2. The commands of an owner: projects, trust, tokens, organizations, with the words of the documentation.
 * 3. A token that was revoked, mistyped or has too few rights is refused with the exit code of the documentation.
 * 4. Refusals of the API arrive with their reason.
 * 5. `docs search` finds the same hits as the site's search box, in the same order.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccountRoutes, ensureFirstOrganization, makeOwnerLink } from "#accounts/index.ts";
import { docsIndexSettings, docsRecords } from "#docs/docs-index.ts";
import { siteAddress } from "#docs/address/site-address.ts";
import { buildIndex } from "#search/index.ts";
import { createSearchRoutes, createSearchStore } from "#search-server/index.ts";
import { searchQuery, type SearchAnswers } from "#site/docs/search/protocol.ts";
import { compileContent } from "../../scripts/steps/content-step.ts";
import { OWNER_TOKEN, type RunningApi, startApi } from "./api/api-server.ts";
import { buildCli, makePlace, runCli } from "./cli-process.ts";

const place = makePlace();
const home = place.home();
let main: string;
let running: RunningApi;

beforeAll(async () => {
  main = await buildCli(join(place.path, "package"));
  const pages = new Hono();
  // Before a server replaces `Response`, which code highlighting needs unchanged.
  pages.route("/", await openSearchRoutes());
  running = await startApi({ pages });
  await ensureFirstOrganization(running.accounts);
  pages.route("/", createAccountRoutes(running.accounts, { addressOf: () => "127.0.0.1" }));
}, 120_000);
afterAll(async () => {
  await running[Symbol.asyncDispose]();
  place.remove();
});

/** `/multi-search`, as the server answers it for the site's own pages. */
async function openSearchRoutes(): Promise<Hono> {
  const { pages, navigation, synonyms } = await compileContent();
  const records = docsRecords(pages, navigation, siteAddress("https://millrace.example.com"));
  const store = createSearchStore();
  store.replace(
    "docs",
    buildIndex(
      records.map((record) => ({ ...record })),
      docsIndexSettings(synonyms),
    ),
  );
  return createSearchRoutes({ publicIndexes: ["docs"], store }).public;
}

const environment = (token: string) => ({
  HOME: home,
  MILLRACE_URL: running.origin,
  ...(token === "" ? {} : { MILLRACE_TOKEN: token }),
});
const millrace = (args: string, token = OWNER_TOKEN) =>
  runCli(main, args.split(" "), { env: environment(token), cwd: home });

/** As the page does it. The accounts' own origin is not that of this port. */
const post = (path: string, body: object, cookie = "") =>
  fetch(running.origin + path, {
    method: "POST",
    headers: { "content-type": "application/json", origin: running.accounts.origin, cookie },
    body: JSON.stringify(body),
  });

test("1. login and logout", async () => {
  const { url } = await makeOwnerLink(running.accounts);
  const key = new URL(url).pathname.split("/").at(-1)!;
  const first = { organization: "default", name: "ada" };
  let signedIn = await post(`/auth/start/${key}`, {});
  if (signedIn.status !== 200) signedIn = await post(`/auth/start/${key}`, first);
  expect(await signedIn.text()).toContain("next");
  const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;

  // A client at the same address floods the server; the CLI then does the required work.
  const flood = { method: "POST", body: new URLSearchParams({ client_id: "millrace-cli" }) };
  const start = () => fetch(`${running.origin}/oauth/device_authorization`, flood);
  const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await start()).status));
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);

  const child = spawn(process.execPath, [main, "login"], {
    env: { ...environment(""), PATH: process.env["PATH"] },
  });
  let said = "";
  const code = await new Promise<string>((resolve) => {
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      said += chunk;
      const [, shown] = /enter the code (\S+)\n/.exec(said) ?? [];
      if (shown !== undefined) resolve(shown);
    });
  });
  const { organizations } = (
    (await (await fetch(`${running.origin}/auth/state`, { headers: { cookie } })).json()) as {
      user: { organizations: { id: string; name: string }[] };
    }
  ).user;
  const approved = await post("/oauth/device/approve", { code, organization: organizations[0]!.id }, cookie);
  expect(approved.status).toBe(200);
  expect(await once(child, "close")).toEqual([0, null]);
  expect(said).toContain("The server is receiving many logins.");
  expect(said).toMatch(/Waiting for the browser\.\.\. logged in as .+, organization default\n$/);

  const known = await millrace("whoami", "");
  expect(known).toMatchObject({ code: 0, stdout: expect.stringMatching(/^.+ \(owner\) in default at http/) });
  expect((await millrace("logout", "")).stdout).toContain("Revoked the token and removed it");
  expect(await millrace("whoami", "")).toMatchObject({ code: 3 });
}, 60_000);

test("2. and 3. an owner's work", async () => {
  const created = await millrace("projects create web --builder-size 8");
  expect(created).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Created prj_\w{10} in organization \S+\n$/),
  });
  const [, project] = /(prj_\w+)/.exec(created.stdout)!;
  expect((await millrace("projects list")).stdout).toMatch(
    new RegExp(`^ID +NAME +BUILDER +CACHE SIZE +RETENTION\n${project} +web +8 CPUs +50 GB +14 days\n$`),
  );
  expect(
    (await millrace(`projects update ${project} --trust github:acme/web --trust-cache overlay`)).stdout,
  ).toBe(`Trust relationship of ${project}: github:acme/web, cache overlay\n`);
  expect((await millrace(`projects update ${project} --trust gitlab:acme/tools/web`)).code).toBe(0);
  const json = JSON.parse((await millrace("projects list --output json")).stdout) as {
    trust_relationships: object[];
  }[];
  expect(json[0]!.trust_relationships).toHaveLength(2);
  await millrace(`projects update ${project} --untrust github:acme/web --untrust gitlab:acme/tools/web`);
  expect((await millrace("projects list --output csv")).stdout).toContain(",[],");

  const token = await millrace(
    `tokens create --name jenkins --type project --project ${project} --expires 90d`,
  );
  const [, secret = "", id = ""] =
    /^(mr_prj_\w+)\n(tok_\w+) expires \d{4}-\d\d-\d\d\n$/.exec(token.stdout) ?? [];
  expect(await millrace("whoami", secret)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(project!),
  });
  expect(await millrace("projects create api", secret)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("permission_denied: "),
  });
  expect((await millrace("tokens list")).stdout).toContain("jenkins");
  expect((await millrace(`tokens revoke ${id}`)).stdout).toBe(`Revoked ${id} (jenkins)\n`);
  expect(await millrace("whoami", secret)).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^millrace: unauthenticated: .*revoked/),
  });
  expect(await millrace("whoami", "mr_org_wrong")).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^millrace: unauthenticated: /),
  });
  const readOnly = await millrace("tokens create --name cache --read-only --output json");
  const { secret: reader } = JSON.parse(readOnly.stdout) as { secret: string };
  expect((await millrace("whoami", reader)).stdout).toContain("read-only");

  expect((await millrace("orgs list")).stdout).toMatch(/^ +NAME +ID +ROLE\n\* +\S+ +org_\w+ +owner\n$/);
  expect((await millrace("orgs show")).stdout).toMatch(/\nMembers +.+ \(owner\)/);
  expect((await millrace(`projects delete ${project} --yes`)).stdout).toBe(`Deleted ${project}\n`);
  expect(await millrace(`projects delete ${project} --yes`)).toMatchObject({ code: 4 });
}, 60_000);

test.each([
  ["projects create Web", 1, "invalid_argument: "],
  ["projects create web --builder-size 3", 1, "invalid_argument: "],
  ["projects update prj_nothing000 --retention 3", 4, "not_found: "],
  ["tokens revoke tok_nothing000", 4, "not_found: "],
  ["orgs show unknown", 4, "not_found: "],
  ["--org unknown projects list", 4, "not_found: "],
])("4. %s", async (args, code, message) => {
  const ended = await millrace(args);
  expect([ended.code, ended.stdout], ended.stderr).toEqual([code, ""]);
  expect(ended.stderr).toContain(`millrace: ${message}`);
});

test("5. the docs search has the hits of the search box, in its order", async () => {
  for (const query of ["layer cache", "trust relationship", "exit codes"]) {
    const { stdout } = await millrace(`docs search ${query} --limit 10 --output json`, "");
    const found = (JSON.parse(stdout) as { title: string; url: string }[]).map(({ url }) => url);
    const asked = await fetch(`${running.origin}/multi-search`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ queries: [searchQuery({ indexUid: "docs", query, hitsPerPage: 39 })] }),
    });
    const [answer] = ((await asked.json()) as SearchAnswers).results;
    const urls = [...new Set(answer!.hits.map(({ url }) => url))];
    expect(urls.length).toBeGreaterThan(5);
    expect(found).toEqual(urls.slice(0, 10));
  }
  const { stdout } = await millrace("docs search layer cache --limit 2", "");
  expect(stdout).toMatch(/^\S.* › Layer cache\nhttps:\/\/\S+#layer-cache\n\S.*\nhttps:\/\/\S+\n$/);
});
