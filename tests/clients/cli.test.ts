/**
 * The built CLI against a server in memory.
 * 1. Commands print the documentation's output, with its exit codes; a list has every page of the API.
 * 2. `--output json` has the field names of the API, `csv` the same; results go to standard output, the rest to
 *    standard error.
 * 3. A wrong command line ends with 2 and a suggestion; without a terminal no question is asked.
 * 4. Login shows the code, waits as the server says, and stores the token; each refusal has its words and code 3.
 * 5. A flag wins over the environment, the environment over the file; CI's OIDC tokens come before the file.
 * 6. No text from a server can control the terminal.
 * 7. On a terminal: colors unless NO_COLOR, tables as wide as it is, questions, and 130 for Ctrl-C.
 */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { zeroBits } from "#platform/work/zero-bits.ts";
import { buildCli, type Ended, makePlace, runCli, runOnTerminal } from "./cli-process.ts";
import { type CliServer, ORGANIZATION_TOKEN, startCliServer, USER_TOKEN } from "./cli-server.ts";

const place = makePlace();
let main: string;
let server: CliServer;
let home: string;

beforeAll(async () => {
  main = await buildCli(join(place.path, "package"));
}, 120_000);
afterAll(place.remove);

beforeEach(async () => {
  server = await startCliServer();
  home = place.home();
});
afterEach(() => server.close());

interface Extra {
  env?: { [name: string]: string };
  input?: string;
  token?: string;
}

function environment({ env = {}, token = USER_TOKEN }: Extra = {}): { [name: string]: string } {
  return {
    HOME: home,
    MILLRACE_URL: server.origin,
    ...(token === "" ? {} : { MILLRACE_TOKEN: token }),
    ...env,
  };
}

const millrace = (args: string, extra: Extra = {}): Promise<Ended> =>
  runCli(main, args.split(" ").filter(Boolean), { env: environment(extra), cwd: home, input: extra.input });

const credentialsPath = () => join(home, ".config", "millrace", "credentials.json");

function store(servers: object, current?: string): void {
  mkdirSync(join(home, ".config", "millrace"), { recursive: true, mode: 0o700 });
  writeFileSync(credentialsPath(), JSON.stringify({ current, servers }), { mode: 0o600 });
}

