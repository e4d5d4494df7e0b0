/** The whole server with its builders, a browser in which its owner is signed in, and builds that the packed CLI starts. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { findBrowsers } from "../../../scripts/checks/browser.ts";
import { startServer } from "../../attack/server-process.ts";
import { addVirtualAuthenticator } from "../../virtual-authenticator.ts";
import { comesTrue } from "../../attack/processes.ts";
import { buildCli } from "../cli-process.ts";
import { type BuildTools, findProcesses } from "./machine-stage.ts";

const START_MS = 60_000;
const VIEW = { width: 1440, height: 900 };

export interface RunningBuild {
  client: ChildProcess;
  /** The terminal's output. */
  output: () => string;
  /** @returns its exit code */
  ended: Promise<number | null>;
}

export interface AppStage {
  origin: string;
  page: Page;
  /** @param dockerfile in which `base` is the base image */
  build: (dockerfile: string, files?: { [name: string]: string }) => RunningBuild;
  close: () => Promise<void>;
}

/** @param tools of BuildKit, and the path of Docker's buildx */
export async function openAppStage(tools: BuildTools, buildx: string): Promise<AppStage> {
  const dataDir = join(tools.folder, "data");
  const server = await startServer({
    dataDir,
    env: {
      SITE_ORIGIN: undefined,
      HOST: "localhost",
      MILLRACE_OWNER_TOKEN: undefined,
      BUILDKITD: join(tools.programs, "buildkitd"),
    },
  });
  const origin = `http://localhost:${server.port}`;
  const browser = await chromium.launch({ executablePath: findBrowsers().shell, args: ["--no-sandbox"] });
  const main = await buildCli(join(tools.folder, "package"));
  const link = /http:\/\/localhost:\d+\/app\/start\/[\w-]+/.exec(server.output())?.[0];
  const page = await signIn(browser, link ?? server.output());
  const call = async (method: string, request: object) => {
    const answer = await page.request.post(`${origin}/api/millrace.v1.${method}`, {
      data: request,
      headers: { "Millrace-Org": "acme" },
    });
    return (await answer.json()) as { secret: string; project: { id: string } };
  };
  const { project } = await call("ProjectService/Create", { name: "web" });
  const { secret } = await call("TokenService/Create", {
    name: "ci",
    type: "project",
    project_id: project.id,
  });
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: tools.folder,
    MILLRACE_URL: origin,
    MILLRACE_TOKEN: secret,
    MILLRACE_PROJECT: project.id,
    MILLRACE_BUILDX: buildx,
  };
  const running: RunningBuild[] = [];
  return {
    origin,
    page,
    build(dockerfile, files = {}) {
      const context = join(tools.folder, "context");
      rmSync(context, { recursive: true, force: true });
      mkdirSync(context);
      for (const [name, text] of Object.entries({ ...files, Dockerfile: dockerfile }))
        writeFileSync(join(context, name), text);
      const image = `base=oci-layout://${tools.base.folder}@${tools.base.digest}`;
      const args = [main, "build", "--progress", "plain", "--build-context", image, "."];
      const started = startBuild(args, { cwd: context, env });
      running.push(started);
      return started;
    },
    async close() {
      for (const { client } of running) client.kill("SIGKILL");
      await browser.close();
      await server.stop();
    },
  };
}

function startBuild(
  args: readonly string[],
  options: { cwd: string; env: { [name: string]: string } },
): RunningBuild {
  const client = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [client.stdout, client.stderr])
    stream.on("data", (chunk) => (output += String(chunk)));
  const ended = once(client, "close").then(() => client.exitCode);
  return { client, output: () => output, ended };
}

/** By the link that the server printed, with a passkey that needs no touch. */
async function signIn(browser: Browser, link: string): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEW, reducedMotion: "reduce" });
  const page = await context.newPage();
  await addVirtualAuthenticator(page);
  await page.goto(link);
  await page.getByLabel("Organization").fill("acme");
  await page.getByLabel("Your name").fill("ada");
  await page.getByRole("button", { name: "Create with a passkey" }).click();
  await page.getByRole("button", { name: "ada, your account" }).waitFor();
  return page;
}

/** A command of a step that lasts until the test ends it; `seconds` is its name on this machine. */
export const pause = (seconds: number) => `sleep ${seconds} || true`;

export const isPaused = (seconds: number) => findSleeping(seconds).length > 0;

/** @throws Error when no step waits there */
export async function goOn(seconds: number): Promise<void> {
  if (!(await comesTrue(() => isPaused(seconds), START_MS)))
    throw new Error(`No step has come to “sleep ${seconds}”.`);
  for (const id of findSleeping(seconds)) process.kill(id, "SIGTERM");
}

/** The command line of the shell around it has the same words. */
const findSleeping = (seconds: number) =>
  findProcesses(`sleep ${seconds}`).filter((id) => !findProcesses(" -c ").includes(id));
