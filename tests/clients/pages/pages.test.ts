/**
 * Pages about accounts, the API and the CLI tell the truth: what they show in a terminal is run as it stands, from top to
 * bottom, with the packed CLI against a real server that has the records of the samples.
 * 1. Each command ends as a reader expects, and prints what the page shows below it.
 * 2. Every exception names a command that a page still has.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type RunningServer } from "../../attack/server-process.ts";
import { buildCli, makePlace, packCli } from "../cli-process.ts";
import { findMissingLine } from "./expected-output.ts";
import { approveLogins } from "./approve-logins.ts";
import { PLANS, type StepPlan } from "./page-plans.ts";
import { type PageStep, readPageSteps } from "./page-samples.ts";
import { resetSampleRecords, SAMPLE } from "./sample-records.ts";
import { networkSettings, openShellSession } from "../shell-session.ts";

const steps = await readPageSteps();
const place = makePlace();
let server: RunningServer;
let origin: string;
let bin: string;
let packed: string;

beforeAll(async () => {
  const main = await buildCli(join(place.path, "package"));
  bin = join(place.path, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "millrace"), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`, {
    mode: 0o755,
  });
  packed = packCli(join(place.path, "package"));
  // Nobody has a browser here.
  writeFileSync(join(bin, "xdg-open"), "#!/bin/sh\n", { mode: 0o755 });
  server = await startServer({ env: { SITE_ORIGIN: undefined } });
  origin = `http://127.0.0.1:${server.port}`;
}, 300_000);
afterAll(async () => {
  await server.stop();
  place.remove();
});
test.each([...steps.keys()])(
  "1. %s",
  async (path) => {
    const plan = PLANS[path] ?? {};
    resetSampleRecords(join(server.dataDir, "millrace.db"), plan.projects);
    const home = place.home();
    const shell = openShellSession({ folder: home, env: environment(home) });
    const approver = approveLogins({
      origin,
      databaseFile: join(server.dataDir, "millrace.db"),
      cookie: SAMPLE.cookie,
    });
    try {
      if (plan.before) expect(await shell.run(plan.before)).toMatchObject({ exitCode: 0 });
      for (const step of steps.get(path) ?? []) {
        const exception = plan.steps?.find(({ starts }) => step.command.startsWith(starts));
        // oxlint-disable-next-line no-await-in-loop -- in the order of the page
        if (exception?.isLeftOut === undefined) await runStep(shell, step, exception);
      }
    } finally {
      approver.stop();
      await shell.end();
    }
  },
  180_000,
);

test("2. exceptions", () => {
  for (const [path, { steps: planned = [] }] of Object.entries(PLANS)) {
    const commands = (steps.get(path) ?? []).map(({ command }) => command);
    expect(commands, path).not.toEqual([]);
    for (const { starts } of planned)
      expect(
        commands.filter((command) => command.startsWith(starts)),
        `${path}: ${starts}`,
      ).not.toEqual([]);
  }
});

function environment(home: string): { [name: string]: string } {
  return {
    ...networkSettings(),
    HOME: home,
    PATH: `${home}/.local/bin:${bin}:${process.env["PATH"] ?? ""}`,
    PACKAGE: packed,
    ORIGIN: origin,
    MILLRACE_URL: origin,
    USER_TOKEN: SAMPLE.userToken,
    ORGANIZATION_TOKEN: SAMPLE.organizationToken,
    LANG: "C.UTF-8",
  };
}

async function runStep(
  shell: ReturnType<typeof openShellSession>,
  step: PageStep,
  plan: StepPlan = { starts: "" },
): Promise<void> {
  if (plan.before) expect(await shell.run(plan.before), step.place).toMatchObject({ exitCode: 0 });
  const command = fill(plan.as ?? step.command);
  // A script of its own must not end the reader's shell.
  const isScript = command.includes("set -e");
  const { output, exitCode } = await shell.run(isScript ? `( ${command}\n)` : command);
  const shown = `${step.place}\n$ ${command}\n${output}`;
  expect(exitCode, shown).toBe(plan.exitCode ?? 0);
  expect(findMissingLine((plan.prints ?? step.output).map(fill), output), shown).toBe(null);
}

function fill(text: string): string {
  return text.replaceAll("{{origin}}", origin).replaceAll("{{host}}", new URL(origin).host);
}