describe("1. commands", () => {
  test("whoami", async () => {
    expect(await millrace("whoami")).toEqual({
      code: 0,
      signal: null,
      stdout: `ada (owner) in acme at ${server.origin}\n`,
      stderr: "",
    });
    const { stdout } = await millrace("whoami", { token: ORGANIZATION_TOKEN });
    expect(stdout).toBe(`organization token tok_bbbbbbbbbb in acme at ${server.origin}\n`);
    expect(await millrace("whoami", { token: "mr_org_wrong" })).toMatchObject({
      code: 3,
      stdout: "",
      stderr: "millrace: unauthenticated: token is unknown\n",
    });
  });

  test("projects", async () => {
    expect((await millrace("projects create web --builder-size 8")).stdout).toBe(
      "Created prj_0000000000 in organization acme\n",
    );
    await millrace("projects create tools --cache-size 500MB --retention 7");
    await millrace("projects create api");
    expect((await millrace("projects list")).stdout).toBe(
      [
        "ID              NAME   BUILDER  CACHE SIZE  RETENTION",
        "prj_0000000000  web    8 CPUs   50 GB       14 days",
        "prj_0000000001  tools  4 CPUs   500 MB      7 days",
        "prj_0000000002  api    4 CPUs   50 GB       14 days",
        "",
      ].join("\n"),
    );
    expect(new Set(server.keys).size).toBe(3);
    expect((await millrace("projects create web")).stderr).toBe(
      "millrace: already_exists: project web exists\n",
    );
    expect((await millrace("projects update prj_0000000000 --builder-size 16 --name shop")).stdout).toBe(
      "Updated prj_0000000000 (shop)\n",
    );
    expect((await millrace("projects update api --retention 3")).stdout).toContain("(api)");
    expect((await millrace("projects delete tools --yes")).stdout).toBe("Deleted prj_0000000001\n");
    expect(await millrace("projects delete tools --yes")).toMatchObject({
      code: 4,
      stderr: "millrace: not_found: the organization has no project tools: see millrace projects list\n",
    });
    expect(await millrace("projects delete prj_0000000001 -y")).toMatchObject({
      code: 4,
      stderr: "millrace: not_found: project was not found\n",
    });
  });

  test("one project, by its name or its id", async () => {
    await millrace("projects create web");
    await millrace("projects create tools --cache-size 500MB --retention 7");
    await millrace("projects create api");
    await millrace("projects update prj_0000000002 --trust github:acme/api");
    const lines = [
      "ID              prj_0000000002",
      "Name            api",
      "Builder         4 CPUs",
      "Cache size      50 GB",
      "Retention       14 days",
      "Trust           github:acme/api",
      "Immutable tags  -",
      "Created         2026-11-03",
      "",
    ];
    // It is on the second page of the list.
    for (const named of ["api", "prj_0000000002"])
      expect((await millrace(`projects get ${named}`)).stdout).toBe(lines.join("\n"));
    const env = { MILLRACE_PROJECT: "prj_0000000001" };
    const { stdout } = await millrace("projects get --output json", { env });
    expect(JSON.parse(stdout)).toMatchObject({ id: "prj_0000000001", name: "tools", retention_days: 7 });
    expect(await millrace("projects get shop")).toMatchObject({
      code: 4,
      stderr: "millrace: not_found: the organization has no project shop: see millrace projects list\n",
    });
    expect((await millrace("projects get prj_0000000009")).code).toBe(4);
    expect((await millrace("projects get")).stderr).toContain("no project: run millrace init");
  });

  test("credentials for other registries", async () => {
    const login = (args: string, input?: string) =>
      millrace(`mirrors login ${args}`, input === undefined ? {} : { input });
    const all = "ghcr.io --username acme-robot --password-stdin";
    const ended = await login(all, "of the: robot \n");
    expect(ended).toMatchObject({
      code: 0,
      stdout: "Images from ghcr.io are pulled as acme-robot\n",
      stderr: "",
    });
    // A password may end with a space; the line break is not part of it.
    expect(server.mirrors.get("ghcr.io")).toEqual({ username: "acme-robot", password: "of the: robot " });
    await login("https://Docker.io/ -u acme --password-stdin", "x\r\n");
    expect((await millrace("mirrors list")).stdout).toBe(
      [
        "HOST       USERNAME    SET BY  SET",
        "docker.io  acme        ada     2026-11-03",
        "ghcr.io    acme-robot  ada     2026-11-03",
        "",
      ].join("\n"),
    );
    expect((await millrace("mirrors list --output csv")).stdout).toBe(
      "host,username,set_by,set_at\ndocker.io,acme,ada,2026-11-03T00:00:00Z\nghcr.io,acme-robot,ada,2026-11-03T00:00:00Z\n",
    );
    expect(JSON.parse((await millrace("mirrors list --output json")).stdout)).toHaveLength(2);
    expect((await millrace("mirrors logout ghcr.io")).stdout).toBe("Deleted the credentials for ghcr.io\n");
    expect(await millrace("mirrors logout ghcr.io")).toMatchObject({
      code: 4,
      stderr: "millrace: not_found: the organization has no credentials for ghcr.io\n",
    });
    for (const [args, input, message] of [
      ["ghcr.io --password-stdin", "x", "--username"],
      ["ghcr.io --username a", "x", "--password-stdin"],
      ["ghcr.io --username a --password x", "x", "--password"],
      [all, "", "standard input contains no password"],
      [all, "one\ntwo\n", "standard input has several lines"],
      ["ghcr.io/acme --username a --password-stdin", "x", "ghcr.io/acme is not a host"],
    ] as const) {
      const refused = await login(args, input);
      expect([args, refused.code, refused.stderr]).toEqual([args, 2, expect.stringContaining(message)]);
    }
    expect([...server.mirrors.keys()]).toEqual(["docker.io"]);
  });

  test("trust relationships are added, replaced and removed one by one", async () => {
    await millrace("projects create web");
    const trust = (flags: string) => millrace(`projects update prj_0000000000 ${flags}`);
    expect((await trust("--trust github:acme/web --trust buildkite:acme/shop")).stdout).toBe(
      "Trust relationship of prj_0000000000: github:acme/web\nTrust relationship of prj_0000000000: buildkite:acme/shop\n",
    );
    expect((await trust("--trust github:acme/web --trust-cache write")).stdout).toBe(
      "Trust relationship of prj_0000000000: github:acme/web, cache write\n",
    );
    expect(server.projects[0]!.trust.map(({ issuer, cache }) => [issuer, cache])).toEqual([
      ["https://agent.buildkite.com", ""],
      ["https://token.actions.githubusercontent.com", "write"],
    ]);
    expect((await trust("--untrust gitlab:acme/web")).code).toBe(1);
    await trust("--untrust github:acme/web --untrust buildkite:acme/shop");
    expect(server.projects[0]!.trust).toEqual([]);
  });

  test("tokens", async () => {
    const created = await millrace("tokens create --name jenkins --type project --project prj_7q4hx2n9ds");
    expect(created.stdout).toBe(`mr_prj_${"c".repeat(38)}\ntok_0000000000 never expires\n`);
    const { stdout } = await millrace("tokens create --name cache --expires 90d --read-only --output json");
    expect(JSON.parse(stdout)).toMatchObject({
      id: "tok_0000000001",
      read_only: true,
      secret: expect.any(String),
    });
    expect((await millrace("tokens list")).stdout).toBe(
      [
        "ID              NAME     TYPE            OWNER  LAST USED  EXPIRES",
        "tok_0000000000  jenkins  project         ada    never      never",
        "tok_0000000001  cache    org, read-only  ada    never      never",
        "",
      ].join("\n"),
    );
    expect((await millrace("tokens revoke tok_0000000000")).stdout).toBe(
      "Revoked tok_0000000000 (jenkins)\n",
    );
    expect(await millrace("tokens revoke tok_9")).toMatchObject({ code: 4, stdout: "" });
    expect((await millrace("tokens create --name x --project prj_1")).code).toBe(2);
  });

  test("the cache of a build tool", async () => {
    expect((await millrace("cache usage --tool turbo")).stdout).toBe(
      ["TOOL   ENTRIES  SIZE    QUOTA  HITS  MISSES", "turbo  418      1.3 GB  50 GB  377   41", ""].join(
        "\n",
      ),
    );
    const record = { tool: "turbo", entries: "418", size_bytes: "1312000000", quota_bytes: "50000000000" };
    expect(JSON.parse((await millrace("cache usage --tool turbo --output json")).stdout)).toEqual([
      { ...record, hits: "377", misses: "41" },
    ]);
    expect((await millrace("cache usage --tool turbo --output csv")).stdout).toBe(
      "tool,entries,size_bytes,quota_bytes,hits,misses\nturbo,418,1312000000,50000000000,377,41\n",
    );
    expect(await millrace("cache reset --tool turbo")).toMatchObject({
      code: 2,
      stderr: "millrace: cannot ask for confirmation here: pass --yes\n",
    });
    expect(server.resets).toEqual([]);
    expect((await millrace("cache reset --tool turbo --yes")).stdout).toBe(
      "Emptied the cache of turbo: 1.3 GB freed\n",
    );
    expect(server.resets).toEqual(["turbo"]);
    expect((await millrace("cache usage --tool make")).code).toBe(2);
    expect((await millrace("cache reset --tool turbo --platform linux/amd64 --yes")).code).toBe(2);
    expect((await millrace("cache usage", { env: { MILLRACE_PROJECT: "prj_1" } })).stdout).toBe(
      [
        "TOOL    ENTRIES  SIZE    QUOTA  HITS  MISSES",
        "gradle  418      1.3 GB  50 GB  377   41",
        "turbo   418      1.3 GB  50 GB  377   41",
        "",
      ].join("\n"),
    );
    expect((await millrace("cache usage --tool turbo --project prj_1")).code).toBe(2);
    if (server.projects.length === 0) await millrace("projects create web");
    const projectId = server.projects[0]?.id ?? "";
    expect((await millrace(`cache usage --project ${projectId}`)).stdout).toBe(
      ["PLATFORM     LAYERS  SIZE    QUOTA", "linux/amd64  214     8.4 GB  50 GB", ""].join("\n"),
    );
    expect((await millrace(`cache reset --project ${projectId}`)).code).toBe(2);
    expect(await millrace(`cache reset --project ${projectId} --platform linux/arm64 --yes`)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Emptied the layer cache of \S+: 8\.4 GB freed\n$/),
    });
    expect(server.resets.at(-1)).toBe(`${projectId} linux/arm64`);
  });

  test("organizations", async () => {
    expect((await millrace("orgs list")).stdout).toBe(
      [
        "   NAME       ID              ROLE",
        "*  acme       org_9f2kd71xqe  owner",
        "   acme-labs  org_4t8bz0mw2s  member",
        "",
      ].join("\n"),
    );
    expect((await millrace("orgs show")).stdout).toBe(
      "ID       org_9f2kd71xqe\nName     acme\nMembers  ada (owner), grace (member)\n",
    );
    expect(await millrace("orgs show other")).toMatchObject({ code: 4 });
    store({ [server.origin]: { token: USER_TOKEN, organization: "acme" } }, server.origin);
    expect((await millrace("orgs switch acme-labs", { token: "" })).stdout).toBe(
      "Commands now act in acme-labs\n",
    );
    await millrace("projects list", { token: "", env: { MILLRACE_URL: "" } });
    expect(server.organizationHeader).toBe("acme-labs");
  });

  test("init", async () => {
    expect((await millrace("init --name web")).stdout).toBe(
      "Created prj_0000000000 in organization acme\nWrote millrace.json\n",
    );
    const file = join(home, "millrace.json");
    expect(readFileSync(file, "utf8")).toBe('{\n  "project": "prj_0000000000"\n}\n');
    expect((await millrace("init --name other")).stderr).toContain("pass --force");
    expect(server.projects).toHaveLength(1);
    expect((await millrace("init --project prj_0000000000")).code).toBe(0);
    expect((await millrace("init --project prj_nothing --force")).code).toBe(4);
    writeFileSync(file, '{ "project": "prj_0000000000", "other": 1 }');
    mkdirSync(join(home, "below"));
    const { stdout } = await runCli(main, ["projects", "update", "--retention", "3"], {
      env: environment(),
      cwd: join(home, "below"),
    });
    expect(stdout).toBe("Updated prj_0000000000 (web)\n");
    await millrace("init --name next --force");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ project: "prj_0000000001", other: 1 });
    writeFileSync(file, "{");
    expect(await millrace("projects update --retention 3")).toMatchObject({ code: 2 });
  });

  test("docs search asks for no token and names each section once", async () => {
    const found = await millrace("docs search layer cache --limit 2", { token: "" });
    expect(found.stdout).toBe(
      [
        "How container builds work › Layer cache",
        `${server.origin}/docs/container-builds/overview#layer-cache`,
        "Core concepts › Layer cache",
        `${server.origin}/docs/core-concepts#layer-cache`,
        "",
      ].join("\n"),
    );
    expect((await millrace("docs search nothing", { token: "" })).code).toBe(0);
    expect((await millrace("docs search layer --limit 0", { token: "" })).code).toBe(2);
  });

  test("docs prints a page at the server's origin, with the names that the CLI uses here", async () => {
    const docs = `${server.origin}/docs`;
    const printed = async (args: string, extra: Extra = {}) =>
      (await millrace(`docs ${args} --print`, { token: "", ...extra })).stdout;
    // Without a login, no name is known.
    expect(await printed("")).toBe(`${docs}\n`);
    expect(await printed("container-builds/quickstart")).toBe(`${docs}/container-builds/quickstart\n`);
    for (const path of ["docs/faq", "/docs/faq", "/docs/faq/"])
      expect(await printed(path)).toBe(`${docs}/faq\n`);
    expect(await printed("/docs")).toBe(`${docs}\n`);
    // Words are searched for. A path to somewhere else is words.
    expect(await printed("layer cache")).toBe(`${docs}/container-builds/overview\n`);
    expect(await printed("../../etc/passwd")).toBe(`${docs}/container-builds/overview\n`);
    expect(await printed("https://evil.example/docs")).toBe(`${docs}/container-builds/overview\n`);
    expect(await millrace("docs nothing --print", { token: "" })).toMatchObject({
      code: 4,
      stdout: "",
      stderr: "millrace: not_found: no page about nothing\n",
    });

    expect(await printed("faq/x --org initech")).toBe(`${docs}/faq/x#org=initech\n`);
    store({ [server.origin]: { token: USER_TOKEN, organization: "acme" } }, server.origin);
    writeFileSync(join(home, "millrace.json"), JSON.stringify({ project: "prj_7q4hx2n9ds" }));
    const names = "#org=acme&project=prj_7q4hx2n9ds";
    expect(await printed("docs/faq")).toBe(`${docs}/faq${names}\n`);
    expect(await printed("docs/faq", { env: { MILLRACE_PROJECT: "prj_2m5vd8k0tb" } })).toBe(
      `${docs}/faq#org=acme&project=prj_2m5vd8k0tb\n`,
    );
    expect(await printed("docs/faq")).not.toContain(USER_TOKEN);
    writeFileSync(join(home, "millrace.json"), "damaged");
    expect(await printed("docs/faq")).toBe(`${docs}/faq#org=acme\n`);
    // Over SSH there is no screen to open a browser on.
    const { stdout, stderr, code } = await millrace("docs docs/faq", { env: { SSH_CONNECTION: "1" } });
    expect([stdout, stderr, code]).toEqual([`${docs}/faq#org=acme\n`, "", 0]);
    // The group's other command stays.
    expect((await millrace("docs --help")).stdout).toContain("docs search");
  });

  test("docs opens the printed page in the browser", { skip: process.platform !== "linux" }, async () => {
    const bin = join(home, "bin");
    mkdirSync(bin);
    const opened = join(home, "opened");
    writeFileSync(
      join(bin, "xdg-open"),
      `#!/bin/sh\nprintf %s "$1" > ${opened}.part && mv ${opened}.part ${opened}\n`,
      {
        mode: 0o755,
      },
    );
    const env = { DISPLAY: ":0", SSH_CONNECTION: "", PATH: `${bin}:${process.env["PATH"]}` };
    const { stdout } = await millrace("docs docs/faq", { env });
    await expect.poll(() => existsSync(opened)).toBe(true);
    expect(readFileSync(opened, "utf8")).toBe(stdout.trim());
  });

  test("a command of another part says that the part is not there", async () => {
    expect(await millrace("sessions list")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("this server has no agents yet"),
    });
    expect((await millrace("sessions list --stat x")).code).toBe(2);
  });
});

