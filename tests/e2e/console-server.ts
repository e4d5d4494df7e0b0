import { execFileSync, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Page } from "@playwright/test";
import { SERVER_FLAGS } from "../../scripts/server-flags.mjs";
import { secretHash } from "../fixtures/replace-records.ts";
import { expect, test as base } from "./worker.ts";

export { expect };

export interface Server {
  origin: string;
  /** The path of the link that it printed: it makes the first owner, once. */
  firstLink: string;
  /** Prints a link for the owner, as the operator does while the server runs. @returns its path */
  makeOwnerLink: () => string;
  /** Everything that it has printed. */
  output: () => string;
  /** Its data folder. */
  dataDir: string;
  /** Ends it; `startAgain` starts it at the same address with the same data. */
  stop: () => Promise<unknown>;
  startAgain: () => Promise<void>;
}

type OwnServer = Server & { close: () => Promise<void> };

/** By test file: later tests find the data of earlier ones. */
const servers = new Map<string, Promise<OwnServer>>();

/** Runs after all tests of a file with a server. */
export async function closeServer(): Promise<void> {
  for (const server of servers.values()) await (await server).close();
  servers.clear();
}

/** A second server over the same build, with an empty folder and no owner, for each file that needs it. */
export const test = base.extend<{ expectedErrors: RegExp | null; server: Server }>({
  expectedErrors: [null, { option: true }],
  server: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use, { file }) => {
      const server = servers.get(file) ?? openServer();
      servers.set(file, server);
      await use(await server);
    },
    { timeout: 60_000 },
  ],
  page: async ({ page, expectedErrors }, use) => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    await use(page);
    expect(errors.filter((error) => !expectedErrors?.test(error))).toEqual([]);
  },
});

/** @param variables of its environment, in addition to the usual ones */
export async function openServer(variables: NodeJS.ProcessEnv = {}): Promise<OwnServer> {
  const dataDir = mkdtempSync(join(tmpdir(), "console-"));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const env = { ...serverEnvironment(port, origin, dataDir), ...variables };
  let running = await start(env, hasLink);
  const output = () => running.output();
  return {
    origin,
    dataDir,
    output,
    firstLink: pathOfLink(output()),
    makeOwnerLink: () => pathOfLink(printOwnerLink(env)),
    stop: () => running.stop(),
    async startAgain() {
      running = await start(env, isReady);
    },
    async close() {
      await running.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "localhost", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

function serverEnvironment(port: number, origin: string, dataDir: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PORT: String(port),
    HOST: "localhost",
    SITE_ORIGIN: origin,
    BUILD_DIR: ".cache/test-build",
    DATA_DIR: dataDir,
  };
}

/** Serves the build without a check, which was made when the tests began. */
const COMMAND = ["--disable-warning=ExperimentalWarning", ...SERVER_FLAGS, "src/server/main.ts"];

function printOwnerLink(env: NodeJS.ProcessEnv): string {
  return execFileSync(process.execPath, [...COMMAND, "owner-link"], {
    env,
    encoding: "utf8",
  });
}

const pathOfLink = (output: string) => /\/app\/start\/[\w-]+/.exec(output)?.[0] ?? "";

const hasLink = (output: string) => pathOfLink(output) !== "";
/** A server that has an owner prints no link. */
const isReady = (output: string) => output.includes("Millrace is at");

/** Resolves when the server has printed the awaited text; fails with its output if it ends before. */
async function start(env: NodeJS.ProcessEnv, isThere: (output: string) => boolean) {
  const child = spawn(process.execPath, COMMAND, {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += chunk;
        if (isThere(output)) resolve();
      });
    void ended.then(() => reject(new Error(`The server ended before it listened:\n${output}`)));
  });
  const stop = () => {
    child.kill();
    return ended;
  };
  return { stop, output: () => output };
}

/** Names the organization and the first owner, who has no passkey; the browser is signed in. */
export async function becomeOwner(page: Page, server: Server): Promise<void> {
  await page.goto(server.origin + server.firstLink);
  await page.getByLabel("Organization").fill("acme");
  await page.getByLabel("Your name").fill("Ada Okafor");
  await page.getByRole("button", { name: "Create without a passkey" }).click();
  // The application redirects to the organization.
  await page.waitForURL(`${server.origin}/app/*`);
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** The server's limit for a confirmation. */
const CONFIRMED_MS = 10 * 60 * 1000;

/**
 * Signs the browser in as the first owner; the test of a link for owners is in `app-server.spec.ts`.
 * @param isConfirmed as after a passkey: dangerous acts do not ask for confirmation
 */
export async function enterAsOwner(
  page: Page,
  { origin, dataDir }: Server,
  isConfirmed = false,
): Promise<void> {
  const cookie = randomBytes(32).toString("base64url");
  const now = Date.now();
  const database = new DatabaseSync(join(dataDir, "millrace.db"), { timeout: 10_000 });
  const { changes } = database
    .prepare(
      `INSERT INTO sign_ins (id, user_id, key_hash, browser, address, created_at, last_used_at, expires_at, confirmed_until)
       SELECT ?, id, ?, 'Chrome on Linux', '127.0.0.1', ?, ?, ?, ? FROM users ORDER BY created_at LIMIT 1`,
    )
    .run(
      `sgn_${randomUUID().slice(-10)}`,
      secretHash(cookie),
      now,
      now,
      now + DAY_MS,
      isConfirmed ? now + CONFIRMED_MS : null,
    );
  database.close();
  expect(changes, "sign-ins of the owner").toBe(1);
  await page.context().addCookies([{ name: "millrace-session", value: cookie, url: origin }]);
}

/** Only on pages of a signed-in person. */
export const accountButton = (page: Page, name = "") =>
  page.getByRole("button", { name: `${name}, your account` });

/** By the menu under the person's name. */
export async function signOut(page: Page): Promise<void> {
  await accountButton(page).click();
  await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
}
