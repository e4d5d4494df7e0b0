/**
 * `npm run steady`: runs tests twenty times beside busy processors, because a test that fails once in twenty runs costs a team a day.
 * Without names it takes the test files that have changed since the last commit.
 *
 *     npm run steady
 *     npm run steady -- src/cache/model.test.ts tests/e2e/phone.spec.ts --times 50
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { UserError } from "#platform/environment/user-error.ts";
import { runCommand } from "#server/commands/run-command.ts";
import { changedFiles } from "./checks/changed.ts";
import { runNode } from "./checks/run-checks.ts";
import { isTest } from "./imports/import-graph.ts";

const BUSY = "for (;;) Math.sqrt(Math.random());";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: "string", default: "20" },
    since: { type: "string", default: "HEAD" },
    /** Busy threads. */
    load: { type: "string", default: String(availableParallelism()) },
  },
});

await runCommand(async () => {
  const files = positionals.length > 0 ? positionals : changedFiles(values.since).filter(isTest);
  if (files.length === 0) throw new UserError("No test has changed: name the files to run.");
  const [times, load] = [countOf("times"), countOf("load")];
  const busy = Array.from({ length: load }, () => new Worker(BUSY, { eval: true }));
  try {
    const browser = files.filter((file) => file.endsWith(".spec.ts"));
    const others = files.filter((file) => !file.endsWith(".spec.ts"));
    let failures = 0;
    for (let time = 1; time <= times && others.length > 0; time += 1)
      failures += await report(`${time} of ${times}`, ["node_modules/vitest/vitest.mjs", "run", ...others]);
    if (browser.length > 0)
      failures += await report(`${times} of each`, [
        "node_modules/@playwright/test/cli.js",
        "test",
        ...browser,
        `--repeat-each=${times}`,
        "--reporter=line",
      ]);
    console.log(failures === 0 ? "Steady." : `${failures} runs failed.`);
    if (failures > 0) process.exitCode = 1;
  } finally {
    await Promise.all(busy.map((worker) => worker.terminate()));
  }
});

/** @returns 1 when it failed */
async function report(what: string, args: string[]): Promise<number> {
  const { code, output } = await runNode(args);
  console.log(`  ${what}: ${code === 0 ? "passed" : `FAILED\n${output}`}`);
  return code === 0 ? 0 : 1;
}

function countOf(name: "times" | "load"): number {
  const count = Number(values[name]);
  if (Number.isInteger(count) && count >= 0 && count <= 1000) return count;
  throw new UserError(`--${name} must be a whole number from 0 to 1000.`);
}