test("2. JSON and CSV have the API's fields", async () => {
  await millrace("projects create web");
  const { stdout } = await millrace("projects list --output json");
  expect(JSON.parse(stdout)).toEqual([
    {
      id: "prj_0000000000",
      name: "web",
      builder_size: 4,
      cache_size_bytes: "50000000000",
      retention_days: 14,
      trust_relationships: [],
      created_at: "2026-11-03T00:00:00Z",
      revision: "0",
      immutable_tags: [],
    },
  ]);
  expect((await millrace("projects list --output csv")).stdout).toBe(
    "id,name,builder_size,cache_size_bytes,retention_days,trust_relationships,created_at,revision,immutable_tags\n" +
      "prj_0000000000,web,4,50000000000,14,[],2026-11-03T00:00:00Z,0,[]\n",
  );
  expect(JSON.parse((await millrace("whoami --output json")).stdout)).toMatchObject({
    server: server.origin,
    token_type: "user",
    user: "ada",
    role: "owner",
    organization: "acme",
  });
  expect((await millrace("tokens list --output json")).stdout).toBe("[]\n");
});

test.each([
  ["", 2, "no command: see millrace --help"],
  ["projcts list", 2, "unknown command projcts: did you mean millrace projects?"],
  ["projects lst", 2, "unknown command projects lst: did you mean millrace projects list?"],
  ["projects", 2, "projects needs a subcommand: see millrace projects --help"],
  ["projects list --ouput json", 2, "millrace projects list has no flag --ouput: did you mean --output?"],
  ["projects list -x", 2, "millrace projects list has no flag -x"],
  ["projects list --output xml", 2, "--output xml is not one of: table, json, csv"],
  ["projects list --output", 2, "--output needs a value: --output table|json|csv"],
  ["projects list more", 2, "unexpected argument more: millrace projects list [flags]"],
  ["projects create", 2, "name is missing: millrace projects create <name> [flags]"],
  ["tokens create", 2, "--name is missing: millrace tokens create --name <name> [flags]"],
  ["tokens create --name x --expires soon", 2, "--expires soon is not a duration"],
  ["projects create web --cache-size big", 2, "--cache-size big is not a size"],
  ["projects create web --retention 366", 2, "--retention 366 is not a number from 1 to 365"],
  [
    "projects update prj_1 --trust github:acme",
    2,
    "--trust github:acme is not one of: github:<owner>/<repository>",
  ],
  ["projects update --retention 1", 2, "no project: run millrace init or pass --project"],
  ["projects update prj_1", 2, "nothing to change"],
  ["projects delete prj_1", 2, "cannot ask for confirmation here: pass --yes"],
  ["init", 2, "cannot ask for a project here: pass --project <id> or --name <name>"],
  ["login --token secret", 2, "--token secret is not one of: -"],
  ["completion tcsh", 2, "tcsh is not one of: bash, zsh, fish, powershell"],
  ["whoami --url ftp://x", 2, "--url is not an origin"],
  ["whoami --url http://x/docs", 2, "--url is not an origin"],
])("3. millrace %s", async (args, code, message) => {
  const ended = await millrace(args);
  expect(ended).toMatchObject({ code, stdout: "" });
  expect(ended.stderr).toMatch(/^millrace: [^\n]*\n$/);
  expect(ended.stderr).toContain(message);
});

