/**
 * A new user's first minutes, in a browser and a terminal, with nothing but the server and the CLI that it provides:
 * the printed link → owner with a passkey → login approved in the browser → project → `init` → `whoami` → a token, used
 * by curl and grpcurl, revoked, and refused by both. Then `npm start -- owner-link`, while the server runs, signs
 * another browser in.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "#server/pages/build-folders.ts";
import { findBrowsers } from "../../scripts/checks/browser.ts";
import { type RunningServer, startServer } from "../attack/server-process.ts";
import { addVirtualAuthenticator } from "../virtual-authenticator.ts";
import { findGrpcurl, runGrpcurl } from "./api/grpcurl.ts";
import { makePlace } from "./cli-process.ts";
import { networkSettings, openShellSession, type ShellSession } from "./shell-session.ts";

const INSTALL_MS = 600_000;
const place = makePlace();
let server: RunningServer;
let origin: string;
let browser: Browser;
let shell: ShellSession;
let grpcurl: string | null;

beforeAll(async () => {
  const home = place.home();
  const folder = join(home, "shop");
  mkdirSync(folder);
  server = await startServer({
    env: { SITE_ORIGIN: undefined, HOST: "localhost", MILLRACE_OWNER_TOKEN: undefined },
  });
  origin = `http://localhost:${server.port}`;
  grpcurl = findGrpcurl();
  browser = await chromium.launch({ executablePath: findBrowsers().shell, args: ["--no-sandbox"] });
  shell = openShellSession({
    folder,
    env: {
      ...networkSettings(),
      HOME: home,
      PATH: process.env["PATH"] ?? "",
      LANG: "C.UTF-8",
      MILLRACE_URL: origin,
    },
  });
}, INSTALL_MS);
afterAll(async () => {
  await shell.end();
  await browser.close();
  await server.stop();
  place.remove();
});

test(
  "from the printed link to a revoked token",
  async () => {
    const page = await openWithAuthenticator();
    const link = /http:\/\/localhost:\d+\/app\/start\/[\w-]+/.exec(server.output())?.[0];
    await page.goto(link ?? "the server printed no link");
    await page.getByLabel("Organization").fill("acme");
    await page.getByLabel("Your name").fill("ada");
    await page.getByRole("button", { name: "Create with a passkey" }).click();
    await page.getByRole("button", { name: "ada, your account" }).waitFor();

    await run(
      'function millrace { npx -y --loglevel=error --package $MILLRACE_URL/cli/millrace.tgz millrace "$@"; }',
    );
    await run("(millrace login --no-browser > login.log 2>&1; echo $? > login.code) &");
    const code = await readCode();
    await page.goto(`${origin}/device`);
    await page.getByLabel("Code").fill(code);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Log in this machine" }).click();
    await run(
      "until [ -s login.code ]; do sleep 0.1; done; exit_code=$(cat login.code); cat login.log; (exit $exit_code)",
    );
    expect(await run("millrace whoami")).toBe(`ada (owner) in acme at ${origin}`);

    await run("millrace projects create web");
    const [created, wrote] = (await run("millrace init --name shop")).split("\n");
    expect(created).toMatch(/^Created prj_[0-9a-z]{10} in organization acme$/);
    expect(wrote).toBe("Wrote millrace.json");
    expect(JSON.parse(await run("cat millrace.json"))).toEqual({ project: created?.split(" ")[1] });

    const made = (await run("millrace tokens create --name deploy --expires 1h")).split("\n");
    const [secret = "", id = ""] = [made[0], made[1]?.split(" ")[0]];
    expect(await callWithCurl(secret)).toMatchObject({ projects: [{ name: "shop" }, { name: "web" }] });
    if (grpcurl) expect((await callWithGrpcurl(secret)).stdout).toContain('"name": "shop"');
    expect(await run(`millrace tokens revoke ${id}`)).toBe(`Revoked ${id} (deploy)`);
    expect(await callWithCurl(secret)).toEqual({
      code: "unauthenticated",
      message: "token is revoked",
      details: [],
    });
    if (grpcurl) expect(await callWithGrpcurl(secret)).toMatchObject({ status: 64 + 16 });
    expect(server.output()).not.toContain(secret);

    const printed = await run(
      `cd "${root}" && PORT=${server.port} DATA_DIR="${server.dataDir}" npm start --silent -- owner-link`,
    );
    const other = await (await browser.newContext()).newPage();
    await other.goto(/http:\S+\/app\/start\/\S+/.exec(printed)?.[0] ?? printed);
    await other.getByRole("button", { name: "Sign in as ada" }).click();
    await other.getByRole("button", { name: "ada, your account" }).waitFor();
  },
  INSTALL_MS,
);

/** With a passkey that needs no touch. */
async function openWithAuthenticator(): Promise<Page> {
  const page = await browser.newPage();
  await addVirtualAuthenticator(page);
  return page;
}

/** Reads the code that the terminal shows while it waits. */
async function readCode(): Promise<string> {
  const shown = await run(
    "until grep -q 'enter the code' login.log || [ -s login.code ]; do sleep 0.1; done; cat login.log",
  );
  return /enter the code ([A-Z]{4}-[A-Z]{4})/.exec(shown)?.[1] ?? shown;
}

async function run(command: string): Promise<string> {
  const { output, exitCode } = await shell.run(command);
  expect(exitCode, `$ ${command}\n${output}`).toBe(0);
  return output.trim();
}

async function callWithCurl(secret: string): Promise<unknown> {
  const call = `curl -sS $MILLRACE_URL/api/millrace.v1.ProjectService/List -H "Authorization: Bearer ${secret}" -H "Content-Type: application/json" -d '{}'`;
  return JSON.parse(await run(call));
}

function callWithGrpcurl(secret: string) {
  return runGrpcurl(grpcurl ?? "", {
    port: server.port,
    method: "millrace.v1.ProjectService/List",
    headers: { authorization: `Bearer ${secret}` },
  });
}