describe("4. login", () => {
  test("waits until the code is confirmed", async () => {
    server.deviceErrors = ["authorization_pending", "authorization_pending"];
    const ended = await millrace("login", { token: "" });
    expect(ended).toMatchObject({ code: 0, stdout: "" });
    expect(ended.stderr).toBe(
      `Open ${server.origin}/device and enter the code WDJB-MJHT\nWaiting for the browser... logged in as ada, organization acme\n`,
    );
    expect(JSON.parse(readFileSync(credentialsPath(), "utf8"))).toEqual({
      current: server.origin,
      servers: { [server.origin]: { token: server.given[0], organization: "acme" } },
    });
    expect(statSync(credentialsPath()).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, ".config", "millrace")).mode & 0o777).toBe(0o700);
    expect((await millrace("whoami", { token: "", env: { MILLRACE_URL: "" } })).code).toBe(0);
    expect((await millrace("logout", { token: "" })).stdout).toBe(
      "Revoked the token and removed it from ~/.config/millrace/credentials.json\n",
    );
    expect([...server.revoked]).toEqual(server.given);
    expect(await millrace("whoami", { token: "" })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("unauthenticated: no token"),
    });
  });

  test.each([
    ["access_denied", "unauthenticated: the login was refused in the browser"],
    ["expired_token", "unauthenticated: the code has expired: run millrace login again"],
    ["invalid_grant", "unauthenticated: because of invalid_grant"],
  ])("%s", async (error, message) => {
    server.deviceErrors = ["authorization_pending", error];
    const ended = await millrace("login", { token: "" });
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining(`\nmillrace: ${message}`) });
  });

  test("a crowd: work is done, three times at most, and never more than a server may ask", async () => {
    const brought: (string | undefined)[] = [];
    let [bits, rounds] = [10, 1];
    server.intercept = (request, response) => {
      if (request.url !== "/oauth/device_authorization") return false;
      const work = request.headers["millrace-work"]?.toString();
      brought.push(work);
      if (brought.length > rounds) return false;
      const error_description = "Too many logins. Run millrace login again in 60 seconds.";
      response.writeHead(429, { "content-type": "application/json", "retry-after": "60" }).end(
        JSON.stringify({
          error: "temporarily_unavailable",
          error_description,
          work: { challenge: "c.1", bits },
        }),
      );
      return true;
    };
    const ended = await millrace("login", { token: "" });
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(/^The server is receiving many logins\. Solving a challenge .*\nOpen /);
    expect(zeroBits("c.1", Number(brought[1]?.split(":")[1]))).toBeGreaterThanOrEqual(10);
    for (const [asked, more, requests] of [
      [10, 99, 4],
      [25, 99, 1],
    ] as const) {
      [bits, rounds, brought.length] = [asked, more, 0];
      const refused = await millrace("login", { token: "" });
      expect(refused).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(
          "did not send a code: Too many logins. Run millrace login again in 60 seconds.",
        ),
      });
      expect(brought).toHaveLength(requests);
    }
  });

  test("a server that is unreachable for a moment is asked again", async () => {
    let failures = 2;
    server.intercept = (request) => {
      if (request.url !== "/oauth/token" || failures-- <= 0) return false;
      request.socket.destroy();
      return true;
    };
    expect((await millrace("login", { token: "" })).code).toBe(0);
  });

  test("reads a token from standard input, which logout forgets and does not revoke", async () => {
    const ended = await millrace("login --token -", { token: "", input: `${ORGANIZATION_TOKEN}\n` });
    expect(ended).toMatchObject({ code: 0, stderr: "Stored a token for organization acme\n" });
    expect((await millrace("logout", { token: "" })).stdout).toContain("It still works");
    expect(server.revoked.size).toBe(0);
    const wrong = await millrace("login --token -", { token: "", input: "two words\n" });
    expect(wrong).toMatchObject({
      code: 3,
      stderr: "millrace: unauthenticated: standard input is not a token\n",
    });
    expect((await millrace("login --token -", { token: "", input: "x".repeat(20_000) })).code).toBe(1);
  });

  test("a token that cannot be revoked is forgotten all the same", async () => {
    store({ [server.origin]: { token: USER_TOKEN } }, server.origin);
    server.intercept = (_, response) => {
      response.writeHead(502, { "content-type": "text/html" }).end();
      return true;
    };
    const ended = await millrace("logout", { token: "" });
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining("but it still works") });
    expect(readFileSync(credentialsPath(), "utf8")).not.toContain(USER_TOKEN);
  });
});

describe("5. where values come from", () => {
  test("organization", async () => {
    store({ [server.origin]: { token: USER_TOKEN, organization: "of-file" } }, server.origin);
    const header = async (args: string, extra: Extra) => {
      await millrace(args, extra);
      return server.organizationHeader;
    };
    expect(await header("projects list", { token: "" })).toBe("of-file");
    expect(await header("projects list", { token: "", env: { MILLRACE_ORG: "of-env" } })).toBe("of-env");
    expect(await header("--org of-flag projects list", { env: { MILLRACE_ORG: "of-env" } })).toBe("of-flag");
    // The file's organization belongs to the file's token.
    expect(await header("projects list", {})).toBeNull();
  });

  test("an exchange that is refused with a time to wait is asked for again, three times at most", async () => {
    const env = { MILLRACE_PROJECT: "prj_7q4hx2n9ds", MILLRACE_OIDC_TOKEN: "x.y.z" };
    const refusing = async (times: number, status: number, retryAfter: string) => {
      let asked = 0;
      server.intercept = (request, response) => {
        if (!request.url?.endsWith("/ExchangeOidcToken")) return false;
        asked += 1;
        if (asked > times) return false;
        response
          .writeHead(status, { "content-type": "application/json", "retry-after": retryAfter })
          .end('{"code":"resource_exhausted","message":"too many calls from this address"}');
        return true;
      };
      const { code } = await millrace("whoami", { token: "", env });
      server.intercept = undefined;
      return { asked, code };
    };
    expect(await refusing(1, 429, "1")).toEqual({ asked: 2, code: 0 });
    expect(await refusing(2, 503, "1")).toEqual({ asked: 3, code: 0 });
    expect(await refusing(9, 429, "1")).toEqual({ asked: 3, code: 1 });
    // No one waits for minutes in front of a silent terminal.
    expect(await refusing(9, 429, "60")).toEqual({ asked: 1, code: 1 });
    expect(await refusing(9, 429, "soon")).toEqual({ asked: 1, code: 1 });
  });

  test("OIDC tokens are exchanged for the project, before the file is read", async () => {
    store({ [server.origin]: { token: "mr_user_never" } }, server.origin);
    const oidc = (env: { [name: string]: string }) => millrace("whoami", { token: "", env });
    const project = { MILLRACE_PROJECT: "prj_7q4hx2n9ds" };
    expect((await oidc({ ...project, MILLRACE_OIDC_TOKEN: "x.y.z" })).stdout).toContain("job token");
    const github = {
      ACTIONS_ID_TOKEN_REQUEST_URL: `${server.origin}/github-oidc?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: "request-secret",
    };
    expect((await oidc({ ...project, ...github })).code).toBe(0);
    const bin = join(home, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "buildkite-agent"), '#!/bin/sh\necho "agent $*"\n', { mode: 0o755 });
    const buildkite = {
      BUILDKITE: "true",
      BUILDKITE_AGENT_ACCESS_TOKEN: "x",
      PATH: `${bin}:${process.env["PATH"]}`,
    };
    expect((await oidc({ ...project, ...buildkite })).code).toBe(0);
    expect(server.exchanged).toEqual([
      { projectId: "prj_7q4hx2n9ds", oidcToken: "x.y.z" },
      { projectId: "prj_7q4hx2n9ds", oidcToken: `oidc:${server.origin}:Bearer request-secret` },
      { projectId: "prj_7q4hx2n9ds", oidcToken: `agent oidc request-token --audience ${server.origin}` },
    ]);
    expect(await oidc({ ...project, MILLRACE_OIDC_TOKEN: "untrusted" })).toMatchObject({
      code: 1,
      stderr: "millrace: permission_denied: no trust relationship matches: repository is evil/web\n",
    });
    expect((await oidc({ MILLRACE_OIDC_TOKEN: "x.y.z" })).code).toBe(2);
  });
});

test("6. nothing that a server names controls the terminal", async () => {
  const hostile = "a\u001b[2Jd\u001b]0;title\u0007a\r\n\u009b31m\u202e";
  Object.assign(server.names, { user: hostile, organization: hostile });
  server.projects.push({
    id: "prj_0000000000",
    name: hostile,
    builderSize: 4,
    cacheSizeBytes: 1n,
    retentionDays: 1,
    trust: [],
  });
  server.tokens.push({ id: "tok_0000000000", name: hostile, type: "org", projectId: "", readOnly: false });
  const commands = [
    ..."whoami|projects list|orgs list|orgs show|tokens list|tokens revoke tok_0000000000".split("|"),
    ..."whoami --output json|projects list --output json|projects list --output csv|login".split("|"),
    ...`init --project prj_0000000000|__complete bash -- tokens revoke |docs search layer`.split("|"),
  ];
  for (const command of commands) {
    const { stdout, stderr } = await runCli(main, command.split(" "), { env: environment(), cwd: home });
    // oxlint-disable-next-line no-control-regex
    expect(stdout + stderr, command).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  }
}, 60_000);

describe("7. on a terminal", () => {
  const onTerminal = (args: string, options: Parameters<typeof runOnTerminal>[1] = {}) =>
    runOnTerminal([process.execPath, main, ...args.split(" ")], {
      cwd: home,
      ...options,
      env: environment(options.env ? { env: options.env } : {}),
    });

  test("headings are bold, and NO_COLOR turns that off", async () => {
    await millrace("projects create web");
    expect((await onTerminal("projects list")).stdout).toContain("\u001b[1mID");
    expect((await onTerminal("projects list", { env: { NO_COLOR: "1" } })).stdout).not.toContain("\u001b");
    expect((await onTerminal("projects list", { env: { TERM: "dumb" } })).stdout).not.toContain("\u001b");
    expect((await onTerminal("docs search layer")).stdout).toContain("\u001b[1mLayer\u001b[22m cache");
  });

  test.each([30, 40, 60])("nothing is wider than %s columns", async (columns) => {
    server.projects.push({
      id: "prj_0000000000",
      name: "日本語のとても長い名前のプロジェクト",
      builderSize: 4,
      cacheSizeBytes: 50n * 1000n ** 3n,
      retentionDays: 14,
      trust: [],
    });
    const { stdout } = await onTerminal("projects list", { columns, env: { NO_COLOR: "1" } });
    expect(stdout).toContain("prj_0000000000");
    for (const line of stdout.split("\r\n")) {
      const wide = [...line].filter((character) => character.codePointAt(0)! > 0x2fff).length;
      expect([...line].length + wide, line).toBeLessThanOrEqual(columns);
    }
  });

  test("init asks", async () => {
    const first = await onTerminal("init", { answers: [["Name", "web\r"]] });
    expect(first.stdout).toContain("Created prj_0000000000 in organization acme\r\nWrote millrace.json");
    const again = await onTerminal("init --force", { answers: [["by number or name", "1\r"]] });
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("1  web (prj_0000000000)") });
    expect(server.projects).toHaveLength(1);
  });

  test("cache reset asks for the tool", async () => {
    const wrong = await onTerminal("cache reset --tool turbo", { answers: [["Type turbo", "tubro\r"]] });
    expect([wrong.code, server.resets]).toEqual([1, []]);
    await onTerminal("cache reset --tool turbo", { answers: [["everyone in acme", "turbo\r"]] });
    expect(server.resets).toEqual(["turbo"]);
  });

  test("delete asks for the name", async () => {
    await millrace("projects create web");
    const wrong = await onTerminal("projects delete prj_0000000000", { answers: [["Type web", "wbe\r"]] });
    expect(wrong.code).toBe(1);
    expect(server.projects).toHaveLength(1);
    await onTerminal("projects delete prj_0000000000", { answers: [["Type web", "web\r"]] });
    expect(server.projects).toHaveLength(0);
  });

  test("Ctrl-C ends a question and a login with 130", async () => {
    expect((await onTerminal("init", { answers: [["Name", "\u0003"]] })).code).toBe(130);
    server.deviceErrors = Array.from({ length: 10_000 }, () => "authorization_pending");
    const login = await onTerminal("login --no-browser", {
      answers: [["Waiting for the browser...", "\u0003"]],
    });
    expect(login.code).toBe(130);
  });

  test("the browser opens with the code, where there is a screen", async () => {
    const bin = join(home, "bin");
    const opened = join(home, "opened");
    mkdirSync(bin);
    writeFileSync(
      join(bin, "xdg-open"),
      `#!/bin/sh\necho "$1" > ${opened}.part && mv ${opened}.part ${opened}\n`,
      {
        mode: 0o755,
      },
    );
    // The login stays pending until the address has been opened.
    server.intercept = (request, response) => {
      if (request.url !== "/oauth/token") return false;
      try {
        readFileSync(opened);
        return false;
      } catch {
        response
          .writeHead(400, { "content-type": "application/json" })
          .end(JSON.stringify({ error: "authorization_pending" }));
        return true;
      }
    };
    const env = { DISPLAY: ":0", PATH: `${bin}:${process.env["PATH"]}` };
    expect((await onTerminal("login", { env })).code).toBe(0);
    expect(readFileSync(opened, "utf8")).toBe(`${server.origin}/device?code=WDJB-MJHT\n`);
  });
});
